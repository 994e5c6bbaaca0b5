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
