import { describe, expect, it } from 'vitest'
import { describeError } from '../../../mcp/issues.ts'
import { createResults } from '../../../mcp/results.ts'
import { createMcpServer } from '../../../mcp/server.ts'

/** The error that a server answers a request with. */
async function ask(method: string, params?: object): Promise<unknown> {
  const options = { rows: [], cwd: '/', env: {}, results: createResults(), owner: 'test', log: () => {} }
  const schemas = () => ({ input: {}, output: {} })
  const server = createMcpServer({ ...options, schemas }, { era: 'legacy' })
  const answer = new Promise<unknown>(resolve => {
    const transport = {
      start: async () => {},
      close: async () => {},
      send: async (message: object) => resolve('error' in message ? message.error : message),
      onmessage: undefined as ((message: object) => void) | undefined,
    }
    void server.connect(transport as never).then(() => {
      transport.onmessage!({ jsonrpc: '2.0', id: 1, method, ...(params && { params }) })
    })
  })
  return answer.finally(() => server.close())
}

describe('a request whose parameters are invalid is answered with -32602 and one line', () => {
  it.each([
    ['tools/call', undefined, 'Invalid request tools/call: params: expected object, received undefined.'],
    ['tools/call', {}, 'Invalid request tools/call: params.name: expected string, received undefined.'],
    ['resources/read', {}, 'Invalid request resources/read: params.uri: expected string, received undefined.'],
  ])('%s with the parameters %j', async (method, params, message) => {
    expect(await ask(method, params)).toEqual({ code: -32602, message })
  })
})

it('the log says in one line that a message is none of the protocol, and other errors as they are', () => {
  const issues = JSON.stringify([{ code: 'invalid_union', errors: [], path: [], message: 'Invalid input' }], null, 2)
  expect(describeError(new Error(issues))).toBe('A message was ignored: it is not a JSON-RPC 2.0 message.')
  expect(describeError(new Error('connection [closed]'))).toBe('connection [closed]')
})
