import { type } from 'arktype'

const short = type('0 < string <= 500')

/** A file of work items, as `svc reconcile --work-items` reads it. */
export const WORK_ITEMS = type({
  'version?': type('1').describe('1: the version of the format'),
  work_items: type({
    key: type(/^#?[A-Za-z0-9][A-Za-z0-9._/#-]{0,99}$/).describe('a key such as PROJ-12, AB#12 or #12'),
    title: short.describe('a title'),
    state: short.describe('the state that the provider gives it'),
    'type?': short.describe('a type such as bug or story'),
    'url?': type(/^https?:\/\/\S{1,2000}$/).describe('an http or https URL'),
    'commits?': type(/^[0-9a-fA-F]{7,64}$/)
      .describe('a commit id of 7 to 64 hexadecimal digits')
      .array()
      .atMostLength(10_000)
      .describe('a list of commit ids'),
    'branches?': short.array().atMostLength(1000).describe('a list of branches'),
    'updated?': short.describe('when it was changed the last time, by ISO 8601'),
    '+': 'reject',
  })
    .describe('a work item with key, title and state')
    .array()
    .atMostLength(100_000)
    .describe('a list of work items'),
  '+': 'reject',
}).describe('a map of version and work_items')
