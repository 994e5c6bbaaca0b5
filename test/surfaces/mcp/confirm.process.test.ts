import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { OPERATIONS } from '../../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../../engine/door/schemas.ts'
import { createHttpHandler } from '../../../mcp/http.ts'
import { createResults } from '../../../mcp/results.ts'
import { createMcpServer } from '../../../mcp/server.ts'
import { call, type Place, place, register } from '../../governance/governed.ts'

type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, never> }

/** A client of an agent that answers questions as told; without an answer it says that it can put none. */
async function connect({ root, env }: Place, key: string, answer?: (question: string) => Answer | Promise<Answer>) {
  const results = createResults()
  const server = createMcpServer(
    {
      rows: OPERATIONS,
      schemas: loadSchemas,
      cwd: root,
      env: { ...env, SVC_AGENT_KEY: key },
      results,
      owner: 'test',
      log: text => expect.unreachable(text),
    },
    { era: 'legacy' },
  )
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: answer ? { elicitation: { form: {} } } : {} },
  )
  const questions: string[] = []
  if (answer)
    client.setRequestHandler('elicitation/create', ({ params: { message } }) => {
      questions.push(message)
      return answer(message)
    })
  const [there, here] = InMemoryTransport.createLinkedPair()
  await server.connect(there)
  await client.connect(here)
  onTestFinished(() => client.close())
  return { ask: askWith(client), questions, client, results }
}

/** A client of revision 2026-07-28 over HTTP, which sends its answers with the call again. */
async function connectNewest({ root, env }: Place, key: string, answer: () => Answer) {
  const handler = createHttpHandler({
    ...{ rows: OPERATIONS, schemas: loadSchemas, cwd: root, env, hide: (text: string) => text },
    log: text => expect.unreachable(text),
  })
  const sent: Record<string, unknown>[] = []
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
    requestInit: { headers: { 'x-agent-key': key } },
    fetch: (url, init) => {
      if (typeof init?.body === 'string') sent.push(JSON.parse(init.body))
      return handler.fetch(new Request(url, init))
    },
  })
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  const questions: string[] = []
  client.setRequestHandler('elicitation/create', ({ params: { message } }) => {
    questions.push(message)
    return answer()
  })
  await client.connect(transport)
  onTestFinished(async () => {
    await client.close()
    await handler.close()
  })
  return { ask: askWith(client), questions, calls: () => sent.filter(({ method }) => method === 'tools/call') }
}

function askWith(client: Client) {
  return async (name: string, input: Record<string, unknown>) => {
    const { isError, content, structuredContent } = await client.callTool({ name, arguments: input })
    return { isError, text: JSON.stringify(content), output: structuredContent as Record<string, never> }
  }
}

const accept = (): Answer => ({ action: 'accept', content: {} })

describe('a grant that needs an approval', () => {
  const POLICY = 'tool_grants:\n  enabled: true'

  it('stays pending however often the client agrees: its answer approves nothing', async () => {
    const where = place(POLICY)
    const { key } = await register(where, 'builder')
    const { ask, questions } = await connect(where, key, accept)
    const { output } = await ask('request_tool_grant', { scope: 'config:write' })
    expect(output.grant).toMatchObject({ status: 'pending' })
    expect(questions).toHaveLength(1)
    expect(questions[0]).toMatch(/Approval required \(AP-.*approves nothing by itself/)
  })

  it('is active once a person has approved it elsewhere before the client goes on', async () => {
    const where = place(POLICY)
    const { key } = await register(where, 'builder')
    const { ask } = await connect(where, key, async question => {
      await call(where, 'person', 'governance.approve', { id: /AP-\w+/.exec(question)![0] })
      return accept()
    })
    const { output } = await ask('request_tool_grant', { scope: 'config:write' })
    expect(output.grant).toMatchObject({ status: 'active' })
  })

  it('is an error where the person declines, and a pending answer where none can be asked', async () => {
    const where = place(POLICY)
    const { key } = await register(where, 'builder')
    const declining = await connect(where, key, () => ({ action: 'decline' }))
    const { isError, text } = await declining.ask('request_tool_grant', { scope: 'config:write' })
    expect(isError).toBe(true)
    expect(text).toContain('declined')
    const mute = await connect(where, key)
    expect((await mute.ask('request_tool_grant', { scope: 'config:write' })).output.grant).toMatchObject({
      status: 'pending',
    })
  })
})

describe('a rollback', () => {
  async function bound() {
    const where = place('task_binding:\n  enabled: true\nrollback:\n  enabled: true')
    const agent = await register(where, 'builder')
    const { output } = await call(where, agent, 'governance.task-bind', { intent: 'change it', path: ['src/**'] })
    return { where, key: agent.key, id: output.session.id as string }
  }

  it('is asked about first, and not done where the person declines', async () => {
    const { where, key, id } = await bound()
    const { ask, questions } = await connect(where, key, () => ({ action: 'cancel' }))
    const { isError, text } = await ask('rollback_task', { id, apply: true })
    expect(isError).toBe(true)
    expect(text).toContain('declined')
    expect(questions).toEqual([expect.stringContaining(`Roll back the working tree to the start of ${id}?`)])
    const { output } = await call(where, 'person', 'governance.task-list', {})
    expect(JSON.stringify(output)).not.toContain('rolled_back')
  })

  it('is planned without a question, and invalid input is an error and no question', async () => {
    const { where, key, id } = await bound()
    const { ask, questions } = await connect(where, key, accept)
    expect((await ask('rollback_task', { id, dry_run: true })).output).toMatchObject({ outcome: 'planned' })
    expect((await ask('rollback_task', { id: '../../etc' })).isError).toBe(true)
    expect(questions).toEqual([])
  })

  it('goes on where the person agrees', async () => {
    const { where, key, id } = await bound()
    const { ask, questions } = await connect(where, key, accept)
    const { output } = await ask('rollback_task', { id, apply: true })
    expect(questions).toHaveLength(1)
    expect(output.outcome).toBe('rolled_back')
  })
})

describe('a client of revision 2026-07-28', () => {
  const POLICY = 'tool_grants:\n  enabled: true'

  it('is answered with input_required, and asks again with what the person said, which approves nothing', async () => {
    const where = place(POLICY)
    const { key } = await register(where, 'builder')
    const { ask, questions, calls } = await connectNewest(where, key, accept)
    const { output } = await ask('request_tool_grant', { scope: 'config:write' })
    expect(questions).toEqual([expect.stringMatching(/Approval required \(AP-.*approves nothing by itself/)])
    expect(output.grant).toMatchObject({ status: 'pending' })
    const params = calls().map(({ params }) => params as Record<string, unknown>)
    expect(params.map(({ inputResponses }) => inputResponses)).toEqual([
      undefined,
      { approval: expect.objectContaining({ action: 'accept' }) },
    ])
  })

  it('is refused where the person declines', async () => {
    const where = place(POLICY)
    const { key } = await register(where, 'builder')
    const { ask } = await connectNewest(where, key, () => ({ action: 'decline' }))
    const { isError, text } = await ask('request_tool_grant', { scope: 'config:write' })
    expect([isError, text.includes('declined')]).toEqual([true, true])
  })
})

describe('the pages of a kept result', () => {
  it('are for who may read findings now, however they are asked for', async () => {
    const where = place('tool_grants:\n  enabled: true')
    const agent = await register(where, 'builder')
    const { ask, client, results } = await connect(where, agent.key)
    const findings = Array.from({ length: 400 }, (_, n) => ({ id: n, text: 'x'.repeat(200) }))
    const { next } = results.page('run_scan', 'test', 'A long list.', { findings })
    const uri = `svc://results/${next!.replace('.', '/')}`
    expect((await ask('run_scan', { cursor: next })).output).toMatchObject({ page: 2 })
    expect((await client.readResource({ uri })).contents).toHaveLength(1)
    await call(where, 'person', 'governance.agent-freeze', { name: 'builder' })
    const { isError, text } = await ask('run_scan', { cursor: next })
    expect([isError, text.includes('FORBIDDEN')], text).toEqual([true, true])
    await expect(client.readResource({ uri })).rejects.toThrow('FORBIDDEN')
  })
})

it('a task with an overlong path is refused', async () => {
  const where = place('task_binding:\n  enabled: true')
  const { key } = await register(where, 'builder')
  const { ask } = await connect(where, key)
  const { isError, text } = await ask('bind_task', { intent: 'change it', path: ['x'.repeat(5000)] })
  expect([isError, text.includes('INPUT_INVALID')]).toEqual([true, true])
})
