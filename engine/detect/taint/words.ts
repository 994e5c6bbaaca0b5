import type { TaintRule } from '../../base/records/rule.ts'
import { type SinkSpec, type SourceSpec, type TaintModel, UNKNOWN_ORIGIN } from '../../base/records/taint-model.ts'
import { findRuleModel } from './models.ts'
import { listOwnerNames, type Way } from './owner-names.ts'
import { CALLED } from './word-index.ts'

/** What a text has where one source is in it; each left out where that cannot be told. */
export interface SourceWords {
  /** Words of which the file has at least one. */
  file?: readonly string[]
  /** Words of which a function that asks for the source has at least one. */
  near?: readonly string[]
  /** Ways to the source, of which the file has at least one. */
  ways?: readonly Way[]
}

/** Languages in which what a call by a name is called stands before its arguments, whatever names are given to it elsewhere. */
const BY_NAME = new Set(['c', 'cpp'])

/** A function's plain name; a text that is made by a format is known as made by sprintf, whatever makes it. */
const PLAIN = /^(?!sprintf$)[A-Za-z_]\w*$/

/** The word as it stands in a text that calls what is known by the name. */
export function markCalled(name: string, word: string, language: string): string {
  return BY_NAME.has(language) && PLAIN.test(name) ? `${word}${CALLED}` : word
}

/** The words of each of the rule's sources in this language. */
export function listSourceWords(rule: TaintRule, language: string): readonly SourceWords[] {
  return kept(rule, language, () => {
    const model = findRuleModel(rule, language)
    return [
      ...rule.own_sources.map(source => ({
        ...sourceWordsOf(source, language),
        ...(model && listWays(source, model)),
      })),
      ...[
        // Any name may hold what comes from anywhere.
        ...(rule.sources.includes(UNKNOWN_ORIGIN) ? [ANYTHING] : []),
        ...(model?.sources ?? []).filter(({ kind }) => rule.sources.includes(kind)),
      ].map(source => sourceWordsOf(source, language)),
    ]
  })
}

/** Words of which a file with any of the sources has at least one; undefined where that cannot be told. */
export function findSourceWords(rule: TaintRule): readonly string[] | undefined {
  return kept(rule, 'sources', () =>
    allWords(
      rule.languages
        .flatMap(language => listSourceWords(rule, language))
        .map(({ file }) => file?.map(word => (word.endsWith(CALLED) ? word.slice(0, -CALLED.length) : word))),
    ),
  )
}

/** The same for the sinks. */
export function findSinkWords(rule: TaintRule): readonly string[] | undefined {
  return kept(rule, 'sinks', () => allWords(rule.sinks.map(wordsOfSink)))
}

const known = new WeakMap<TaintRule, Map<string, unknown>>()

/** Found out once a rule, and not once a file. */
function kept<T>(rule: TaintRule, key: string, find: () => T): T {
  let words = known.get(rule)
  if (!words) {
    words = new Map()
    known.set(rule, words)
  }
  if (!words.has(key)) words.set(key, find())
  return words.get(key) as T
}

/** A source that any name may be. */
const ANYTHING: Omit<SourceSpec, 'kind'> = { label: UNKNOWN_ORIGIN }

const knownSources = [new WeakMap<object, SourceWords>(), new WeakMap<object, SourceWords>()] as const

/** One for each source, whichever rules follow it, so that a text is asked once. */
function sourceWordsOf(source: Omit<SourceSpec, 'kind'>, language: string): SourceWords {
  const known = knownSources[BY_NAME.has(language) ? 1 : 0]
  const found = known.get(source)
  if (found) return found
  const file = wordsOfSource(source, language)
  const near = source.near ?? file
  const made = { ...(file && { file }), ...(near && { near }) }
  known.set(source, made)
  return made
}

/** The ways to a source that is calls alone: the name of one, and those without which a program does not come by what it is called on. */
function listWays(source: Omit<SourceSpec, 'kind'>, model: TaintModel): { ways?: readonly Way[] } {
  const { words, calls = [], members = [], parameters = [] } = source
  if (words || calls.length === 0 || members.length + parameters.length > 0) return {}
  const own = calls.map(name => ({ name, word: wordOf(name) }))
  if (own.some(({ word }) => word === undefined)) return {}
  return { ways: own.flatMap(({ name, word }) => listOwnerNames(name, model).map(owner => [[word!], ...owner])) }
}

function wordsOfSource(
  { words, calls = [], members = [], parameters = [] }: Omit<SourceSpec, 'kind'>,
  language: string,
): string[] | undefined {
  if (words) return words
  const out = [...calls.map(name => wordOfCall(name, language)), ...members.map(wordOf)]
  for (const { types = [], annotations = [] } of parameters)
    out.push(...types.map(type => type.replace(/<>$/, '')), ...annotations)
  return out.some(word => word === undefined) || out.length === 0 ? undefined : (out as string[])
}

/** Words of which a program with the sink has at least one; undefined where that cannot be told. */
export function wordsOfSink({ calls = [], writes = [], returned_by }: SinkSpec): string[] | undefined {
  const out = [...calls, ...writes].map(wordOf)
  // A function that a framework calls: its decorator is one of these in the file, or there is nothing to find.
  if (returned_by !== undefined) out.push(...(returned_by.match(/[A-Za-z_]{3,}/g) ?? []))
  return out.some(word => word === undefined) || out.length === 0 ? undefined : (out as string[])
}

function wordOfCall(name: string, language: string): string | undefined {
  const word = wordOf(name)
  return word === undefined ? undefined : markCalled(name, word, language)
}

/** The word that must be there for a name: its last part, or for an expression the longest run of letters in it. */
function wordOf(name: string): string | undefined {
  if (name.startsWith('/')) return undefined
  const last = name.replace(/^(?:new |~)/, '').replace('[]', '')
  return last.slice(last.lastIndexOf('.') + 1)
}

/** The words of all lists; undefined where there is none, or one of them cannot be told. */
export function allWords(lists: (readonly string[] | undefined)[]): readonly string[] | undefined {
  if (lists.length === 0 || lists.some(list => list === undefined)) return undefined
  return [...new Set(lists.flatMap(list => list!))].sort()
}
