import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { EngineError } from '../../engine/base/errors.ts'
import { exportPublicKey, narrowToken, verifyToken } from '../../engine/governance/delegation-token.ts'
import { effortSince } from '../made/effort.ts'
import { call, place, refused, register } from './governed.ts'

const GRANTS =
  'tool_grants:\n  enabled: true\nagent_defaults:\n  queue_action: block\n  trust_by_agent: { builder: admin }'
const CHAIN =
  'trust_chain:\n  enabled: true\n  max_depth: 2\ntask_binding:\n  enabled: true\nagent_defaults:\n  trust_by_agent: { builder: fix:any }'

describe('a grant', () => {
  it('of a scope that the policy grants by itself is there at once', async () => {
    const where = place(GRANTS)
    const agent = await register(where, 'builder')
    const { output } = await call(where, agent, 'governance.request-grant', { scope: 'scan', reason: 'look' })
    expect(output.grant).toMatchObject({ status: 'active', granted_by: 'policy', ttl_seconds: 1800 })
  })

  it.each(['config:write', '*', 'deploy:prod'])(
    'of %s waits for a person, and is then there until it is revoked',
    async scope => {
      const where = place(GRANTS)
      const agent = await register(where, 'builder')
      const { output } = await call(where, agent, 'governance.request-grant', { scope, reason: 'why' })
      expect(output.grant.status).toBe('pending')
      expect((await call(where, agent, 'governance.check-grant', { scope })).output.granted).toBe(false)
      await call(where, 'person', 'governance.approve', { id: output.grant.approval_id })
      expect((await call(where, agent, 'governance.check-grant', { scope })).output.granted).toBe(true)
      await call(where, 'person', 'governance.revoke-grant', { id: output.grant.id })
      expect((await call(where, agent, 'governance.check-grant', { scope })).output.granted).toBe(false)
    },
  )

  it('permits what the agent could not do without, counts it, and ends after its uses', async () => {
    const where = place(GRANTS)
    const agent = await register(where, 'builder')
    const change = { set: { gate: { fail_on: ['critical'] } } }
    expect((await refused(where, agent, 'config.update', change)).code).toBe('FORBIDDEN')
    await call(where, 'person', 'governance.grant', { scope: 'config:write', agent: 'builder', uses: 1 })
    await call(where, agent, 'config.update', change)
    expect((await refused(where, agent, 'config.update', change)).code).toBe('FORBIDDEN')
    const { output } = await call(where, 'person', 'governance.grants')
    expect(output.grants[0]).toMatchObject({ uses: 1, status: 'expired' })
  })

  it('lives no longer than the longest that is allowed, and no longer than the session', async () => {
    const where = place(`${GRANTS}\n`.replace('enabled: true', 'enabled: true\n  max_ttl_seconds: 100'))
    const agent = await register(where, 'builder')
    await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['src'], ttl: 50 })
    const { output } = await call(where, agent, 'governance.request-grant', { scope: 'scan', ttl: 5000 })
    expect(output.grant.ttl_seconds).toBe(100)
    const { granted_at, expires_at } = output.grant
    expect(Date.parse(expires_at) - Date.parse(granted_at)).toBeLessThanOrEqual(50_000)
  })

  it('is for nobody who only claims a name, and is released by its holder alone', async () => {
    const where = place(GRANTS)
    const agent = await register(where, 'builder')
    const other = await register(where, 'other')
    expect((await refused(where, { marker: 'CLAUDECODE' }, 'governance.request-grant', { scope: 'scan' })).code).toBe(
      'FORBIDDEN',
    )
    const { output } = await call(where, agent, 'governance.request-grant', { scope: 'scan' })
    expect((await refused(where, other, 'governance.release-grant', { id: output.grant.id })).code).toBe('FORBIDDEN')
    await call(where, agent, 'governance.release-grant', { id: output.grant.id })
  })
})

describe('an approval', () => {
  const ASK = { type: 'auto_patch', title: 'apply 3 fixes' }

  it('is given by no agent, whatever its trust, by nobody unknown, and not by who asked for it', async () => {
    const where = place(GRANTS)
    const agent = await register(where, 'builder', { scopes: '*' })
    const { output } = await call(where, 'person', 'governance.request-approval', ASK)
    const answer = { id: output.id, action: 'approved' }
    expect((await refused(where, agent, 'governance.approve', answer)).code).toBe('FORBIDDEN')
    expect((await refused(where, { marker: 'CLAUDECODE' }, 'governance.approve', answer)).code).toBe('FORBIDDEN')
    expect((await refused(where, 'nobody', 'governance.approve', answer)).code).toBe('FORBIDDEN')
    expect((await refused(where, 'person', 'governance.approve', answer)).message).toContain('requested')
    expect((await refused(where, { api: true, key: agent.key }, 'governance.approve', answer)).code).toBe('FORBIDDEN')
    const { output: given } = await call(where, { api: true }, 'governance.approve', answer)
    expect(given).toMatchObject({ status: 'approved', resolved_by: 'api-key' })
  })

  it('that needs two persons is not given by one, nor by one twice', async () => {
    const where = place(GRANTS)
    const agent = await register(where, 'builder')
    const { output } = await call(where, agent, 'governance.request-approval', { ...ASK, approvers: 2 })
    const answer = { id: output.id, action: 'approved' }
    expect((await call(where, 'person', 'governance.approve', answer)).output.status).toBe('pending')
    expect((await refused(where, 'person', 'governance.approve', answer)).code).toBe('CONFLICT')
    expect((await call(where, { api: true }, 'governance.approve', answer)).output.status).toBe('approved')
    expect((await refused(where, { api: true }, 'governance.approve', answer)).code).toBe('CONFLICT')
  })

  it('wakes who waits for it, and costs them next to nothing until then', async () => {
    const where = place(GRANTS)
    const agent = await register(where, 'builder')
    const { output } = await call(where, agent, 'governance.request-approval', ASK)
    const waiting = call(where, agent, 'governance.wait-approval', { id: output.id, timeout: 3600 })
    await setTimeout(600)
    const [began, spent] = [performance.now(), effortSince()]
    await setTimeout(1500)
    expect(spent()).toBeLessThan((performance.now() - began) / 3)
    await call(where, 'person', 'governance.approve', { id: output.id, action: 'rejected', comment: 'no' })
    expect((await waiting).output).toMatchObject({ status: 'rejected', comment: 'no' })
  })

  it('is counted also where the page is shorter', async () => {
    const where = place(GRANTS)
    for (const title of ['a', 'b', 'c']) await call(where, 'person', 'governance.request-approval', { ...ASK, title })
    const { output } = await call(where, 'person', 'governance.approvals', { limit: 2 })
    expect([output.approvals.length, output.total]).toEqual([2, 3])
  })

  it('that nobody gives in time is answered as it stands', async () => {
    const where = place(GRANTS)
    const { output } = await call(where, 'person', 'governance.request-approval', { ...ASK, wait: true, timeout: 1 })
    expect(output).toMatchObject({ status: 'pending', waited: true })
  })

  it('over a gate that fails lets exactly these findings of this commit pass, once', async () => {
    const where = place(GRANTS, {
      'src/bad.py': 'import yaml\nyaml.load(input(), Loader=yaml.Loader)\nyaml.unsafe_load(input())\n',
    })
    const agent = await register(where, 'builder')
    const asked = call(where, agent, 'gate.check', { repo_path: '.', require_approval: true, approval_timeout: 3600 })
    let id = ''
    while (id === '') {
      await setTimeout(200)
      id = (await call(where, 'person', 'governance.approvals')).output.approvals[0]?.id ?? ''
    }
    await call(where, 'person', 'governance.approve', { id })
    expect((await asked).output).toMatchObject({ passed: true, approval_id: id })
    expect((await call(where, agent, 'gate.check', { repo_path: '.' })).output.passed).toBe(false)
  })
})

describe('a delegation', () => {
  const bind = async (where: ReturnType<typeof place>, agent: { key: string }) =>
    (await call(where, agent, 'governance.task-bind', { intent: 'all', path: ['src/**'] })).output.session.id as string

  /** A delegation of a session bound to src/**, as a token, with what it takes to verify it. */
  const delegated = async () => {
    const where = place(CHAIN)
    const agent = await register(where, 'builder')
    const parent = await bind(where, agent)
    const handover = { task: 'x', parent, trust: 'fix:low', token: true }
    const { output } = await call(where, agent, 'governance.task-delegate', handover)
    const key = createPublicKey(exportPublicKey(where.env))
    return { token: output.token, key, now: new Date().toISOString(), expires_at: output.session.expires_at }
  }

  it('narrows trust, paths and time, goes no deeper than allowed, and is drawn as a tree', async () => {
    const where = place(CHAIN)
    const agent = await register(where, 'builder')
    const parent = await bind(where, agent)
    const hand = (more: object) => call(where, agent, 'governance.task-delegate', { task: 'part', parent, ...more })
    expect((await refused(where, agent, 'governance.task-delegate', { task: 'x', parent, trust: 'admin' })).code).toBe(
      'FORBIDDEN',
    )
    const { output } = await hand({ trust: 'fix:low', path: ['src/auth/**', 'doc/**'] })
    expect(output.delegation).toMatchObject({ depth: 1, trust_level: 'fix:low' })
    expect(
      output.session.expires_at <=
        (await call(where, agent, 'governance.task-list', {})).output.sessions.at(-1).expires_at,
    ).toBe(true)
    const child = output.session.id
    const scope = await call(
      { ...where, env: { ...where.env, SVC_TASK_SESSION: child } },
      agent,
      'governance.task-scope',
      {
        paths: ['src/auth/a.js', 'src/b.js', 'doc/c.md'],
      },
    )
    expect(scope.output.paths.map(({ in_scope }: { in_scope: boolean }) => in_scope)).toEqual([true, false, false])
    const deeper = await call(where, agent, 'governance.task-delegate', { task: 'x', parent: child, trust: 'scan' })
    expect(
      (await refused(where, agent, 'governance.task-delegate', { task: 'x', parent: deeper.output.session.id }))
        .message,
    ).toContain('at most 2')
    const chain = await call(where, 'person', 'governance.task-chain', { id: deeper.output.session.id })
    expect(chain.output).toMatchObject({ trust_level: 'scan', valid: true })
    expect(chain.output.tree.map(({ depth }: { depth: number }) => depth)).toEqual([0, 1, 2])
  })

  it('ends with its parent, all the way down', async () => {
    const where = place(CHAIN)
    const agent = await register(where, 'builder')
    const parent = await bind(where, agent)
    const child = (await call(where, agent, 'governance.task-delegate', { task: 'x', parent })).output.session.id
    await call(where, agent, 'governance.task-delegate', { task: 'y', parent: child })
    await call(where, 'person', 'governance.agent-revoke', { name: 'builder' })
    const { output } = await call(where, 'person', 'governance.task-list', { all: true })
    expect(output.sessions.map(({ status }: { status: string }) => status)).toEqual(['revoked', 'revoked', 'revoked'])
  })

  it('by token is verified with a public key alone, and can be narrowed but not widened', async () => {
    const { token, key, now, expires_at } = await delegated()
    expect(verifyToken(token, key, now)).toMatchObject({
      trust_level: 'fix:low',
      paths: [['src/**'], ['src/**']],
    })
    const wider = narrowToken(token, {
      trust_level: 'admin',
      paths: ['**'],
      expires_at: '2999-01-01T00:00:00.000Z',
    })
    expect(verifyToken(wider, key, now)).toMatchObject({
      trust_level: 'fix:low',
      expires_at,
    })
    const less = narrowToken(token, { agent: 'tester', trust_level: 'read', paths: ['src/x/**'] })
    expect(verifyToken(less, key, now)).toMatchObject({ agents: ['builder', 'tester'], trust_level: 'read' })
    expect(() => verifyToken(less, key, '2999-01-01T00:00:00.000Z')).toThrow('has expired')
    const [list, secret] = opened(less)
    expect(() => verifyToken(closed(list.slice(1), secret), key, now)).toThrow('is not valid')
    const [block, signature] = list[0]!
    const changed: Opened[0] = [[block.replace('fix:low', 'admin'), signature], ...list.slice(1)]
    expect(() => verifyToken(closed(changed, secret), key, now)).toThrow('is not valid')
  })

  it('by token that was narrowed does not get back what was taken away by leaving the last block out', async () => {
    const { token, key, now } = await delegated()
    const [list, secret] = opened(narrowToken(token, { agent: 'tester', trust_level: 'read', paths: ['src/x/**'] }))
    expect(() => verifyToken(closed(list.slice(0, 1), secret), key, now)).toThrow('is not valid')
  })

  it('by token that its holder has spoiled is refused, not stumbled over', async () => {
    const { token, key, now } = await delegated()
    const [list, secret] = opened(token)
    const noKey = JSON.stringify({ ...JSON.parse(list[0]![0]), next: '!' })
    const own = createPrivateKey({ key: Buffer.from(secret, 'base64url'), format: 'der', type: 'pkcs8' })
    const signature = sign(null, Buffer.from(noKey), own).toString('base64url')
    for (const spoiled of [closed([...list, [noKey, signature]], secret), closed(list, 'AAAA')]) {
      expect(() => verifyToken(spoiled, key, now)).toThrow(EngineError)
      expect(() => narrowToken(spoiled, {})).toThrow(EngineError)
    }
  })

  it('by token carries the paths of every session above it', async () => {
    const where = place(CHAIN)
    const agent = await register(where, 'builder')
    const parent = await bind(where, agent)
    const hand = (more: object) => call(where, agent, 'governance.task-delegate', { task: 'x', path: ['**'], ...more })
    const child = (await hand({ parent })).output.session.id
    const { output } = await hand({ parent: child, token: true })
    const { paths } = verifyToken(output.token, createPublicKey(exportPublicKey(where.env)), new Date().toISOString())
    expect(paths).toEqual([['**'], ['src/**'], ['**']])
  })
})

/** A token's signed blocks, and the secret by which its holder adds another. */
type Opened = [blocks: [text: string, signature: string][], secret: string]

function opened(token: string): Opened {
  return JSON.parse(Buffer.from(token.slice('svc_delegation_'.length), 'base64url').toString())
}

function closed(...token: Opened): string {
  return `svc_delegation_${Buffer.from(JSON.stringify(token)).toString('base64url')}`
}
