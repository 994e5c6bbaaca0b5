/** What stands beside a place of a text, by its signs alone. */

/**
 * Whether a name and the value after its comma are the last two arguments of a call, or the whole of a list: names that follow one
 * another in a longer list are no pairs.
 */
export function isPair(text: string, before: number, after: number): boolean {
  let at = before
  while (at > 0 && /\s/.test(text[at]!)) at--
  const opening = text[at]!
  const closing = /\S/.exec(text.slice(after, after + 80))?.[0] ?? ''
  if (closing === ')') return opening === '(' || opening === ','
  return (opening === '[' && closing === ']') || (opening === '{' && closing === '}')
}

/** The line of a place up to it, its last 400 characters at most. */
export function readLineBefore(text: string, at: number): string {
  const from = Math.max(0, at - 400)
  const part = text.slice(from, at)
  return part.slice(part.lastIndexOf('\n') + 1)
}

/** The quote that is open at the end of this part of a line, empty where none is. Apostrophes within words are none. */
export function openQuote(line: string): string {
  let open = ''
  for (let i = 0; i < line.length; i++) {
    const char = line[i]!
    if (char === '\\') i++
    else if (open !== '') {
      if (char === open) open = ''
    } else if (char === '"' || char === '`' || (char === "'" && !/\w/.test(line[i - 1] ?? ''))) open = char
  }
  return open
}

const COMMENT = /^(?:\/\/|#(?!define\b)|\*|\/\*|--|;|%|<!--|rem\b)/i
/** What a comment begins with. */
const OF_COMMENT = '/#*-;%<rR'

/** Whether a line is a comment from its beginning on. */
export function isComment(line: string): boolean {
  let at = 0
  while (isBlank(line.charCodeAt(at))) at++
  return at < line.length && OF_COMMENT.includes(line[at]!) && COMMENT.test(line.slice(at))
}

/** White space of ASCII, which all but a few lines are set in by. */
function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 9 && code <= 13)
}
