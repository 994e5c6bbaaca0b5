import { visibleLine } from '../assure/text.ts'
import type { Finding } from '../finding.ts'

/** Findings for a coding agent: place, reason and remedy of each; then the rules that could not be evaluated, which is no pass. */
export function findingsText(
  findings: readonly Finding[],
  notEvaluated: readonly { rule_id: string; reason: string }[] = [],
): string {
  const missed = notEvaluated.map(({ rule_id, reason }) => `Not evaluated: ${rule_id} (${reason}).`)
  return [findings.length === 0 ? 'No findings.' : listed(findings), ...missed].join('\n')
}

function listed(findings: readonly Finding[]): string {
  return findings
    .map(finding => {
      const held = finding.status === 'open' ? '' : ` (${finding.status})`
      return `${visibleLine(finding.file)}:${finding.line}:${finding.column} ${finding.severity} ${finding.rule_id}${held}: ${finding.message}${wayText(finding)}\n  Mend: ${finding.remediation.trim().replaceAll('\n', '\n  ')}`
    })
    .join('\n')
}

/** The places that input comes by, a line each; empty for a finding without any. */
export function wayText({ flow = [], file }: Pick<Finding, 'flow' | 'file'>, indent = '  '): string {
  return flow
    .map(step => `\n${indent}${step.file === file ? 'line ' : `${visibleLine(step.file)}:`}${step.line}: ${step.label}`)
    .join('')
}
