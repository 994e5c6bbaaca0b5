import type { Defect, MemoryRule } from '../../base/records/rule.ts'
import type { SearchedText } from '../rules/detector.ts'
import type { RawMatch } from '../rules/match.ts'
import { analyzeMemory, labelRelease, type Untold } from './analyse.ts'

/** Every way is seen, but not what other functions do with what they are handed. */
const CONFIDENCE = 0.9

/** Of two functions of one name another may be meant, where one is not seen. */
const CONFIDENCE_ELSEWHERE = 0.8

/** Functions that are named at most where nothing can be told of them. */
const NAMED = 5

/** What rules about releases report: only where one of these is on other files are asked. */
const OF_RELEASES = ['use-after-free', 'double-free'] as const

/** What the rules about memory among those with these indexes find in a text, in one run. */
export function runMemory(
  { rules, file, code, fail, share }: Pick<SearchedText, 'rules' | 'file' | 'code' | 'fail' | 'share'>,
  indexes: readonly number[],
): RawMatch[] {
  const own = indexes.map(index => ({ index, rule: rules.rules[index] as MemoryRule }))
  const wanted = new Set<Defect>()
  for (const { rule } of own) for (const defect of rule.defects) wanted.add(defect)
  const { elsewhere } = file
  const isShared = !elsewhere && !file.in_test && OF_RELEASES.some(defect => wanted.has(defect))
  const { reports, untold, facts } = analyzeMemory(code, file.language === 'cpp' ? 'cpp' : 'c', wanted, {
    ...(isShared && { path: file.path }),
    ...(elsewhere && { elsewhere }),
  })
  share(facts)
  for (const [reason, detail] of byReason(untold)) for (const { index } of own) fail(index, reason, detail)
  if (reports.length === 0) return []
  return own.flatMap(({ index, rule }) =>
    reports
      .filter(({ defect }) => rule.defects.includes(defect))
      .map(
        ({ start, end, flow, by }): RawMatch => ({
          rule: index,
          start,
          end,
          confidence: elsewhere ? CONFIDENCE_ELSEWHERE : CONFIDENCE,
          ...(flow.length > 0 && { flow: [...flow, { start, end, label: labelRelease(by) ?? 'used here' }] }),
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
