import { type AST, visitRegExpAST } from '@eslint-community/regexpp'
import { parsePattern } from '../../detect/prefilter/pattern.ts'

/** So many characters a look-behind or look-ahead of a rule may read, at most. */
export const FARTHEST_LOOK = 1000
/** So much is said again at most where an expression repeats what a group of it matched. */
const LONGEST_GROUP = 100

/** A look-behind or look-ahead of an expression, as it is written. */
export interface Look {
  written: string
  /** Characters that it reads at most; `Infinity` where nothing bounds it. */
  reach: number
}

/**
 * The look-behinds and look-aheads of an expression that read more than `FARTHEST_LOOK` characters: each is tried at every place where the rest
 * matches, so that one without a small bound reads a text again and again. None for what is no regular expression under the flag u.
 */
export function findFarLooks(source: string): Look[] {
  const found: Look[] = []
  for (const look of looksOf(source)) {
    const reach = longest(look.alternatives)
    if (reach > FARTHEST_LOOK) found.push({ written: look.raw, reach })
  }
  return found
}

/** What is wrong with it, and what to do. */
export function describeFarLook({ written, reach }: Look): string {
  const shown = written.length > 60 ? `${written.slice(0, 57)}...` : written
  const most =
    reach === Number.POSITIVE_INFINITY ? 'without a bound' : `up to ${reach.toLocaleString('en-US')} characters`
  return `${shown} reads ${most}, and ${FARTHEST_LOOK.toLocaleString('en-US')} is the most for a look-behind or look-ahead: bound it, as in [^;]{0,200}, or ask with where`
}

/** The outermost look-arounds of an expression: what stands in one is part of what it reads. */
export function looksOf(source: string): AST.LookaroundAssertion[] {
  const parsed = parsePattern(source)
  if (!parsed) return []
  const looks: AST.LookaroundAssertion[] = []
  let behind = -1
  visitRegExpAST(parsed, {
    onAssertionEnter(each) {
      if ((each.kind !== 'lookahead' && each.kind !== 'lookbehind') || each.start < behind) return
      looks.push(each)
      behind = each.end
    },
  })
  return looks
}

/** How many characters the longest match of one of these has, with what look-arounds within read beyond it. */
function longest(alternatives: readonly AST.Alternative[]): number {
  let most = 0
  for (const { elements } of alternatives) {
    let length = 0
    for (const element of elements) length += lengthOf(element)
    most = Math.max(most, length)
  }
  return most
}

/** How many characters an element reads at most. */
export function lengthOf(element: AST.Element | AST.QuantifiableElement): number {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return longest(element.alternatives)
    case 'Assertion':
      return element.kind === 'lookahead' || element.kind === 'lookbehind' ? longest(element.alternatives) : 0
    case 'Quantifier': {
      const each = lengthOf(element.element)
      return each === 0 ? 0 : each * element.max
    }
    case 'Backreference': {
      const groups = Array.isArray(element.resolved) ? element.resolved : [element.resolved]
      return Math.min(LONGEST_GROUP, Math.max(...groups.map(({ alternatives }) => longest(alternatives))))
    }
    default:
      return 1
  }
}
