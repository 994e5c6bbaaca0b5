import { type Finding, SEVERITIES, type Severity } from '../finding.ts'

/**
 * Findings in a zone go up by one severity, critical ones stay (decisions "Findings"); each then says its zone. What it was
 * before the scan weighed anything stands in `base_severity`. Obligations say where they are and stay as grave.
 */
export function escalate(findings: readonly Finding[], zoneOf: (file: string) => string | undefined): Finding[] {
  return findings.map(finding => {
    const zone = zoneOf(finding.file)
    if (zone === undefined) return finding
    return { ...finding, zone, severity: finding.is_obligation ? finding.severity : graver(finding.severity) }
  })
}

function graver(severity: Severity): Severity {
  return SEVERITIES[Math.max(0, SEVERITIES.indexOf(severity) - 1)]!
}
