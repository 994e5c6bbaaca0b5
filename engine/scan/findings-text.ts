import type { Finding } from '../finding.ts'

/** Findings for a coding agent: place, reason and remedy of each. */
export function findingsText(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'No findings.'
  return findings
    .map(finding => {
      const held = finding.status === 'open' ? '' : ` (${finding.status})`
      return `${finding.file}:${finding.line}:${finding.column} ${finding.severity} ${finding.rule_id}${held}: ${finding.message}\n  Mend: ${finding.remediation.trim().replaceAll('\n', '\n  ')}`
    })
    .join('\n')
}
