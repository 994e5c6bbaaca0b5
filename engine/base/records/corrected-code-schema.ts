import type { JsonSchema } from '../json-schema.ts'

/** `corrected_code` of a rule, as its file says it. */
export const CORRECTED_CODE: JsonSchema = {
  type: 'array',
  minItems: 1,
  description: 'corrected code by language, in which the rule must report nothing; shown behind the remediation',
  items: {
    type: 'object',
    properties: {
      languages: { type: 'array', minItems: 1, items: { type: 'string' }, description: 'languages of the rule' },
      code: { type: 'string', minLength: 1, description: 'the corrected code' },
    },
    required: ['languages', 'code'],
    additionalProperties: false,
  },
}
