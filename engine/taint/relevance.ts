import type { TaintRule } from '../rules/rule.ts'
import type { FunctionForm, ModuleForm } from './ir.ts'
import { modelFor } from './models/models.ts'
import { sinkWords, sourceWords, wordsPattern } from './words.ts'

/** What a text must match for a rule to find something in it; what cannot be told is left out. */
interface Traces {
  /** Words of the file, and of the code in it that asks for input; empty for a rule about fixed arguments. */
  sources: RegExp[]
  asking: RegExp | undefined
  sinks: RegExp[]
}

const known = new WeakMap<TaintRule, Map<string, Traces>>()

/**
 * Whether the rule can find something in the text. The literals by which files are chosen are compared without regard to
 * case, of one sink's words, and of any call; here names are as the program writes them, so most files need not be parsed.
 */
export function isRelevant(rule: TaintRule, language: string, text: string): boolean {
  const { sources, sinks } = tracesOf(rule, language)
  return sinks.every(expression => expression.test(text)) && sources.every(expression => expression.test(text))
}

/** Whether what stands outside of functions may be a way by itself, or from one function of the file to another. */
export function hasRelevantBody(
  module: ModuleForm,
  text: string,
  rules: readonly TaintRule[],
  language: string,
): boolean {
  const functions = [...module.functions, ...module.classes.flatMap(({ methods }) => methods)]
  const texts = reached(functions, text)
  return rules.some(rule => {
    const { asking, sinks } = tracesOf(rule, language)
    const [reaching] = sinks
    return (!reaching || texts.some(part => reaching.test(part))) && (!asking || texts.some(part => asking.test(part)))
  })
}

/** The text outside of the functions, and that of those which it names, or which these name. */
function reached(functions: readonly FunctionForm[], text: string): string[] {
  const out = [outsideOf(functions, text)]
  let left = functions
  for (const part of out) {
    const names = new Set(part.match(/\w+/g))
    const named = left.filter(({ name, owner }) => names.has(name === 'constructor' ? (owner ?? name) : name))
    for (const { start, end } of named) out.push(text.slice(start, end))
    if (named.length > 0) left = left.filter(form => !named.includes(form))
  }
  return out
}

function outsideOf(functions: readonly { start: number; end: number }[], text: string): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end } of [...functions].sort((a, b) => a.start - b.start)) {
    if (start > at) parts.push(text.slice(at, start))
    at = Math.max(at, end)
  }
  parts.push(text.slice(at))
  return parts.join('\n')
}

function tracesOf(rule: TaintRule, language: string): Traces {
  let byLanguage = known.get(rule)
  if (!byLanguage) {
    byLanguage = new Map()
    known.set(rule, byLanguage)
  }
  const found = byLanguage.get(language)
  if (found) return found
  const isFixed = rule.sources.length === 0 && rule.own_sources.length === 0
  const near = isFixed ? undefined : expressionOver(sourceWords(rule, [language], 'function'))
  const file = isFixed ? undefined : expressionOver(sourceWords(rule, [language], 'file'))
  const sinks = [expressionOver(sinkWords(rule))]
  if (isFixed) sinks.push(expressionOver(ownerWords(rule, language)), indirectCall(rule))
  const made: Traces = { sources: [near, file].filter(isThere), asking: near, sinks: sinks.filter(isThere) }
  byLanguage.set(language, made)
  return made
}

function expressionOver(words: readonly string[] | undefined): RegExp | undefined {
  return words && new RegExp(wordsPattern(words))
}

function isThere(expression: RegExp | undefined): expression is RegExp {
  return expression !== undefined
}

/** The modules and types whose functions the sinks are, where a program cannot come by them without naming them. */
function ownerWords({ sinks }: TaintRule, language: string): string[] | undefined {
  const model = modelFor(language)
  const given = new Set([...Object.values(model?.returns ?? {}), ...(model?.sources ?? []).map(({ type }) => type)])
  const out: string[] = []
  for (const { calls = [], writes = [], returned_by } of sinks) {
    if (writes.length > 0 || returned_by !== undefined) return undefined
    for (const name of calls) {
      const owner = /^[\w.]+$/.test(name) ? name.slice(0, name.lastIndexOf('.')) : ''
      if (!name.includes('.') || owner === '' || given.has(owner)) return undefined
      out.push(owner.slice(owner.lastIndexOf('.') + 1))
    }
  }
  return out
}

/** A call, or any other mention, whose first argument is not a fixed text; undefined where the rule does not ask for one. */
function indirectCall(rule: TaintRule): RegExp | undefined {
  const words = sinkWords(rule)
  const isAsked = rule.sinks.every(({ when = [] }) =>
    when.some(({ argument, indirect }) => indirect && (Array.isArray(argument) ? argument[0] : argument) === 0),
  )
  if (!isAsked || !words?.every(word => /^\w+$/.test(word))) return undefined
  return new RegExp(`\\b(?:${words.join('|')})\\b(?!\\s*\\(\\s*(?:"[^"\\\\\\n]*"|'[^'\\\\\\n]*')\\s*[,)])`)
}
