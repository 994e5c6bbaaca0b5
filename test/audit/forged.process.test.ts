import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parseHead, sealHead } from '../../engine/sources/state/chain.ts'
import { openKeyring } from '../../engine/sources/state/key.ts'
import { computeSha256 } from '../../engine/sources/state/seal.ts'
import { locateWitness } from '../../engine/sources/state/witness.ts'
import { call, type Place, place, refused, register, type Who } from '../governance/governed.ts'

/** What reaches past the rows: the clock, the key, the head, the files themselves, the witness. */

const LOCAL = '.svc/local'
const STATE = `${LOCAL}/state.db`
const STRICT = 'task_binding: { enabled: true, enforcement: block }'

async function governed(): Promise<{ where: Place; agent: { key: string } }> {
  const where = place(STRICT)
  const agent = await register(where, 'builder')
  return { where, agent }
}

async function commit(where: Place, who: Who) {
  const { output } = await call(where, who, 'hook.scan')
  return { passed: output.passed as boolean, reasons: ((output.outside as string[] | undefined) ?? []).join('\n') }
}

async function faultOf(where: Place, input: object = {}) {
  return (await call(where, 'person', 'audit.verify', input)).output.fault as
    | { kind: string; message: string }
    | undefined
}

function clockAt(time: number): void {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  vi.setSystemTime(time)
}

describe('a clock', () => {
  it('that is set back revives no grant', async () => {
    const where = place('tool_grants: { enabled: true, auto_grant_scopes: ["config:write"] }')
    const agent = await register(where, 'builder')
    const start = Date.now()
    await call(where, agent, 'governance.request-grant', { scope: 'config:write', reason: 'x', ttl: 60 })
    clockAt(start + 120_000)
    await register(where, 'other')
    vi.setSystemTime(start)
    const { output } = await call(where, agent, 'governance.check-grant', { scope: 'config:write' })
    expect(JSON.stringify(output)).not.toContain('"status":"active"')
  })

  it('that was ahead would keep grants alive for ever, so it fails the gate until a person accepts it', async () => {
    const { where, agent } = await governed()
    const start = Date.now()
    clockAt(start + 3_600_000)
    await register(where, 'other')
    vi.setSystemTime(start)
    expect((await commit(where, agent)).reasons).toContain('The clock was set back')
    expect(await faultOf(where)).toMatchObject({ kind: 'clock' })
    expect(await faultOf(where, { accept_replaced: true })).toBeUndefined()
    expect((await commit(where, agent)).passed).toBe(true)
  })
})

describe('the key', () => {
  it('that was replaced is an unknown key, which fails the gate and is told apart from a forged log', async () => {
    const { where, agent } = await governed()
    writeFileSync(join(where.root, '../state/svc/audit.key'), `${'ab'.repeat(32)}\n`)
    expect((await commit(where, agent)).reasons).toContain('GUARD_AUDIT_HMAC_KEY_PREVIOUS')
    expect(await faultOf(where)).toMatchObject({ kind: 'unknown_key' })
  })

  it('that was removed is made anew, and what it signed is of an unknown key', async () => {
    const { where, agent } = await governed()
    rmSync(join(where.root, '../state/svc/audit.key'))
    expect((await commit(where, agent)).passed).toBe(false)
    expect(await faultOf(where)).toMatchObject({ kind: 'unknown_key' })
  })

  it('in the hands of who cuts the log and signs its head anew does not reach the witness', async () => {
    const { where, agent } = await governed()
    await call(where, 'person', 'governance.agent-freeze', { name: 'somebody' })
    const database = new DatabaseSync(join(where.root, STATE))
    const last = (database.prepare('SELECT max(seq) AS seq FROM audit').get() as { seq: number }).seq
    const { text } = database.prepare('SELECT text FROM audit WHERE seq = ?').get(last - 1) as { text: string }
    const { value } = database.prepare("SELECT value FROM meta WHERE key = 'audit_head'").get() as { value: string }
    const head = sealHead(
      { ...parseHead(value)!, seq: last - 1, hash: computeSha256(text) },
      openKeyring(where.env).signing,
    )
    database.prepare("UPDATE meta SET value = ? WHERE key = 'audit_head'").run(head)
    database.exec(`DELETE FROM audit WHERE seq = ${last}`)
    database.close()
    const held = await commit(where, agent)
    expect(held.passed).toBe(false)
    expect(held.reasons).toContain('rolled back to an earlier state')
    expect(await faultOf(where)).toMatchObject({ kind: 'truncated' })
  })
})

describe('in place of the records', () => {
  const cases: [string, (where: Place) => void][] = [
    ['a pipe', ({ root }) => void execFileSync('mkfifo', [join(root, STATE)])],
    ['a device by a link', ({ root }) => symlinkSync('/dev/zero', join(root, STATE))],
    ['a link that leads nowhere', ({ root }) => symlinkSync('/nowhere/state.db', join(root, STATE))],
    ['a folder', ({ root }) => mkdirSync(join(root, STATE))],
    ['a file that is no database', ({ root }) => writeFileSync(join(root, STATE), 'nothing of the kind '.repeat(400))],
    [
      'a link in place of the folder',
      ({ root }) => {
        cpSync(join(root, LOCAL), join(root, '../elsewhere'), { recursive: true })
        rmSync(join(root, LOCAL), { recursive: true })
        symlinkSync(join(root, '../elsewhere'), join(root, LOCAL))
      },
    ],
    [
      'a file in place of the folder',
      ({ root }) => {
        rmSync(join(root, LOCAL), { recursive: true })
        writeFileSync(join(root, LOCAL), '')
      },
    ],
  ]
  it.each(cases)('%s: the gate fails with a clear reason, whatever the settings say', async (_, put) => {
    const { where, agent } = await governed()
    rmSync(join(where.root, STATE), { force: true })
    for (const name of ['-wal', '-shm']) rmSync(join(where.root, `${STATE}${name}`), { force: true })
    put(where)
    writeFileSync(join(where.root, '.svc/config.yaml'), '')
    const held = await commit(where, agent)
    expect(held.passed).toBe(false)
    expect(held.reasons).toContain('the governance records cannot be read')
    const error = await refused(where, 'person', 'audit.verify')
    expect(['FORBIDDEN', 'STORE_UNREADABLE', 'DISK']).toContain(error.code)
  })

  it('a table that was dropped', async () => {
    const { where, agent } = await governed()
    const database = new DatabaseSync(join(where.root, STATE))
    database.exec('DROP TABLE frozen')
    database.close()
    expect((await commit(where, agent)).passed).toBe(false)
    expect((await refused(where, 'person', 'governance.agent-list')).code).toBe('STORE_UNREADABLE')
  })
})

describe('the witness', () => {
  it.each([
    ['removed', (file: string) => rmSync(file)],
    ['overwritten', (file: string) => writeFileSync(file, '{}')],
    [
      'a link',
      (file: string) => {
        writeFileSync(`${file}.other`, readFileSync(file))
        rmSync(file)
        symlinkSync(`${file}.other`, file)
      },
    ],
    [
      'in a folder that is a link',
      (file: string) => {
        cpSync(join(file, '..'), join(file, '../../other'), { recursive: true })
        rmSync(join(file, '..'), { recursive: true })
        symlinkSync(join(file, '../../other'), join(file, '..'))
      },
    ],
  ])('that is %s is told of, and holds the gate until a person accepts it', async (_, change) => {
    const { where, agent } = await governed()
    await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['src/**'] })
    change(locateWitness(where.env, where.root))
    expect((await commit(where, agent)).reasons).toContain('witness of the log')
    expect(await faultOf(where)).toMatchObject({ kind: 'witness_changed' })
  })

  it('that a home never had is no evidence: a repository may have come from another machine', async () => {
    const { where } = await governed()
    const env = { ...where.env, GUARD_AUDIT_HMAC_KEY: 'a key that travels with it' }
    const elsewhere = { ...where, env: { ...env, XDG_STATE_HOME: join(where.root, '../fresh') } }
    rmSync(join(where.root, LOCAL), { recursive: true })
    rmSync(join(where.root, '../state'), { recursive: true })
    await register({ ...where, env }, 'dan')
    expect((await call(elsewhere, 'person', 'audit.verify')).output.ok).toBe(true)
  })
})

it('an agent that hides its markers is governed as nobody known, and only a terminal makes a person of it', async () => {
  const { where } = await governed()
  await call(where, { marker: 'CLAUDECODE' }, 'governance.task-bind', { intent: 'x', path: ['src/**'] })
  writeFileSync(join(where.root, 'doc/b.md'), 'changed\n')
  const unmarked = await commit(where, 'nobody')
  expect(unmarked.reasons).toContain('doc/b.md is outside the paths')
  // The limit: what drives a terminal and bears no sign cannot be told from a person. The log tells by which method it was known.
  expect((await commit(where, 'person')).passed).toBe(true)
  await call(where, 'person', 'governance.agent-freeze', { name: 'x' })
  const { output } = await call(where, 'person', 'audit.list', { action: 'agent.freeze' })
  expect(output.entries[0].actor).toMatchObject({ method: 'terminal' })
})
