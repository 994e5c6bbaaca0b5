import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { auditServers } from '../../engine/assistants/audit/audit.ts'
import { computeCommandDigest } from '../../engine/external/trust.ts'
import trust from '../../engine/ops/external/trust.ts'
import { context, surface } from '../made/call.ts'
import { folder, write } from '../made/folder.ts'

/** A server that lists two pages of tools; what it says of the first is written into it. */
const server = (description: string) => `
const { createInterface } = require('node:readline')
const annotations = { readOnlyHint: true }
const inputSchema = { type: 'object' }
createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line)
  const say = result => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
  if (method === 'initialize') say({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } })
  if (method === 'tools/list' && !params.cursor) say({ tools: [{ name: 'first', description: ${description}, inputSchema, annotations }], nextCursor: '2' })
  if (method === 'tools/list' && params.cursor) say({ tools: [{ name: 'second', description: 'Second.', inputSchema, annotations }] })
})
`
const configured = (more: object = {}) =>
  JSON.stringify({ mcpServers: { own: { command: 'node', args: ['server.js'], ...more } } })

const connect = (root: string, env: Record<string, string>, update_lock = false, timeout_ms = 20_000) =>
  auditServers(
    { root, connect: { timeout_ms, update_lock } },
    context(root, { env: { PATH: process.env.PATH!, XDG_STATE_HOME: join(root, '../no-state'), ...env } }),
  )
/** With a server that the environment trusts as it is now. */
const run = (root: string, update_lock = false, timeout_ms = 20_000, env: Record<string, string> = {}) =>
  connect(
    root,
    { SVC_TRUST_EXTERNAL: computeCommandDigest(realpathSync(root), ['node', 'server.js']), ...env },
    update_lock,
    timeout_ms,
  )
const MARKING = "require('node:fs').writeFileSync('started', '')"
const unknown = ({ not_evaluated }: { not_evaluated: { detail: string }[] }) =>
  not_evaluated.map(({ detail }) => detail)

it('pins the tools of a server, reports a change until it is pinned again, and starts nothing without being asked', async () => {
  const root = folder({ '.mcp.json': configured(), 'server.js': server("'First.'") })
  const first = await run(root)
  expect([first.lock, first.findings, first.not_evaluated, first.servers[0]!.tools]).toEqual(['written', [], [], 2])
  const lock = JSON.parse(readFileSync(join(root, '.svc/mcp-lock.json'), 'utf8'))
  expect(lock.servers.own.tools.map(({ name }: { name: string }) => name)).toEqual(['first', 'second'])
  write(root, { 'server.js': server("'First, and more.'") })
  const changed = await run(root)
  expect(changed.findings.map(({ rule_id, snippet }) => [rule_id, snippet])).toEqual([
    ['mcp-tool-changed', 'Server own: tool first changed'],
  ])
  expect(changed.lock).toBe('unchanged')
  expect((await run(root, true)).findings).toEqual([])
  expect((await run(root)).findings).toEqual([])
})

it('without connect no server is started', async () => {
  const root = folder({ '.mcp.json': configured(), 'server.js': MARKING })
  const { findings } = await auditServers({ root }, context(root))
  expect([findings, existsSync(join(root, 'started'))]).toEqual([[], false])
})

it('a server gets neither the environment nor the variables of its configuration', async () => {
  const description = "[process.env.OUTER_WORD, process.env.INNER_WORD, process.env.HOME === '/outer'].join()"
  const root = folder({ '.mcp.json': configured({ env: { INNER_WORD: 'inner' } }), 'server.js': server("'x'") })
  await run(root, false, 20_000, { OUTER_WORD: 'outer', HOME: '/outer' })
  const pinned = readFileSync(join(root, '.svc/mcp-lock.json'), 'utf8')
  // The digest of a description that says ",,false" is that of a server that saw nothing.
  write(root, { 'server.js': server("',,false'") })
  await run(root, true)
  const expected = readFileSync(join(root, '.svc/mcp-lock.json'), 'utf8')
  write(root, { 'server.js': server(description) })
  await run(root, true, 20_000, { OUTER_WORD: 'outer', HOME: '/outer' })
  expect(readFileSync(join(root, '.svc/mcp-lock.json'), 'utf8')).toBe(expected)
  expect(pinned).not.toBe(expected)
})

it.each([
  ['says nothing', 'setInterval(() => {}, 1000)', 'timed out'],
  ['ends at once', 'process.exit(3)', 'ended with 3'],
  [
    'answers with an error',
    'process.stdin.once(\'data\', () => console.log(\'{"jsonrpc":"2.0","id":0,"error":{}}\'))',
    'answered with an error',
  ],
])('a server that %s is unknown, not clean', async (_what, code, why) => {
  const root = folder({ '.mcp.json': configured(), 'server.js': code })
  const { not_evaluated, lock } = await run(root, false, 1500)
  expect(not_evaluated).toHaveLength(1)
  expect(not_evaluated[0]!.detail).toContain(why)
  expect(lock).toBe('none')
})

it('a server that no user has trusted is not started, on a machine of one or in CI: its tools are unknown', async () => {
  const root = folder({ '.mcp.json': configured(), 'server.js': MARKING })
  const env = { XDG_STATE_HOME: folder() }
  expect(unknown(await connect(root, env))).toEqual([expect.stringContaining('svc external-trust mcp:own')])
  await trust.run({ name: 'mcp:own', withdraw: false, digest: digestOf(root) }, surface(root, { env }).context)
  // What a user has trusted on a machine that many jobs share says nothing in CI.
  expect(unknown(await connect(root, { ...env, CI: 'true' }))).toEqual([
    expect.stringContaining(`SVC_TRUST_EXTERNAL=${digestOf(root)}`),
  ])
  expect(existsSync(join(root, 'started'))).toBe(false)
})

it('a server is started once a user has trusted it, until its command or a file that it names changes', async () => {
  const root = folder({ '.mcp.json': configured(), 'server.js': server("'First.'") })
  const env = { XDG_STATE_HOME: folder() }
  const { commands, trusted } = await trust.run(
    { name: 'mcp:own', withdraw: false, digest: digestOf(root) },
    surface(root, { env }).context,
  )
  expect([trusted, commands[0]?.command]).toEqual([['mcp:own'], ['node', 'server.js']])
  expect((await connect(root, env)).servers[0]!.tools).toBe(2)
  write(root, { 'server.js': MARKING })
  expect(unknown(await connect(root, env))).toEqual([expect.stringContaining('not trusted')])
  expect(existsSync(join(root, 'started'))).toBe(false)
})

it('a server whose command is not the pinned one is a finding and not started, trusted or not', async () => {
  const root = folder({ '.mcp.json': configured(), 'server.js': server("'First.'"), 'other.js': MARKING })
  await run(root)
  write(root, { '.mcp.json': configured({ args: ['other.js'] }) })
  const digest = computeCommandDigest(realpathSync(root), ['node', 'other.js'])
  const { findings, not_evaluated } = await connect(root, { SVC_TRUST_EXTERNAL: digest })
  expect(findings.map(({ snippet }) => snippet)).toEqual(['Server own: the command changed'])
  expect(unknown({ not_evaluated })).toEqual([expect.stringContaining('--update-lock')])
  expect(existsSync(join(root, 'started'))).toBe(false)
})

it('lists the servers of the repository among the commands to review', async () => {
  const root = folder({ '.mcp.json': configured() })
  const { commands } = await trust.run(
    { withdraw: false },
    surface(root, { env: { XDG_STATE_HOME: folder() } }).context,
  )
  expect(commands).toMatchObject([{ name: 'mcp:own', command: ['node', 'server.js'], trusted: false }])
})

function digestOf(root: string): string {
  return computeCommandDigest(realpathSync(root), ['node', 'server.js'])
}
