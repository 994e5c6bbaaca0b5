import type { TaintRule } from '../../base/records/rule.ts'
import { findAskingWords } from './asking-words.ts'
import { findBeginningTexts } from './beginning-texts.ts'
import { nameCalled } from './callable.ts'
import type { FunctionForm, ModuleForm, Span } from './ir.ts'
import type { Way } from './owner-names.ts'
import { listOutside } from './parts.ts'
import { listSinkWays } from './sink-ways.ts'
import { indexWords, makeWithin } from './word-index.ts'
import { findSinkWords, listSourceWords, type SourceWords } from './words.ts'

/** What a text must have for a rule to find something in it; what cannot be told is left out. */
interface Traces {
  /** Ways to a sink, of which a file has at least one. */
  ways: readonly Way[] | undefined
  /** Sources of which a file has at least one; none for a rule about fixed arguments. */
  sources: readonly SourceWords[] | undefined
  /** Words of which the code that has the sink has at least one. */
  reaching: readonly string[] | undefined
  /** A call as the rule asks for it. */
  call: RegExp | undefined
}

const known = new WeakMap<TaintRule, Map<string, Traces>>()

/**
 * Whether the rule can find something in the text. The literals by which files are chosen are compared without regard to
 * case, of one sink's words, and of any call; here names are as the program writes them, unless its language takes them in any case,
 * so most files need not be parsed.
 */
export function isRelevant(rule: TaintRule, language: string, text: string): boolean {
  const { ways, sources, call } = tracesOf(rule, language)
  const index = indexWords(text, language)
  return (
    (!ways || ways.some(way => way.every(words => index.has(words)))) &&
    (!sources || sources.some(source => index.hasSource(source))) &&
    (!call || call.test(text))
  )
}

/** Whether what stands outside of functions may be a way by itself, or from one function of the file to another. */
export function hasRelevantBody(
  module: ModuleForm,
  text: string,
  rules: readonly TaintRule[],
  language: string,
): boolean {
  const functions = [...module.functions, ...module.classes.flatMap(({ methods }) => methods)]
  const index = indexWords(text, language)
  const parts = reached(functions, text)
  const isThere = (words: readonly string[] | undefined): boolean =>
    !words || parts.some(makeWithin(index.places(words)))
  return rules.some(rule => {
    const { sources, reaching } = tracesOf(rule, language)
    if (!isThere(reaching) || !isThere(sources && findAskingWords(sources, index))) return false
    const texts = findBeginningTexts(rule, functions, module, text, language)
    return texts === undefined || parts.some(makeWithin(texts.places))
  })
}

/** The text outside of the functions, and that of those which it names, or which these name. */
function reached(functions: readonly FunctionForm[], text: string): Span[] {
  const out = listOutside(functions, text.length)
  const left = new Map<string, Span[]>()
  for (const form of functions) {
    const { start, end } = form
    const called = nameCalled(form)
    const known = left.get(called)
    if (known) known.push({ start, end })
    else left.set(called, [{ start, end }])
  }
  for (const { start, end } of out) {
    if (left.size === 0) break
    for (const name of new Set(text.slice(start, end).match(/\w+/g))) {
      out.push(...(left.get(name) ?? []))
      left.delete(name)
    }
  }
  return out
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
  const reaching = findSinkWords(rule)
  const made: Traces = {
    ways: listSinkWays(rule, language)?.map(({ words, names }) => [words, ...names]),
    sources: isFixed ? undefined : listSourceWords(rule, language),
    reaching,
    call: isFixed ? indirectCall(rule) : undefined,
  }
  byLanguage.set(language, made)
  return made
}

/** A call, or any other mention, whose first argument is not a fixed text; undefined where the rule does not ask for one. */
function indirectCall(rule: TaintRule): RegExp | undefined {
  const words = findSinkWords(rule)
  const isAsked = rule.sinks.every(({ when = [] }) =>
    when.some(({ argument, indirect }) => indirect && (Array.isArray(argument) ? argument[0] : argument) === 0),
  )
  if (!isAsked || !words?.every(word => /^\w+$/.test(word))) return undefined
  return new RegExp(`\\b(?:${words.join('|')})\\b(?!\\s*\\(\\s*(?:"[^"\\\\\\n]*"|'[^'\\\\\\n]*')\\s*[,)])`)
}
