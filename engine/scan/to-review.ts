import { compareFindings, type Finding, rankSeverity } from '../base/records/finding.ts'
import { REVIEW_CONFIDENCE, type ToReview } from '../base/records/run.ts'

/** Places of one rule that a run lists; all are counted. */
const MOST_PLACES = 100

/** What a reviewer decides on, by rule, the most severe first. */
export function listToReview(found: readonly Finding[]): ToReview[] {
  const byRule = new Map<string, Finding[]>()
  const seen = new Set<string>()
  for (const finding of found.toSorted(compareFindings)) {
    // Two forms of a rule may ask for the same place.
    const place = JSON.stringify([finding.rule_id, finding.file, finding.line, finding.column])
    if (seen.has(place)) continue
    seen.add(place)
    const own = byRule.get(finding.rule_id)
    if (own) own.push(finding)
    else byRule.set(finding.rule_id, [finding])
  }
  return [...byRule]
    .map(([rule_id, findings]) => ({
      rule_id,
      title: findings[0]!.title,
      severity: findings[0]!.severity,
      confidence: REVIEW_CONFIDENCE,
      findings: findings.length,
      files: new Set(findings.map(({ file }) => file)).size,
      places: findings.slice(0, MOST_PLACES).map(({ file, line }) => ({ file, line })),
    }))
    .sort((a, b) => rankSeverity(a.severity) - rankSeverity(b.severity) || (a.rule_id < b.rule_id ? -1 : 1))
}
