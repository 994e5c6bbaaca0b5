import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, it, onTestFinished, vi } from 'vitest'
import { call, type Place, place, refused, register } from '../../governance/governed.ts'

/** A repository whose log has some entries. */
async function withEntries(): Promise<Place> {
  const where = place()
  for (const name of ['ann', 'bob', 'cid']) await register(where, name)
  return where
}

/** Runs SQL on the records as somebody would who knows nothing of svc. */
function behind(where: Place, sql: string): void {
  const database = new DatabaseSync(join(where.root, '.svc/local/state.db'))
  database.exec(sql)
  database.close()
}

it('an export is verified anywhere, with and without its anchor, and a change in it is found', async () => {
  const where = await withEntries()
  const file = join(where.root, '../audit.jsonl')
  const { output: anchored } = await call(where, 'person', 'audit.anchor')
  await register(where, 'dan')
  const { output } = await call(where, 'person', 'audit.export', { output: file })
  expect(output.entries).toBe(5)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const elsewhere = { ...where, root: join(where.root, '..') }
  const verify = (more: object = {}) => call(elsewhere, 'nobody', 'audit.verify', { file, ...more })
  expect((await verify()).output).toMatchObject({ ok: true, entries: 5 })
  expect((await verify({ anchor: [anchored.anchor] })).output.ok).toBe(true)
  expect(existsSync(join(elsewhere.root, '.svc'))).toBe(false)
  writeFileSync(file, readFileSync(file, 'utf8').replace('"target":"bob"', '"target":"eve"'))
  expect((await verify()).output).toMatchObject({ ok: false, fault: { kind: 'edited', seq: 3 } })
})

it('an anchor that was changed is refused', async () => {
  const where = await withEntries()
  const { output } = await call(where, 'person', 'audit.anchor')
  const anchor = output.anchor.replace(/:4:/, ':3:')
  expect((await refused(where, 'person', 'audit.verify', { anchor: [anchor] })).message).toContain(
    'signature is not valid',
  )
})

it('an entry that was changed in the file is flagged where it is listed, and named where the log is verified', async () => {
  const where = await withEntries()
  behind(where, `UPDATE audit SET text = replace(text, '"target":"ann"', '"target":"eve"') WHERE seq = 2`)
  const { output } = await call(where, 'person', 'audit.list')
  const flagged = output.entries.filter(({ tampered }: { tampered?: boolean }) => tampered)
  expect(flagged.map(({ seq }: { seq: number }) => seq)).toEqual([2])
  expect((await call(where, 'person', 'audit.verify')).output.fault).toMatchObject({ kind: 'edited', seq: 2 })
})

it.each([
  ['deleted', 'DELETE FROM audit WHERE seq = 2', 2],
  ['truncated', 'DELETE FROM audit WHERE seq >= 3', 3],
  [
    'reordered',
    'UPDATE audit SET seq = 100 WHERE seq = 2; UPDATE audit SET seq = 2 WHERE seq = 3; UPDATE audit SET seq = 3 WHERE seq = 100',
    2,
  ],
  ['duplicated', 'UPDATE audit SET text = (SELECT text FROM audit WHERE seq = 2) WHERE seq = 4', 2],
] as const)('rows that were %s in the file are named so', async (kind, sql, seq) => {
  const where = await withEntries()
  behind(where, sql)
  expect((await call(where, 'person', 'audit.verify')).output.fault).toMatchObject({ kind, seq })
})

it('a head that was forged stops all further entries, and can still be verified', async () => {
  const where = await withEntries()
  behind(where, `UPDATE meta SET value = replace(value, '"seq":4', '"seq":3') WHERE key = 'audit_head'`)
  expect((await refused(where, 'person', 'governance.agent-revoke', { name: 'ann' })).code).toBe('STORE_UNREADABLE')
  expect((await call(where, 'person', 'audit.verify')).output).toMatchObject({
    ok: false,
    fault: { kind: 'forged_head' },
  })
})

it('retention moves old entries into archives that verify by themselves, and the rest stays provable', async () => {
  const where = await withEntries()
  const archive = (name: string) => join(where.root, '..', name)
  const prune = (name: string) => call(where, 'person', 'audit.prune', { keep_days: 1, output: archive(name) })
  expect((await prune('none.jsonl')).output).toEqual({ removed: 0, removed_through: 0, archive: null })
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const laterBy = (days: number) => vi.setSystemTime(Date.now() + days * 86_400_000)
  laterBy(2)
  expect((await prune('first.jsonl')).output).toMatchObject({ removed: 3, removed_through: 3 })
  await register(where, 'dan')
  laterBy(2)
  expect((await prune('second.jsonl')).output.removed).toBeGreaterThan(0)
  expect((await call(where, 'person', 'audit.verify')).output.ok).toBe(true)
  for (const name of ['first.jsonl', 'second.jsonl'])
    expect((await call(where, 'nobody', 'audit.verify', { file: archive(name) })).output, name).toMatchObject({
      ok: true,
    })
  behind(where, 'DELETE FROM audit WHERE seq = (SELECT min(seq) FROM audit)')
  expect((await call(where, 'person', 'audit.verify')).output.fault).toMatchObject({ kind: 'deleted' })
})

it('a log whose key is not there is not appended to, and says what to do', async () => {
  const where = await withEntries()
  const other = { ...where, env: { ...where.env, XDG_STATE_HOME: join(where.root, '../elsewhere') } }
  const error = await refused(other, 'person', 'governance.agent-revoke', { name: 'ann' })
  expect([error.code, error.hint]).toEqual([
    'STORE_UNREADABLE',
    expect.stringContaining('GUARD_AUDIT_HMAC_KEY_PREVIOUS'),
  ])
})

it('a key of the environment signs, and the one before it still verifies', async () => {
  const where = await withEntries()
  const env = { ...where.env, GUARD_AUDIT_HMAC_KEY: 'a key of the environment' }
  await register({ ...where, env }, 'dan')
  expect((await call({ ...where, env }, 'person', 'audit.verify')).output.ok).toBe(true)
  const next = {
    ...where.env,
    GUARD_AUDIT_HMAC_KEY: 'yet another key of the environment',
    GUARD_AUDIT_HMAC_KEY_PREVIOUS: env.GUARD_AUDIT_HMAC_KEY,
  }
  await register({ ...where, env: next }, 'eve')
  expect((await call({ ...where, env: next }, 'person', 'audit.verify')).output.ok).toBe(true)
  expect(
    (await refused({ ...where, env: { ...env, GUARD_AUDIT_HMAC_KEY: 'short' } }, 'person', 'audit.verify')).code,
  ).toBe('CONFIG_INVALID')
})

it.each([
  ['the paths of a task', `UPDATE sessions SET authorized_paths = '["**"]'`],
  ['the answer to an approval', "UPDATE approvals SET status = 'approved'"],
  ['a grant', "UPDATE grants SET status = 'active'"],
  ['the scopes of an agent', `UPDATE agents SET scopes = '["*"]' WHERE name = 'ann'`],
  ['a freeze', 'DELETE FROM frozen'],
  ['the policy', `UPDATE meta SET value = replace(value, 'fix:low', 'admin') WHERE key = 'policy'`],
  [
    'a session that nobody bound',
    "INSERT INTO sessions SELECT 'TS-000000000000', agent, bound_by, intent, authorized_paths, work_item, status, git_sha, branch, '2999-01-01T00:00:00.000Z', expires_at, ended_at, parent_id, trust_level, files_touched, violations, zones_touched, findings_new, baseline FROM sessions",
  ],
])('%s, changed in the tables with another program, is found when the log is verified', async (_, sql) => {
  const where = await withEntries()
  const agent = await register(where, 'dan')
  await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['src/**'] })
  await call(where, agent, 'governance.request-grant', { scope: 'config:write' })
  await call(where, 'person', 'governance.agent-freeze', { name: 'cid' })
  expect((await call(where, 'person', 'audit.verify')).output.ok).toBe(true)
  behind(where, sql)
  // Asked by somebody whose coming does not renew the policy.
  expect((await call(where, 'nobody', 'audit.verify')).output.fault).toMatchObject({ kind: 'records_changed' })
})

it('verifying an export makes no key, and says what is no anchor', async () => {
  const where = await withEntries()
  const file = join(where.root, '../audit.jsonl')
  await call(where, 'person', 'audit.export', { output: file })
  const stranger = { root: join(where.root, '..'), env: { ...where.env, XDG_STATE_HOME: join(where.root, '../other') } }
  const { output } = await call(stranger, 'nobody', 'audit.verify', { file })
  expect(output).toMatchObject({ ok: false, fault: { kind: 'unknown_key' } })
  expect(existsSync(stranger.env.XDG_STATE_HOME)).toBe(false)
  for (const anchor of ['.', 'no-such-file'])
    expect((await refused(where, 'person', 'audit.verify', { anchor: [anchor] })).code).toBe('NOT_FOUND')
})

it('a date or a cursor that is none is refused where entries are listed', async () => {
  const where = await withEntries()
  expect((await refused(where, 'person', 'audit.list', { since: 'yesterday' })).message).toContain('not a date')
  expect((await refused(where, 'person', 'audit.list', { cursor: 'next' })).message).toContain('next_cursor')
  const { output } = await call(where, 'person', 'audit.list', { limit: 2 })
  const { output: rest } = await call(where, 'person', 'audit.list', { limit: 2, cursor: output.next_cursor })
  expect([...output.entries, ...rest.entries].map(({ seq }) => seq)).toEqual([4, 3, 2, 1])
})
