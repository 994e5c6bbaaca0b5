import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSuppressions } from '../../../engine/findings/suppression-file.ts'
import suppressMany from '../../../engine/ops/findings/suppress-many.ts'
import { context } from '../../made/call.ts'
import { project } from '../../made/project.ts'

const RULE = 'js-eval-dynamic'
const places = [
  { rule: RULE, file: 'a.js' },
  { rule: RULE, file: 'b.js' },
  { rule: RULE, file: 'a.js' },
]
const call = (root: string, input: object) =>
  suppressMany.run({ places, undo: false, ...input } as never, context(root) as never)

describe('suppressing what was selected', () => {
  it('writes each rule and file once, with the reason and date, and undo takes back what it added and no more', async () => {
    const before = `- rule: ${RULE}\n  file: b.js\n  reason: older\n`
    const root = project({ 'a.js': 'x\n', '.svc/suppressions.yaml': before })
    const { added, kept } = await call(root, { reason: 'tried', expires: '2999-01-01' })
    expect(added).toEqual([{ rule: RULE, file: 'a.js' }])
    expect(kept).toEqual([{ rule: RULE, file: 'b.js' }])
    expect(await readSuppressions(root)).toMatchObject([
      { file: 'b.js', reason: 'older' },
      { rule: RULE, file: 'a.js', reason: 'tried', expires: '2999-01-01' },
    ])
    const { removed } = await call(root, { places: added, undo: true })
    expect(removed).toEqual(added)
    expect(await readSuppressions(root)).toMatchObject([{ file: 'b.js', reason: 'older' }])
  })

  it('writes nothing where one of them is refused', async () => {
    const root = project({ 'a.js': 'x\n', '.svc/suppressions.yaml': '[]\n' })
    const unknown = [...places, { rule: 'no-such-rule', file: 'a.js' }]
    await expect(call(root, { places: unknown, reason: 'tried' })).rejects.toMatchObject({ code: 'RULE_NOT_FOUND' })
    await expect(call(root, { reason: ' ' })).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    await expect(call(root, {})).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    await expect(call(root, { reason: 'tried', expires: '2020-01-01' })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    })
    expect(readFileSync(join(root, '.svc/suppressions.yaml'), 'utf8')).toBe('[]\n')
  })
})
