import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import gate from '../../../engine/ops/gate/check.ts'
import merge from '../../../engine/ops/scan/merge.ts'
import { STATE_PATH } from '../../../engine/sources/state/local-folder.ts'
import { call, type Place, place, register, type Who } from '../../governance/governed.ts'
import { write } from '../../made/folder.ts'
import { OWN_RULES, wordRule } from '../../made/rules.ts'

const agent = { marker: 'CURSOR_AGENT' }
const IGNORED = { '.gitignore': 'out/\n.svc/local/\n' }
const CRITICAL = wordRule('frobnicate', 'severity: critical')

/** A place whose rules are its own alone. */
function made(governance: string, files: Record<string, string> = {}): Place {
  const { root, env } = place(governance, { ...IGNORED, ...CRITICAL, ...files })
  return { root, env: { ...env, ...OWN_RULES } }
}

const shard = async (where: Place, who: Who) =>
  (await call(where, who, 'scan.run', { repo_path: '.', shard: '1/1' })).output.shard.folder as string

/** What `svc gate` and `svc merge --gate` answer on the same tree, with their exit codes. */
async function both(where: Place, who: Who, folder: string) {
  const whole = (await call(where, who, 'gate.check', { repo_path: '.' })).output
  const merged = (await call(where, who, 'scan.merge', { folders: [folder], gate: true })).output
  const { passed, reasons, failures, approval_id } = whole
  const { run_id, blocking_findings, not_evaluated, run, output_dir, ...decision } = whole
  expect(merged.gate).toEqual(decision)
  const exit = gate.exit!(whole as never)
  expect(merge.exit!(merged as never)).toBe(exit)
  const stored = JSON.parse(readFileSync(join(where.root, 'out/run.json'), 'utf8')).gate
  expect(stored).toMatchObject({ passed, reasons })
  return { passed, reasons, kinds: failures.map(({ kind }: { kind: string }) => kind), approval_id, exit }
}

describe('svc merge --gate answers as svc gate does', () => {
  it('on a tree that passes', async () => {
    const where = made('task_binding: { enabled: true }')
    expect(await both(where, 'person', await shard(where, 'person'))).toMatchObject({ passed: true, exit: 0 })
  })

  it('on findings', async () => {
    const where = made('', { 'a.txt': 'frobnicate\n' })
    expect(await both(where, 'person', await shard(where, 'person'))).toMatchObject({ kinds: ['findings'], exit: 1 })
  })

  it('on design decisions that nobody has acknowledged, with the exit code of their own', async () => {
    const where = made('design_review: { require_acknowledgment: true }')
    const answer = await both(where, 'person', await shard(where, 'person'))
    expect(answer).toMatchObject({ passed: false, kinds: ['design_review'], exit: 2 })
  })

  it('on a change outside the paths of a task', async () => {
    const where = made('task_binding: { enabled: true, enforcement: block }')
    await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['src/**'] })
    write(where.root, { 'doc/b.md': 'other\n' })
    const answer = await both(where, agent, await shard(where, agent))
    expect(answer).toMatchObject({ kinds: ['governance'], exit: 1 })
    expect(answer.reasons).toEqual([expect.stringContaining('doc/b.md is outside the paths of TS-')])
  })

  it('on records that another program changed', async () => {
    const where = made('task_binding: { enabled: true, enforcement: block }')
    await register(where, 'builder')
    const folder = await shard(where, 'person')
    const database = new DatabaseSync(join(where.root, STATE_PATH))
    database.exec(`UPDATE agents SET scopes = '["*"]'`)
    database.close()
    const answer = await both(where, 'person', folder)
    expect(answer).toMatchObject({ kinds: ['governance'], exit: 1 })
    expect(answer.reasons.join()).toContain('--restore-records')
  })

  it('on records that cannot be read', async () => {
    const where = made('task_binding: { enabled: true, enforcement: block }')
    await register(where, 'builder')
    const folder = await shard(where, 'person')
    for (const end of ['', '-wal', '-shm']) write(where.root, { [`${STATE_PATH}${end}`]: 'no database' })
    const answer = await both(where, 'person', folder)
    expect(answer).toMatchObject({ kinds: ['governance'], exit: 1 })
    expect(answer.reasons.join()).toContain('the governance records cannot be read')
  })

  it('on critical findings that a user must see', async () => {
    const where = made('human_review_required: { on_critical_finding: true }', {
      'a.txt': 'frobnicate\n',
    })
    where.env.SVC_GATE_FAIL_ON = 'high'
    const answer = await both(where, 'person', await shard(where, 'person'))
    expect(answer).toMatchObject({ kinds: ['governance'], exit: 1 })
    expect(answer.approval_id).toMatch(/^AP-/)
  })
})

it('a baseline is not written over records that cannot be read, gate or not', async () => {
  const where = made('task_binding: { enabled: true, enforcement: block }')
  await register(where, 'builder')
  const folder = await shard(where, 'person')
  for (const end of ['', '-wal', '-shm']) write(where.root, { [`${STATE_PATH}${end}`]: 'no database' })
  const renewed = { folders: [folder], gate: true, update_baseline: true }
  await expect(call(where, 'person', 'scan.merge', renewed)).rejects.toThrow()
})
