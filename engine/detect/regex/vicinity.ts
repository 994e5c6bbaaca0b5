import { type AST, RegExpParser } from '@eslint-community/regexpp'
import { findWrittenLiterals } from '../prefilter/literals.ts'
import type { Vicinity } from '../rules/active-rules.ts'

/** An expression that may reach over more lines is run over the whole text. */
const MOST_LINES = 40

/** How far something reaches: over so many line breaks, and so many runs of white space of any length. */
interface Extent {
  lines: number
  runs: number
}

const NOTHING: Extent = { lines: 0, runs: 0 }

/**
 * Where in a text an expression can match, from what every match must have; undefined where it has nothing of the kind, or where nothing says
 * over how many lines it goes.
 */
export function findVicinity(source: string, ignoreCase: boolean): Vicinity | undefined {
  if (ignoreCase) return undefined
  const literals = findWrittenLiterals(source)
  if (literals.length === 0) return undefined
  const { alternatives } = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, {
    unicode: true,
    unicodeSets: false,
  })
  const extent = ofAlternatives(alternatives)
  return extent.lines <= MOST_LINES ? { literals, ...extent } : undefined
}

/** That of the farthest; each part of a match and what it looks at are added up. */
function ofAlternatives(alternatives: readonly AST.Alternative[]): Extent {
  return alternatives
    .map(({ elements }) => elements.map(ofElement).reduce(add, NOTHING))
    .reduce((a, b) => ({ lines: Math.max(a.lines, b.lines), runs: Math.max(a.runs, b.runs) }), NOTHING)
}

function add(a: Extent, b: Extent): Extent {
  return { lines: a.lines + b.lines, runs: a.runs + b.runs }
}

function ofElement(element: AST.Element | AST.QuantifiableElement): Extent {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return ofAlternatives(element.alternatives)
    case 'Assertion':
      return element.kind === 'lookahead' || element.kind === 'lookbehind'
        ? ofAlternatives(element.alternatives)
        : NOTHING
    case 'Backreference': {
      const groups = Array.isArray(element.resolved) ? element.resolved : [element.resolved]
      return groups.map(({ alternatives }) => ofAlternatives(alternatives)).reduce(add, NOTHING)
    }
    case 'Quantifier':
      return ofQuantifier(element)
    default:
      return takesLineBreak(element) ? { lines: 1, runs: 0 } : NOTHING
  }
}

function ofQuantifier({ element, max }: AST.Quantifier): Extent {
  const { lines, runs } = ofElement(element)
  if (max !== Number.POSITIVE_INFINITY || (lines === 0 && runs === 0))
    return { lines: lines * max || 0, runs: runs * max || 0 }
  return isSpace(element) ? { lines: 1, runs: 1 } : { lines: max, runs: 0 }
}

/** Whether it takes white space alone. */
function isSpace(element: AST.QuantifiableElement): boolean {
  if (element.type === 'CharacterSet') return element.kind === 'space' && !element.negate
  if (element.type !== 'CharacterClass' || element.negate) return false
  return element.elements.every(each =>
    each.type === 'Character'
      ? each.value <= 32
      : each.type === 'CharacterSet' && each.kind === 'space' && !each.negate,
  )
}

const BREAK = '\n'

/** Whether one character of the expression may be a line break: by trying it. */
function takesLineBreak({ raw }: AST.Element | AST.QuantifiableElement): boolean {
  return new RegExp(`^${raw}$`, 'u').test(BREAK)
}
