import { type } from 'arktype'
import { REQUIREMENT_STATUSES } from './model.ts'

const text = type('0 < string <= 20000')
const short = type('0 < string <= 500')
const list = (what: string) => text.array().atMostLength(1000).describe(`a list of ${what}, at most 1,000`)
const Id = type(/^[A-Za-z0-9_][A-Za-z0-9_.:~/#+-]{0,199}$/).describe(
  'an id of at most 200 letters, digits and . : ~ / # + - _, which begins with a letter, a digit or _',
)

/** One requirement, as requirements.yaml has it. */
export const REQUIREMENT = type({
  id: Id,
  title: short.describe('a short title'),
  'description?': type('string <= 100000').describe('a text that says what is required'),
  status: type
    .enumerated(...REQUIREMENT_STATUSES)
    .configure({ description: `one of ${REQUIREMENT_STATUSES.join(', ')}` }, 'self')
    .default('approved'),
  'level?': type('0 < string <= 100 | number').describe('a level such as system or software'),
  'parent?': Id.array().atMostLength(1000).describe('a list of ids of requirements that this one details'),
  'source?': type({
    provider: short.describe('the provider or the format that the requirement comes from'),
    key: short.describe('its key there'),
    'url?': type(/^https?:\/\/\S{1,2000}$/).describe('an http or https URL'),
    'revision?': type('0 < string <= 500 | number').describe('the revision that was read'),
    '+': 'reject',
  }).describe('a map of provider, key, url and revision'),
  'acceptance?': list('acceptance criteria'),
  'files?': list('globs: the files that implement it'),
  'tests?': list('globs: the files that test it'),
  'controls?': type(/^[A-Za-z0-9_.-]{1,100}:\S{1,200}$/)
    .describe('a control as framework:control')
    .array()
    .atMostLength(1000)
    .describe('a list of controls, each as framework:control'),
  'confirmed?': type({
    at: type(/^\d{4}-\d\d-\d\d(?:T[\d:.]{5,12}(?:Z|[+-]\d\d:\d\d))?$/).describe('a date or time by ISO 8601'),
    by: short.describe('who confirmed that the code does what is required'),
    digest: type('0 < string <= 200000').describe('a digest that `svc verify-reqs --confirm` writes'),
    '+': 'reject',
  }).describe('a map of at, by and digest'),
  '+': 'reject',
}).describe('a requirement with id and title')

/** The file requirements.yaml. */
export const REQUIREMENTS = type({
  'version?': type('1').describe('1: the version of the format'),
  requirements: REQUIREMENT.array().atMostLength(100_000).describe('a list of requirements'),
  '+': 'reject',
}).describe('a map of version and requirements')
