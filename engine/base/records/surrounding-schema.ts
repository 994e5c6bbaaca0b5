import type { JsonSchema } from '../json-schema.ts'

const expression = (description: string): JsonSchema => ({ type: 'string', minLength: 1, maxLength: 2000, description })

/** What a rule with a regular expression asks of the text around a match (`Surrounding`). */
export const WHERE: JsonSchema = {
  type: 'array',
  minItems: 1,
  description: 'what must stand around a match, or must not',
  items: {
    type: 'object',
    properties: {
      before: expression('a regular expression that must match before the end of the match'),
      after: expression('a regular expression that must match after the match'),
      anywhere: expression('a regular expression that must match in the file'),
      until: expression('a regular expression that must not match in between'),
      of: expression('a regular expression: other matches are not asked'),
      not: { const: true, description: 'true where it must not be so' },
    },
    additionalProperties: false,
    description: 'one of before, after and anywhere, with until, of and not',
  },
}
