import { countBySeverity, type Finding, SEVERITIES, type Severity, type SeverityCounts } from '../finding.ts'

/** The gate's answer on a run (decisions "Gate"). */
export interface GateDecision extends SeverityCounts {
  passed: boolean
  /** Open findings; the severities above count the same ones. */
  total_findings: number
  /** Open findings that no baseline holds. */
  new_findings: number
  baseline_findings: number
  /** Findings that stand in the way. */
  blocking: number
  fail_on: Severity[]
  /** Why it does not pass; empty where it does. */
  reasons: string[]
}

/**
 * Whether findings may pass: none is open and new with a severity that fails, and some rule was evaluated. `failOn` gives
 * the severities that fail for a file, since folders may be stricter; `root` are the repository's own. `rulesEvaluated` is left out for a
 * change, to whose files perhaps no rule applies. `unknown` says in words what could not be judged and might have failed.
 */
export function decide(
  findings: readonly Finding[],
  rulesEvaluated: number | undefined,
  failOn: (file: string) => readonly Severity[],
  root: readonly Severity[],
  unknown: readonly string[] = [],
): GateDecision {
  const open = findings.filter(({ status }) => status === 'open')
  const blocking = open.filter(finding => blocks(finding, failOn))
  const counts = countBySeverity(blocking)
  const reasons = SEVERITIES.filter(severity => counts[severity] > 0).map(
    severity => `${counts[severity]} open ${severity} ${counts[severity] === 1 ? 'finding' : 'findings'}`,
  )
  reasons.push(...unknown)
  if (rulesEvaluated === 0) reasons.push('no rule was evaluated, so nothing is known')
  return {
    passed: reasons.length === 0,
    total_findings: open.length,
    ...countBySeverity(open),
    new_findings: open.length,
    baseline_findings: findings.filter(({ status }) => status === 'baseline').length,
    blocking: blocking.length,
    fail_on: [...root],
    reasons,
  }
}

/** Whether a finding alone holds the gate. */
export function blocks({ status, file, severity }: Finding, failOn: (file: string) => readonly Severity[]): boolean {
  return status === 'open' && failOn(file).includes(severity)
}
