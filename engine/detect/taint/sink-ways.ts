import type { TaintRule } from '../../base/records/rule.ts'
import type { SinkSpec } from '../../base/records/taint-model.ts'
import { findRuleModel } from './models.ts'
import { listOwnerNames, type Way } from './owner-names.ts'
import type { WordIndex } from './word-index.ts'
import { markCalled, wordsOfSink } from './words.ts'

/** Sinks that a program comes by in one way. */
export interface SinkWay {
  /** Words of the sinks, of which a program with one of them has one. */
  words: readonly string[]
  /** The names without which a program does not come by what they are called on. */
  names: Way
}

const known = new WeakMap<TaintRule, Map<string, readonly SinkWay[] | undefined>>()

/**
 * The ways to the sinks of a rule: the calls of one module or type, with the names without which a program does not come by that; and by
 * themselves what any program may come by. Undefined where a sink has no word.
 */
export function listSinkWays(rule: TaintRule, language: string): readonly SinkWay[] | undefined {
  let byLanguage = known.get(rule)
  if (!byLanguage) {
    byLanguage = new Map()
    known.set(rule, byLanguage)
  }
  if (!byLanguage.has(language)) byLanguage.set(language, findWays(rule, language))
  return byLanguage.get(language)
}

/** Words of which code that has a sink of the rule has one, of those sinks alone that the text may have; undefined where that cannot be told. */
export function findReachingWords(rule: TaintRule, language: string, index: WordIndex): readonly string[] | undefined {
  const ways = listSinkWays(rule, language)
  return (
    ways && [...new Set(ways.filter(({ names }) => names.every(own => index.has(own))).flatMap(({ words }) => words))]
  )
}

function findWays(rule: TaintRule, language: string): SinkWay[] | undefined {
  const model = findRuleModel(rule, language)
  const ways = new Map<string, { names: Way; words: Set<string> }>()
  const add = (sink: SinkSpec, names: Way, called?: string): boolean => {
    const found = wordsOfSink(sink)
    const words = called === undefined ? found : found?.map(word => markCalled(called, word, language))
    const key = JSON.stringify(names)
    const own = ways.get(key) ?? { names, words: new Set() }
    ways.set(key, own)
    for (const word of words ?? []) own.words.add(word)
    return words !== undefined
  }
  for (const { calls: named = [], ...sink } of rule.sinks) {
    const isPlain = sink.writes === undefined && sink.returned_by === undefined
    if ((!isPlain || named.length === 0) && !add(sink, [])) return undefined
    for (const name of named)
      for (const owner of model ? listOwnerNames(name, model) : [[]])
        if (!add({ calls: [name] }, owner, name)) return undefined
  }
  return [...ways.values()].map(({ names, words }) => ({ names, words: [...words] }))
}
