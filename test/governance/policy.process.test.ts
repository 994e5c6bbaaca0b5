import { execFileSync } from 'node:child_process'
import { mkdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { write } from '../made/folder.ts'
import { call, place, refused, register } from './governed.ts'

const BLOCK = 'task_binding:\n  enabled: true\n  enforcement: block'
const STRICT = `agent_defaults:\n  queue_action: block\n${BLOCK}`

describe('the configuration', () => {
  it('that an agent rewrites does not loosen what a person last worked under', async () => {
    const where = place(STRICT)
    const agent = await register(where, 'builder')
    expect((await refused(where, agent, 'config.update', { set: {} })).code).toBe('FORBIDDEN')
    write(where.root, {
      '.svc/config.yaml': 'governance:\n  agent_defaults:\n    trust_by_agent: { builder: admin }\n',
    })
    expect((await refused(where, agent, 'config.update', { set: {} })).code).toBe('FORBIDDEN')
    unlinkSync(join(where.root, '.svc/config.yaml'))
    const { code } = await refused(where, agent, 'config.update', { set: {} })
    expect(code).toBe('FORBIDDEN')
    const { output } = await call(where, 'person', 'audit.list', { action: 'policy.change' })
    // The first line is the person's own: by asking they have taken the new policy over.
    expect(output.entries.map(({ decision }: { decision: string }) => decision)).toEqual([
      'allowed',
      'refused',
      'refused',
    ])
  })

  it('of an agent’s change waits for a person where the policy wants it, for exactly that change and once', async () => {
    const where = place(
      'human_review_required:\n  on_config_change: true\nagent_defaults:\n  trust_by_agent: { builder: admin }',
    )
    const agent = await register(where, 'builder', { scopes: '*' })
    const wish = { set: { gate: { fail_on: ['critical'] } } }
    const asked = await refused(where, agent, 'config.update', wish)
    expect(asked.code).toBe('APPROVAL_NEEDED')
    const id = /AP-[0-9a-f]{12}/.exec(asked.message)![0]
    await call(where, 'person', 'governance.approve', { id })
    const other = await refused(where, agent, 'config.update', { set: { gate: { fail_on: ['low'] } } })
    expect(other.code).toBe('APPROVAL_NEEDED')
    expect((await call(where, agent, 'config.update', wish)).output.changed).toBe(true)
    expect((await refused(where, agent, 'config.update', wish)).code).toBe('APPROVAL_NEEDED')
    expect((await call(where, 'person', 'governance.approval', { id })).output.status).toBe('consumed')
  })
})

describe('the store', () => {
  it('that is deleted is found missing, and a person can accept it', async () => {
    const where = place(STRICT)
    await register(where, 'builder')
    execFileSync('sh', ['-c', 'rm .svc/local/state.db*'], { cwd: where.root })
    expect((await call(where, 'person', 'audit.verify')).output).toMatchObject({
      ok: false,
      fault: { kind: 'replaced' },
    })
    expect((await refused(where, 'nobody', 'audit.verify', { accept_replaced: true })).code).toBe('FORBIDDEN')
    expect((await call(where, 'person', 'audit.verify', { accept_replaced: true })).output.ok).toBe(true)
  })

  it('that is put back to an earlier copy is found', async () => {
    const where = place(STRICT)
    await register(where, 'builder')
    execFileSync('sh', ['-c', 'mkdir ../copy && cp .svc/local/state.db* ../copy'], { cwd: where.root })
    await register(where, 'second')
    execFileSync('sh', ['-c', 'rm .svc/local/state.db* && cp ../copy/* .svc/local'], { cwd: where.root })
    expect((await call(where, 'person', 'audit.verify')).output).toMatchObject({
      ok: false,
      fault: { kind: 'truncated' },
    })
  })

  it('that is damaged refuses where the policy can refuse, and is told where it only warns', async () => {
    for (const [policy, code] of [
      [STRICT, 'STORE_UNREADABLE'],
      ['agent_defaults:\n  default_trust_level: read', undefined],
    ] as const) {
      const where = place(policy)
      mkdirSync(join(where.root, '.svc/local'), { recursive: true })
      writeFileSync(
        join(where.root, '.svc/local/state.db'),
        'no database at all, but long enough to be looked at '.repeat(20),
      )
      if (code) expect((await refused(where, 'nobody', 'findings.suppressions')).code).toBe(code)
      else
        expect((await call(where, 'nobody', 'findings.suppressions')).notices.join()).toContain(
          'Governance is not working',
        )
    }
  })
})
