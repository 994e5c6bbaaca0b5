import { parse, type SgNode } from '@ast-grep/napi'
import { type AST, RegExpParser } from '@eslint-community/regexpp'
import { isFreeOfLayout } from '../lexer/layout.ts'
import type { Clause, Literal, Requirement } from '../rules/requirement.ts'
import { expandoOf, grammarName } from '../syntax/grammar.ts'

const MIN_LENGTH = 3
const MAX_CLAUSES = 4
const MAX_ALTERNATIVES = 64

/** The strongest few clauses: long literals, few alternatives. More would cost more than they exclude. */
export function best(clauses: Requirement): Requirement {
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
export function either(requirements: Requirement[]): Requirement {
  const strongest = requirements.map(requirement => best(requirement)[0])
  if (strongest.length === 0 || strongest.some(clause => clause === undefined)) return []
  return [strongest.flatMap(clause => clause!)]
}

type RuleObject = Record<string, unknown>

interface Scope {
  language: string
  utils: RuleObject
  constraints: RuleObject
  depth: number
}

/** Conditions of an ast-grep rule object: every key of it must hold, so their conditions add up. */
export function ofAst(rule: RuleObject, scope: Scope): Requirement {
  if (scope.depth > 20) return []
  const out: Requirement = []
  const under = (value: unknown): Requirement =>
    ofAst((value ?? {}) as RuleObject, { ...scope, constraints: {}, depth: scope.depth + 1 })
  const pattern = patternText(rule.pattern, scope.language)
  if (pattern !== undefined) {
    out.push(...ofPattern(pattern, CALLS_TAKE_PARENTHESES.has(scope.language)))
    for (const [name, constraint] of Object.entries(scope.constraints)) {
      // A constraint binds only where its metavariable is captured; the rule's own pattern always captures it.
      if (new RegExp(`(?<!\\$)\\$${name}\\b`).test(pattern)) out.push(...under(constraint))
    }
  }
  if (typeof rule.regex === 'string') out.push(...ofRustRegex(rule.regex, isFreeOfLayout(scope.language)))
  for (const key of ['has', 'inside', 'precedes', 'follows']) if (rule[key]) out.push(...under(rule[key]))
  if (Array.isArray(rule.all)) for (const part of rule.all) out.push(...under(part))
  if (Array.isArray(rule.any)) out.push(...either(rule.any.map(under)))
  if (typeof rule.matches === 'string' && scope.utils[rule.matches]) out.push(...under(scope.utils[rule.matches]))
  return out
}

/** The part of a pattern that has to be in the text: with a selector only the selected node of the context. Undefined where that cannot be told. */
function patternText(pattern: unknown, language: string): string | undefined {
  if (typeof pattern === 'string') return pattern
  if (typeof pattern !== 'object' || pattern === null) return undefined
  const { context, selector, strictness } = pattern as { context?: string; selector?: string; strictness?: string }
  // The others match without the words of the grammar, or without any text.
  if (typeof context !== 'string' || (strictness !== undefined && !/^(?:smart|cst)$/.test(strictness))) return undefined
  if (!selector) return context
  // As ast-grep does it: metavariables are made identifiers of the language first, by a character that one may start with.
  const stand = expandoOf(language)
  const prepared = context.replaceAll('$', stand)
  try {
    const node = parse(grammarName(language), prepared)
      .root()
      .find({ rule: { kind: selector } } as never)
    return (
      (node as SgNode | null)
        ?.text()
        // Only at the start of a word: the underscore within SSL_CTX_new is no metavariable of C.
        .replace(new RegExp(`(?<![A-Za-z0-9_])${escaped(stand)}+(?=[A-Z])`, 'g'), signs => '$'.repeat(signs.length))
    )
  } catch {
    return undefined
  }
}

function escaped(text: string): string {
  return text.replace(/[$]/g, '\\$&')
}

/** Languages in which a call that is written with parentheses in a pattern has them in every text that it matches. */
const CALLS_TAKE_PARENTHESES = new Set([
  'c',
  'cpp',
  'csharp',
  'go',
  'java',
  'javascript',
  'php',
  'python',
  'tsx',
  'typescript',
])

/** Identifiers and the words of string literals in a pattern, its metavariables aside: all of them must be in the text. */
function ofPattern(pattern: string, parentheses: boolean): Requirement {
  const out: Requirement = []
  const token = /\$\$\$[A-Z0-9_]*|\$[A-Z0-9_]+|"([^"]*)"|'([^']*)'|`([^`]*)`|[A-Za-z_][A-Za-z0-9_]*/g
  for (const found of pattern.matchAll(token)) {
    const quoted = found[1] ?? found[2] ?? found[3]
    if (quoted !== undefined) {
      for (const word of quoted.match(/[A-Za-z0-9_/:.-]{3,}/g) ?? [])
        if (!quoted.includes('$')) out.push([{ text: word.toLowerCase(), word: false }])
    } else if (!found[0].startsWith('$') && found[0].length >= 2) {
      const literal: Literal = { text: found[0].toLowerCase(), word: true }
      if (parentheses && pattern[found.index + found[0].length] === '(') literal.call = true
      out.push([literal])
    }
  }
  return out
}

/**
 * Conditions of a JavaScript regular expression under the flag u: literal runs that every match contains. Empty where it cannot be
 * read: without the flag, escapes that JavaScript does not have would be read as the letters in them. Where `isFree` the layout is, a run
 * ends where in code a line may break.
 */
export function ofRegex(source: string, isFree = false): Requirement {
  let parsed: AST.Pattern
  try {
    parsed = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, {
      unicode: true,
      unicodeSets: false,
    })
  } catch {
    return []
  }
  return best(ofAlternatives(parsed.alternatives, isFree))
}

/** The same of a Rust regular expression, as far as it is written like one of JavaScript. */
export function ofRustRegex(source: string, isFree = false): Requirement {
  const flags = /^\(\?[a-z]+\)/.exec(source)?.[0] ?? ''
  // In verbose mode white space is no part of what is matched.
  if (flags.includes('x')) return []
  const own = source.slice(flags.length).replace(/\\(.)/gs, (written, character: string) => {
    if (character === 'A') return '^'
    if (character === 'z') return '$'
    return ESCAPED_SIGNS.includes(character) ? `\\x${character.charCodeAt(0).toString(16)}` : written
  })
  return ofRegex(own, isFree)
}

/** Signs that Rust lets be escaped though they mean nothing, and JavaScript does not. */
const ESCAPED_SIGNS = ` !"#%&',-:;=@_\`~`

/** Signs of code that a line may break before or behind. A dot stays with the name behind it. */
const BREAKING = '()[],'

function ofAlternatives(alternatives: AST.Alternative[], isFree: boolean): Requirement {
  const each = alternatives.map(alternative => ofSequence(alternative, isFree))
  return each.length === 1 ? each[0]! : either(each)
}

function ofSequence({ elements }: AST.Alternative, isFree: boolean): Requirement {
  const out: Requirement = []
  let run = ''
  const flush = (isCall = false) => {
    if (run.length >= MIN_LENGTH) out.push([{ text: run, word: false, ...(isCall && { call: true }) }])
    run = ''
  }
  for (const element of elements) {
    const char = onlyCharacter(element)
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
      continue
    }
    flush()
    if (element.type === 'Group' || element.type === 'CapturingGroup')
      out.push(...ofAlternatives(element.alternatives, isFree))
    else if (element.type === 'Quantifier' && element.min >= 1) out.push(...ofQuantified(element, isFree))
  }
  flush()
  return out
}

function ofQuantified({ element }: AST.Quantifier, isFree: boolean): Requirement {
  return element.type === 'Group' || element.type === 'CapturingGroup'
    ? ofAlternatives(element.alternatives, isFree)
    : []
}

/** The one ASCII character, case folded, that the element stands for; undefined for anything wider. */
function onlyCharacter(element: AST.Element): string | undefined {
  if (element.type === 'Character') return ascii(element.value)
  if (element.type !== 'CharacterClass' || element.negate) return undefined
  let only: string | undefined
  for (const part of element.elements) {
    if (part.type !== 'Character') return undefined
    const char = ascii(part.value)
    if (char === undefined || (only !== undefined && only !== char)) return undefined
    only = char
  }
  return only
}

function ascii(value: number): string | undefined {
  return value >= 32 && value < 127 ? String.fromCharCode(value).toLowerCase() : undefined
}
