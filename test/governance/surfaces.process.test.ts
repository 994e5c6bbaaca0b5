import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../engine/door/schemas.ts'
import { createHttpHandler } from '../../mcp/http.ts'
import { listTools, selectRows } from '../../mcp/tools.ts'
import { problem, startServer } from '../surfaces/rest/server-under-test.ts'
import { call, type Place, place, register } from './governed.ts'

const KEY = 'the key of this test'

/** A server with a key over a governed repository, and a way to ask it. */
async function serve({ root, env }: Place) {
  const { base } = await startServer({
    rows: OPERATIONS,
    schemas: loadSchemas,
    cwd: root,
    env: { ...env, GUARD_RATE_LIMIT_ENABLED: 'false' },
    key: KEY,
  })
  return (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    fetch(`${base}${path}`, {
      method,
      headers: { 'x-api-key': KEY, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
}

describe('over REST', () => {
  it('a task is bound, listed and completed, and the log tells that a person with the key did it', async () => {
    const where = place('task_binding:\n  enabled: true')
    const ask = await serve(where)
    const bound = await ask('POST', '/api/task-sessions', { intent: 'mend it', path: ['src/**'], agent: 'builder' })
    expect(bound.status).toBe(200)
    const { session } = (await bound.json()) as { session: { id: string; agent: string } }
    expect(session.agent).toBe('builder')
    expect(await (await ask('GET', '/api/task-sessions')).json()).toMatchObject({ sessions: [{ id: session.id }] })
    const active = (await (await ask('GET', '/api/agents/active')).json()) as { agents: { agent: string }[] }
    expect(active.agents.map(({ agent }) => agent)).toEqual(['builder'])
    expect(await (await ask('POST', `/api/task-sessions/${session.id}/complete`, {})).json()).toMatchObject({
      completed: true,
    })
    const { entries } = (await (await ask('GET', '/api/audit?action=task.bind')).json()) as { entries: object[] }
    expect(entries).toMatchObject([
      { surface: 'rest', actor: { agent: 'api-key', method: 'api_key' }, target: session.id },
    ])
  })

  it('an agent’s credential makes it that agent, with no more than its trust', async () => {
    const where = place('agent_defaults:\n  queue_action: block')
    const agent = await register(where, 'builder')
    const ask = await serve(where)
    const refusal = await ask('POST', '/api/config', { set: {} }, { 'x-agent-key': agent.key })
    expect(await problem(refusal)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect((await ask('POST', '/api/config', { set: {} })).status).toBe(200)
  })

  it('an approval is shown, told and resolved', async () => {
    const where = place('tool_grants:\n  enabled: true')
    const agent = await register(where, 'builder')
    const { output } = await call(where, agent, 'governance.request-grant', { scope: 'config:write' })
    const id = output.grant.approval_id
    const ask = await serve(where)
    expect(await (await ask('GET', '/api/approvals')).json()).toMatchObject({ approvals: [{ id, type: 'tool_grant' }] })
    expect(
      (await ask('PATCH', `/api/approvals/${id}`, { action: 'approved' }, { 'x-agent-key': agent.key })).status,
    ).toBe(403)
    expect(await problem(await ask('PATCH', `/api/approvals/${id}`, { comment: 'later' }))).toMatchObject({
      status: 422,
      code: 'INPUT_INVALID',
    })
    expect(await (await ask('GET', `/api/approvals/${id}/status`)).json()).toMatchObject({ status: 'pending' })
    expect(
      await (await ask('PATCH', `/api/approvals/${id}`, { action: 'approved', comment: 'ok' })).json(),
    ).toMatchObject({ id })
    expect(await (await ask('GET', `/api/approvals/${id}/status`)).json()).toMatchObject({
      status: 'consumed',
      comment: 'ok',
    })
    expect(await (await ask('GET', '/api/tool-grants?active=true')).json()).toMatchObject({
      grants: [{ scope: 'config:write' }],
    })
  })

  it('the settings are told, and changed by who may', async () => {
    const where = place('agent_defaults:\n  queue_action: block')
    const ask = await serve(where)
    expect(await (await ask('GET', '/api/governance')).json()).toMatchObject({
      active: true,
      settings: { tool_grants: { enabled: false } },
    })
    const set = { tool_grants: { enabled: true } }
    expect(await (await ask('POST', '/api/governance', { set })).json()).toMatchObject({ changed: true, settings: set })
  })

  it('activity is told at once, and as an event stream goes on being told', async () => {
    const where = place()
    await register(where, 'ann')
    const ask = await serve(where)
    const now = (await (await ask('GET', '/api/agents/activity')).json()) as { entries: { target: string }[] }
    expect(now.entries[0]!.target).toBe('ann')
    const stream = await ask('GET', '/api/agents/activity?live=true', undefined, { accept: 'text/event-stream' })
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const until = async (word: string) => {
      while (!text.includes(word)) text += (await reader.read()).value ?? ''
    }
    await until('"target":"ann"')
    await register(where, 'bob')
    await until('"target":"bob"')
    expect(text).toContain('event: entry')
    await reader.cancel()
  })
})

describe('over MCP', () => {
  it('the tools of governance are all there, and can be had by themselves', () => {
    const names = listTools(selectRows(OPERATIONS, ['governance']), loadSchemas).map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        'get_agent_status',
        'bind_task',
        'complete_task',
        'check_task_scope',
        'delegate_task',
        'check_delegation',
        'request_tool_grant',
        'release_tool_grant',
        'check_tool_grant',
      ]),
    )
    expect(names).not.toContain('scan_file')
  })

  it('a single tool can be chosen beside a set, and what is neither is refused with the sets there are', () => {
    const names = selectRows(OPERATIONS, ['governance', 'scan_file']).map(({ mcp }) => mcp)
    expect(names).toContain('scan_file')
    expect(() => selectRows(OPERATIONS, ['nothing'])).toThrow('No set of tools and no tool')
  })
})

describe('over MCP at /mcp', () => {
  /** Calls a tool as a client of 2025-06-18 does that keeps no connection. */
  async function callTool(where: Place, name: string, input: object, headers: Record<string, string> = {}) {
    const { base } = await startServer({
      rows: OPERATIONS,
      schemas: loadSchemas,
      cwd: where.root,
      env: { ...where.env, GUARD_RATE_LIMIT_ENABLED: 'false' },
      key: KEY,
      mcp: async binding =>
        createHttpHandler({ rows: OPERATIONS, schemas: loadSchemas, cwd: where.root, env: where.env, ...binding }),
    })
    const response = await fetch(`${base}/mcp`, {
      method: 'POST',
      headers: {
        'x-api-key': KEY,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
    })
    const [data] = /(?<=^data: ).*$/m.exec(await response.text())!
    return JSON.parse(data).result as { isError?: boolean; content: { text: string }[] }
  }

  it('the API key makes nobody a person: what weakens the evaluation waits for an approval', async () => {
    const where = place('agent_defaults:\n  queue_action: block', { 'a.txt': 'a' })
    const { isError, content } = await callTool(where, 'manage_pack', { action: 'disable', pack_id: 'bash' })
    expect(isError).toBe(true)
    expect(content[0]!.text).toMatch(/FORBIDDEN|APPROVAL_NEEDED/)
  })

  it('a credential makes the caller that agent', async () => {
    const where = place('task_binding:\n  enabled: true')
    const { key } = await register(where, 'builder')
    const bound = await callTool(where, 'bind_task', { intent: 'mend it', path: ['src/**'] }, { 'x-agent-key': key })
    expect(bound.isError).toBeUndefined()
    const { output } = await call(where, 'person', 'audit.list', { action: 'task.bind' })
    expect(output.entries).toMatchObject([{ surface: 'mcp', actor: { agent: 'builder', method: 'credential' } }])
  })
})
