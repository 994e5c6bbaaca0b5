import type { Finding } from '../../base/records/finding.ts'
import { computeFingerprint } from '../../base/records/fingerprint.ts'
import { CHECKS, type Check, type CheckId } from './checks.ts'

/** What a check found, and where. */
export interface Issue {
  check: CheckId
  file: string
  line: number
  /** What it is about, in a few words; with check and file it makes the fingerprint, so it holds no secret and no line. */
  subject: string
}

/** Issues as findings, each once. */
export function makeFindings(issues: readonly Issue[]): Finding[] {
  const findings = new Map<string, Finding>()
  for (const { check, file, line, subject } of issues) {
    const { severity, confidence, title, message, remediation, cwe, owasp }: Check = CHECKS[check]
    const fingerprint = computeFingerprint(check, file, subject, 0)
    if (findings.has(fingerprint)) continue
    findings.set(fingerprint, {
      ...{ id: `F-${fingerprint.slice(0, 12)}`, fingerprint, rule_id: check, pack_id: 'mcp-audit', title },
      ...{ message: `${message} ${subject}.`, remediation, severity, base_severity: severity, confidence },
      ...{ category: 'policy', language: 'text', cwe: [...cwe], controls: [], file, line, column: 1 },
      ...{ tags: ['mcp', ...(owasp ? [`owasp-mcp:${owasp}`] : [])], end_line: line, end_column: 1 },
      ...{ snippet: subject, deterministic: true, is_obligation: false, in_test: false, status: 'open' },
    })
  }
  return [...findings.values()]
}
