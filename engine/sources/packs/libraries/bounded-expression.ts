import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** What `*`, `+` and `{2,}` repeat at most in an expression of a repository's own library. */
const MOST_REPEATS = 100
/** Ways in which an expression may be tried from one offset of a name, or of a text that can be as long as a file. */
const MOST_WAYS = { name: 20_000, text: 500 } as const

/** What an expression is asked of: a name, or a text that can be as long as a file. */
export type Subject = keyof typeof MOST_WAYS

/**
 * An expression of a repository's own library, written so that its work is bounded: nobody can stop it where the analysis runs, and
 * anybody who commits a library sets it to work. Endless repetitions end at 100; throws an `Error` where the ways to try it are still too
 * many (repetitions within repetitions, or a row of them), or where it is no regular expression.
 */
export function boundExpression(written: string, subject: Subject): string {
  const flags = written.startsWith('(?i)') ? '(?i)' : ''
  const source = written.slice(flags.length)
  const pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, {
    unicode: true,
    unicodeSets: false,
  })
  const endless: AST.Quantifier[] = []
  const ways = countWays(pattern.alternatives, endless)
  const isAnchored = pattern.alternatives.every(
    ({ elements }) => elements[0]?.type === 'Assertion' && elements[0].kind === 'start',
  )
  if (ways > MOST_WAYS[isAnchored ? 'name' : subject])
    throw new Error(
      'it can be tried in too many ways: repeat single characters and classes, not groups with repetitions or alternatives, and at most twice',
    )
  let out = source
  for (const { element, min, end, greedy } of endless.sort((a, b) => b.end - a.end))
    out = `${out.slice(0, element.end)}{${min},${Math.max(min, MOST_REPEATS)}}${greedy ? '' : '?'}${out.slice(end)}`
  return flags + out
}

/** In how many ways one of these can be tried from an offset, at most; collects the repetitions without an end. */
function countWays(alternatives: readonly AST.Alternative[], endless: AST.Quantifier[]): number {
  return sum(alternatives.map(({ elements }) => product(elements.map(element => countOf(element, endless)))))
}

function countOf(element: AST.Element | AST.QuantifiableElement, endless: AST.Quantifier[]): number {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return countWays(element.alternatives, endless)
    case 'Assertion':
      return element.kind === 'lookahead' || element.kind === 'lookbehind'
        ? countWays(element.alternatives, endless)
        : 1
    case 'Quantifier': {
      const { min, max } = element
      if (max === Number.POSITIVE_INFINITY) endless.push(element)
      const inner = countOf(element.element, endless)
      const most = Math.max(min, Math.min(max, MOST_REPEATS))
      if (max !== Number.POSITIVE_INFINITY && max > MOST_REPEATS)
        return inner === 1 ? max - min + 1 : Number.POSITIVE_INFINITY
      // Once for each number of repetitions, and for each of these every row of ways of what is repeated.
      let ways = 0
      for (let count = min; count <= most; count++) ways += inner ** count
      return ways
    }
    default:
      return 1
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

function product(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total * each, 1)
}
