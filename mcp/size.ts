/**
 * Bytes of JSON that count as one token in an answer. Tokenizers take about four characters of prose, and two or three of digests, paths
 * and other alphabets; three bytes of UTF-8 keep an answer under the limit with all of them.
 */
export const BYTES_PER_TOKEN = 3

/** Tokens that an answer has at most, counted by BYTES_PER_TOKEN. */
export const MAX_ANSWER_TOKENS = 5000

/** Bytes of a value in JSON, in UTF-8. */
export function measure(value: unknown): number {
  const json = JSON.stringify(value)
  return json === undefined ? 0 : Buffer.byteLength(json)
}

/** Cuts a string before this many bytes of its JSON form, at a line's end where one is near, and never within a character. */
export function cutText(text: string, bytes: number): string {
  return splitText(text, bytes, { most: 1 })[0] ?? ''
}

/**
 * The string in consecutive parts of at most this many bytes of JSON each; a part ends after a line where that leaves it at least half
 * full. A limit below one character's bytes gives a part for each character. The first part has at most
 * `first` bytes. At most `most` parts are made, and the rest is left out.
 */
export function splitText(
  text: string,
  bytes: number,
  { first = bytes, most = Number.POSITIVE_INFINITY } = {},
): string[] {
  const parts: string[] = []
  let room = first
  let start = 0
  let used = 2
  let lineEnd = 0
  let lineUsed = 0
  let at = 0
  for (const character of text) {
    const cost = costOf(character)
    if (used + cost > room && at > start) {
      const isLine = lineEnd > start && lineUsed >= room / 2
      const end = isLine ? lineEnd : at
      parts.push(text.slice(start, end))
      if (parts.length === most) return parts
      used = isLine ? used - lineUsed + 2 : 2
      start = end
      room = bytes
    }
    used += cost
    at += character.length
    if (character === '\n') {
      lineEnd = at
      lineUsed = used
    }
  }
  if (at > start) parts.push(text.slice(start))
  return parts
}

/** Bytes of a character within a JSON string; JSON.stringify escapes half of a surrogate pair. */
function costOf(character: string): number {
  const code = character.codePointAt(0)!
  if (code === 0x22 || code === 0x5c) return 2
  if (code < 0x20)
    return character === '\n' || character === '\t' || character === '\r' || code === 8 || code === 12 ? 2 : 6
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  if (code >= 0xd800 && code <= 0xdfff) return 6
  return code < 0x10000 ? 3 : 4
}
