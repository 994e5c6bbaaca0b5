import { type CallToolRequest, type CallToolResult, ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { Caller, Event, Progress } from '../engine/base/context.ts'
import { type EngineError, toEngineError } from '../engine/base/errors.ts'
import { findNearest } from '../engine/base/text/nearest.ts'
import type { View } from '../engine/base/text/view.ts'
import { invokeInTurn } from '../engine/door/invoke.ts'
import type { ManifestRow } from '../engine/door/operation.ts'
import type { Schemas } from '../engine/door/schemas.ts'

/** What one call of a tool has around it. */
export interface Call {
  tools: ReadonlyMap<string, ManifestRow>
  schemas: (id: string) => Schemas
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /** The process of the server, whose parents may tell which agent asks. */
  caller?: Caller
  /** Aborted by `notifications/cancelled` and when the connection closes. */
  signal: AbortSignal
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
/** A model reads the text: no colour, and lines as long as they are useful. */
const VIEW: View = { verbose: false, quiet: false, paint: (_, text) => text, width: 120 }

/**
 * Calls a tool. The answer is the operation's output as structuredContent and its human text beside it; what the caller
 * can mend is a result with isError, in words that say what to do next. An unknown tool is a protocol error.
 */
export async function callTool(
  { name, arguments: input }: CallToolRequest['params'],
  call: Call,
): Promise<CallToolResult> {
  const row = call.tools.get(name)
  if (!row) throw new McpError(ErrorCode.InvalidParams, unknownTool(name, [...call.tools.keys()]))
  try {
    const { output, operation } = await invokeInTurn(
      row,
      input ?? {},
      {
        surface: 'mcp',
        cwd: call.cwd,
        env: call.env,
        signal: call.signal,
        caller: call.caller,
        emit: progressOf(call.progress),
        notice: text => call.notice(text),
      },
      call.schemas,
    )
    return {
      content: [{ type: 'text', text: operation.text(output, VIEW) }],
      structuredContent: output as Record<string, unknown>,
    }
  } catch (thrown) {
    const error = toEngineError(thrown)
    if (error.code === 'INTERNAL') call.log(error)
    return { isError: true, content: [{ type: 'text', text: errorText(error) }] }
  }
}

function unknownTool(name: string, known: string[]): string {
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
