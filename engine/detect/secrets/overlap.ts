/** A span with how sure it is. */
interface Span {
  start: number
  end: number
  confidence?: number
}

/**
 * One finding for one value: of spans that overlap, the surest stays, the longer one among equally sure. Two detectors that know
 * the same credential under two names would otherwise report it twice. The order given is kept.
 */
export function removeOverlap<T extends Span>(spans: readonly T[]): T[] {
  const ranked = spans
    .map((span, index) => ({ span, index }))
    .sort(
      (a, b) =>
        (b.span.confidence ?? 0) - (a.span.confidence ?? 0) ||
        b.span.end - b.span.start - (a.span.end - a.span.start) ||
        a.index - b.index,
    )
  // Kept spans, sorted by their start and disjoint, so that a neighbour tells.
  const kept: T[] = []
  const chosen = new Set<T>()
  for (const { span } of ranked) {
    let low = 0
    let high = kept.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (kept[middle]!.start < span.end) low = middle + 1
      else high = middle
    }
    const before = kept[low - 1]
    if (before && before.end > span.start) continue
    kept.splice(low, 0, span)
    chosen.add(span)
  }
  return spans.filter(span => chosen.has(span))
}
