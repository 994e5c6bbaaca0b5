import type { MemoryRule } from '../../base/records/rule.ts'
import type { ActiveRules } from '../rules/active-rules.ts'
import type { SearchedText } from '../rules/detector.ts'
import type { RawMatch } from '../rules/match.ts'
import { analyzeMemory, type Untold } from './analyse.ts'

/** Every way is seen, but not what other functions do with what they are handed. */
const CONFIDENCE = 0.9

/** Functions that are named at most where nothing can be told of them. */
const NAMED = 5

/** What the rules about memory among those with these indexes find in a text, in one run. `fail` is told of functions that were not evaluated. */
export function runMemory(
  rules: ActiveRules,
  indexes: readonly number[],
  language: string,
  text: string,
  fail: SearchedText['fail'],
): RawMatch[] {
  const own = indexes.map(index => ({ index, rule: rules.rules[index] as MemoryRule }))
  const wanted = new Set(own.flatMap(({ rule }) => rule.defects))
  const { reports, untold } = analyzeMemory(text, language === 'cpp' ? 'cpp' : 'c', wanted)
  for (const [reason, detail] of byReason(untold)) for (const { index } of own) fail(index, reason, detail)
  return own.flatMap(({ index, rule }) =>
    reports
      .filter(({ defect }) => rule.defects.includes(defect))
      .map(
        ({ start, end, flow }): RawMatch => ({
          rule: index,
          start,
          end,
          confidence: CONFIDENCE,
          ...(flow.length > 0 && { flow: [...flow, { start, end, label: 'used here' }] }),
        }),
      ),
  )
}

/** What is said of each reason: a rule has one entry a reason in a file. */
function byReason(untold: readonly Untold[]): Map<Untold['reason'], string> {
  const out = new Map<Untold['reason'], string>()
  for (const { reason, detail, functions } of untold) {
    const more = functions.length > NAMED ? ` and ${functions.length - NAMED} more` : ''
    const before = out.has(reason) ? `${out.get(reason)}; ` : ''
    out.set(reason, `${before}${detail}: ${functions.slice(0, NAMED).join(', ')}${more}`)
  }
  return out
}
