import { request } from 'node:http'
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHttpHandler } from '../../../mcp/http.ts'
import { post, problem, startServer } from '../rest/server-under-test.ts'
import { ROWS, schemas, waited } from '../rows.ts'

const INFO = { name: 'test', version: '1' }
const KEY = 'the-key-of-this-test'
const ACCEPT = { accept: 'application/json, text/event-stream' }
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

/** The API over the test's operations, with the protocol at /mcp as `svc dashboard` offers it. */
function serve(options: Parameters<typeof startServer>[0] = {}) {
  const { env = { GUARD_RATE_LIMIT_ENABLED: 'false' } } = options
  return startServer({
    env,
    cwd: process.cwd(),
    mcp: async binding => createHttpHandler({ rows: ROWS, schemas, cwd: process.cwd(), env, ...binding }),
    ...options,
  })
}

async function connectNew(base: string, mode: 'auto' | 'legacy' = 'auto', headers: Record<string, string> = {}) {
  const client = new NewClient(INFO, { versionNegotiation: { mode } })
  await client.connect(new NewHttp(new URL(`${base}/mcp`), { requestInit: { headers } }))
  onTestFinished(() => client.close())
  return client
}

describe('a client of each era', () => {
  it('calls tools at the same address', async () => {
    const { base } = await serve()
    const old = new OldClient(INFO)
    await old.connect(new OldHttp(new URL(`${base}/mcp`)) as Parameters<typeof old.connect>[0])
    onTestFinished(() => old.close())
    for (const client of [old, await connectNew(base, 'legacy'), await connectNew(base)]) {
      const { structuredContent } = await client.callTool({ name: 'show_thing', arguments: { thing_id: 'a' } })
      expect(structuredContent).toMatchObject({ thing_id: 'a' })
    }
    expect((await connectNew(base)).getNegotiatedProtocolVersion()).toBe('2026-07-28')
  })

  it('gets progress while a tool works', async () => {
    const { base } = await serve()
    const seen: number[] = []
    const client = await connectNew(base)
    const onprogress = (update: { progress: number }) => void seen.push(update.progress)
    await client.callTool({ name: 'wait_thing', arguments: { ms: 1000 } }, { onprogress })
    expect(seen).toEqual([0, 1, 2, 3, 4])
  })

  it.each(['auto', 'legacy'] as const)('that goes (%s) ends the work it asked for', async mode => {
    const { base } = await serve()
    const client = await connectNew(base, mode)
    waited.length = 0
    const cancel = new AbortController()
    const call = client.callTool({ name: 'wait_thing', arguments: { ms: 3_600_000 } }, { signal: cancel.signal })
    await expect.poll(() => waited).toEqual(['started'])
    cancel.abort('enough')
    await expect(call).rejects.toThrow('enough')
    await client.close()
    await expect.poll(() => waited).toEqual(['started', 'aborted'])
  })

  it('chooses its tools in the address', async () => {
    const { base } = await serve()
    const listed = await post(`${base}/mcp?tools=show_thing,fail_thing`, LIST, { headers: ACCEPT })
    const text = await listed.text()
    expect(text).toContain('show_thing')
    expect(text).not.toContain('wait_thing')
    const refused = await post(`${base}/mcp?tools=nothing`, LIST, { headers: ACCEPT })
    expect((await problem(refused)).detail).toContain('nothing')
  })
})

describe('what protects the REST API protects /mcp', () => {
  it('the key', async () => {
    const { base } = await serve({ key: KEY })
    expect(await problem(await post(`${base}/mcp`, LIST, { headers: ACCEPT }))).toMatchObject({ status: 401 })
    const wrong = { ...ACCEPT, authorization: 'Bearer wrong' }
    expect((await post(`${base}/mcp`, LIST, { headers: wrong })).status).toBe(401)
    const right = { ...ACCEPT, authorization: `Bearer ${KEY}` }
    expect((await post(`${base}/mcp`, LIST, { headers: right })).status).toBe(200)
  })

  it('Host and Origin, where there is no key', async () => {
    const { base } = await serve()
    const foreign = { ...ACCEPT, origin: 'http://evil.example' }
    expect(await problem(await post(`${base}/mcp`, LIST, { headers: foreign }))).toMatchObject({ status: 403 })
    const status = await new Promise(resolve => {
      const headers = { host: 'evil.example', 'content-type': 'application/json', ...ACCEPT }
      request(`${base}/mcp`, { method: 'POST', headers }, ({ statusCode }) => resolve(statusCode)).end(
        JSON.stringify(LIST),
      )
    })
    expect(status).toBe(403)
  })

  it('the rate limit, in every spelling of the address', async () => {
    const { base } = await serve({ env: { GUARD_RATE_LIMIT_RPM: '2' }, now: () => 0 })
    const statuses: number[] = []
    for (const path of ['/mcp', '/mcp?x', '/%6dcp'])
      statuses.push((await post(base + path, LIST, { headers: ACCEPT })).status)
    expect(statuses).toEqual([200, 200, 429])
  })

  it('the mode that only shows: what writes is refused, what reads is answered', async () => {
    const { base } = await serve({ readOnly: true })
    const client = await connectNew(base)
    const stored = await client.callTool({ name: 'store_thing', arguments: { thing_id: 'a' } })
    expect(stored.isError).toBe(true)
    expect(JSON.stringify(stored.content)).toContain('READ_ONLY')
    const shown = await client.callTool({ name: 'show_thing', arguments: { thing_id: 'a' } })
    expect(shown.isError).toBeUndefined()
  })

  it('the size', async () => {
    const { base } = await serve()
    const call = { ...LIST, params: { padding: 'x'.repeat(10 * 1024 * 1024) } }
    expect(await problem(await post(`${base}/mcp`, call, { headers: ACCEPT }))).toMatchObject({ status: 413 })
  })
})

it('a body that is no JSON, another media type and a method that is not offered are the protocol’s errors', async () => {
  const { base } = await serve()
  const headers = { 'content-type': 'application/json', ...ACCEPT }
  const broken = await fetch(`${base}/mcp`, { method: 'POST', headers, body: '{"jsonrpc"' })
  expect(broken.status).toBe(400)
  expect(await broken.json()).toMatchObject({ error: { code: -32700 } })
  const form = await fetch(`${base}/mcp`, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' })
  expect(form.status).toBe(415)
  for (const method of ['GET', 'DELETE', 'PUT'])
    expect((await fetch(`${base}/mcp`, { method, headers: ACCEPT })).status).toBe(405)
})

it('no answer names the server’s own folders', async () => {
  const { base } = await serve()
  const client = await connectNew(base)
  const result = await client.callTool({ name: 'fail_thing', arguments: { how: 'path' } })
  expect(result.isError).toBe(true)
  expect(JSON.stringify(result)).not.toContain(process.cwd())
})

it('a server without the protocol has nothing at the address', async () => {
  const { base } = await startServer()
  expect((await post(`${base}/mcp`, LIST)).status).toBe(404)
})
