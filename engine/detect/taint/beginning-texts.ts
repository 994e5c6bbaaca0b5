import type { TaintRule } from '../../base/records/rule.ts'
import { nameCalled } from './callable.ts'
import type { FunctionForm, ModuleForm, Span } from './ir.ts'
import { listOutside, selectWithin } from './parts.ts'
import { findRun } from './runs.ts'
import { indexWords, makeWithin, type WordIndex } from './word-index.ts'
import { findSinkWords } from './words.ts'

/** Where a file has the texts that a rule's sinks ask for, and under which names other functions come by them. */
export interface BeginningTexts {
  /** In the order in which they stand. */
  places: readonly number[]
  /** Constants and fields that hold such a text, or a function that has one. */
  names: readonly string[]
}

const expressions = new Map<string, RegExp>()

/** What stands before a text that is given a name, up to where the text was met: `SQL = "select…`, `SQL: string = "select…`. */
const NAMED = /(\w+)(?:\s*:(?!=)[^=;(){}\n]*|\s+string)?\s*=\s*\(?\s*[A-Za-z]{0,2}["'`]{0,3}\s*$/
const LONGEST_HEAD = 120

/** The name that a statement outside of functions gives to what it makes, and what such a statement begins after. */
const GIVEN = /(\w+)(?:\s*:(?!=)[^=;(){}\n]*|\s+string)?\s*=(?![=>])/
const BEGIN = /^[\s\S]*(?:;|\n(?=[\w$@]))/
const LONGEST_STATEMENT = 2000

const CALLED = /(\w+)\s*\(\s*$/
/** A text without anything that may be put in, and the end of the arguments. */
const WHOLE = /(?:"[^"\\\n$#{%]*"|'[^'\\\n$#{%]*')\s*\)/y

/** What is set, in the text of a function. */
const SET = /(\bthis\.|\bself\.|\bcls\.|@|\$this->|\bself::\$)?\b(\w+)\s*(?:[+.|]{1,2}|<<)?=(?![=~>])/g

/**
 * Where the file has what a rule asks a text for that is put together: each sink says how it must begin (`needs_prefix`), and `when` where such a
 * text is. Undefined where the rule does not say so, or the text may be anywhere: outside of functions under no plain name.
 */
export function findBeginningTexts(
  rule: TaintRule,
  all: readonly FunctionForm[],
  { classes }: ModuleForm,
  text: string,
  language: string,
): BeginningTexts | undefined {
  const { when, sinks } = rule
  if (findRun(rule) !== 'unknown' || when === undefined) return undefined
  if (!sinks.every(({ needs_prefix }) => needs_prefix !== undefined)) return undefined
  const met = [...text.matchAll(compile(when))].map(({ index }) => index)
  // It was met where the text is laid out on one line.
  if (met.length === 0) return undefined
  const own = new Set(all.map(({ name }) => name))
  const asked = new Set(findSinkWords(rule)?.filter(word => !own.has(word)))
  const places = met.filter(place => !isWholeArgument(text, place, asked))
  const names = new Set<string>()
  const outside = listOutside(all, text.length)
  for (const place of selectWithin(places, outside)) {
    if (isCommented(text, place)) continue
    const name = NAMED.exec(text.slice(Math.max(0, place - LONGEST_HEAD), place))?.[1]
    if (name === undefined) return undefined
    names.add(name)
  }
  const words = indexWords(text, language)
  const having = all.filter(makeWithin(places))
  for (const form of having) for (const name of listHolders(form, words, outside)) names.add(name)
  // One that is made of another, as far as names tell.
  for (const name of names) if (selectWithin(words.places([name]), outside).length > 1) return undefined
  const fields = new Set(classes.flatMap(each => each.fields.map(({ name }) => name)))
  for (const { start, end } of having)
    for (const [, owner, name] of text.slice(start, end).matchAll(SET))
      if (owner !== undefined || fields.has(name!)) names.add(name!)
  return { places, names: [...names] }
}

/** What statements outside of functions name that they make with a function: `const query = begin()`, `const TEXTS = { all: () => "select…" }`. */
function listHolders(form: FunctionForm, words: WordIndex, outside: readonly Span[]): string[] {
  const called = nameCalled(form)
  const places = called === '' ? [form.start] : selectWithin(words.places([called]), outside)
  return places.flatMap(place => {
    const head = words.source.slice(Math.max(0, place - LONGEST_STATEMENT), place)
    const name = GIVEN.exec(head.replace(BEGIN, ''))?.[1]
    // What other files are given is called there.
    return name === undefined || name === 'exports' ? [] : name
  })
}

/** Whether a fixed text, from its quotes on, is all that a call with one of these names is passed. */
function isWholeArgument(text: string, place: number, names: ReadonlySet<string>): boolean {
  const name = CALLED.exec(text.slice(Math.max(0, place - LONGEST_HEAD), place))?.[1]
  if (name === undefined || !names.has(name)) return false
  WHOLE.lastIndex = place
  return WHOLE.test(text)
}

/** Whether the line begins as one of a comment does: documentation stands before functions, and quotes code. */
function isCommented(text: string, place: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', place - 1) + 1, place)
  return /^\s*(?:\*|\/[/*]|#(?!\w+\s*=))/.test(line)
}

function compile(source: string): RegExp {
  let made = expressions.get(source)
  if (!made) {
    made = new RegExp(source, 'gmu')
    expressions.set(source, made)
  }
  return made
}
