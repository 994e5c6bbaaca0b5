import type { Context } from '../base/context.ts'
import { check } from '../base/json-schema.ts'
import { runGuarded } from './guard.ts'
import type { ManifestRow, Operation } from './operation.ts'
import { loadSchemas, type Schemas } from './schemas.ts'
import { WorkQueue } from './work-queue.ts'

/** Scans that a server runs at once, each on threads of its own, and that wait for their turn. */
const SCANS_AT_ONCE = 2
const SCANS_WAITING = 32
const scans = new WorkQueue(SCANS_AT_ONCE, SCANS_WAITING)

/** An answered operation: the output, and the operation to render it with. */
export interface Answer {
  output: unknown
  operation: Operation<unknown, unknown>
}

/**
 * The only door to an operation, whatever the surface: checks the input against the manifest's schema (defaults filled
 * in; INPUT_INVALID names every fault), loads the operation, asks the guard (engine/door/guard.ts) and runs it. `schemas` is for rows that are not in the
 * generated manifest: a surface's own commands, and tests.
 */
export async function invoke(
  row: ManifestRow,
  input: unknown,
  context: Context,
  schemas: (id: string) => Schemas = loadSchemas,
): Promise<Answer> {
  const checked = check(schemas(row.id).input, input)
  const { default: operation } = await row.load()
  const work = (watched: Context) =>
    runGuarded(row, operation, checked, watched, async own => operation.run(checked as never, own))
  const output = isTraced(context.env) ? await traced(row, context, work) : await work(context)
  return { output, operation: operation as unknown as Operation<unknown, unknown> }
}

/** Traces are off unless the environment names who gets them; nothing of the code for them is loaded then. */
function isTraced(env: Context['env']): boolean {
  return Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT)
}

async function traced<T>(row: ManifestRow, context: Context, work: (context: Context) => Promise<T>): Promise<T> {
  const { traceOperation } = await import('../telemetry/trace.ts')
  return traceOperation(row, context, work)
}

/**
 * Hands out what an operation answered before, in part: who asks must be allowed to read findings now, and what the operation did is not
 * done again.
 */
export function readAgain<T>(row: ManifestRow, context: Context, read: () => T): Promise<T> {
  const reading = { ...row, effect: 'read', action: 'read_findings' } as const
  return runGuarded(reading, {}, {}, context, async () => read())
}

/**
 * As `invoke`, for surfaces that many may call at the same time: scans and gates of a process take turns, and RATE_LIMITED refuses
 * those for which there is no place to wait.
 */
export async function invokeInTurn(
  row: ManifestRow,
  input: unknown,
  context: Context,
  schemas: (id: string) => Schemas,
): Promise<Answer> {
  const work = () => invoke(row, input, context, schemas)
  return row.action === 'run_scan' || row.action === 'run_gate' ? scans.run(work, context.signal) : work()
}
