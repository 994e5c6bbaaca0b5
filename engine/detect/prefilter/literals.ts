import { type AST, RegExpParser } from '@eslint-community/regexpp'
import type { Clause, Literal, Requirement } from '../rules/requirement.ts'
import { parsePattern } from './pattern.ts'
import { readWholeWords } from './whole-words.ts'

const MIN_LENGTH = 3
const MAX_CLAUSES = 4
const MAX_ALTERNATIVES = 64

/** The strongest few clauses: long literals, few alternatives. More would cost more than they exclude. */
export function chooseBest(clauses: Requirement): Requirement {
  const seen = new Set<string>()
  return clauses
    .filter(clause => clause.length > 0 && clause.length <= MAX_ALTERNATIVES)
    .map(clause => distinct(clause))
    .filter(clause => {
      const key = JSON.stringify(clause)
      return !seen.has(key) && seen.add(key)
    })
    .sort((a, b) => strength(b) - strength(a))
    .slice(0, MAX_CLAUSES)
}

function strength(clause: Clause): number {
  const shortest = Math.min(...clause.map(({ text, word, call }) => text.length + (word ? 2 : 0) + (call ? 2 : 0)))
  return shortest - Math.log2(clause.length)
}

function distinct(clause: Clause): Clause {
  const byKey = new Map(clause.map(literal => [`${literal.word}${literal.call ?? false}${literal.text}`, literal]))
  return [...byKey.values()].sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
}

/** One clause for "one of these conditions holds"; nothing where one of them has no condition. */
export function combineAlternatives(requirements: Requirement[]): Requirement {
  const strongest = requirements.map(requirement => chooseBest(requirement)[0])
  if (strongest.length === 0 || strongest.some(clause => clause === undefined)) return []
  return [strongest.flatMap(clause => clause!)]
}

/**
 * Conditions of a JavaScript regular expression under the flag u: literal runs that every match contains. Empty where it cannot be
 * read: without the flag, escapes that JavaScript does not have would be read as the letters in them. Where `isFree` the layout is, a run
 * ends where in code a line may break.
 */
export function deriveFromRegex(source: string, isFree = false): Requirement {
  return derive(source, { isFree, isOfText: false, fold: foldCase })
}

/**
 * The same of an expression that is run over whole texts, in which a word's end is one of the file too. Words that an expression has from end to end
 * are required as such, and called where it calls them: `read` is in most files, and a call of it in few.
 */
export function deriveFromTextRegex(source: string, isFree = false): Requirement {
  return derive(source, { isFree, isOfText: true, fold: foldCase })
}

function derive(source: string, reading: Reading): Requirement {
  const parsed = parsePattern(source)
  return parsed ? chooseBest(ofAlternatives(parsed.alternatives, reading)) : []
}

/** Literals as the expression writes them, letters in its case, of which every match has one; none where there are no such. */
export function findWrittenLiterals(source: string): string[] {
  try {
    const { alternatives } = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, {
      unicode: true,
      unicodeSets: false,
    })
    return chooseBest(ofAlternatives(alternatives, AS_WRITTEN))[0]?.map(({ text }) => text) ?? []
  } catch {
    return []
  }
}

/** The same of a Rust regular expression, as far as it is written like one of JavaScript. */
export function deriveFromRustRegex(source: string, isFree = false): Requirement {
  const flags = /^\(\?[a-z]+\)/.exec(source)?.[0] ?? ''
  // In verbose mode white space is no part of what is matched.
  if (flags.includes('x')) return []
  const own = source.slice(flags.length).replace(/\\(.)/gs, (written, character: string) => {
    if (character === 'A') return '^'
    if (character === 'z') return '$'
    return ESCAPED_SIGNS.includes(character) ? `\\x${character.charCodeAt(0).toString(16)}` : written
  })
  return deriveFromRegex(own, isFree)
}

/** Signs that Rust lets be escaped though they mean nothing, and JavaScript does not. */
const ESCAPED_SIGNS = ` !"#%&',-:;=@_\`~`

/** Signs of code that a line may break before or behind. A dot stays with the name behind it. */
const BREAKING = '()[],'

/** How letters are compared. */
type Fold = (character: string) => string
const foldCase: Fold = character => character.toLowerCase()

/** How an expression is read. */
interface Reading {
  /** A line may break between any two signs of what it is run over. */
  readonly isFree: boolean
  /** It is run over whole texts. */
  readonly isOfText: boolean
  readonly fold: Fold
}

const AS_WRITTEN: Reading = { isFree: false, isOfText: false, fold: character => character }

function ofAlternatives(alternatives: AST.Alternative[], reading: Reading): Requirement {
  const each = alternatives.map(alternative => ofSequence(alternative, reading))
  return each.length === 1 ? each[0]! : combineAlternatives(each)
}

function ofSequence({ elements }: AST.Alternative, reading: Reading): Requirement {
  const { isFree, isOfText, fold } = reading
  const out: Requirement = []
  const whole: Requirement = []
  let run = ''
  const flush = (isCall = false) => {
    if (run.length >= MIN_LENGTH) out.push([literalOf(run, false, isCall)])
    run = ''
  }
  for (const [index, element] of elements.entries()) {
    const char = onlyCharacter(element, fold)
    if (char !== undefined) {
      if (isFree && (BREAKING.includes(char) || char === '.')) flush(char === '(' && /\w$/.test(run))
      if (!isFree || !BREAKING.includes(char)) run += char
      continue
    }
    if (
      element.type === 'Assertion' &&
      (element.kind === 'word' || element.kind === 'start' || element.kind === 'end')
    ) {
      if (element.kind !== 'word') flush()
      else if (isOfText && !element.negate) {
        const found = readWholeWords(elements, index + 1, MIN_LENGTH)
        const isCalled = found?.isCalled === 'at once' || (isFree && found?.isCalled === 'behind space')
        if (found) whole.push(found.words.map(word => literalOf(word.toLowerCase(), true, isCalled)))
      }
      continue
    }
    flush()
    if (element.type === 'Group' || element.type === 'CapturingGroup')
      out.push(...ofAlternatives(element.alternatives, reading))
    else if (element.type === 'Quantifier' && element.min >= 1) out.push(...ofQuantified(element, reading))
  }
  flush()
  return whole.length === 0 ? out : [...whole, ...out.filter(clause => !whole.some(words => implies(words, clause)))]
}

function literalOf(text: string, word: boolean, call: boolean): Literal {
  return { text, word, ...(call && { call }) }
}

/** Whether a text that has one of the whole words meets the clause. */
function implies(words: Clause, clause: Clause): boolean {
  return words.every(own =>
    clause.some(({ text, word, call }) =>
      call ? own.call === true && own.text.endsWith(text) : !word && own.text.includes(text),
    ),
  )
}

function ofQuantified({ element }: AST.Quantifier, reading: Reading): Requirement {
  return element.type === 'Group' || element.type === 'CapturingGroup'
    ? ofAlternatives(element.alternatives, reading)
    : []
}

/** The one ASCII character, folded, that the element stands for; undefined for anything wider. */
function onlyCharacter(element: AST.Element, fold: Fold): string | undefined {
  if (element.type === 'Character') return ascii(element.value, fold)
  if (element.type !== 'CharacterClass' || element.negate) return undefined
  let only: string | undefined
  for (const part of element.elements) {
    if (part.type !== 'Character') return undefined
    const char = ascii(part.value, fold)
    if (char === undefined || (only !== undefined && only !== char)) return undefined
    only = char
  }
  return only
}

function ascii(value: number, fold: Fold): string | undefined {
  return value >= 32 && value < 127 ? fold(String.fromCharCode(value)) : undefined
}
