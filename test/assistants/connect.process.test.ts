import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { auditServers } from '../../engine/assistants/audit/audit.ts'
import { context } from '../made/call.ts'
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

const run = (root: string, update_lock = false, timeout_ms = 20_000, env: Record<string, string> = {}) =>
  auditServers(
    { root, connect: { timeout_ms, update_lock } },
    context(root, { env: { PATH: process.env.PATH!, ...env } }),
  )

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
  const root = folder({ '.mcp.json': configured(), 'server.js': "require('node:fs').writeFileSync('started', '')" })
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
