import type { Finding } from '../../base/records/finding.ts'
import { computeFingerprint } from '../../base/records/fingerprint.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import type { Violation } from './violation.ts'

/** Begins the id of each rule: `architecture:layers`. */
export const CONTRIBUTOR_NAME = 'architecture'

/**
 * The violations as findings, in their order. A fingerprint is of rule, file and target, so it stays when lines move and when the specifier
 * is written another way; a second import of the same target in a file is another finding.
 */
export function makeFindings(violations: readonly Violation[], files: readonly SourceFile[]): Finding[] {
  const byPath = new Map(files.map(file => [file.path, file]))
  const seen = new Map<string, number>()
  return violations.map(violation => {
    const { rule, file, target, imported, title, severity, line, column, reason } = violation
    const rule_id = `${CONTRIBUTOR_NAME}:${rule}`
    // Which cycle through a file is the shortest changes with other files; that the file is in one does not.
    const subject = rule === 'cycles' || target === null ? (violation.target === null ? title : '') : target
    const key = `${rule_id}\0${file}\0${subject}`
    const index = seen.get(key) ?? 0
    seen.set(key, index + 1)
    const fingerprint = computeFingerprint(rule_id, file, subject, index)
    return {
      ...{ id: `F-${fingerprint.slice(0, 12)}`, fingerprint, rule_id, pack_id: CONTRIBUTOR_NAME, title },
      message: reason === '' ? violation.message : `${violation.message} ${reason}`,
      remediation: violation.remediation,
      ...{ severity, base_severity: severity, category: 'architecture', confidence: 1, deterministic: true },
      ...{ file, line, column, end_line: line, end_column: column, snippet: imported ?? '' },
      language: byPath.get(file)?.language ?? 'text',
      in_test: byPath.get(file)?.in_test ?? false,
      ...{ tags: [], cwe: [], controls: [], is_obligation: false, status: 'open' },
    } satisfies Finding
  })
}
