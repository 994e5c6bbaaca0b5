import type { TaintRule } from '../rules/rule.ts'
import type { FunctionForm, ModuleForm } from './ir.ts'
import { escaped, sinkWords, sourceWords, wordsPattern } from './words.ts'

/** Functions to begin with, and those that input may come out of although none goes in. */
export interface Roots {
  forms: FunctionForm[]
  giving: ReadonlySet<FunctionForm>
  /** Nothing to begin with, and no source outside functions either. */
  isIdle?: true
}

/**
 * The functions that are worth following: those in whose text, or in that of functions of the file that they call, there is a
 * source and a sink. Only they are lowered.
 */
export function rootsOf(module: ModuleForm, text: string, rules: readonly TaintRule[], language: string): Roots {
  const all = [...module.functions, ...module.classes.flatMap(({ methods }) => methods)]
  if (all.length === 0) return { forms: [], giving: new Set() }
  const fixed = rules.filter(rule => rule.sources.length === 0 && rule.own_sources.length === 0)
  const followed = rules.filter(rule => !fixed.includes(rule))
  const chosen = new Set<FunctionForm>()
  const giving = new Set<FunctionForm>()
  if (followed.length > 0) {
    const sources = wordsExpression(
      followed.map(rule => sourceWords(rule, [language], 'function')),
      module,
    )
    const sinks = wordsExpression(followed.map(sinkWords), module)
    const withSource = withCallers(all, text, sources)
    const withSink = withCallers(all, text, sinks)
    for (const form of withSource) giving.add(form)
    for (const form of all) if (withSource.has(form) && withSink.has(form)) chosen.add(form)
    if (chosen.size === 0 && fixed.length === 0 && sources && !isOutside(text, sources, all))
      return { forms: [], giving, isIdle: true }
  }
  if (fixed.length > 0) {
    const fits = within(text, wordsExpression(fixed.map(sinkWords), module))
    for (const form of all) if (fits(form)) chosen.add(form)
  }
  return { forms: all.filter(form => chosen.has(form)), giving }
}

/** Whether the expression matches in a function; without one it does. The text is searched once for all functions. */
function within(text: string, expression: RegExp | undefined): (form: FunctionForm) => boolean {
  if (!expression) return () => true
  const places: number[] = []
  for (const { index } of text.matchAll(expression)) places.push(index)
  return ({ start, end }) => {
    let low = 0
    let high = places.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (places[middle]! < start) low = middle + 1
      else high = middle
    }
    return low < places.length && places[low]! < end
  }
}

/** Names of one or two letters are on every line of code that a program made; calls of them say nothing. */
function isTelling(name: string): boolean {
  return name.length > 2
}

/** Whether the expression matches somewhere outside all functions. */
function isOutside(text: string, expression: RegExp, all: readonly FunctionForm[]): boolean {
  const outer: FunctionForm[] = []
  for (const form of [...all].sort((a, b) => a.start - b.start))
    if (form.start >= (outer.at(-1)?.end ?? 0)) outer.push(form)
  let at = 0
  for (const { index } of text.matchAll(expression)) {
    while (at < outer.length && outer[at]!.end <= index) at++
    if (!((outer[at]?.start ?? index + 1) <= index)) return true
  }
  return false
}

/** Functions in which the expression matches, and those that name one of them. */
function withCallers(all: readonly FunctionForm[], text: string, expression: RegExp | undefined): Set<FunctionForm> {
  const out = new Set(all.filter(within(text, expression)))
  let names = [...new Set([...out].map(({ name, owner }) => (name === 'constructor' ? (owner ?? '') : name)))].filter(
    isTelling,
  )
  for (let round = 0; round < 4 && names.length > 0 && out.size < all.length; round++) {
    const fits = within(text, new RegExp(`\\b(?:${names.map(escaped).join('|')})\\b`, 'g'))
    const more = all.filter(form => !out.has(form) && fits(form))
    for (const form of more) out.add(form)
    names = more.map(({ name }) => name).filter(isTelling)
  }
  return out
}

/** Expressions by their words: most files of a language ask for the same ones. */
const expressions = new Map<string, RegExp>()
const MOST_EXPRESSIONS = 50

function wordsExpression(lists: (string[] | undefined)[], { imports }: ModuleForm): RegExp | undefined {
  if (lists.some(list => list === undefined)) return undefined
  const all = new Set(lists.flatMap(list => list!))
  // What is imported under another name is met under that.
  for (const [local, path] of imports) if (all.has(path.slice(path.lastIndexOf('.') + 1))) all.add(local)
  const words = [...all].sort()
  const key = words.join('\0')
  const before = expressions.get(key)
  if (before) return before
  const made = new RegExp(wordsPattern(words), 'g')
  if (expressions.size >= MOST_EXPRESSIONS) expressions.clear()
  expressions.set(key, made)
  return made
}
