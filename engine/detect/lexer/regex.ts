import { isWord } from './reading.ts'
import type { Opener, Scanner } from './scanner.ts'

/** Words behind which an expression begins, so that a slash is no division. */
const BEFORE_EXPRESSION = new Set(
  'return typeof case do else in of instanceof new void delete throw yield await and or not if unless while until when then elsif puts'.split(
    ' ',
  ),
)

/** A literal longer than this is taken for something else, which bounds what a stray slash costs. */
const LONGEST = 2_000

/**
 * A regular expression literal of JavaScript; its text counts as code, but the quotes and slashes in it begin nothing.
 * Whether a slash divides is told by what stands before it: behind a word, a number, a string or `)` `]` it divides;
 * behind `}` only a slash that begins its line does not; `</` and `/>` are tags.
 */
export const scanJavascriptRegex: Opener = (scanner, at) => {
  const { text } = scanner
  const next = text[at + 1]
  if (next === '/' || next === '*') return -1
  if (!mayBeginExpression(scanner, at)) return -1
  return findRegexEnd(scanner, at, false)
}

function mayBeginExpression(scanner: Scanner, at: number): boolean {
  const { text } = scanner
  const last = scanner.before(at)
  if (last < 0 || scanner.interpolationBegins(last + 1)) return true
  if (scanner.inString(last)) return false
  const code = text.charCodeAt(last)
  if (isWord(code) || code === 36) return BEFORE_EXPRESSION.has(wordEndingAt(scanner, last))
  const character = text[last]!
  if (character === ')' || character === ']' || character === '<') return false
  if (character === '>') return text[last - 1] === '='
  if (character === '}') return text[at + 1] !== '>' && scanner.firstOnLine(at)
  return !((character === '+' || character === '-') && text[last - 1] === character)
}

/** Ruby's: behind a word, only where a blank stands before the slash and none behind it (`puts /x/`). */
export const scanRubyRegex: Opener = (scanner, at) => {
  const { text } = scanner
  const last = scanner.before(at)
  if (last >= 0 && !scanner.interpolationBegins(last + 1) && !scanner.firstOnLine(at)) {
    if (scanner.inString(last)) return -1
    const code = text.charCodeAt(last)
    if (isWord(code) || code === 63 || code === 33) {
      const argument = last < at - 1 && !' \t=\n'.includes(text[at + 1] ?? ' ')
      if (!argument && !BEFORE_EXPRESSION.has(wordEndingAt(scanner, last))) return -1
    } else if (')]}'.includes(text[last]!)) return -1
  }
  return findRegexEnd(scanner, at, text[at + 1] === '\n')
}

/** The offset behind a literal between slashes, flags included; -1 where it is not closed in time. */
export function findRegexEnd(scanner: Scanner, at: number, lines: boolean): number {
  if (!scanner.pay(0)) return -1
  const { text } = scanner
  const limit = Math.min(scanner.end, at + LONGEST)
  let inClass = false
  let i = at + 1
  for (; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 92) i++
    else if (code === 10 && !lines) break
    else if (code === 91) inClass = true
    else if (code === 93) inClass = false
    else if (code === 47 && !inClass) {
      let end = i + 1
      while (end < scanner.end && isWord(text.charCodeAt(end))) end++
      scanner.patterns.push(at, end)
      return end
    }
  }
  scanner.pay(i - at)
  return -1
}

/** The word whose last letter stands at an offset; empty where it is longer than any keyword. */
function wordEndingAt(scanner: Scanner, last: number): string {
  let start = last
  while (start >= 0 && last - start < 12 && isWord(scanner.text.charCodeAt(start))) start--
  return last - start < 12 ? scanner.text.slice(start + 1, last + 1) : ''
}
