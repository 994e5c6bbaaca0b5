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
  const texts = all.map(form => text.slice(form.start, form.end))
  const chosen = new Set<FunctionForm>()
  const giving = new Set<FunctionForm>()
  if (followed.length > 0) {
    const sources = wordsExpression(
      followed.map(rule => sourceWords(rule, [language], 'function')),
      module,
    )
    const sinks = wordsExpression(followed.map(sinkWords), module)
    const withSource = withCallers(all, texts, part => !sources || sources.test(part))
    const withSink = withCallers(all, texts, part => !sinks || sinks.test(part))
    for (const form of withSource) giving.add(form)
    for (const form of all) if (withSource.has(form) && withSink.has(form)) chosen.add(form)
  }
  if (fixed.length > 0) {
    const sinks = wordsExpression(fixed.map(sinkWords), module)
    all.forEach((form, at) => {
      if (!sinks || sinks.test(texts[at]!)) chosen.add(form)
    })
  }
  return { forms: all.filter(form => chosen.has(form)), giving }
}

/** Functions whose text fits, and those that name one of them. */
function withCallers(
  all: readonly FunctionForm[],
  texts: readonly string[],
  fits: (text: string) => boolean,
): Set<FunctionForm> {
  const out = new Set(all.filter((_, at) => fits(texts[at]!)))
  let names = [...new Set([...out].map(({ name, owner }) => (name === 'constructor' ? (owner ?? '') : name)))].filter(
    Boolean,
  )
  for (let round = 0; round < 4 && names.length > 0 && out.size < all.length; round++) {
    const expression = new RegExp(`\\b(?:${names.map(escaped).join('|')})\\b`)
    const more = all.filter((form, at) => !out.has(form) && expression.test(texts[at]!))
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
  return new RegExp(bounded.join('|'))
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
