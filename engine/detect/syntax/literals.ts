import { parse, type SgNode } from '@ast-grep/napi'
import { isFreeOfLayout } from '../lexer/layout.ts'
import { combineAlternatives, deriveFromRustRegex } from '../prefilter/literals.ts'
import type { Literal, Requirement } from '../rules/requirement.ts'
import { getExpando, getGrammarName } from './grammar.ts'

type RuleObject = Record<string, unknown>

interface Scope {
  language: string
  utils: RuleObject
  constraints: RuleObject
  depth: number
}

/** Conditions of an ast-grep rule object: every key of it must hold, so their conditions add up. */
export function deriveFromSyntax(rule: RuleObject, scope: Scope): Requirement {
  if (scope.depth > 20) return []
  const out: Requirement = []
  const under = (value: unknown): Requirement =>
    deriveFromSyntax((value ?? {}) as RuleObject, { ...scope, constraints: {}, depth: scope.depth + 1 })
  const pattern = patternText(rule.pattern, scope.language)
  if (pattern !== undefined) {
    out.push(...ofPattern(pattern, CALLS_TAKE_PARENTHESES.has(scope.language)))
    for (const [name, constraint] of Object.entries(scope.constraints)) {
      // A constraint binds only where its metavariable is captured; the rule's own pattern always captures it.
      if (new RegExp(`(?<!\\$)\\$${name}\\b`).test(pattern)) out.push(...under(constraint))
    }
  }
  if (typeof rule.regex === 'string') out.push(...deriveFromRustRegex(rule.regex, isFreeOfLayout(scope.language)))
  for (const key of ['has', 'inside', 'precedes', 'follows']) if (rule[key]) out.push(...under(rule[key]))
  if (Array.isArray(rule.all)) for (const part of rule.all) out.push(...under(part))
  if (Array.isArray(rule.any)) out.push(...combineAlternatives(rule.any.map(under)))
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
  const stand = getExpando(language)
  const prepared = context.replaceAll('$', stand)
  try {
    const node = parse(getGrammarName(language), prepared)
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
