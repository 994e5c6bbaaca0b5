import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Caller, Context } from '../engine/base/context.ts'
import type { EngineError } from '../engine/base/errors.ts'
import { VERSION } from '../engine/base/version.ts'
import type { ManifestRow } from '../engine/door/operation.ts'
import type { Schemas } from '../engine/door/schemas.ts'
import { callTool, type ProgressUpdate } from './bind.ts'
import { listToolRows, listTools, selectRows } from './tools.ts'

const INSTRUCTIONS =
  'Checks code against security and compliance rules. Paths are relative to the project directory, in which the server was started.'
/** Milliseconds that running calls get to answer after standard input has closed. */
const CLOSE_GRACE = 1500

/** What a server is made of. */
export interface McpOptions {
  rows: readonly ManifestRow[]
  schemas: (id: string) => Schemas
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  caller?: Caller
  /** The server's log, which is not the protocol's stream. */
  log(text: string): void
}

/** A server over the rows that are tools, not yet connected, and the calls it is running. */
export interface McpServer {
  server: Server
  running: ReadonlySet<Promise<unknown>>
}

/** The MCP server of the rows. Calls run side by side; each has its own signal and progress. */
export function createMcpServer({ rows, schemas, cwd, env, caller, log }: McpOptions): McpServer {
  const server = new Server(
    { name: 'svc', title: 'svc', version: VERSION },
    { capabilities: { tools: {}, logging: {} }, instructions: INSTRUCTIONS },
  )
  const tools = listToolRows(rows)
  const running = new Set<Promise<unknown>>()
  server.onerror = error => log(error.message)
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listTools(rows, schemas) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const progressToken = extra._meta?.progressToken
    const send = (notification: Parameters<typeof extra.sendNotification>[0]) => {
      extra.sendNotification(notification).catch(error => log(String(error)))
    }
    const call = callTool(params, {
      tools,
      schemas,
      cwd,
      env,
      caller,
      signal: extra.signal,
      progress:
        progressToken === undefined
          ? undefined
          : (update: ProgressUpdate) =>
              send({ method: 'notifications/progress', params: { progressToken, ...update } }),
      notice: text =>
        void server.sendLoggingMessage({ level: 'info', logger: 'svc', data: text }).catch(error => log(String(error))),
      log: (error: EngineError) => log(stackOf(error)),
    })
    running.add(call)
    try {
      return await call
    } finally {
      running.delete(call)
    }
  })
  return { server, running }
}

function stackOf(error: EngineError): string {
  return error.cause instanceof Error ? (error.cause.stack ?? error.cause.message) : (error.stack ?? error.message)
}

/**
 * Serves standard input and output until the input closes, the client stops reading or the context's signal aborts.
 * `tools` chooses which are offered.
 * Nothing but protocol messages reaches standard output: whatever else writes to it is sent to standard error.
 */
export async function serveStdio(
  context: Context,
  rows: readonly ManifestRow[],
  schemas: (id: string) => Schemas,
  tools: readonly string[] = [],
): Promise<void> {
  const offered = selectRows(rows, tools)
  const { stdin, stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  const messages = new Writable({ write: (chunk, encoding, done) => void write(chunk, encoding, done) })
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write

  const { server, running } = createMcpServer({
    rows: offered,
    schemas,
    cwd: context.cwd,
    env: context.env,
    // The server itself is at no terminal: who asks is at the other end of the pipe.
    caller: { pid: context.caller?.pid },
    log: text => void stderr.write(`svc: ${text}\n`),
  })
  const ended = new Promise<void>(resolve => {
    for (const event of ['end', 'close']) stdin.once(event, () => resolve())
  })
  const stopped = new Promise<void>(resolve => {
    for (const stream of [stdout, messages]) stream.on('error', () => resolve())
    server.onclose = resolve
    context.signal.addEventListener('abort', () => resolve(), { once: true })
    if (context.signal.aborted) resolve()
  })
  try {
    await server.connect(new StdioServerTransport(stdin, messages))
    await Promise.race([stopped, ended.then(() => settled(running))])
  } finally {
    await server.close()
    messages.end()
    await finished(messages).catch(() => {})
    stdout.write = write
  }
}

/** The running calls have answered, or have had the time to: who pipes messages in reads the answers still. */
async function settled(running: ReadonlySet<Promise<unknown>>): Promise<void> {
  const over = new AbortController()
  const answered = async () => {
    // The last message may still be on its way to its handler, and the last answer to the stream.
    await setImmediate()
    while (running.size > 0 && !over.signal.aborted) {
      await Promise.allSettled(running)
      await setImmediate()
    }
  }
  await Promise.race([answered(), setTimeout(CLOSE_GRACE, undefined, { signal: over.signal })])
  over.abort()
}
