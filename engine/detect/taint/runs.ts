import type { Rule, TaintRule } from '../../base/records/rule.ts'
import { UNKNOWN_ORIGIN } from '../../base/records/taint-model.ts'

/** The runs of a file's rules: what is a source in one run is none in another, and changes nothing of what the others find. */
export const RUNS = ['known', 'review', 'unknown'] as const
export type Run = (typeof RUNS)[number]

/** Whether a rule follows input that is known as such. Examples of libraries are about nothing else. */
export function followsInput(rule: Rule): rule is TaintRule {
  return rule.type === 'taint' && findRun(rule) !== 'unknown'
}

/** The run in which a rule is followed. */
export function findRun({ apart, sources }: Pick<TaintRule, 'apart' | 'sources'>): Run {
  if (apart) return 'review'
  return sources.includes(UNKNOWN_ORIGIN) ? 'unknown' : 'known'
}
