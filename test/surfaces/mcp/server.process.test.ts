import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { LoggingMessageNotificationSchema, type Progress } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, expect, it, onTestFinished } from 'vitest'

const SERVER = ['--import', 'tsx', fileURLToPath(new URL('./fixture-server.ts', import.meta.url))]

/** A real client that has started the server as its child, and what the server said beside the protocol. */
interface Connected {
  client: Client
  said: () => string
}

/** One server for all that a client does as it should: most of a test's time would be a start. */
let connected: Promise<Connected> | undefined
afterAll(async () => (await connected)?.client.close())

function connect(): Promise<Connected> {
  connected ??= startClient()
  return connected
}

async function startClient(): Promise<Connected> {
  const transport = new StdioClientTransport({ command: process.execPath, args: SERVER, stderr: 'pipe' })
  let said = ''
  transport.stderr!.on('data', chunk => {
    said += chunk
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return { client, said: () => said }
}

interface TextResult {
  isError?: boolean
  structuredContent?: unknown
  content: { type: string; text: string }[]
}

async function call(client: Client, name: string, input?: Record<string, unknown>): Promise<TextResult> {
  return (await client.callTool({ name, arguments: input })) as unknown as TextResult
}

it('the server says who it is, and lists the rows that are tools with the hints that differ from the defaults', async () => {
  const { client } = await connect()
  expect(client.getServerVersion()).toMatchObject({ name: 'svc', version: expect.stringMatching(/^\d+\./) })
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'show_thing',
    'store_thing',
    'fail_thing',
    'wait_thing',
    'chatty_thing',
  ])
  const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))
  expect(hints.show_thing).toEqual({ readOnlyHint: true, openWorldHint: false })
  expect(hints.store_thing).toEqual({ destructiveHint: false, openWorldHint: false })
  // Left out, destructiveHint is true.
  expect(hints.fail_thing).toEqual({ openWorldHint: false })
})

it('a tool carries the schemas of its operation, with their words', async () => {
  const { client } = await connect()
  const { tools } = await client.listTools()
  const tool = tools.find(({ name }) => name === 'show_thing')!
  expect(tool.description).toBe('Show a thing.')
  expect(tool.inputSchema).toMatchObject({
    type: 'object',
    required: ['thing_id'],
    additionalProperties: false,
    properties: { limit: { type: 'integer', description: 'a count from 1 to 100', default: 10 } },
  })
  expect(tool.outputSchema).toMatchObject({ type: 'object', properties: { thing_id: { type: 'string' } } })
})

it('an answer is the output as structured content, which the client checks against the schema, and its text unpainted', async () => {
  const { client } = await connect()
  await client.listTools()
  const result = await call(client, 'show_thing', { thing_id: 'a', tags: ['x'] })
  expect(result.structuredContent).toEqual({ thing_id: 'a', limit: 10, deep: false, tags: ['x'] })
  expect(result.content).toEqual([{ type: 'text', text: 'thing a' }])
  expect(result.isError).toBeUndefined()
})

it('input that is not valid is a result that names every fault and what is meant', async () => {
  const { client } = await connect()
  const { isError, content } = await call(client, 'show_thing', { thing: 'a', limit: 1000 })
  expect(isError).toBe(true)
  expect(content[0]!.text).toContain('thing_id is missing')
  expect(content[0]!.text).toContain('limit must be a count from 1 to 100')
  expect(content[0]!.text).toMatch(/INPUT_INVALID[\s\S]*Next: /)
  expect((await call(client, 'show_thing')).isError).toBe(true)
})

it("an operation's own error is a result with its words and the next step", async () => {
  const { client } = await connect()
  const { isError, content } = await call(client, 'fail_thing', { how: 'engine' })
  expect(isError).toBe(true)
  expect(content[0]!.text).toBe(
    'No such rule (RULE_NOT_FOUND).\nThere is no rule nope.\nNext: List the rules with `svc list-rules`.',
  )
})

it('a crash is a result without the details, which the log has, and the server lives on', async () => {
  const { client, said } = await connect()
  const { isError, content } = await call(client, 'fail_thing', { how: 'crash' })
  expect(isError).toBe(true)
  expect(content[0]!.text).not.toContain('boom')
  await expect.poll(() => said()).toContain('TypeError: boom')
  expect((await call(client, 'show_thing', { thing_id: 'a' })).isError).toBeUndefined()
})

it('a tool that does not exist is a protocol error that names the tool that was meant', async () => {
  const { client } = await connect()
  await expect(call(client, 'show_thin', {})).rejects.toThrow('There is no tool show_thin; did you mean show_thing?')
  await expect(call(client, 'zzz', {})).rejects.toThrow('Tools: show_thing, store_thing')
})

it('who asks for progress gets growing figures, who does not gets none', async () => {
  const { client } = await connect()
  const updates: Progress[] = []
  const result = await client.callTool({ name: 'wait_thing', arguments: { ms: 1000 } }, undefined, {
    onprogress: update => void updates.push(update),
  })
  expect(result.structuredContent).toEqual({ ms: 1000 })
  expect(updates.map(({ progress }) => progress)).toEqual([0, 1, 2, 3, 4])
  expect(updates[1]).toMatchObject({ total: 5, message: 'scan: 1 of 5 files, 0 findings' })
  expect((await call(client, 'wait_thing', { ms: 10 })).structuredContent).toEqual({ ms: 10 })
})

it('notices are log messages', async () => {
  const { client } = await connect()
  const messages: unknown[] = []
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void messages.push(params))
  onTestFinished(() => client.removeNotificationHandler('notifications/message'))
  await call(client, 'wait_thing', { ms: 10 })
  expect(messages).toEqual([{ level: 'info', logger: 'svc', data: 'waiting now' }])
})

it('a cancelled call stops, and others go on', async () => {
  const { client } = await connect()
  const cancel = new AbortController()
  const cancelled = client.callTool({ name: 'wait_thing', arguments: { ms: 3_600_000 } }, undefined, {
    signal: cancel.signal,
  })
  const other = call(client, 'wait_thing', { ms: 300 })
  setTimeout(() => cancel.abort('enough'), 50)
  await expect(cancelled).rejects.toThrow('enough')
  expect((await other).structuredContent).toEqual({ ms: 300 })
})

it('calls run side by side, each with its own answer', async () => {
  const { client } = await connect()
  const began = performance.now()
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      n % 2 ? call(client, 'wait_thing', { ms: 500 + n }) : call(client, 'show_thing', { thing_id: String(n) }),
    ),
  )
  const took = performance.now() - began
  answers.forEach(({ structuredContent }, n) => {
    expect(structuredContent).toMatchObject(n % 2 ? { ms: 500 + n } : { thing_id: String(n) })
  })
  // One after another they would take a minute.
  const waits = answers.map(({ structuredContent }) => (structuredContent as { ms?: number }).ms ?? 0)
  expect(took).toBeLessThan(waits.reduce((sum, ms) => sum + ms, 0) / 2)
})

it('what else writes to standard output reaches standard error, never the protocol', async () => {
  const { client, said } = await connect()
  const errors: Error[] = []
  client.onerror = error => void errors.push(error)
  onTestFinished(() => {
    client.onerror = undefined
  })
  expect((await call(client, 'chatty_thing', { thing_id: 'a' })).structuredContent).toMatchObject({ thing_id: 'a' })
  await expect.poll(() => said()).toContain('a library writes to standard output\nso does another')
  expect(errors).toEqual([])
})

/** The server as a bare process, for what no well-behaved client does. */
function start() {
  const child = spawn(process.execPath, SERVER, { stdio: ['pipe', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let out = ''
  child.stdout.on('data', chunk => {
    out += chunk
  })
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const initialize = () => {
    send({
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    })
    send({ method: 'notifications/initialized' })
  }
  return {
    child,
    send,
    initialize,
    messages: () =>
      out
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line)),
  }
}

it('who pipes messages in and closes reads the answers, then the server ends by itself', async () => {
  const { child, send, initialize, messages } = start()
  initialize()
  send({ id: 1, method: 'tools/call', params: { name: 'wait_thing', arguments: { ms: 10 } } })
  child.stdin.end()
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(messages().find(({ id }) => id === 1).result.structuredContent).toEqual({ ms: 10 })
})

it('when standard input closes, long work is given up and the server ends', async () => {
  const { child, send, initialize, messages } = start()
  initialize()
  send({ id: 1, method: 'tools/call', params: { name: 'wait_thing', arguments: { ms: 3_600_000 } } })
  await expect.poll(() => messages().some(({ method }) => method === 'notifications/message')).toBe(true)
  child.stdin.end()
  expect(await once(child, 'exit')).toEqual([0, null])
})

it('when the client stops reading, the server ends', async () => {
  const { child, send, initialize, messages } = start()
  initialize()
  await expect.poll(() => messages()).toHaveLength(1)
  child.stdout.destroy()
  const exit = once(child, 'exit')
  for (let id = 1; id < 4; id++) send({ id, method: 'tools/list' })
  expect((await exit)[1]).toBeNull()
})

it('a line that is no message does not end the server', async () => {
  const { child, send, initialize, messages } = start()
  initialize()
  child.stdin.write('this is no JSON\n\n{"jsonrpc":"2.0"}\n')
  send({ id: 7, method: 'tools/call', params: { name: 'show_thing', arguments: { thing_id: 'a' } } })
  await expect
    .poll(() => messages().find(({ id }) => id === 7)?.result.structuredContent)
    .toMatchObject({ thing_id: 'a' })
  expect(child.exitCode).toBeNull()
})
