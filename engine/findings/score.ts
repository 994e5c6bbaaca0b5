import type { Finding, Severity } from '../base/records/finding.ts'
import { findKey, resolveRuleId } from '../base/records/rule-ids.ts'
import { computePercent } from '../base/text/percent.ts'

/** What a rule weighs in the score (decisions "Scores"). */
export const SEVERITY_WEIGHT: Record<Severity, number> = { critical: 10, high: 5, medium: 2, low: 1, info: 0 }

/**
 * Compliance score, 0–100 to one decimal: rules evaluated without open findings over all rules evaluated, weighted by the
 * rules' severity. A rule that could not be evaluated on some file (`partly`) and found nothing is neither. Undefined where
 * no weighing rule was evaluated, which is not the same as a full score.
 */
export function computeComplianceScore(
  evaluated: readonly { id: string; severity: Severity }[],
  findings: readonly Finding[],
  partly: ReadonlySet<string> = new Set(),
): number | undefined {
  const violated = new Set(
    findings
      .filter(({ status }) => status === 'open')
      .flatMap(finding => [findKey(finding), resolveRuleId(finding.rule_id)]),
  )
  let clean = 0
  let all = 0
  for (const { id, severity } of evaluated) {
    if (partly.has(resolveRuleId(id)) && !violated.has(id)) continue
    all += SEVERITY_WEIGHT[severity]
    if (!violated.has(id)) clean += SEVERITY_WEIGHT[severity]
  }
  return computePercent(clean, all)
}
