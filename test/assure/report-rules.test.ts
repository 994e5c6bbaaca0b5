import { expect, test } from 'vitest'
import { toReportRules } from '../../engine/assure/model.ts'
import { combineControls, combineForms, groupForms } from '../../engine/base/records/forms.ts'
import { loadShippedPacks } from '../made/shipped-packs.ts'

const rules = (await loadShippedPacks()).flatMap(pack => pack.rules)

test('a rule in a report says what its forms say together, and has former ids where it had any', () => {
  const controls = new Map(rules.slice(0, 3).map(({ id }) => [id, [{ framework: 'f', control: id }]]))
  const all = toReportRules(rules, controls)
  const groups = groupForms(rules)
  expect([...all.keys()]).toEqual([...groups.keys()])
  const withFormer = [...all.values()].filter(({ former }) => former !== undefined)
  expect(withFormer.length).toBeGreaterThan(0)
  expect(withFormer.length).toBeLessThan(all.size)
  expect(withFormer.filter(({ former }) => former!.length === 0)).toEqual([])
  for (const [id, forms] of [...groups].slice(0, 300)) {
    const { pack_id, title, message, severity, remediation, references, cwe, tags, category, type, languages } =
      combineForms(forms)
    const said = {
      id,
      pack_id,
      title,
      message,
      severity,
      remediation,
      references,
      cwe,
      tags,
      category,
      type,
      languages,
    }
    expect(all.get(id)).toMatchObject({ ...said, controls: combineControls(forms, controls) })
  }
})
