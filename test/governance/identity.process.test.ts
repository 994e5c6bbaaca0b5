import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git } from '../made/git.ts'
import { call, place, refused, register } from './governed.ts'

const BLOCK = 'task_binding:\n  enabled: true\n  enforcement: block'
const STRICT = `agent_defaults:\n  queue_action: block\n${BLOCK}`

describe('governance that is off', () => {
  it('makes no records, whoever scans', async () => {
    const where = place()
    await call(where, { marker: 'CLAUDECODE' }, 'scan.run', { repo_path: '.' })
    await call(where, 'nobody', 'governance.agent-check', { action: 'run_scan' })
    expect(existsSync(join(where.root, '.svc/local/state.db'))).toBe(false)
  })

  it('makes no records where somebody only looks for some', async () => {
    const where = place()
    for (const id of ['agent-list', 'approvals', 'grants', 'task-list', 'anomaly-scan', 'settings', 'agent-status'])
      await call(where, 'person', `governance.${id}`)
    expect((await call(where, 'person', 'audit.verify')).output).toMatchObject({ ok: true })
    expect((await call(where, { marker: 'CLAUDECODE' }, 'governance.agent-status')).output.governed).toBe(false)
    expect(existsSync(join(where.root, '.svc'))).toBe(false)
  })

  it('still tells a log that is gone from one that never was', async () => {
    const where = place()
    await register(where, 'builder')
    rmSync(join(where.root, '.svc'), { recursive: true })
    const { output } = await call(where, 'person', 'audit.verify')
    expect(output).toMatchObject({ ok: false, fault: { kind: 'replaced' } })
  })

  it('still notes on the run which agent its environment names', async () => {
    const where = place()
    const { output } = await call(where, { marker: 'GEMINI_CLI' }, 'scan.run', { repo_path: '.' })
    expect(output.run.agent).toBe('gemini-cli')
  })

  it('stays off where a profile alone is named', async () => {
    const where = place('profile: permissive')
    await call(where, { marker: 'CLAUDECODE' }, 'scan.run', { repo_path: '.' })
    expect(existsSync(join(where.root, '.svc/local/state.db'))).toBe(false)
  })
})

describe('a credential', () => {
  it('that cannot be written to its file registers nobody', async () => {
    const where = place()
    const out = 'src/a.js'
    expect((await refused(where, 'person', 'governance.agent-register', { name: 'builder', out })).code).toBe(
      'CONFLICT',
    )
    expect((await call(where, 'person', 'governance.agent-list')).output.agents).toEqual([])
    await call(where, 'person', 'governance.agent-register', { name: 'builder', out: 'builder.key' })
    expect(statSync(join(where.root, 'builder.key')).mode & 0o777).toBe(0o600)
  })

  it('of no registered agent is reported, as the action loses its agent with it', async () => {
    const where = place()
    await register(where, 'builder')
    const typo = { key: 'svc_agent_mistyped' }
    const said = 'the credential belongs to no agent registered here, so the action is recorded as done by unknown'
    expect((await call(where, typo, 'scan.run', { repo_path: '.' })).notices).toContain(`Governance: ${said}.`)
    const { output } = await call(where, typo, 'governance.agent-check', { action: 'run_scan' })
    expect(output).toMatchObject({ decision: 'allowed', reasons: [said] })
  })

  it('is told once, and what is kept of it is its hash', async () => {
    const where = place()
    const { key } = await register(where, 'builder')
    expect(key).toMatch(/^svc_agent_[\w-]{43}$/)
    const file = readFileSync(join(where.root, '.svc/local/state.db'), 'latin1')
    expect(file).not.toContain(key.slice(10))
    const { output } = await call(where, 'person', 'governance.agent-list')
    expect(JSON.stringify(output)).not.toMatch(/svc_agent_|hash/)
  })

  it('makes the records readable by their owner only, and ignored by git', async () => {
    const where = place()
    await register(where, 'builder')
    for (const name of ['state.db', 'state.db-wal'])
      if (existsSync(join(where.root, '.svc/local', name)))
        expect(statSync(join(where.root, '.svc/local', name)).mode & 0o777, name).toBe(0o600)
    expect(git(where.root, 'status', '--porcelain', '-uall')).toBe('')
    expect(statSync(join(where.env.XDG_STATE_HOME!, 'svc/audit.key')).mode & 0o777).toBe(0o600)
  })

  it('goes to a file of mode 0600 where that is asked for, and works from there', async () => {
    const where = place()
    const file = join(where.root, 'builder.key')
    const { output } = await call(where, 'person', 'governance.agent-register', { name: 'builder', out: file })
    expect(output.credential).toBeUndefined()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const from = { ...where, env: { ...where.env, SVC_AGENT_KEY_FILE: file } }
    const { output: check } = await call(from, 'nobody', 'governance.agent-check', { action: 'run_scan' })
    expect(check.actor).toMatchObject({ agent: 'builder', method: 'credential' })
  })

  it('that was revoked permits nothing, and neither does one that has expired', async () => {
    const where = place()
    const gone = await register(where, 'gone')
    await call(where, 'person', 'governance.agent-revoke', { name: 'gone' })
    const { output } = await call(where, gone, 'governance.agent-check', { action: 'read_findings' })
    expect(output).toMatchObject({ permitted: false, reasons: ['the credential of gone has been revoked'] })
  })
})

describe('who acts', () => {
  it.each([
    [{ marker: 'CLAUDECODE' }, 'claude-code', 'environment'],
    [{ marker: 'GITHUB_ACTIONS' }, 'github-actions', 'environment'],
    ['nobody', 'unknown', 'none'],
  ] as const)('%j is %s by %s', async (who, agent, method) => {
    const { output } = await call(place(STRICT), who, 'governance.agent-check', { action: 'run_scan' })
    expect(output.actor).toMatchObject({ agent, method, trust_level: 'fix:low' })
  })

  it('is told from the trailers of recent commits where nothing else tells', async () => {
    const where = place(STRICT)
    git(where.root, 'commit', '-q', '--allow-empty', '-m', 'x\n\nCo-authored-by: Claude <noreply@anthropic.com>')
    const { output } = await call(where, 'nobody', 'governance.agent-check', { action: 'run_scan' })
    expect(output.actor).toMatchObject({ agent: 'claude-code', method: 'git' })
  })

  it('a marker that is forged lowers trust and never raises it', async () => {
    const where = place(
      `${STRICT}\nagent_defaults:\n`
        .replace(
          'agent_defaults:\n  queue_action: block',
          'agent_defaults:\n  queue_action: block\n  trust_by_agent: { claude-code: admin, gemini-cli: read }',
        )
        .replace(/agent_defaults:\n$/, ''),
    )
    const trust = async (who: Parameters<typeof call>[1]) =>
      (await call(where, who, 'governance.agent-check', { action: 'edit_config' })).output.actor.trust_level
    expect(await trust('nobody')).toBe('fix:low')
    expect(await trust({ marker: 'CLAUDECODE' })).toBe('fix:low')
    expect(await trust({ marker: 'GEMINI_CLI' })).toBe('read')
    expect(await trust('person')).toBe('admin')
    const real = await register(where, 'claude-code', { scopes: '*' })
    expect(await trust(real)).toBe('admin')
  })
})

describe('a frozen agent', () => {
  it('is refused by the next check, and permitted again when it is unfrozen', async () => {
    const where = place()
    const agent = await register(where, 'builder')
    await call(where, 'person', 'governance.agent-freeze', { name: 'builder' })
    expect((await refused(where, agent, 'findings.suppressions')).message).toContain('builder is frozen')
    await call(where, 'person', 'governance.agent-unfreeze', { name: 'builder' })
    await call(where, agent, 'findings.suppressions')
  })

  it('is everybody but persons where all are frozen', async () => {
    const where = place()
    await call(where, 'person', 'governance.agent-freeze', { all: true })
    expect((await refused(where, { marker: 'CODEX_SANDBOX' }, 'findings.suppressions')).code).toBe('FORBIDDEN')
    await call(where, 'person', 'findings.suppressions')
  })
})

it('who asks what it may do is told, and the log does not say that it tried what it may not', async () => {
  const where = place('agent_defaults: { queue_action: block }\ntask_binding: { enabled: true, enforcement: block }')
  await call(where, { marker: 'CLAUDECODE' }, 'governance.task-bind', { intent: 'x', path: ['src/**'] })
  const { output } = await call(where, { marker: 'CLAUDECODE' }, 'governance.agent-status')
  expect(output.permitted).toContain('run_scan')
  expect(output.permitted).not.toContain('add_dependency')
  const log = await call(where, 'person', 'audit.list')
  const refused = (log.output.entries as { decision: string }[]).filter(({ decision }) => decision === 'refused')
  expect(refused).toEqual([])
})
