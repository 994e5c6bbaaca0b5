import { PassThrough, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Context } from '../engine/base/context.ts'
import type { ManifestRow } from '../engine/door/operation.ts'
import type { Schemas } from '../engine/door/schemas.ts'
import { describeError } from './issues.ts'
import { StdioServerTransport, serveStdio as serveTransport } from './library.ts'
import { createResults } from './results.ts'
import { createMcpServer } from './server.ts'
import { selectRows } from './tools.ts'

/** Milliseconds that running calls get to answer after standard input has closed. */
const CLOSE_GRACE = 1500
/** Milliseconds between two looks at whether all is answered. */
const POLL = 5
/** Bytes of one message. */
const MESSAGE_LIMIT = 10 * 1024 * 1024

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
  const log = (text: string) => void stderr.write(`svc: ${text}\n`)

  const options = {
    rows: offered,
    schemas,
    cwd: context.cwd,
    env: context.env,
    // The server itself is at no terminal: who asks is at the other end of the pipe.
    caller: { pid: context.caller?.pid },
    results: createResults(),
    owner: 'stdio',
    log,
  }
  // The protocol's end of the input stays open when the client's closes: who pipes messages in and leaves still gets the answers.
  const input = stdin.pipe(new PassThrough(), { end: false })
  const ended = new Promise<void>(resolve => {
    for (const event of ['end', 'close']) stdin.once(event, () => resolve())
  })
  const stopped = new Promise<void>(resolve => {
    for (const stream of [stdout, messages]) stream.on('error', () => resolve())
    context.signal.addEventListener('abort', () => resolve(), { once: true })
    if (context.signal.aborted) resolve()
  })
  const transport = new StdioServerTransport(input, messages, { maxBufferSize: MESSAGE_LIMIT })
  const server = serveTransport(request => createMcpServer(options, request), {
    transport,
    onerror: error => log(describeError(error)),
  })
  const unanswered = trackRequests(transport)
  const closed = new Promise<void>(resolve => {
    const close = transport.onclose
    transport.onclose = () => {
      close?.()
      resolve()
    }
  })
  try {
    await Promise.race([stopped, closed, ended.then(() => settled(unanswered, input))])
  } finally {
    await server.close()
    stdin.unpipe(input)
    messages.end()
    await finished(messages).catch(() => {})
    stdout.write = write
  }
}

/** The requests that have been read and are neither answered nor cancelled. */
function trackRequests(transport: StdioServerTransport): ReadonlySet<string | number> {
  const open = new Set<string | number>()
  const deliver = transport.onmessage
  const send = transport.send.bind(transport)
  transport.onmessage = message => {
    if ('method' in message && 'id' in message) open.add(message.id)
    else if ('method' in message && message.method === 'notifications/cancelled')
      open.delete((message.params as { requestId?: string | number } | undefined)?.requestId ?? '')
    deliver?.(message)
  }
  transport.send = async message => {
    await send(message)
    if (!('method' in message) && message.id !== undefined) open.delete(message.id)
  }
  return open
}

/** All requests are answered, or have had the time to be. */
async function settled(unanswered: ReadonlySet<unknown>, input: PassThrough): Promise<void> {
  const until = performance.now() + CLOSE_GRACE
  // The last message may still be on its way to its handler.
  await setImmediate()
  while ((unanswered.size > 0 || input.readableLength > 0) && performance.now() < until) await setTimeout(POLL)
}
