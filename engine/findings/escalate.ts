import { type Finding, SEVERITIES, type Severity } from '../base/records/finding.ts'

/**
 * Findings in a zone go up by one severity, critical ones stay (decisions "Findings"); each then says its zone. What it was
 * before the scan weighed anything stands in `base_severity`. Obligations say where they are and stay as grave.
 */
export function escalate(findings: readonly Finding[], zoneOf: (file: string) => string | undefined): Finding[] {
  return findings.map(finding => {
    const zone = zoneOf(finding.file)
    if (zone === undefined) return finding
    // Where the record has it, so that what is answered is, letter for letter, what is written to disk.
    const { controls, cwe, tags, remediation, fix, flow, status, suppression, agent, ...what } = finding
    return {
      ...what,
      severity: finding.is_obligation ? finding.severity : graver(finding.severity),
      zone,
      controls,
      cwe,
      tags,
      remediation,
      ...(fix && { fix }),
      ...(flow && { flow }),
      status,
      ...(suppression && { suppression }),
      ...(agent && { agent }),
    }
  })
}

function graver(severity: Severity): Severity {
  return SEVERITIES[Math.max(0, SEVERITIES.indexOf(severity) - 1)]!
}
