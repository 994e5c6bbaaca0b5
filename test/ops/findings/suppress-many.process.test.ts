import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { applySuppressions } from '../../../engine/findings/suppression.ts'
import { addSuppressions, readSuppressions } from '../../../engine/findings/suppression-file.ts'
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

  it.each([
    '../../../etc/passwd',
    '/etc/passwd',
    'src/../a.js',
    './a.js',
    '**',
    '*.js',
    '{a,b}.js',
    'src',
    'a\\b',
    ' ',
  ])('refuses %j, which is no file of the repository, and writes nothing', async file => {
    const root = project({ 'a.js': 'x\n', 'src/b.js': 'x\n' })
    const all = [...places, { rule: RULE, file }]
    await expect(call(root, { places: all, reason: 'tried' })).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    expect(await readSuppressions(root)).toEqual([])
  })

  it('covers a file whose name is a glob, and no other', async () => {
    const root = project({ '**': 'x\n', 'pages/[id].ts': 'x\n', 'pages/i.ts': 'x\n' })
    const odd = [
      { rule: RULE, file: '**' },
      { rule: RULE, file: 'pages/[id].ts' },
    ]
    const { added } = await call(root, { places: odd, reason: 'tried' })
    expect(added).toEqual(odd)
    const found = ['**', 'pages/[id].ts', 'pages/i.ts', 'a.js'].map(file => ({ rule_id: RULE, file, line: 1 }))
    const entries = await readSuppressions(root)
    const { findings } = applySuppressions(found as never, new Map(), entries, { today: '2026-01-01', whole: false })
    expect(findings.map(({ status }) => status === 'suppressed')).toEqual([true, true, false, false])
    expect((await call(root, { places: odd, reason: 'again' })).kept).toEqual(odd)
    expect((await call(root, { places: added, undo: true })).removed).toEqual(odd)
    expect(await readSuppressions(root)).toEqual([])
  })

  it('writes 500 places in one step, and takes them back in one, without keeping others waiting', async () => {
    const all = Array.from({ length: 500 }, (_, at) => ({ rule: RULE, file: `src/file-${at}.js` }))
    const root = project({ 'a.js': 'x\n' })
    const start = performance.now()
    expect((await call(root, { places: all, reason: 'tried' })).added).toHaveLength(500)
    expect((await call(root, { places: all, undo: true })).removed).toHaveLength(500)
    expect(performance.now() - start).toBeLessThan(3000)
  })

  it('refuses what would make the file larger than svc reads', async () => {
    const root = project({ 'a.js': 'x\n' })
    const all = Array.from({ length: 500 }, (_, at) => ({ rule: RULE, file: `${'d/'.repeat(200)}${at}.js` }))
    const answer = call(root, { places: all, reason: 'r'.repeat(900) })
    await expect(answer).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    expect(await readSuppressions(root)).toEqual([])
  })

  it('keeps what another writes at the same time', async () => {
    const root = project({ 'a.js': 'x\n' })
    const entry = (file: string) => ({ rule: RULE, file, reason: 'tried' })
    await Promise.all(['a.js', 'b.js', 'c.js', 'd.js'].map(file => addSuppressions(root, [entry(file)])))
    expect((await readSuppressions(root)).map(({ file }) => file).sort()).toEqual(['a.js', 'b.js', 'c.js', 'd.js'])
  })
})
