import type { TaintRule } from '../rules/rule.ts'
import type { SinkSpec, SourceSpec } from './model.ts'
import { modelFor } from './models/models.ts'

/** Words of which a file or function with one of the sources has at least one; undefined where that cannot be told. */
export function sourceWords(
  rule: TaintRule,
  languages: readonly string[],
  within: 'file' | 'function',
): string[] | undefined {
  return kept(rule, `${within} ${languages}`, () => findSourceWords(rule, languages, within))
}

function findSourceWords(
  rule: TaintRule,
  languages: readonly string[],
  within: 'file' | 'function',
): string[] | undefined {
  const sources: Omit<SourceSpec, 'kind'>[] = [...rule.own_sources]
  for (const language of languages)
    for (const source of modelFor(language)?.sources ?? []) if (rule.sources.includes(source.kind)) sources.push(source)
  return allWords(sources.map(source => (within === 'function' ? source.near : undefined) ?? wordsOfSource(source)))
}

/** The same for the sinks. */
export function sinkWords(rule: TaintRule): string[] | undefined {
  return kept(rule, 'sinks', () => allWords(rule.sinks.map(wordsOfSink)))
}

const known = new WeakMap<TaintRule, Map<string, string[] | undefined>>()

/** Found out once a rule, and not once a file. */
function kept(rule: TaintRule, key: string, find: () => string[] | undefined): string[] | undefined {
  let words = known.get(rule)
  if (!words) {
    words = new Map()
    known.set(rule, words)
  }
  if (!words.has(key)) words.set(key, find())
  return words.get(key)
}

function wordsOfSource({
  words,
  calls = [],
  members = [],
  parameters = [],
}: Omit<SourceSpec, 'kind'>): string[] | undefined {
  if (words) return words
  const out = [...calls, ...members].map(wordOf)
  for (const { types = [], annotations = [] } of parameters) out.push(...types, ...annotations)
  return out.some(word => word === undefined) || out.length === 0 ? undefined : (out as string[])
}

function wordsOfSink({ calls = [], writes = [], returned_by }: SinkSpec): string[] | undefined {
  const out = [...calls, ...writes].map(wordOf)
  // A function that a framework calls: its decorator is one of these in the file, or there is nothing to find.
  if (returned_by !== undefined) out.push(...(returned_by.match(/[A-Za-z_]{3,}/g) ?? []))
  return out.some(word => word === undefined) || out.length === 0 ? undefined : (out as string[])
}

/** The word that must be there for a name: its last part, or for an expression the longest run of letters in it. */
function wordOf(name: string): string | undefined {
  if (name.startsWith('/')) return undefined
  const last = name.replace(/^(?:new |~)/, '').replace('[]', '')
  return last.slice(last.lastIndexOf('.') + 1)
}

function allWords(lists: (string[] | undefined)[]): string[] | undefined {
  if (lists.length === 0 || lists.some(list => list === undefined)) return undefined
  return [...new Set(lists.flatMap(list => list!))].sort()
}
