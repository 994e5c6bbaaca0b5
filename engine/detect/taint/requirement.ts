import type { TaintRule } from '../../base/records/rule.ts'
import type { Clause } from '../rules/requirement.ts'
import { findSinkWords, findSourceWords } from './words.ts'

/** What a file must contain for the rule to match: one word of the sources and one of the sinks. */
export function deriveTaintRequirement(rule: TaintRule): Clause[] {
  const out: Clause[] = []
  const sinks = findSinkWords(rule)
  if (sinks) out.push(clause(sinks))
  if (rule.sources.length > 0 || rule.own_sources.length > 0) {
    const sources = findSourceWords(rule)
    if (sources) out.push(clause(sources))
  }
  return out
}

function clause(words: readonly string[]): Clause {
  return words.map(word => ({ text: word.toLowerCase(), word: /^\w+$/.test(word) }))
}
