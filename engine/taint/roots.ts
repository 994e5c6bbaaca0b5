import type { TaintRule } from '../rules/rule.ts'
import type { FunctionForm, ModuleForm } from './ir.ts'
import { sinkWords, sourceWords } from './words.ts'

/** Functions to begin with, and those that input may come out of although none goes in. */
export interface Roots {
  forms: FunctionForm[]
  giving: ReadonlySet<FunctionForm>
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

/** Functions in which the expression matches, and those that name one of them. */
function withCallers(all: readonly FunctionForm[], text: string, expression: RegExp | undefined): Set<FunctionForm> {
  const out = new Set(all.filter(within(text, expression)))
  let names = [...new Set([...out].map(({ name, owner }) => (name === 'constructor' ? (owner ?? '') : name)))].filter(
    Boolean,
  )
  for (let round = 0; round < 4 && names.length > 0 && out.size < all.length; round++) {
    const fits = within(text, new RegExp(`\\b(?:${names.map(escaped).join('|')})\\b`, 'g'))
    const more = all.filter(form => !out.has(form) && fits(form))
    for (const form of more) out.add(form)
    names = more.map(({ name }) => name).filter(Boolean)
  }
  return out
}

function wordsExpression(lists: (string[] | undefined)[], { imports }: ModuleForm): RegExp | undefined {
  if (lists.some(list => list === undefined)) return undefined
  const all = new Set(lists.flatMap(list => list!))
  // What is imported under another name is met under that.
  for (const [local, path] of imports) if (all.has(path.slice(path.lastIndexOf('.') + 1))) all.add(local)
  const words = [...all].sort()
  // A boundary is asked for only where the word ends in a letter.
  const bounded = words.map(
    word => `${/^\w/.test(word) ? '(?<!\\w)' : ''}${escaped(word)}${/\w$/.test(word) ? '(?!\\w)' : ''}`,
  )
  return new RegExp(bounded.join('|'), 'g')
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
