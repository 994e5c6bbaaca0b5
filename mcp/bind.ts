import type { CallToolRequest, CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server'
import type { Caller, Context, Event, Progress } from '../engine/base/context.ts'
import { EngineError, toEngineError } from '../engine/base/errors.ts'
import { check } from '../engine/base/json-schema.ts'
import { findNearest } from '../engine/base/text/nearest.ts'
import type { View } from '../engine/base/text/view.ts'
import { invokeInTurn, readAgain } from '../engine/door/invoke.ts'
import type { ManifestRow } from '../engine/door/operation.ts'
import type { Schemas } from '../engine/door/schemas.ts'
import { type Answers, askBefore, askForApproval, findPending, isDeclined } from './confirm.ts'
import { ProtocolError, ProtocolErrorCode } from './library.ts'
import { addressOf } from './resources.ts'
import type { Page, Results } from './results.ts'
import { cutText } from './size.ts'

/** What one call of a tool has around it. */
export interface Call {
  tools: ReadonlyMap<string, ManifestRow>
  schemas: (id: string) => Schemas
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /** The process of the server, whose parents may tell which agent asks; or what its request says of a caller elsewhere. */
  caller?: Caller
  /** Where answers that take several pages are kept, and for whom. */
  results: Results
  owner: string
  /** The client can put a question to a person, and what it has answered so far. */
  canAsk: boolean
  answers: Answers
  /** Aborted when the client cancels the call, and when the connection closes. */
  signal: AbortSignal
  /** Takes the server's own folders out of an error; absent where the caller is on the same machine. */
  hide?(text: string): string
  /** Throws for a call that this server refuses, whoever asks. */
  admit?(row: ManifestRow, input: Record<string, unknown>): void
  /** Tells the client how far the call is; absent where it did not ask. */
  progress?: (update: ProgressUpdate) => void
  /** A sentence for the person, as a log message. */
  notice(text: string): void
  /** Writes an error that is not the caller's fault to the server's log. */
  log(error: EngineError): void
}

/** The parameters of `notifications/progress` but its token. */
export interface ProgressUpdate {
  progress: number
  total?: number
  message: string
}

/** Milliseconds between two progress notifications. */
const PROGRESS_INTERVAL = 100
/** Bytes of an error, which may repeat what the caller sent. */
const ERROR_BYTES = 6000
/** Characters of a tool's name that does not exist, in its error. */
const NAME_LENGTH = 100
/** A model reads the text: no colour, and lines as long as they are useful. */
const VIEW: View = { verbose: false, quiet: false, paint: (_, text) => text, width: 120 }

/**
 * Calls a tool. The answer is the operation's output as structuredContent and its human text beside it, or the first page of both; what the
 * caller can fix is a result with isError that says what to do next. Where a person must decide and the client can ask one, the answer is the
 * question. An unknown tool is a protocol error.
 */
export async function callTool(
  { name, arguments: input = {} }: CallToolRequest['params'],
  call: Call,
): Promise<CallToolResult | InputRequiredResult> {
  const row = call.tools.get(name)
  if (!row) throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(name, [...call.tools.keys()]))
  try {
    if (Object.hasOwn(input, 'cursor'))
      return pageResult(await readAgain(row, contextOf(call), () => findPage(name, input.cursor, call)))
    if (isDeclined(call.answers)) throw new EngineError('FORBIDDEN', 'The user declined the call.')
    return await answer(name, row, input, call)
  } catch (thrown) {
    const error = toEngineError(thrown)
    if (error.code === 'INTERNAL') call.log(error)
    const text = errorText(error)
    return { isError: true, content: [{ type: 'text', text: cutText(call.hide?.(text) ?? text, ERROR_BYTES) }] }
  }
}

async function answer(
  name: string,
  row: ManifestRow,
  input: Record<string, unknown>,
  call: Call,
): Promise<CallToolResult | InputRequiredResult> {
  call.admit?.(row, input)
  if (call.canAsk) {
    const question = askBefore(name, check(call.schemas(row.id).input, input) as Record<string, unknown>, call.answers)
    if (question) return question
  }
  const waits = (reason: string) => (call.canAsk ? askForApproval(reason, call.answers) : undefined)
  try {
    const { output, operation } = await invokeInTurn(
      row,
      input,
      { ...contextOf(call), emit: progressOf(call.progress) },
      call.schemas,
    )
    const pending = findPending(output as Record<string, unknown>)
    const question = pending === undefined ? undefined : waits(`Approval required (${pending}).`)
    if (question) return question
    const text = operation.text(output, VIEW)
    return pageResult(call.results.page(name, call.owner, text, output as Record<string, unknown>))
  } catch (thrown) {
    const error = toEngineError(thrown)
    const question = error.code === 'APPROVAL_NEEDED' ? waits(error.message) : undefined
    if (question) return question
    throw thrown
  }
}

/** What an operation gets of a call or of a request for a page. */
export function contextOf({
  cwd,
  env,
  signal,
  caller,
  notice,
}: Pick<Call, 'cwd' | 'env' | 'signal' | 'caller' | 'notice'>): Context {
  return { surface: 'mcp', cwd, env, signal, caller, emit() {}, notice: text => notice(text) }
}

/** The page that a cursor names, of an answer of this tool. */
function findPage(tool: string, cursor: unknown, { results, owner }: Call): Page {
  const page = typeof cursor === 'string' ? results.find(cursor, owner) : undefined
  if (page?.tool === tool) return page
  throw new EngineError('NOT_FOUND', `The cursor is not one of a kept answer of ${tool}.`, {
    hint: 'Call the tool again without cursor.',
  })
}

function pageResult({ number, pages, tool, next, text, structured }: Page): CallToolResult {
  if (pages === 1) return { content: [{ type: 'text', text }], structuredContent: structured }
  const last = `Page ${number} of ${pages}, the last.`
  const note = next ? `Page ${number} of ${pages}. Next: call ${tool} with cursor ${JSON.stringify(next)}.` : last
  return {
    content: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      { type: 'text', text: note },
      ...(next
        ? [
            {
              type: 'resource_link' as const,
              uri: addressOf(next),
              name: `page-${number + 1}`,
              title: `Page ${number + 1} of ${pages}`,
              mimeType: 'application/json',
            },
          ]
        : []),
    ],
    structuredContent: structured,
  }
}

function unknownTool(asked: string, known: string[]): string {
  const name = asked.slice(0, NAME_LENGTH)
  const meant = findNearest(name, known)
  return `There is no tool ${name}${meant ? `; did you mean ${meant}?` : `. Tools: ${known.join(', ')}.`}`
}

function errorText(error: EngineError): string {
  const said = error.faults.length > 1 ? error.faults.map(fault => `- ${fault.message}`) : [error.message]
  const next = error.code === 'INTERNAL' ? "See the server's log on standard error." : error.hint
  return [`${error.row.title} (${error.code}).`, ...said, `Next: ${next}`].join('\n')
}

/** Hands on progress that is worth a message: it must have grown, and not more often than a person can read. */
function progressOf(report: Call['progress']): (event: Event) => void {
  if (!report) return () => {}
  let last = -1
  let at = Number.NEGATIVE_INFINITY
  return event => {
    if (event.type !== 'progress' || event.progress.done <= last) return
    const now = performance.now()
    if (now - at < PROGRESS_INTERVAL && event.progress.done < event.progress.total) return
    at = now
    last = event.progress.done
    report(update(event.progress))
  }
}

function update({ phase, done, total, findings }: Progress): ProgressUpdate {
  if (total === 0) return { progress: done, message: phase }
  return { progress: done, total, message: `${phase}: ${done} of ${total} files, ${findings} findings` }
}
