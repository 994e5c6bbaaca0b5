import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Binding, goneSignal } from './bind.ts'
import { refuseWrite } from './doorman.ts'
import { MCP_PATH } from './mcp-path.ts'

const METHODS = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'] as const

/** Answers requests in the protocol. */
export interface McpHandler {
  fetch(request: Request): Promise<Response>
  /** Ends what is under way. */
  close(): Promise<void>
}

/** What the handler needs of the server. */
export interface McpBinding extends Pick<Binding, 'hide'> {
  /** Writes to the server's log. */
  log(text: string): void
  /** Throws READ_ONLY for what a server that only shows refuses. */
  admit?: typeof refuseWrite
}

/** Loads the handler. */
export type LoadMcp = (binding: McpBinding) => Promise<McpHandler>

/**
 * The route of the protocol, behind the same checks as the REST API: key, Host and Origin, rate limit, size. Its code is loaded by the first
 * request. Everything about the message itself is the protocol's to answer, a body that is no JSON and a method that is not offered included.
 */
export function addMcpRoute(app: FastifyInstance, load: LoadMcp, binding: Binding): void {
  let loading: Promise<McpHandler> | undefined
  app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body))
    scope.addHook('onClose', async () => (await loading)?.close())
    scope.route({
      method: [...METHODS],
      url: MCP_PATH,
      handler: async (request, reply) => {
        loading ??= load({
          hide: binding.hide,
          log: text => binding.notice(`MCP: ${text}`),
          ...(binding.readOnly && { admit: refuseWrite }),
        })
        const handler = await loading
        const signal = goneSignal(reply, binding.closing, request.admitted.session?.ended)
        reply.header('cache-control', 'no-store')
        return reply.send(await handler.fetch(toWebRequest(request, signal)))
      },
    })
  })
}

function toWebRequest(request: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const body = typeof request.body === 'string' ? request.body : undefined
  // The address serves no purpose but its query: the Host header is the client's to write.
  return new Request(new URL(request.url, 'http://localhost'), { method: request.method, headers, body, signal })
}
