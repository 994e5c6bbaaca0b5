/** The text with lone surrogates replaced by U+FFFD: what can be written as UTF-8 and read back. */
export function replaceLoneSurrogates(text: string): string {
  // Most texts have no surrogate at all, and that test is the cheapest.
  return /[\uD800-\uDFFF]/.test(text) ? text.replace(/\p{Surrogate}/gu, '\uFFFD') : text
}

/**
 * The text with every control character but line feed and tab shown as \xNN or \uNNNN, the invisible ones that reorder
 * text (U+202A–202E, U+2066–2069) too, lone surrogates as U+FFFD, and CRLF as line feed. For what a person reads.
 */
export function escapeInvisible(text: string): string {
  if (!/[^\t\n\x20-\x7E]/.test(text)) return text
  return replaceLoneSurrogates(text)
    .replaceAll('\r\n', '\n')
    .replace(/[\0-\x08\x0B-\x1F\x7F-\x9F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/g, escapeUnit)
}

/** `visible`, on one line: line feed and tab are shown as \n and \t. */
export function escapeInvisibleLine(text: string): string {
  if (!/[^\x20-\x7E]/.test(text)) return text
  return escapeInvisible(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

/** One line of HTML text, or a double-quoted attribute. */
export function escapeHtml(text: string): string {
  return escapeInvisibleLine(text).replace(/[&<>"']/g, mark => HTML[mark]!)
}

/** JSON that may stand inside a script element: no `<`, `>` or `&`, no line separator that older scripts refuse. */
export function encodeScriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** At most `limit` characters, with an ellipsis where it was cut; never half a surrogate pair. */
export function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

const HTML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeUnit(unit: string): string {
  const code = unit.charCodeAt(0)
  return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}
