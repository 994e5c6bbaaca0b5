import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { call, type Place, place, refused, register, type Who } from './governed.ts'

/** Tried as an agent with the user's rights would: nothing keeps it from writing files, but the next command must see it. */

const STRICT = 'task_binding: { enabled: true, enforcement: block }\nrollback: { enabled: true }'
const STATE = '.svc/local/state.db'

/** Runs SQL on the records, as somebody would who knows their tables. */
function behind(where: Place, sql: string): void {
  const database = new DatabaseSync(join(where.root, STATE))
  database.exec(sql)
  database.close()
}

/** A task of an agent that has already changed a file outside its paths, and was told so by the gate. */
async function violated(governance = STRICT): Promise<{ where: Place; agent: { key: string }; id: string }> {
  const where = place(governance)
  const agent = await register(where, 'builder')
  const { output } = await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['src/**'] })
  const id = output.session.id as string
  writeFileSync(join(where.root, 'doc/b.md'), 'changed\n')
  expect((await gate(where, agent)).passed).toBe(false)
  return { where, agent, id }
}

/** What the commit hook says: of governance it says what the gate says, and scans only what is staged. */
async function gate(where: Place, who: Who) {
  const { output } = await call(where, who, 'hook.scan')
  return { passed: output.passed as boolean, reasons: ((output.outside as string[] | undefined) ?? []).join('\n') }
}

async function verify(where: Place, input: object = {}, who: Who = 'person') {
  return (await call(where, who, 'audit.verify', input)).output
}

/** Copies the records with what SQLite keeps beside them. */
function copyState(from: Place, name: string): void {
  execFileSync('cp', ['-r', join(from.root, '.svc/local'), join(from.root, '..', name)])
}

describe('a row that was changed with another program is named and holds the gate', () => {
  it.each([
    ['the status and the violations of a task', `UPDATE sessions SET status = 'active', violations = '[]'`, 'sessions'],
    ['the commit a task began at', `UPDATE sessions SET git_sha = '${'0'.repeat(40)}'`, 'sessions'],
    ['a task that was deleted', 'DELETE FROM sessions', 'sessions'],
    ['a scope', `UPDATE agents SET scopes = '["*"]'`, 'agents'],
    ['the pinned policy', `DELETE FROM meta WHERE key = 'policy'`, 'meta'],
    [
      'an approval that nobody gave',
      "INSERT INTO approvals (id, type, title, context, subject_digest, requester, status, created_at, expires_at) VALUES ('AP-000000000000', 'rollback', '', '', 'x', 'builder', 'approved', '2020', '2999')",
      'approvals',
    ],
    ['the seals themselves', 'DELETE FROM seals', 'seals'],
    ['the digests of the seals', 'DELETE FROM seal_buckets', 'seals'],
  ])('%s', async (_, sql, table) => {
    const { where, agent, id } = await violated()
    behind(where, sql)
    const held = await gate(where, agent)
    expect(held.passed).toBe(false)
    expect(held.reasons).toContain('--restore-records')
    if (table === 'sessions') expect(held.reasons).toContain(id)
    const { fault, records } = await verify(where)
    expect(fault).toMatchObject({ kind: 'records_changed' })
    expect(records.map((record: { table: string }) => record.table)).toContain(table)
    if (sql.startsWith('UPDATE sessions')) expect(fault.message).toMatch(/\((git_sha|status, violations)\)/)
    // Whatever rests on such a row is refused to an agent, and a person's gate fails as well.
    if (table !== 'approvals')
      expect((await refused(where, agent, 'governance.task-bind', { intent: 'y', path: ['**'] })).message).toContain(
        'records of governance were changed',
      )
    const { output } = await call(where, 'person', 'gate.check', { repo_path: where.root })
    expect(output.passed).toBe(false)
    expect(JSON.stringify(output.reasons)).toContain('--restore-records')
  })

  it('a row that stands in for another', async () => {
    const { where, agent, id } = await violated()
    const { output } = await call(where, agent, 'governance.task-bind', { intent: 'y', path: ['**'] })
    const other = output.session.id
    behind(
      where,
      `UPDATE sessions SET id = 'TS-t' WHERE id = '${id}'; UPDATE sessions SET id = '${id}' WHERE id = '${other}'; UPDATE sessions SET id = '${other}' WHERE id = 'TS-t'`,
    )
    const { records } = await verify(where)
    expect(records.map((record: { id: string }) => record.id)).toEqual(expect.arrayContaining([id, other]))
  })

  it('a row that was rolled back to an earlier state together with its seal', async () => {
    const { where, agent } = await violated('task_binding: { enabled: true, enforcement: hitl }')
    const { output } = await call(where, 'person', 'governance.approvals')
    const { id } = output.approvals[0]
    await call(where, 'person', 'governance.approve', { id })
    copyState(where, 'approved')
    rmSync(join(where.root, 'doc/b.md'))
    writeFileSync(join(where.root, 'doc/b.md'), 'changed\n')
    const [session] = (await call(where, agent, 'governance.task-list', {})).output.sessions
    expect((await call(where, agent, 'governance.task-complete', { id: session.id })).output.completed).toBe(true)
    behind(
      where,
      `ATTACH '${join(where.root, '../approved/state.db')}' AS old;
       REPLACE INTO approvals SELECT * FROM old.approvals; REPLACE INTO seals SELECT * FROM old.seals WHERE record LIKE 'approvals %'`,
    )
    expect((await gate(where, agent)).passed).toBe(false)
    expect((await verify(where)).fault).toMatchObject({ kind: 'records_changed' })
  })

  it('a task is neither completed nor rolled back while its row is not what the log says', async () => {
    const { where, agent, id } = await violated()
    behind(where, `UPDATE sessions SET authorized_paths = '["**"]'`)
    const error = await refused(where, agent, 'governance.task-complete', { id })
    expect(error.message).toContain('records of governance were changed')
    const { output } = await call(where, 'person', 'governance.task-complete', { id })
    expect(output).toMatchObject({ completed: false, decision: 'refused' })
    expect(output.tampered.join()).toContain('authorized_paths')
    expect((await refused(where, 'person', 'governance.task-rollback', { id })).message).toContain('authorized_paths')
    expect((await call(where, 'person', 'governance.anomaly-scan')).output.tampered.join()).toContain(id)
    const report = (await call(where, 'person', 'governance.harness-report', { output: '-', format: 'json' })).output
    expect(report.summary.sound).toBe(false)
  })
})

describe('the way out', () => {
  it('restoring brings the rows back that were sealed, and the gate says again what it said', async () => {
    const { where, agent, id } = await violated()
    behind(where, `UPDATE sessions SET status = 'active', violations = '[]'; DELETE FROM meta WHERE key = 'policy'`)
    expect((await refused(where, agent, 'audit.verify', { restore_records: true })).code).toBe('FORBIDDEN')
    expect(await verify(where, { restore_records: true })).toMatchObject({ ok: true })
    expect((await gate(where, agent)).reasons).toContain(`doc/b.md is outside the paths of ${id}`)
  })

  it('accepting seals the rows as they are, and the log tells of it', async () => {
    const { where, agent } = await violated()
    behind(where, "UPDATE sessions SET authorized_paths = '[\"**\"]', status = 'active', violations = '[]'")
    expect((await refused(where, agent, 'audit.verify', { accept_records: true })).code).toBe('FORBIDDEN')
    expect((await verify(where, { accept_records: true })).fault?.message).toContain('paths of')
    const { output } = await call(where, 'person', 'audit.list', { action: 'records.accept' })
    expect(output.entries[0].details.rows.join()).toContain('edited sessions TS-')
  })
})

describe('a log that was replaced', () => {
  it('is told of by the first command, not by the second', async () => {
    const { where } = await violated()
    rmSync(join(where.root, '.svc/local'), { recursive: true })
    expect((await verify(where)).fault).toMatchObject({ kind: 'replaced' })
    expect((await verify(where)).fault).toMatchObject({ kind: 'replaced' })
    expect(await verify(where, { accept_replaced: true })).toMatchObject({ ok: true })
  })

  it('by an older copy of itself is told of, and holds the gate', async () => {
    const { where, agent } = await violated()
    copyState(where, 'older')
    await call(where, 'person', 'governance.agent-freeze', { name: 'builder' })
    rmSync(join(where.root, '.svc/local'), { recursive: true })
    execFileSync('mv', [join(where.root, '../older'), join(where.root, '.svc/local')])
    const held = await gate(where, agent)
    expect(held.passed).toBe(false)
    expect(held.reasons).toContain('rolled back to an earlier state')
    expect((await verify(where)).fault).toMatchObject({ kind: 'truncated' })
  })

  it('with the settings emptied is governance that was switched off, until a person approves', async () => {
    const { where, agent } = await violated()
    rmSync(join(where.root, '.svc/local'), { recursive: true })
    writeFileSync(join(where.root, '.svc/config.yaml'), '')
    const marked = { marker: 'CLAUDECODE' } as const
    const held = await gate(where, marked)
    expect(held.passed).toBe(false)
    expect(held.reasons).toMatch(/governance was switched off since \d{4}-/)
    const id = /svc approve (AP-[0-9a-f]{12})/.exec(held.reasons)![1]!
    expect((await refused(where, agent, 'governance.approve', { id })).code).toBe('FORBIDDEN')
    await call(where, 'person', 'governance.approve', { id })
    expect(await gate(where, marked)).toMatchObject({ passed: true })
    expect(await verify(where)).toMatchObject({ ok: true })
  })

  it('that held nothing but the entries of a runner holds up no gate, since runners clean their checkout', async () => {
    const where = place(STRICT)
    const runner = { marker: 'GITHUB_ACTIONS' } as const
    expect((await gate(where, runner)).passed).toBe(true)
    rmSync(join(where.root, '.svc/local'), { recursive: true })
    expect((await gate(where, runner)).passed).toBe(true)
    rmSync(join(where.root, '.svc/local'), { recursive: true })
    writeFileSync(join(where.root, '.svc/config.yaml'), '')
    expect((await gate(where, runner)).reasons).toContain('governance was switched off')
  })
})

describe('what weakens the judgement', () => {
  it.each([
    '.svc/config.yaml',
    '.svc/suppressions.yaml',
    '.gitattributes',
    'src/.gitattributes',
    '.github/workflows/ci.yml',
    '.claude/settings.json',
  ])('%s is protected when git is asked, however wide the paths of the task are', async path => {
    const where = place('task_binding: { enabled: true, enforcement: warn }')
    const agent = await register(where, 'builder')
    const { output } = await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['**'] })
    execFileSync('mkdir', ['-p', join(where.root, path, '..')])
    writeFileSync(join(where.root, path), '')
    execFileSync('git', ['add', '-f', path], { cwd: where.root })
    const own = ['-c', 'user.name=x', '-c', 'user.email=x@example.com']
    execFileSync('git', [...own, 'commit', '-qm', 'x', '--no-verify'], { cwd: where.root })
    const held = await gate(where, agent)
    expect(held.passed).toBe(false)
    expect(held.reasons).toContain(`${path} is protected`)
    const done = (await call(where, agent, 'governance.task-complete', { id: output.session.id })).output
    expect(done).toMatchObject({ completed: false, outside: [path] })
    await call(where, 'person', 'governance.approve', { id: done.approval_id })
    expect((await call(where, agent, 'governance.task-complete', { id: output.session.id })).output.completed).toBe(
      true,
    )
  })
})

it('a file of before rows were sealed is sealed when it is opened, with an entry that says so', async () => {
  const { where, agent } = await violated()
  behind(
    where,
    `DROP TABLE seals; DROP TABLE seal_buckets; ALTER TABLE approvals DROP COLUMN subject; ALTER TABLE approvals DROP COLUMN diff;
     DROP TABLE auditors;
     PRAGMA user_version = 1`,
  )
  // The log has seals already, so this is no file of before, and is not sealed again.
  expect((await gate(where, agent)).passed).toBe(false)
  expect((await verify(where)).fault).toMatchObject({ kind: 'records_changed' })
})
