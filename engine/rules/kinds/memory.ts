import { analyseMemory } from '../../memory/analyse.ts'
import type { RuleFailure } from '../file-outcome.ts'
import type { RawMatch } from '../match.ts'
import type { MemoryRule } from '../rule.ts'
import type { RuleSet } from '../rule-set.ts'

/** Every way is seen, but not what other functions do with what they are handed. */
const CONFIDENCE = 0.9

/** What the rules about memory among those with these indexes find in a text, in one run. Functions that took too many steps are added to the failures. */
export function runMemory(
  rules: RuleSet,
  indexes: readonly number[],
  language: string,
  text: string,
  failures: RuleFailure[],
): RawMatch[] {
  const own = indexes.flatMap(index => {
    const rule = rules.rules[index]
    return rule?.type === 'memory' ? [{ index, rule: rule as MemoryRule }] : []
  })
  const wanted = new Set(own.flatMap(({ rule }) => rule.defects))
  const { reports, exhausted } = analyseMemory(text, language === 'cpp' ? 'cpp' : 'c', wanted)
  const detail = `too many steps in ${exhausted.join(', ')}`
  if (exhausted.length > 0) for (const { index } of own) failures.push({ rule: index, reason: 'too_costly', detail })
  return own.flatMap(({ index, rule }) =>
    reports
      .filter(({ defect }) => rule.defects.includes(defect))
      .map(
        ({ start, end, flow }): RawMatch => ({
          rule: index,
          start,
          end,
          confidence: CONFIDENCE,
          ...(flow.length > 0 && { flow: [...flow, { start, end, label: 'is used here' }] }),
        }),
      ),
  )
}
