/** A secret shorter than this is hidden whole; of a longer one the first and the last four characters are shown. */
const SHOWN_FROM = 20
const SHOWN = 4

/**
 * The text with each of the spans hidden, line ends apart: as long as before, so that places stay what they were. Whatever
 * is cut out of the text afterwards shows no secret, whichever rule it is cut out for.
 */
export function masked(text: string, spans: readonly { start: number; end: number }[]): string {
  let out = ''
  let from = 0
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (end <= from) continue
    const at = Math.max(start, from)
    const secret = text.slice(at, end)
    const shown = secret.length >= SHOWN_FROM ? SHOWN : 0
    const hidden = secret.slice(shown, secret.length - shown).replace(/[^\r\n]/g, '*')
    out += text.slice(from, at) + secret.slice(0, shown) + hidden + secret.slice(secret.length - shown)
    from = end
  }
  return out + text.slice(from)
}

/** A value that is short stands in other words by chance. */
const TELLING = 6

/** The secrets' spans, and every other place in the text where one of their values stands: no snippet of another rule shows it either. */
export function everyPlaceOf(
  secrets: readonly { start: number; end: number }[],
  text: string,
): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [...secrets]
  for (const value of new Set(secrets.map(({ start, end }) => text.slice(start, end)))) {
    if (value.length < TELLING) continue
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length))
      spans.push({ start: at, end: at + value.length })
  }
  return spans
}
