import type { JsonSchema } from '../../base/json-schema.ts'
import { SEVERITIES } from '../../base/records/finding.ts'
import { CHECKSUM_NAMES, GENERIC_CLASSES } from '../../base/records/secret-detector.ts'

const text = (description: string): JsonSchema => ({ type: 'string', minLength: 1, description })
const words = (description: string, minLength: number): JsonSchema => ({
  type: 'array',
  minItems: 1,
  items: { type: 'string', minLength },
  description,
})
const strict = (properties: Record<string, JsonSchema>, required: string[], description: string): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
  description,
})
const samples = (description: string): JsonSchema => ({
  type: 'array',
  description,
  minItems: 1,
  items: {
    description: 'a template, or a map of path and code',
    anyOf: [
      { type: 'string' },
      strict(
        { path: text('a path'), code: { type: 'string', description: 'a template' } },
        ['path', 'code'],
        'a sample',
      ),
    ],
  },
})
const answer = strict(
  {
    status: {
      type: 'array',
      minItems: 1,
      items: { type: 'integer', minimum: 100, maximum: 599 },
      description: 'status codes',
    },
    body: text('a text that the body contains'),
  },
  [],
  'a condition on the answer: status, body or both',
)

/** JSON Schema of packs/<pack>/detectors/<id>.yaml. */
export const DETECTOR_SCHEMA: JsonSchema = strict(
  {
    id: {
      type: 'string',
      pattern: '^secret(-[a-z0-9]+)+$',
      description: 'words of lower-case letters and digits joined by hyphens, the first one secret',
    },
    provider: text('whose credential it is, as the provider writes itself'),
    title: text('one line that names the fault'),
    message: text('what whoever has the credential can do; one sentence stands in for it'),
    severity: { enum: [...SEVERITIES], description: 'how bad it is' },
    format: {
      type: 'string',
      minLength: 1,
      maxLength: 2000,
      description: 'a regular expression with a group named secret, every repetition bounded',
    },
    ignore_case: { type: 'boolean', description: 'true or false', default: false },
    armor: strict(
      {
        labels: words('labels of the BEGIN and END lines', 3),
        encrypted: { type: 'boolean', description: 'true for keys under a passphrase' },
      },
      ['labels'],
      'a private key between BEGIN and END lines, in any notation of its lines',
    ),
    generic: { enum: [...GENERIC_CLASSES], description: 'the kind of candidate that it takes instead of a format' },
    literals: words('texts of which the file must contain one, case ignored', 3),
    min_entropy: { type: 'number', minimum: 0, maximum: 8, description: 'bits per character' },
    near: strict(
      {
        words: words('words of which one must stand near, case ignored', 3),
        within: { type: 'integer', minimum: 1, maximum: 400, description: 'a number of characters', default: 80 },
      },
      ['words'],
      'words near a format that is letters only',
    ),
    checksum: { enum: [...CHECKSUM_NAMES], description: 'the name of a checksum' },
    require_checksum: { type: 'boolean', description: 'true or false', default: false },
    confidence: { type: 'number', minimum: 0.1, maximum: 1, description: 'a confidence from 0.1 to 1' },
    exclude_files: {
      type: 'array',
      items: { type: 'string' },
      description: 'globs of the paths left out',
      default: [],
    },
    tags: { type: 'array', items: { type: 'string' }, description: 'words to filter by', default: [] },
    source: text("the address of the provider's documentation of the format"),
    revoke: text('how to revoke the credential, in one or two sentences'),
    verify: strict(
      {
        method: { enum: ['GET', 'POST', 'HEAD'], description: 'a method' },
        url: { type: 'string', pattern: '^https://', description: 'an https address' },
        headers: { type: 'object', additionalProperties: { type: 'string' }, description: 'headers' },
        basic: strict(
          { user: { type: 'string' }, password: { type: 'string' } },
          ['user', 'password'],
          'user and password',
        ),
        body: text('a body'),
        live: answer,
        dead: answer,
      },
      ['method', 'url', 'live', 'dead'],
      'how to ask the provider',
    ),
    match: samples('samples that the detector must find'),
    clean: samples('near misses in which it must find nothing'),
  },
  ['id', 'provider', 'title', 'severity', 'source', 'revoke', 'match', 'clean'],
  'a detector of secrets',
)
