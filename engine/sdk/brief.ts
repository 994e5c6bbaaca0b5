import { rankSeverity } from '../base/records/finding.ts'
import { combineControls, combineForms, groupForms } from '../base/records/forms.ts'
import { listRuleIds } from '../base/records/rule-ids.ts'
import type { Applicable } from './applicable.ts'

/** The rules that apply, worst first, each with what an author of code needs of it. */
export function makeRuleBriefs({ rules, controls }: Applicable) {
  return [...groupForms(rules).values()]
    .map(forms => {
      const { id, pack_id, title, severity, message, remediation, cwe } = combineForms(forms)
      return {
        ...{ id, pack_id, title, severity, message },
        remediation: remediation.trimEnd(),
        cwe,
        controls: combineControls(forms, controls),
      }
    })
    .sort((a, b) => rankSeverity(a.severity) - rankSeverity(b.severity) || (a.id < b.id ? -1 : 1))
}

/** The compliance context of a file: its rules, its frameworks, and what a person must show. */
export function makeContext(applicable: Applicable) {
  const { filename, language, packs, frameworks, requirements, rules, controls } = applicable
  const bearing = (framework: string) =>
    listRuleIds(rules.map(({ id }) => id).filter(id => controls.get(id)?.some(ref => ref.framework === framework)))
      .length
  return {
    filename,
    language,
    packs: packs.map(({ id, version }) => ({ id, version })),
    frameworks: frameworks.map(({ id, name, edition }) => ({ id, name, edition, rules: bearing(id) })),
    rules: makeRuleBriefs(applicable),
    requirements: requirements.map(({ framework, control, title, evidence }) => ({
      framework,
      control,
      title,
      evidence,
    })),
  }
}
