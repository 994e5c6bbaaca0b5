/** A secret shorter than this is hidden whole; of a longer one the first and the last four characters are shown. */
const SHOWN_FROM = 20
const SHOWN = 4

/** A place to hide; `value` is what stands there where that is encoded. */
interface Span {
  start: number
  end: number
  value?: string
}

/**
 * The text with each of the spans hidden, line ends apart: as long as before, so that places stay what they were. Whatever
 * is cut out of the text afterwards shows no secret, whichever rule it is cut out for.
 */
export function maskSpans(text: string, spans: readonly Span[]): string {
  let out = ''
  let from = 0
  for (const { start, end, value } of [...spans].sort((a, b) => a.start - b.start)) {
    if (end <= from) continue
    const at = Math.max(start, from)
    const secret = text.slice(at, end)
    const shown = Math.min(secret.length, value?.length ?? secret.length) >= SHOWN_FROM ? SHOWN : 0
    const hidden = secret.slice(shown, secret.length - shown).replace(/[^\r\n]/g, '*')
    out += text.slice(from, at) + secret.slice(0, shown) + hidden + secret.slice(secret.length - shown)
    from = end
  }
  return out + text.slice(from)
}

/** A value that is short stands in other words by chance. */
const TELLING = 6

/**
 * The secrets' spans, and every other place in the text where one of their values stands, as it is or encoded: no snippet of another rule
 * shows it either.
 */
export function findEveryOccurrence(secrets: readonly Span[], text: string): Span[] {
  const spans: Span[] = [...secrets]
  const values = new Set(secrets.flatMap(({ start, end, value }) => [text.slice(start, end), value ?? '']))
  const forms = new Map<string, string>()
  for (const value of values) {
    if (value.length < TELLING) continue
    for (const form of writingsOf(value)) if (!forms.has(form)) forms.set(form, value)
  }
  // One pass for all of them: a file of credentials has thousands.
  const lengths = new Map<string, Set<number>>()
  const mayBegin = new Uint8Array(65536)
  for (const form of forms.keys()) {
    const beginning = form.slice(0, TELLING)
    const known = lengths.get(beginning)
    if (known) known.add(form.length)
    else lengths.set(beginning, new Set([form.length]))
    mayBegin[pairAt(form, 0)] = 1
  }
  for (let at = 0; at + TELLING <= text.length; at++) {
    if (mayBegin[pairAt(text, at)] === 0) continue
    for (const length of lengths.get(text.slice(at, at + TELLING)) ?? []) {
      const value = forms.get(text.slice(at, at + length))
      if (value !== undefined) spans.push({ start: at, end: at + length, value })
    }
  }
  return spans
}

/** Two characters as a number below 65,536, not always another one for others. */
function pairAt(text: string, at: number): number {
  return (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) & 0xffff
}

/** The value as it is, and as the usual encodings write it where it stands alone in them. */
function writingsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  const hex = bytes.toString('hex')
  const base64 = bytes.toString('base64').replace(/=+$/, '')
  return [value, base64, bytes.toString('base64url'), hex, hex.toUpperCase(), encodeURIComponent(bytes.toString())]
}
