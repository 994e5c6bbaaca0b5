import type { AST } from '@eslint-community/regexpp'

/** A part of an expression that matches one of few words, none of which is a part of a longer one. */
export interface WholeWords {
  words: readonly string[]
  /** Whether a parenthesis follows, and how. */
  isCalled: 'at once' | 'behind space' | false
}

/** More words than this are no better than a part of them that all have. */
const MOST_WORDS = 64
/** Characters of a class that are written out. */
const MOST_CHARACTERS = 10

/**
 * The words that stand behind an assertion of a word's beginning (`\b`), the element at `from - 1`, where whatever follows them ends them.
 * Undefined where they cannot be listed, where they may go on, or where one is shorter than `least`.
 */
export function readWholeWords(elements: readonly AST.Element[], from: number, least: number): WholeWords | undefined {
  let words = ['']
  let end = from
  while (looksAround(elements[end])) end++
  for (; end < elements.length; end++) {
    const next = spell(elements[end]!)
    if (!next) break
    words = join(words, next)
    if (words.length > MOST_WORDS) return undefined
  }
  if (words.some(word => word.length < least)) return undefined
  const behind = elements[end]
  if (!behind || !endsWord(behind, elements[end + 1])) return undefined
  if (isParenthesis(behind)) return { words, isCalled: 'at once' }
  return { words, isCalled: isSpace(behind) && isParenthesis(elements[end + 1]) && 'behind space' }
}

const PARENTHESIS = 40

function isParenthesis(element: AST.Element | undefined): boolean {
  return element?.type === 'Character' && element.value === PARENTHESIS
}

function looksAround(element: AST.Element | undefined): boolean {
  return element?.type === 'Assertion' && (element.kind === 'lookahead' || element.kind === 'lookbehind')
}

function join(before: readonly string[], behind: readonly string[]): string[] {
  return before.flatMap(one => behind.map(other => one + other))
}

/** All that an element matches, of letters, digits and underscores; undefined where it matches anything else, or too much. */
function spell(element: AST.Element | AST.QuantifiableElement): string[] | undefined {
  switch (element.type) {
    case 'Character':
      return isOfWord(element.value) ? [String.fromCharCode(element.value)] : undefined
    case 'CharacterClass':
      return element.negate ? undefined : spellClass(element)
    case 'Group':
    case 'CapturingGroup':
      return spellAlternatives(element.alternatives)
    case 'Quantifier': {
      const once = element.max === 1 ? spell(element.element) : undefined
      return once && (element.min === 0 ? ['', ...once] : once)
    }
    default:
      return undefined
  }
}

function spellAlternatives(alternatives: readonly AST.Alternative[]): string[] | undefined {
  const out: string[] = []
  for (const { elements } of alternatives) {
    let words = ['']
    for (const element of elements) {
      const next = spell(element)
      if (!next) return undefined
      words = join(words, next)
      if (words.length > MOST_WORDS) return undefined
    }
    out.push(...words)
  }
  return out.length > MOST_WORDS ? undefined : out
}

function spellClass({ elements }: AST.CharacterClass): string[] | undefined {
  const out: string[] = []
  for (const part of elements) {
    const [min, max] =
      part.type === 'Character'
        ? [part.value, part.value]
        : part.type === 'CharacterClassRange'
          ? [part.min.value, part.max.value]
          : [0, Number.POSITIVE_INFINITY]
    if (max - min >= MOST_CHARACTERS) return undefined
    for (let code = min; code <= max; code++) {
      if (!isOfWord(code)) return undefined
      out.push(String.fromCharCode(code))
    }
  }
  return out.length > MOST_CHARACTERS ? undefined : out
}

/** Whether no letter, digit or underscore can stand where the element, and what follows it, begins to match. */
function endsWord(element: AST.Element, next: AST.Element | undefined): boolean {
  if (element.type === 'Assertion') return element.kind === 'word' && !element.negate
  if (element.type === 'Character') return !isOfWord(element.value)
  if (!isSpace(element)) return false
  return (element as AST.Quantifier).min > 0 || (next?.type === 'Character' && !isOfWord(next.value))
}

/** Whether it is white space of any length. */
function isSpace(element: AST.Element): boolean {
  if (element.type !== 'Quantifier') return false
  const { element: each } = element
  return each.type === 'CharacterSet' && each.kind === 'space' && !each.negate
}

function isOfWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
}
