import type { TaintRule } from '../../base/records/rule.ts'
import { findAskingWords } from './asking-words.ts'
import { findBeginningTexts } from './beginning-texts.ts'
import { isHidden, nameCalled } from './callable.ts'
import type { FunctionForm, ModuleForm } from './ir.ts'
import { findRun } from './runs.ts'
import { findReachingWords } from './sink-ways.ts'
import { indexWords, makeWithin } from './word-index.ts'
import { listSourceWords } from './words.ts'

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
export function findRoots(module: ModuleForm, text: string, rules: readonly TaintRule[], language: string): Roots {
  const all = [...module.functions, ...module.classes.flatMap(({ methods }) => methods)]
  if (all.length === 0) return { forms: [], giving: new Set() }
  const fixed = rules.filter(rule => rule.sources.length === 0 && rule.own_sources.length === 0)
  const followed = rules.filter(rule => !fixed.includes(rule))
  const chosen = new Set<FunctionForm>()
  const giving = new Set<FunctionForm>()
  if (followed.length > 0) {
    const sources = findSourcePlaces(followed, module, text, language)
    const withSource = withCallers(all, text, language, sources)
    // What a caller passes on is of unknown origin where it is used.
    const isUnknown = followed.every(rule => findRun(rule) === 'unknown')
    const withSink = isUnknown
      ? new Set(followed.flatMap(rule => listReaching(rule, all, module, text, language)))
      : withCallers(all, text, language, findSinkPlaces(followed, module, text, language))
    for (const form of withSource) giving.add(form)
    for (const form of all) if (withSource.has(form) && withSink.has(form)) chosen.add(form)
    for (const form of overFields(module, withSource, withSink)) chosen.add(form)
    if (chosen.size === 0 && fixed.length === 0 && sources && !isOutside(sources, all))
      return { forms: [], giving, isIdle: true }
  }
  if (fixed.length > 0) {
    const fits = makeWithin(findSinkPlaces(fixed, module, text, language))
    for (const form of all) if (fits(form)) chosen.add(form)
  }
  return { forms: all.filter(form => chosen.has(form)), giving }
}

/** The functions in whose text, or in that of functions of the file that they call, there is a source. */
export function findGiving(
  module: ModuleForm,
  text: string,
  rules: readonly TaintRule[],
  language: string,
): ReadonlySet<FunctionForm> {
  const all = [...module.functions, ...module.classes.flatMap(({ methods }) => methods)]
  const followed = rules.filter(({ sources, own_sources }) => sources.length > 0 || own_sources.length > 0)
  return withCallers(all, text, language, findSourcePlaces(followed, module, text, language))
}

function findSourcePlaces(
  rules: readonly TaintRule[],
  module: ModuleForm,
  text: string,
  language: string,
): readonly number[] | undefined {
  const words = rules.map(rule => findAskingWords(listSourceWords(rule, language), indexWords(text, language)))
  return placesOf(words, module, text, language)
}

function findSinkPlaces(
  rules: readonly TaintRule[],
  module: ModuleForm,
  text: string,
  language: string,
): readonly number[] | undefined {
  const words = rules.map(rule => findReachingWords(rule, language, indexWords(text, language)))
  return placesOf(words, module, text, language)
}

/** Methods that fill the fields of an object before others use them. */
const FILLS_FIELDS = /^(?:constructor$|(?:set|init|load|prepare|before|setup|bind|onCreate|on_create)(?:[A-Z_]|$))/

/** Methods that put input into fields, and those with a sink in the same class, which may take it from there. */
function* overFields(
  { classes }: ModuleForm,
  withSource: ReadonlySet<FunctionForm>,
  withSink: ReadonlySet<FunctionForm>,
): Iterable<FunctionForm> {
  for (const { methods } of classes) {
    const filling = methods.filter(form => withSource.has(form) && FILLS_FIELDS.test(form.name))
    const using = filling.length === 0 ? [] : methods.filter(form => withSink.has(form))
    if (using.length > 0) yield* [...filling, ...using]
  }
}

/** Whether one of the places is outside all functions. */
function isOutside(places: readonly number[], all: readonly FunctionForm[]): boolean {
  const outer: FunctionForm[] = []
  for (const form of [...all].sort((a, b) => a.start - b.start))
    if (form.start >= (outer.at(-1)?.end ?? 0)) outer.push(form)
  let at = 0
  for (const place of places) {
    while (at < outer.length && outer[at]!.end <= place) at++
    if (!((outer[at]?.start ?? place + 1) <= place)) return true
  }
  return false
}

/** Functions in which one of the places is, and those that name one of them, or what is held elsewhere. */
export function withCallers(
  all: readonly FunctionForm[],
  text: string,
  language: string,
  places: readonly number[] | undefined,
  held: readonly string[] = [],
  rounds = 4,
): Set<FunctionForm> {
  const out = new Set(all.filter(makeWithin(places)))
  let names = [...listCalled(out), ...held]
  for (let round = 0; round < rounds && names.length > 0 && out.size < all.length; round++) {
    const fits = makeWithin(indexWords(text, language).places([...new Set(names)]))
    const more = all.filter(form => !out.has(form) && fits(form))
    for (const form of more) out.add(form)
    names = listCalled(more)
  }
  return out
}

function listCalled(forms: Iterable<FunctionForm>): string[] {
  return [...forms].map(nameCalled).filter(name => name !== '')
}

/** Functions that have a sink of a rule for values of unknown origin, or that of a hidden function, and a text that begins as it asks. */
function listReaching(
  rule: TaintRule,
  all: readonly FunctionForm[],
  module: ModuleForm,
  text: string,
  language: string,
): FunctionForm[] {
  const withSink = [...withHidden(all, module, text, language, findSinkPlaces([rule], module, text, language))]
  const asked = withSink.length === 0 ? undefined : findBeginningTexts(rule, all, module, text, language)
  if (!asked) return withSink
  // Of calls within calls the nearest alone are followed.
  const withText = withCallers(all, text, language, asked.places, asked.names, 1)
  return withSink.filter(form => withText.has(form))
}

/** Functions in which one of the places is, and those that name one of them which is hidden. */
function withHidden(
  all: readonly FunctionForm[],
  module: ModuleForm,
  text: string,
  language: string,
  places: readonly number[] | undefined,
): Set<FunctionForm> {
  const out = new Set(all.filter(makeWithin(places)))
  const asked = { module, text, knowledge: { model: { languages: [language] } } }
  const hidden = listCalled([...out].filter(form => isHidden(asked, form)))
  if (hidden.length === 0) return out
  const fits = makeWithin(indexWords(text, language).places([...new Set(hidden)]))
  for (const form of all) if (fits(form)) out.add(form)
  return out
}

/** Where the words stand; undefined where a rule cannot tell which they are. */
function placesOf(
  lists: (readonly string[] | undefined)[],
  { imports }: ModuleForm,
  text: string,
  language: string,
): number[] | undefined {
  const all = new Set<string>()
  for (const list of lists) {
    if (!list) return undefined
    for (const word of list) all.add(word)
  }
  // What is imported under another name is met under that.
  for (const [local, path] of imports) if (all.has(path.slice(path.lastIndexOf('.') + 1))) all.add(local)
  return indexWords(text, language).places([...all])
}
