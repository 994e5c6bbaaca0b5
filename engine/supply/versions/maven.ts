import { compareDigits, compareText, isDigits, type VersionOrder } from './order.ts'

interface Token {
  separator: '' | '.' | '-'
  /** Lower-case; digits, a word, or nothing for a release. */
  value: string
  isNumber: boolean
}

/** Qualifiers in their order; unknown ones come after all of these. */
const QUALIFIERS = ['alpha', 'beta', 'milestone', 'rc', 'snapshot', '', 'sp']
const SAME: Record<string, string> = { cr: 'rc', ga: '', final: '', release: '' }
/** Abbreviations, where a number follows at once. */
const SHORT: Record<string, string> = { a: 'alpha', b: 'beta', m: 'milestone' }

/**
 * Maven's order: the "Version Order Specification" of the POM reference, as ComparableVersion implements it. Maven itself is not transitive
 * for an unknown qualifier after a dot (1 < 1.foo < 1-alpha < 1); neither is this.
 */
export const maven: VersionOrder<Token[]> = { parse: parseMavenVersion, compare: compareMaven }

function parseMavenVersion(version: string): Token[] | undefined {
  const text = version.trim().toLowerCase()
  if (text === '' || /[\s[\](),${}]/.test(text)) return undefined
  const tokens: Token[] = []
  let separator: Token['separator'] = ''
  let start = 0
  const push = (end: number, next: Token['separator'], isShort: boolean) => {
    tokens.push(makeToken(separator, text.slice(start, end), isShort))
    separator = next
  }
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!
    if (sign === '.' || sign === '-') {
      push(at, sign, false)
      start = at + 1
    } else if (at > start && isDigits(sign) !== isDigits(text[at - 1]!)) {
      push(at, '-', isDigits(sign))
      start = at
    }
  }
  push(text.length, '-', false)
  return trimNulls(tokens)
}

function makeToken(separator: Token['separator'], text: string, numberFollows: boolean): Token {
  const written = text === '' ? '0' : text
  const isNumber = isDigits(written)
  if (isNumber) return { separator, value: written.replace(/^0+(?=.)/, ''), isNumber }
  return { separator, value: (numberFollows ? SHORT[written] : undefined) ?? SAME[written] ?? written, isNumber }
}

/** Removes what means nothing (0 and a release) at the end, and before each hyphen. */
function trimNulls(tokens: Token[]): Token[] {
  const kept: Token[] = []
  for (const token of tokens) {
    if (token.separator === '-') removeTrailingNulls(kept)
    kept.push(token)
  }
  removeTrailingNulls(kept)
  return kept
}

function removeTrailingNulls(tokens: Token[]): void {
  while (tokens.length > 1 && isNull(tokens.at(-1)!)) tokens.pop()
}

function isNull({ value }: Token): boolean {
  return value === '' || value === '0'
}

function compareMaven(first: readonly Token[], second: readonly Token[]): number {
  const length = Math.max(first.length, second.length)
  for (let i = 0; i < length; i++) {
    const a = first[i]
    const b = second[i]
    const order = a && b ? compareTokens(a, b) : a ? compareToNothing(a) : 0 - compareToNothing(b!)
    if (order !== 0) return order
  }
  return 0
}

function compareTokens(first: Token, second: Token): number {
  if (first.separator !== second.separator && rankToken(first) !== rankToken(second))
    return rankToken(first) - rankToken(second)
  if (first.isNumber && second.isNumber) return compareDigits(first.value, second.value)
  if (first.isNumber !== second.isNumber) return first.isNumber ? 1 : -1
  return compareQualifiers(first.value, second.value)
}

/** `.word` < `-word` < `-1` < `.1` */
function rankToken({ separator, isNumber }: Token): number {
  if (separator === '-') return isNumber ? 2 : 1
  return isNumber ? 3 : 0
}

function compareToNothing(token: Token): number {
  return token.isNumber ? compareDigits(token.value, '0') : compareQualifiers(token.value, '')
}

function compareQualifiers(first: string, second: string): number {
  const ranks = [first, second].map(word => QUALIFIERS.indexOf(word)).map(at => (at === -1 ? QUALIFIERS.length : at))
  return ranks[0]! - ranks[1]! || (ranks[0] === QUALIFIERS.length ? compareText(first, second) : 0)
}
