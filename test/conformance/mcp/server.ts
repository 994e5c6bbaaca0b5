import type { AddressInfo } from 'node:net'
import type { PromptMessage, ServerContext } from '@modelcontextprotocol/server'
import { createApi } from '../../../api/server.ts'
import { OPERATIONS } from '../../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../../engine/door/schemas.ts'
import { createHttpHandler } from '../../../mcp/http.ts'
import { ProtocolError, ProtocolErrorCode, type Server } from '../../../mcp/library.ts'
import { createMcpServer } from '../../../mcp/server.ts'
import { askForContext, FIXTURE_TOOLS, PNG, runFixture } from './fixtures.ts'

// The server of `svc dashboard` at /mcp, with the tools, prompts and resources that the conformance suite asks for by name beside its own: so
// that what fails is only what svc does not offer. Prints its address.

const said = (text: string): PromptMessage => ({ role: 'user', content: { type: 'text', text } })

/** The prompts, by name: their arguments, and what they come to. */
const PROMPTS: Record<string, { words: string[]; make(words: Record<string, string>): PromptMessage[] }> = {
  test_simple_prompt: { words: [], make: () => [said('This is a simple prompt for testing.')] },
  test_prompt_with_arguments: {
    words: ['arg1', 'arg2'],
    make: ({ arg1, arg2 }) => [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    words: ['resourceUri'],
    make: ({ resourceUri = '' }) => [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
      },
      said('Please process the embedded resource above.'),
    ],
  },
  test_prompt_with_image: {
    words: [],
    make: () => [
      { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
      said('Please analyze the image above.'),
    ],
  },
  test_input_required_result_prompt: { words: [], make: () => [] },
}

/** What stands at an address of the suite. */
function readFixture(uri: string) {
  if (uri === 'test://static-text')
    return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: PNG }
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
  return id === undefined ? undefined : { uri, mimeType: 'application/json', text }
}

/** svc's own server, asked first for what the suite brings. */
const create: typeof createMcpServer = (options, request) => {
  const server = createMcpServer(options, request)
  server.registerCapabilities({ prompts: {}, completions: {} })
  around(server, 'tools/list', async own => {
    const { tools } = await own()
    return { tools: [...tools, ...FIXTURE_TOOLS] }
  })
  around(
    server,
    'tools/call',
    async (own, { name, arguments: input = {} }, context) => (await runFixture(name, input, context)) ?? own(),
  )
  around(server, 'resources/read', async (own, { uri }) => {
    const contents = readFixture(uri)
    return contents ? { contents: [contents] } : own()
  })
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(PROMPTS).map(([name, { words }]) => ({
      name,
      description: 'A prompt of the conformance suite.',
      arguments: words.map(word => ({ name: word, required: true })),
    })),
  }))
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: words = {} } }, context) => {
    if (name === 'test_input_required_result_prompt') return askForContext(context)
    const prompt = Object.hasOwn(PROMPTS, name) ? PROMPTS[name] : undefined
    if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name.slice(0, 100)}.`)
    return { messages: prompt.make(words) }
  })
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }))
  return server
}

// biome-ignore lint/suspicious/noExplicitAny: handlers of several methods, each with a shape of its own
type Handler = (request: any, context: ServerContext) => any

/** Puts a handler before the one that svc has for a method. */
function around(
  server: Server,
  method: 'tools/list' | 'tools/call' | 'resources/read',
  // biome-ignore lint/suspicious/noExplicitAny: see above
  handler: (own: () => Promise<any>, params: any, context: ServerContext) => Promise<any>,
): void {
  const own = (server as unknown as { _requestHandlers: Map<string, Handler> })._requestHandlers.get(method)!
  server.setRequestHandler(method, (request, context) =>
    handler(async () => own(request, context), request.params, context),
  )
}

const cwd = process.cwd()
const env = { ...process.env, GUARD_RATE_LIMIT_ENABLED: 'false' }
const notice = (text: string) => void process.stderr.write(`${text}\n`)
const app = createApi({
  ...{ rows: OPERATIONS, schemas: loadSchemas, cwd, env, notice, host: '127.0.0.1' },
  mcp: async binding => createHttpHandler({ rows: OPERATIONS, schemas: loadSchemas, cwd, env, create, ...binding }),
})
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
