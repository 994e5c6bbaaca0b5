import { randomBytes } from 'node:crypto'
import type { Context } from '../base/context.ts'
import { toEngineError } from '../base/errors.ts'
import { VERSION } from '../base/version.ts'
import { exportSpans } from './exporter.ts'
import type { Span } from './otlp.ts'

/** Phases of an operation that become spans of their own. */
const MOST_PHASES = 100
/** W3C Trace Context, version 00; a trace that was not sampled is not continued. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** What is traced: an operation, by its id. */
export interface Traced {
  id: string
  /** A server, whose own span would end with it. */
  resident?: boolean
}

/**
 * Runs an operation and sends its trace: a span for it, and one for each phase that it reports. Attributes are the operation, the surface, counts and an error's
 * code: no path, no code, no name of a repository. The trace goes on that of TRACEPARENT, or of the request's header.
 */
export async function traceOperation<T>(
  { id, resident }: Traced,
  context: Context,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  if (resident) return work(context)
  const parent = parseParent(
    context.caller?.traceparent ?? (context.surface === 'cli' ? context.env.TRACEPARENT : undefined),
  )
  if (parent && !parent.sampled) return work(context)
  const own = {
    trace_id: parent?.trace_id ?? randomBytes(16).toString('hex'),
    span_id: randomBytes(8).toString('hex'),
    ...(parent && { parent_id: parent.span_id }),
  }
  const start = readClock()
  const phases: Span[] = []
  let phase: { name: string; start: bigint; files: number; bytes: number } | undefined
  const endPhase = () => {
    if (phase && phases.length < MOST_PHASES)
      phases.push({
        ...{ trace_id: own.trace_id, span_id: randomBytes(8).toString('hex'), parent_id: own.span_id },
        ...{ name: phase.name, kind: 'internal', start: phase.start, end: readClock() },
        attributes: { 'svc.done': phase.files, 'svc.bytes': phase.bytes },
      })
    phase = undefined
  }
  const watched: Context = {
    ...context,
    emit: event => {
      if (event.type === 'progress') {
        const { phase: name, done, bytes } = event.progress
        if (phase?.name !== name) endPhase()
        phase ??= { name, start: readClock(), files: 0, bytes: 0 }
        phase.files = done
        phase.bytes = bytes
      }
      context.emit(event)
    },
  }
  let error: string | undefined
  try {
    return await work(watched)
  } catch (thrown) {
    error = toEngineError(thrown).code
    throw thrown
  } finally {
    endPhase()
    const span: Span = {
      ...{ ...own, name: id, kind: context.surface === 'rest' ? 'server' : 'internal', start, end: readClock() },
      attributes: { 'svc.operation': id, 'svc.surface': context.surface, 'svc.version': VERSION },
      ...(error !== undefined && { error }),
    }
    const sent = exportSpans([span, ...phases], context)
    // A server's answer does not wait for it; a command's process would end before.
    if (context.surface === 'cli') await sent
  }
}

function parseParent(text: string | undefined): { trace_id: string; span_id: string; sampled: boolean } | undefined {
  const [, trace_id, span_id, flags] = TRACEPARENT.exec(text?.trim() ?? '') ?? []
  if (trace_id === undefined || span_id === undefined || /^0+$/.test(trace_id) || /^0+$/.test(span_id)) return undefined
  return { trace_id, span_id, sampled: (Number.parseInt(flags!, 16) & 1) === 1 }
}

/** Nanoseconds since the epoch, that never run backwards within the process. */
function readClock(): bigint {
  return BigInt(Math.round(performance.timeOrigin * 1e6)) + BigInt(Math.round(performance.now() * 1e6))
}
