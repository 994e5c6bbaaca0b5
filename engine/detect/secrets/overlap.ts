/** A span with how sure its detector is. */
interface Span {
  start: number
  end: number
  confidence?: number
}

/** A span that names a finding, with the spans that overlap it and say less. */
export interface Merged<T> {
  span: T
  aliases: T[]
}

/**
 * One finding per value: of spans that overlap, the most specific one names it, the surest one among equally specific ones, then the
 * longer one. The others are its aliases, most specific first. The order given is kept.
 */
export function mergeOverlapping<T extends Span>(
  spans: readonly T[],
  getSpecificity: (span: T) => number = () => 0,
): Merged<T>[] {
  const ranked = spans
    .map((span, index) => ({ span, index, specificity: getSpecificity(span) }))
    .sort(
      (a, b) =>
        b.specificity - a.specificity ||
        (b.span.confidence ?? 0) - (a.span.confidence ?? 0) ||
        b.span.end - b.span.start - (a.span.end - a.span.start) ||
        a.index - b.index,
    )
  // Named spans, sorted by their start and disjoint, so that neighbors are enough to compare with.
  const kept: Merged<T>[] = []
  const chosen = new Map<T, Merged<T>>()
  for (const { span } of ranked) {
    let low = 0
    let high = kept.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (kept[middle]!.span.start < span.end) low = middle + 1
      else high = middle
    }
    let first = low
    while (first > 0 && kept[first - 1]!.span.end > span.start) first--
    if (first < low) {
      for (const overlapped of kept.slice(first, low)) overlapped.aliases.push(span)
      continue
    }
    const merged = { span, aliases: [] }
    kept.splice(low, 0, merged)
    chosen.set(span, merged)
  }
  return spans.flatMap(span => chosen.get(span) ?? [])
}
