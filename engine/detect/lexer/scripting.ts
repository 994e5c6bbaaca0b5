import { matchSticky } from './raw.ts'
import { COMMENT, isWord, STRING } from './reading.ts'
import { findRegexEnd } from './regex.ts'
import type { Opener, Scanner } from './scanner.ts'

const PAIRS: Record<string, string> = { '(': ')', '[': ']', '{': '}', '<': '>' }

/** Ruby and Perl: what follows a line `__END__` (or `__DATA__`) is no program. */
export const endMarker: Opener = (scanner, at) => {
  if (!scanner.lineBegins(at) || !matchSticky(/__(?:END|DATA)__[ \t]*\r?(?:\n|$)/y, scanner.text, at)) return -1
  scanner.push(at, scanner.end, COMMENT)
  return scanner.end
}

/** Perl: from a line `=word` to the line `=cut`. */
export const scanPod: Opener = (scanner, at) => {
  if (!scanner.lineBegins(at) || !matchSticky(/=[a-zA-Z]/y, scanner.text, at)) return -1
  return scanner.until('\n=cut', at, at, COMMENT)
}

/** Ruby, Elixir: `?"` is a character, and its quote begins no string. */
export const scanRubyCharacter: Opener = (scanner, at) => {
  const { text } = scanner
  if (at > 0 && (isWord(text.charCodeAt(at - 1)) || ')]}'.includes(text[at - 1]!))) return -1
  return matchSticky(/\?(?:\\.|[^\s\\])(?!\w)/y, text, at) ? at + (text[at + 1] === '\\' ? 3 : 2) : -1
}

/** Erlang: `$"`, `$\n`. */
export const scanQuotedCharacter: Opener = (scanner, at) => at + (scanner.text[at + 1] === '\\' ? 3 : 2)

/** Ruby: `%q(…)`, `%w[…]`, `%{…}`; `%r` and `%x` count as code. Behind a value, `%` is the remainder. */
export const scanRubyPercent: Opener = (scanner, at) => {
  const { text } = scanner
  const found = matchSticky(/%([qQwWiIrxs]?)([^\w\s=])/y, text, at)
  if (!found) return -1
  const [whole, letter, open] = found as unknown as [string, string, string]
  if (letter === '' && !PAIRS[open] && open !== '|' && open !== '!') return -1
  const last = scanner.before(at)
  if (last >= 0 && !scanner.interpolationBegins(last + 1) && !scanner.firstOnLine(at)) {
    const value = isWord(text.charCodeAt(last)) || ')]}'.includes(text[last]!) || scanner.inString(last)
    if (value && (last === at - 1 || letter === '')) return -1
  }
  const end = delimitedEnd(scanner, at + whole.length - 1)
  if (end < 0) return -1
  if (letter !== 'r' && letter !== 'x') scanner.push(at, end, STRING)
  return end
}

/** Perl: `q(…)`, `qq{…}`, `qw/…/` as strings; `m`, `qr`, `s`, `tr`, `y` as code whose quotes begin nothing. */
export const scanPerlOperator: Opener = (scanner, at) => {
  const { text } = scanner
  const previous = text.charCodeAt(at - 1)
  if (at > 0 && (isWord(previous) || '$@%&*>{-:'.includes(text[at - 1]!))) return -1
  const found = matchSticky(/(q[qwxr]?|m|s|tr|y)(?:[ \t]*(?=[^\w\s,;)=#])|(?=#))/y, text, at)
  if (!found) return -1
  const operator = found[1]!
  const open = at + found[0].length
  let end = delimitedEnd(scanner, open)
  if (end < 0) return -1
  if (operator === 's' || operator === 'tr' || operator === 'y') {
    if (PAIRS[text[open]!]) {
      const second = matchSticky(/\s*(?=[^\w\s])/y, text, end)
      end = second ? delimitedEnd(scanner, end + second[0].length) : end
    } else end = delimitedEnd(scanner, end - 1)
    if (end < 0) return -1
  }
  if (operator.startsWith('q') && operator !== 'qr') scanner.push(at, end, STRING)
  return end
}

/** Perl: a match between slashes where a value cannot be divided. */
export const scanPerlRegex: Opener = (scanner, at) => {
  const last = scanner.before(at)
  if (last >= 0) {
    const { text } = scanner
    const word =
      isWord(text.charCodeAt(last)) &&
      !/\b(?:if|unless|and|or|not|split|grep|return|while|until|x)$/.test(text.slice(Math.max(0, last - 8), last + 1))
    if (word || ')]}'.includes(text[last]!) || scanner.inString(last)) return -1
  }
  return findRegexEnd(scanner, at, false)
}

/** Perl's punctuation variables: the quote of `$'`, `$"`, and the hash of `$#array`, begin nothing. */
export const scanPerlVariable: Opener = (scanner, at) => (/['"#`;&]/.test(scanner.text[at + 1] ?? '') ? at + 2 : -1)

/** The offset behind a text between delimiters, the pair counted where it is one; -1 where nothing closes it. */
function delimitedEnd(scanner: Scanner, at: number): number {
  if (!scanner.pay(0)) return -1
  const { text } = scanner
  const open = text.charCodeAt(at)
  const pair = PAIRS[text[at] ?? '']
  const close = pair === undefined ? open : pair.charCodeAt(0)
  let depth = 1
  for (let i = at + 1; i < scanner.end; i++) {
    const code = text.charCodeAt(i)
    if (code === 92) i++
    else if (code === close) {
      if (--depth === 0) return i + 1
    } else if (code === open) depth++
  }
  scanner.pay(scanner.end - at)
  return -1
}
