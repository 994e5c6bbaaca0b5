import { RuleSet } from './rule-set.ts'

/** The detectors of secrets of a rule set, with their indexes in it. */
export interface Detectors {
  set: RuleSet
  indexes: number[]
}

const known = new WeakMap<RuleSet, Detectors>()

/** The detectors alone, for content that no other rule searches; made once a rule set. */
export function detectorsOf(rules: RuleSet): Detectors {
  let found = known.get(rules)
  if (!found) {
    const indexes = rules.rules.flatMap(({ type }, index) => (type === 'secret' ? [index] : []))
    found = { set: new RuleSet(indexes.map(index => rules.rules[index]!)), indexes }
    known.set(rules, found)
  }
  return found
}
