import { compareDigits, compareLists, isDigits, type VersionOrder } from './order.ts'

interface ComposerVersion {
  /** The leading numbers. */
  numbers: string[]
  /** What follows them: words and numbers. */
  rest: string[]
}

/** Words by their first letters, in PHP's order (version_compare); an unknown word comes before all of them. */
const WORDS: [string, number][] = [
  ['dev', 0],
  ['a', 1],
  ['b', 2],
  ['rc', 3],
  ['p', 6],
]
const UNKNOWN = -1
const END = 4
const NUMBER = 5

/** Composer's order: numbers as Composer normalizes them (1.0 is 1.0.0.0), what follows as PHP's version_compare. Branches (`dev-main`) come first. */
export const packagist: VersionOrder<ComposerVersion> = {
  parse(version) {
    const text = version
      .trim()
      .toLowerCase()
      .replace(/^v(?=[0-9])/, '')
    const tokens = text.match(/[0-9]+|[a-z#]+/g)
    if (!tokens || /[^0-9a-z#.\-_+/@]/.test(text)) return undefined
    const at = tokens.findIndex(token => !isDigits(token))
    const numbers = at === -1 ? tokens : tokens.slice(0, at)
    return { numbers, rest: at === -1 ? [] : tokens.slice(at) }
  },
  compare: (first, second) =>
    Math.min(first.numbers.length, 1) - Math.min(second.numbers.length, 1) ||
    compareLists(first.numbers, second.numbers, compareDigits, number => compareDigits(number, '0')) ||
    rankRest(first) - rankRest(second) ||
    compareRests(first, second),
}

/** Below 0 before the release, 0 for the release itself, above 0 after it. */
function rankRest({ rest }: ComposerVersion): number {
  return rest.length === 0 ? 0 : Math.sign(rankToken(rest[0]!) - END)
}

/** Only where there are words, numbers written with fewer places come first, as in PHP: 4-beta is before 4.0-alpha, yet 4 is 4.0. */
function compareRests(first: ComposerVersion, second: ComposerVersion): number {
  if (first.rest.length === 0) return 0
  return (
    first.numbers.length - second.numbers.length ||
    compareLists(first.rest, second.rest, compareTokens, token => rankToken(token) - END)
  )
}

function compareTokens(first: string, second: string): number {
  const ranks = [rankToken(first), rankToken(second)]
  return ranks[0]! - ranks[1]! || (ranks[0] === NUMBER ? compareDigits(first, second) : 0)
}

function rankToken(token: string): number {
  if (isDigits(token)) return NUMBER
  return WORDS.find(([word]) => token.startsWith(word))?.[1] ?? UNKNOWN
}
