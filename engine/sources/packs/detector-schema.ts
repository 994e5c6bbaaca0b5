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
        { path: text('a file path'), code: { type: 'string', description: 'a template' } },
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
      description: 'HTTP status codes',
    },
    body: text('a string that the response body contains'),
  },
  [],
  'a condition on the response: status, body or both',
)

/** JSON Schema of packs/<pack>/detectors/<id>.yaml. */
export const DETECTOR_SCHEMA: JsonSchema = strict(
  {
    id: {
      type: 'string',
      pattern: '^secret(-[a-z0-9]+)+$',
      description: 'lower-case letters and digits in words joined by hyphens, beginning with secret-',
    },
    provider: text('the provider of the credential, spelled as the provider spells its name'),
    credential: text(
      'the kind of credential, in lower case: "API token", "API token (legacy format)"; the title is provider and credential',
    ),
    title: text('a title in one line, instead of credential, where no provider issues the credential'),
    message: text('what an attacker who has the credential can do (default: act as its owner)'),
    severity: { enum: [...SEVERITIES], description: 'a severity' },
    format: {
      type: 'string',
      minLength: 1,
      maxLength: 2000,
      description: 'a regular expression with a group named secret; every repetition must be bounded',
    },
    ignore_case: { type: 'boolean', description: 'true or false: whether format ignores case', default: false },
    armor: strict(
      {
        labels: words('the labels of the BEGIN and END lines', 3),
        encrypted: { type: 'boolean', description: 'true or false: whether the key is encrypted with a passphrase' },
      },
      ['labels'],
      'a private key between BEGIN and END lines, with any line separator',
    ),
    generic: {
      enum: [...GENERIC_CLASSES],
      description: 'the kind of value that the detector matches by its name, instead of a format',
    },
    literals: words('strings of which the file must contain at least one (case-insensitive)', 3),
    min_entropy: {
      type: 'number',
      minimum: 0,
      maximum: 8,
      description: 'the minimum Shannon entropy of the secret, in bits per character',
    },
    near: strict(
      {
        words: words('words of which at least one must be near (case-insensitive)', 3),
        within: {
          type: 'integer',
          minimum: 1,
          maximum: 400,
          description: 'the maximum distance in characters (default: 80)',
          default: 80,
        },
      },
      ['words'],
      'words required near a format that has no prefix of its own',
    ),
    checksum: { enum: [...CHECKSUM_NAMES], description: 'the checksum that the secret carries' },
    require_checksum: {
      type: 'boolean',
      description: 'true or false: whether a wrong checksum rules a match out',
      default: false,
    },
    confidence: { type: 'number', minimum: 0.1, maximum: 1, description: 'the confidence of a match, 0.1 to 1' },
    exclude_files: {
      type: 'array',
      items: { type: 'string' },
      description: 'globs of the paths to skip',
      default: [],
    },
    tags: { type: 'array', items: { type: 'string' }, description: 'tags to filter rules by', default: [] },
    source: text("the URL of the provider's documentation of the format"),
    revoke: text('how to revoke the credential at the provider, in one or two sentences'),
    verify: strict(
      {
        method: { enum: ['GET', 'POST', 'HEAD'], description: 'an HTTP method' },
        url: { type: 'string', pattern: '^https://', description: 'an https URL' },
        headers: { type: 'object', additionalProperties: { type: 'string' }, description: 'HTTP request headers' },
        basic: strict(
          { user: { type: 'string' }, password: { type: 'string' } },
          ['user', 'password'],
          'credentials for HTTP basic authentication',
        ),
        body: text('a request body'),
        live: answer,
        dead: answer,
      },
      ['method', 'url', 'live', 'dead'],
      'a request to the provider that shows whether the credential is live',
    ),
    match: samples('samples in which the detector must report a finding'),
    clean: samples('negative samples in which the detector must report nothing'),
  },
  ['id', 'provider', 'severity', 'source', 'revoke', 'match', 'clean'],
  'a secret detector',
)
