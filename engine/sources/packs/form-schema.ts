import { type } from 'arktype'
import { SeverityType } from '../../base/records/finding-schema.ts'
import type { PackedRule } from '../../base/records/rule.ts'

/** A form of a rule by weakness. */
export const FormType = type({
  key: type('string').describe(
    'the id that the rule had for these languages alone; it is accepted wherever a rule is named',
  ),
  pack_id: 'string',
  languages: 'string[]',
  title: 'string',
  severity: SeverityType,
})

/** What an operation says of a form. */
export function describeForm({ id, pack_id, languages, title, severity }: PackedRule): typeof FormType.infer {
  return { key: id, pack_id, languages: [...languages], title, severity }
}
