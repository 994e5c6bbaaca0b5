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
export function masked(text: string, spans: readonly Span[]): string {
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
export function everyPlaceOf(secrets: readonly Span[], text: string): Span[] {
  const spans: Span[] = [...secrets]
  const values = new Set(secrets.flatMap(({ start, end, value }) => [text.slice(start, end), value ?? '']))
  const forms = new Map<string, string>()
  for (const value of values) {
    if (value.length < TELLING) continue
    for (const form of writingsOf(value)) if (!forms.has(form)) forms.set(form, value)
  }
  for (const [form, value] of forms) {
    for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length))
      spans.push({ start: at, end: at + form.length, value })
  }
  return spans
}

/** The value as it is, and as the usual encodings write it where it stands alone in them. */
function writingsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  const hex = bytes.toString('hex')
  const base64 = bytes.toString('base64').replace(/=+$/, '')
  return [value, base64, bytes.toString('base64url'), hex, hex.toUpperCase(), encodeURIComponent(bytes.toString())]
}
