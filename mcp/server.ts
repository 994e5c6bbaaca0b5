import type { ClientCapabilities, McpRequestContext, ServerContext } from '@modelcontextprotocol/server'
import type { Caller } from '../engine/base/context.ts'
import { type EngineError, toEngineError } from '../engine/base/errors.ts'
import { VERSION } from '../engine/base/version.ts'
import { readAgain } from '../engine/door/invoke.ts'
import type { ManifestRow } from '../engine/door/operation.ts'
import type { Schemas } from '../engine/door/schemas.ts'
import { type Call, callTool, contextOf, type ProgressUpdate } from './bind.ts'
import { describeError, PlainServer } from './issues.ts'
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type Server } from './library.ts'
import { listResources, readResource, TEMPLATES } from './resources.ts'
import type { Results } from './results.ts'
import { listToolRows, listTools } from './tools.ts'

const INSTRUCTIONS =
  'Checks code against security and compliance rules. Paths are relative to the project directory. A long answer comes in pages: repeat the call with its next_cursor as cursor, or ask for less.'
/** Milliseconds that a client may keep the list of tools, which does not change while the server runs. */
const LIST_TTL = 300_000
const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

/** What a server is made of. */
export interface McpOptions {
  rows: readonly ManifestRow[]
  schemas: (id: string) => Schemas
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  caller?: Caller
  /** Answers that take several pages, and for whom they are kept. */
  results: Results
  owner: string
  /** Takes the server's own folders out of a text for a caller elsewhere. */
  hide?(text: string): string
  /** Throws for a call that this server refuses, whoever asks. */
  admit?(row: ManifestRow, input: Record<string, unknown>): void
  /** The server's log, which is not the protocol's stream. */
  log(text: string): void
}

/**
 * A server over the rows that are tools, not yet connected, for one connection or request of a client of either era. Calls run side by side;
 * each has its own signal and progress.
 */
export function createMcpServer(options: McpOptions, { era }: Pick<McpRequestContext, 'era'>): Server {
  const { rows, schemas, results, owner, log } = options
  const fixed = { ttlMs: LIST_TTL, cacheScope: 'public' } as const
  const server = new PlainServer(
    { name: 'svc', title: 'svc', version: VERSION },
    {
      capabilities: { tools: {}, resources: {}, ...(era === 'legacy' && { logging: {} }) },
      instructions: INSTRUCTIONS,
      cacheHints: {
        'tools/list': fixed,
        'server/discover': fixed,
        'resources/templates/list': fixed,
        'resources/list': { ttlMs: 0, cacheScope: 'private' },
        'resources/read': { ttlMs: LIST_TTL, cacheScope: 'private' },
      },
    },
  )
  const tools = listToolRows(rows)
  server.onerror = error => log(describeError(error))
  server.setRequestHandler('tools/list', () => ({ tools: listTools(rows, schemas) }))
  server.setRequestHandler('resources/list', () => ({ resources: listResources(results, owner) }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: TEMPLATES }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq }) => {
    const found = readResource(uri, results, owner)
    const row = found && tools.get(found.tool)
    if (!row) throw new ResourceNotFoundError(uri.slice(0, 200))
    const context = contextOf({ ...options, ...readRequest(mcpReq, server, log) })
    try {
      return { contents: [await readAgain(row, context, () => found.contents)] }
    } catch (thrown) {
      const { code, message } = toEngineError(thrown)
      throw new ProtocolError(ProtocolErrorCode.InvalidRequest, `${message} (${code})`)
    }
  })
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    callTool(params, { ...options, tools, ...readRequest(mcpReq, server, log) }),
  )
  return server
}

/** What the request itself says: who can be asked, what was answered, how to stop, and how to tell its progress. */
function readRequest(
  request: ServerContext['mcpReq'],
  server: Server,
  log: McpOptions['log'],
): Pick<Call, 'canAsk' | 'answers' | 'signal' | 'progress' | 'notice' | 'log'> {
  const { signal, envelope, inputResponses, _meta } = request
  const progressToken = _meta?.progressToken
  const failed = (error: unknown) => log(String(error))
  const declared = (envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES] as
    | ClientCapabilities
    | undefined
  const { elicitation } = declared ?? server.getClientCapabilities() ?? {}
  return {
    // A client that names no kind of question means forms.
    canAsk: elicitation !== undefined && (elicitation.form !== undefined || Object.keys(elicitation).length === 0),
    answers: inputResponses,
    signal,
    ...(progressToken !== undefined && {
      progress: (update: ProgressUpdate) =>
        void request.notify({ method: 'notifications/progress', params: { progressToken, ...update } }).catch(failed),
    }),
    notice: text => void request.log('info', text, 'svc').catch(failed),
    log: (error: EngineError) => log(stackOf(error)),
  }
}

function stackOf(error: EngineError): string {
  return error.cause instanceof Error ? (error.cause.stack ?? error.cause.message) : (error.stack ?? error.message)
}
