import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import gate from '../../../engine/ops/gate/check.ts'
import decisions from '../../../engine/ops/review/decisions.ts'
import design from '../../../engine/ops/review/design.ts'
import { context, refusal, view } from '../../made/call.ts'
import { project } from '../../made/project.ts'

const BEFORE = "const app = require('express')()\napp.get('/a', list)\n"
const AFTER = `${BEFORE}app.post('/b', save)\n`
const CONFIG = 'governance:\n  design_review:\n    require_acknowledgment: true\n'
const none = { staged: false, pending: false, dry_run: false }
const asGate = { repo_path: '.', require_approval: false, dry_run: false, staged: false } as never

it('reviews, lists what is pending, and keeps an acknowledgment', async () => {
  const root = project({ 'a.js': BEFORE })
  writeFileSync(join(root, 'a.js'), AFTER)
  const reviewed = await design.run(none, context(root))
  expect(reviewed.decisions.map(({ summary, status }) => [summary, status])).toEqual([
    ['New endpoint POST /b', 'pending'],
  ])
  expect(reviewed.llm.state).toBe('not_evaluated')
  const { id } = reviewed.decisions[0]!
  await design.run({ ...none, ack: id, note: 'agreed' }, context(root, { env: { USER: 'kim' } }))
  expect((await design.run({ ...none, pending: true }, context(root))).decisions).toEqual([])
  const again = await design.run(none, context(root))
  expect(again.decisions[0]).toMatchObject({ id, status: 'acknowledged', note: 'agreed', acknowledged_by: 'kim' })
  expect(JSON.parse(readFileSync(join(root, 'out/design_decisions.json'), 'utf8')).decisions).toEqual(again.decisions)
  expect(design.text(again, view)).toContain('LLM part not evaluated')
})

it('reviews a range of commits and a file', async () => {
  const root = project({ 'a.js': BEFORE })
  writeFileSync(join(root, 'a.js'), AFTER)
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-qam', 'b'], { cwd: root })
  const range = await design.run({ ...none, git_range: 'HEAD~1..HEAD' }, context(root))
  expect(range.decisions).toHaveLength(1)
  const file = await design.run({ ...none, file: 'a.js' }, context(root))
  expect(file.decisions).toHaveLength(2)
})

it('an agent acknowledges nothing', async () => {
  const root = project({ 'a.js': BEFORE })
  writeFileSync(join(root, 'a.js'), AFTER)
  const { decisions: found } = await design.run(none, context(root))
  const call = context(root, { surface: 'mcp' })
  const error = await refusal(() => design.run({ ...none, ack: found[0]!.id }, call))
  expect(error.code).toBe('FORBIDDEN')
})

it('names an unknown decision, and refuses options that exclude each other', async () => {
  const root = project({ 'a.js': BEFORE })
  const missing = await refusal(() => design.run({ ...none, ack: 'DD-0000000000' }, context(root)))
  expect(missing.code).toBe('NOT_FOUND')
  const both = await refusal(() => design.run({ ...none, file: 'a.js', git_range: 'HEAD' }, context(root)))
  expect(both.code).toBe('INPUT_INVALID')
  const outside = await refusal(() => design.run({ ...none, file: '../a.js' }, context(root)))
  expect(outside.code).toBe('PATH_ESCAPES')
})

it('a damaged file of decisions is an error, not an empty list', async () => {
  const root = project({ 'a.js': BEFORE })
  await design.run(none, context(root))
  writeFileSync(join(root, 'out/design_decisions.json'), '{"version":1')
  expect((await refusal(() => design.run({ ...none, pending: true }, context(root)))).code).toBe('INPUT_INVALID')
})

it.each(['{"decisions":[]}', '{"version":1,"generated_at":"x","decisions":[{}]}', '[]'])(
  'the gate refuses a file of decisions that svc did not write: %s',
  async text => {
    const root = project({ 'a.js': BEFORE, '.svc/config.yaml': CONFIG })
    await design.run(none, context(root))
    writeFileSync(join(root, 'out/design_decisions.json'), text)
    const error = await refusal(() => gate.run(asGate, context(root)))
    expect([error.row.exit, error.message]).toEqual([64, expect.stringContaining('design_decisions.json')])
  },
)

it('an acknowledgment that was written into the file, or moved to another decision, is pending', async () => {
  const root = project({ 'a.js': BEFORE })
  writeFileSync(join(root, 'a.js'), `${AFTER}app.post('/c', save)\n`)
  const { decisions: found } = await design.run(none, context(root))
  expect(found).toHaveLength(2)
  await design.run({ ...none, ack: found[0]!.id }, context(root))
  const file = join(root, 'out/design_decisions.json')
  const document = JSON.parse(readFileSync(file, 'utf8'))
  const [own, other] = document.decisions
  const { status, acknowledged_at, seal } = own.status === 'acknowledged' ? own : other
  for (const each of [own, other]) Object.assign(each, { status, acknowledged_at, seal })
  writeFileSync(file, JSON.stringify(document))
  const pending = async () =>
    (await design.run({ ...none, pending: true }, context(root))).decisions.map(({ id }) => id)
  expect(await pending()).toEqual([found[1]!.id])
  for (const each of [own, other]) delete each.seal
  writeFileSync(file, JSON.stringify(document))
  expect((await pending()).sort()).toEqual(found.map(({ id }) => id).sort())
  const again = await design.run(none, context(root))
  expect(again.decisions.map(each => each.status)).toEqual(['pending', 'pending'])
})

it('the gate exits with 2 while decisions are pending, and with 0 once they are acknowledged', async () => {
  const root = project({ 'a.js': BEFORE, '.svc/config.yaml': CONFIG })
  const unreviewed = await gate.run(asGate, context(root))
  expect(unreviewed.failures.map(({ kind }) => kind)).toEqual(['design_review'])
  expect(gate.exit!(unreviewed)).toBe(2)
  writeFileSync(join(root, 'a.js'), AFTER)
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-qam', 'b'], { cwd: root })
  const range = { ...(asGate as object), git_range: 'HEAD~1..HEAD' } as never
  const pending = await gate.run(range, context(root))
  expect(pending.passed).toBe(false)
  expect(gate.exit!(pending)).toBe(2)
  const { decisions: stored } = await design.run({ ...none, pending: true }, context(root))
  for (const { id } of stored) await design.run({ ...none, ack: id }, context(root))
  expect(gate.exit!(await gate.run(range, context(root)))).toBe(0)
})

it('an agent reads the decisions with their age, without a review', async () => {
  const root = project({ 'a.js': BEFORE })
  expect((await decisions.run({ pending: true }, context(root))).scope).toBeNull()
  writeFileSync(join(root, 'a.js'), AFTER)
  await design.run(none, context(root))
  const read = await decisions.run({ pending: true }, context(root, { surface: 'mcp' }))
  expect(read.pending).toBe(1)
  expect(read.age_seconds).toBeLessThan(60)
  expect(decisions.text(read, view)).toMatch(/Reviewed \d+ seconds? ago/)
})
