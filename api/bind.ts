import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context, Event } from '../engine/base/context.ts'
import { check, type JsonSchema } from '../engine/base/json-schema.ts'
import { VERSION } from '../engine/base/version.ts'
import { invokeInTurn } from '../engine/door/invoke.ts'
import type { ManifestRow } from '../engine/door/operation.ts'
import type { Schemas } from '../engine/door/schemas.ts'
import { refuseWrite } from './doorman.ts'
import { collectInput, type RequestParts } from './input.ts'
import { type Problem, toProblem, toRequestError } from './problem.ts'
import { openEventStream } from './stream.ts'

/** What binding needs of the server around it. */
export interface Binding {
  schemas: (id: string) => Schemas
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  notice(text: string): void
  /** What was counted of the requests so far. */
  figures: Context['figures']
  /** Takes the server's own folders out of a text. */
  hide(text: string): string
  /** Writes an error that is no fault of the request's to the server's log. */
  log(error: unknown, request: FastifyRequest): void
  /** Requests have been asked for the server's key, and have it. */
  keyed: boolean
  /** Nothing may be changed or run. */
  readOnly: boolean
  /** Aborted when the server closes. */
  closing: AbortSignal
  /** Milliseconds between heartbeats of a stream. */
  heartbeat?: number
}

/** Milliseconds after which a stream begins although nothing has happened yet. Refusals come earlier, with their own status. */
const STREAM_GRACE = 300
/** A document of the repository's runs apart from this server's pages: it may not reach the API, whatever it contains. */
const DOCUMENT_POLICY =
  "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"

/** Answers a request by the row's operation. */
export function makeHandler(row: ManifestRow, binding: Binding) {
  const schema = binding.schemas(row.id).input
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const input = collectInput(schema, {
      params: request.params as RequestParts['params'],
      query: request.query as RequestParts['query'],
      body: row.delivery ? undefined : request.body,
    })
    // An EventSource that comes back says by a header where it was.
    const last = headerOf(request, 'last-event-id')
    if (last && schema.properties?.last_event_id && !('last_event_id' in input)) input.last_event_id = last
    if (binding.readOnly) refuseWrite(row, input)
    const { client, session } = request.admitted
    const isStream = row.streams === true || (row.streams === 'asked' && wantsStream(request))
    const signal = goneSignal(reply, binding.closing, isStream ? session?.ended : undefined)
    const contextWith = (emit: (event: Event) => void): Context => ({
      surface: 'rest',
      cwd: binding.cwd,
      env: binding.env,
      signal,
      caller: {
        credential: headerOf(request, 'x-agent-key'),
        api_key: binding.keyed && row.delivery !== true,
        host: headerOf(request, 'host'),
        cookie: headerOf(request, 'cookie'),
        client,
        traceparent: headerOf(request, 'traceparent'),
        ...(row.delivery && {
          delivery: { headers: request.headers, body: (request.body as Buffer | undefined) ?? Buffer.alloc(0) },
        }),
      },
      emit,
      figures: binding.figures,
      notice: text => binding.notice(text),
    })
    if (isStream) return streamed(row, input, contextWith, binding, request, reply)
    if (row.effect === 'read' && (await isKnown(row, schema, input, contextWith(ignore), request, reply)))
      return reply.code(304).send()
    const { output, operation } = await invokeInTurn(row, input, contextWith(ignore), binding.schemas)
    if (operation.redirects) return redirect(reply, output, request)
    if (!operation.raw) return reply.send(output)
    return reply
      .type(operation.raw.type(output))
      .header('content-security-policy', DOCUMENT_POLICY)
      .send(String((output as Record<string, unknown>)[operation.raw.field]))
  }
}

function ignore(): void {}

/**
 * Gives the answer an ETag where the operation can tell what it depends on, and says whether the client has it already. The browser may
 * keep such an answer, and asks each time whether it still holds.
 */
async function isKnown(
  row: ManifestRow,
  schema: JsonSchema,
  input: Record<string, unknown>,
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const { default: operation } = await row.load()
  if (!operation.revision) return false
  const checked = check(schema, input)
  const revision = await operation.revision(checked as never, context as never)
  if (revision === undefined) return false
  const etag = `"${createHash('sha256')
    .update(JSON.stringify([VERSION, row.id, revision, checked]))
    .digest('base64url')
    .slice(0, 27)}"`
  reply.headers({ etag, 'cache-control': 'private, no-cache', vary: 'cookie, x-api-key, authorization, x-agent-key' })
  const given = headerOf(request, 'if-none-match')
  return given !== undefined && given.split(',').some(each => each.trim().replace(/^W\//, '') === etag)
}

/** Sends the browser on. A page that has to send the server's key asks for JSON, and follows the address itself. */
function redirect(reply: FastifyReply, output: unknown, request: FastifyRequest): FastifyReply {
  const { location, cookie } = output as { location: string; cookie?: string }
  if (cookie !== undefined) reply.header('set-cookie', cookie)
  if (request.headers.accept === 'application/json') return reply.send({ location })
  return reply.header('referrer-policy', 'no-referrer').redirect(location, 302)
}

/** A header that is there once. */
function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

function wantsStream(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('text/event-stream')
}

/** Aborted when the client has gone before its answer was complete, when the server closes, or when the session has `ended` that it is of. */
export function goneSignal(reply: FastifyReply, closing: AbortSignal, ended?: AbortSignal): AbortSignal {
  const gone = new AbortController()
  const abort = () => gone.abort()
  closing.addEventListener('abort', abort, { once: true })
  ended?.addEventListener('abort', abort, { once: true })
  if (ended?.aborted) abort()
  // The request's own `close` comes as soon as its body is read; the response's comes when it is sent or the client has gone.
  reply.raw.once('close', () => {
    closing.removeEventListener('abort', abort)
    ended?.removeEventListener('abort', abort)
    if (!reply.raw.writableFinished) abort()
  })
  return gone.signal
}

async function streamed(
  row: ManifestRow,
  input: unknown,
  contextWith: (emit: (event: Event) => void) => Context,
  binding: Binding,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const events = openEventStream({ heartbeat: binding.heartbeat })
  const begun = new AbortController()
  let started = false
  const context = contextWith(event => {
    started ||= event.type === 'started' || event.type === 'entry' || event.type === 'live'
    // `started` is the first event of every stream; until then a client waits, and heartbeats tell it that we live.
    if (!started) return
    const { name, data } = eventOf(event)
    events.send(name, data, event.type === 'live' ? event.id : undefined)
    begun.abort()
  })
  const answer = invokeInTurn(row, input, context, binding.schemas)
  try {
    await Promise.race([answer, setTimeout(STREAM_GRACE, undefined, { signal: begun.signal }).catch(ignore)])
  } catch (error) {
    events.readable.destroy()
    throw error
  } finally {
    begun.abort()
  }
  answer.then(
    ({ output }) => events.end('done', output),
    error => events.end('error', describeRefusal(error, binding, request)),
  )
  return reply
    .type('text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .send(events.readable)
}

function eventOf(event: Event): { name: string; data: unknown } {
  if (event.type === 'progress') {
    const { done, total, bytes, findings, phase } = event.progress
    return { name: 'progress', data: { done, total, bytes, findings, phase } }
  }
  if (event.type === 'live') return { name: event.topic, data: event.data }
  if (event.type === 'sign_in') return { name: 'sign_in', data: event.sign_in }
  if (event.type === 'entry') return { name: 'entry', data: event.entry }
  if (event.type === 'finding') return { name: 'finding', data: event.finding }
  return { name: 'started', data: { run_id: event.run_id, files: event.files } }
}

/** The problem of an error, logged where it is the server's fault. */
export function describeRefusal(
  raised: unknown,
  binding: Pick<Binding, 'hide' | 'log'>,
  request: FastifyRequest,
): Problem {
  const error = toRequestError(raised)
  if (error.row.status >= 500) binding.log(error, request)
  return toProblem(error, binding.hide)
}
