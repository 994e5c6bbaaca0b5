import type { Span } from './ir.ts'

/** What stands outside of all of the functions. */
export function listOutside(functions: readonly Span[], length: number): Span[] {
  const out: Span[] = []
  let at = 0
  for (const { start, end } of [...functions].sort((a, b) => a.start - b.start)) {
    if (start > at) out.push({ start: at, end: start })
    at = Math.max(at, end)
  }
  out.push({ start: at, end: length })
  return out
}

/** The places in one of the parts; both are in order. */
export function selectWithin(places: readonly number[], parts: readonly Span[]): number[] {
  const out: number[] = []
  let at = 0
  for (const place of places) {
    while (at < parts.length && parts[at]!.end <= place) at++
    if (at < parts.length && parts[at]!.start <= place) out.push(place)
  }
  return out
}
