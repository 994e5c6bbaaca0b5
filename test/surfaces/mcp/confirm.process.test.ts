import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { OPERATIONS } from '../../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../../engine/door/schemas.ts'
import { createResults } from '../../../mcp/results.ts'
import { createMcpServer } from '../../../mcp/server.ts'
import { call, type Place, place, register } from '../../governance/governed.ts'

type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, never> }

/** A client of an agent that answers questions as told; without an answer it says that it can put none. */
async function connect({ root, env }: Place, key: string, answer?: (question: string) => Answer | Promise<Answer>) {
  const server = createMcpServer(
    {
      rows: OPERATIONS,
      schemas: loadSchemas,
      cwd: root,
      env: { ...env, SVC_AGENT_KEY: key },
      results: createResults(),
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
  const ask = async (name: string, input: Record<string, unknown>) => {
    const { isError, content, structuredContent } = await client.callTool({ name, arguments: input })
    return { isError, text: JSON.stringify(content), output: structuredContent as Record<string, never> }
  }
  return { ask, questions }
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
