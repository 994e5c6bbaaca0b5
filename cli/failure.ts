import type { EngineError, Place } from '../engine/base/errors.ts'
import type { Paint } from '../engine/base/text/view.ts'

/** An error for a person: what is wrong, each fault with its place, the next step; where `verbose`, the causes with their stacks. */
export function formatFailure(error: EngineError, paint: Paint, verbose: boolean): string {
  const [first] = error.faults
  // A message made of its first fault is not shown beside it: one fault is the message, several stand below a title.
  const repeats = first !== undefined && error.message.includes(first.message)
  const single = repeats && error.faults.length === 1
  const told = single
    ? `${at(first.place)}${first.message}`
    : repeats
      ? `${error.row.title}: ${error.faults.length} faults.`
      : `${at(error.place)}${error.message}`
  const lines = [`${paint('red', 'svc:')} ${told}`]
  if (!single) for (const { message, place } of error.faults) lines.push(`  ${at(place)}${message}`)
  if (error.code === 'INTERNAL' && error.cause instanceof Error)
    lines.push(`  ${error.cause.name}: ${error.cause.message}`)
  lines.push(paint('dim', `  ${error.hint}`))
  if (verbose) for (const stack of stacks(error)) lines.push(paint('dim', stack))
  return `${lines.join('\n')}\n`
}

/** An error as the one document of `--json`: the sole key `error` tells it from an answer. */
export function formatFailureJson(error: EngineError): string {
  const { code, message, hint, place, faults } = error
  return `${JSON.stringify({ error: { code, title: error.row.title, detail: message, hint, ...(place && { place }), faults } }, null, 2)}\n`
}

/** `file:line:column: `, as compilers write it and editors follow it. */
function at(place: Place | undefined): string {
  if (!place) return ''
  return `${[place.file, place.line, place.column].filter(part => part !== undefined).join(':')}: `
}

function stacks(error: Error): string[] {
  const found: string[] = []
  for (let at: unknown = error; at !== undefined && found.length < 8; at = at instanceof Error ? at.cause : undefined) {
    found.push(at instanceof Error ? (at.stack ?? String(at)) : `caused by: ${String(at)}`)
  }
  return found
}
