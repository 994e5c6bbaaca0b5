import { expect, test } from 'vitest'
import { makeEvidenceMap } from '../../../engine/assure/controls/evidence-map.ts'
import { groupDigits } from '../../../engine/base/text/words.ts'
import { hostileAssessment } from './assessment.ts'

test('rules that bear on the same controls are one piece of evidence, named by the first of them and by how many there are', () => {
  const assessment = hostileAssessment()
  const titles = new Map(
    assessment.frameworks.flatMap(({ controls }) =>
      controls.flatMap(({ rules }) => rules.map(({ id, title }) => [id, title])),
    ),
  )
  const groups = makeEvidenceMap(assessment).entries.filter(({ kind }) => kind === 'rules')
  expect(groups.some(({ sources }) => sources.length === 1)).toBe(true)
  expect(groups.some(({ sources }) => sources.length > 2)).toBe(true)
  for (const { title, sources } of groups) {
    expect(sources).toEqual([...sources].sort())
    const others = sources.length - 1
    const rest = others === 0 ? '' : `, and ${groupDigits(others)} other rule${others === 1 ? '' : 's'}`
    expect(title).toBe(`${titles.get(sources[0]!)}${rest}`)
  }
})
