import type { Finding } from '../../base/records/finding.ts'
import { computeFingerprint, foldSpace } from '../../base/records/fingerprint.ts'
import { remediationIn } from '../../base/records/remediation.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import type { FileAnswer } from './ask.ts'
import type { Question } from './questions.ts'

/** Findings of a question in one file, at the lines that were verified. */
export function toFindings({ rule, controls }: Question, file: SourceFile, { places }: FileAnswer): Finding[] {
  const seen = new Map<string, number>()
  return places.map(({ line, text, reason, confidence }): Finding => {
    const folded = foldSpace(text)
    const index = seen.get(folded) ?? 0
    seen.set(folded, index + 1)
    const fingerprint = computeFingerprint(rule.id, file.path, folded, index)
    return {
      ...{ id: `F-${fingerprint.slice(0, 12)}`, fingerprint, rule_id: rule.id, pack_id: rule.pack_id },
      ...{
        title: rule.title,
        message: `${rule.message} (${reason})`,
        remediation: remediationIn(rule, file.language ?? 'text'),
      },
      ...{ severity: rule.severity, base_severity: rule.severity, category: rule.category },
      ...{ language: file.language ?? 'text', tags: rule.tags, cwe: rule.cwe, controls },
      ...{ file: file.path, line, column: text.length - text.trimStart().length + 1, end_line: line },
      ...{ end_column: text.trimEnd().length + 1, snippet: text.trim().slice(0, 200) },
      ...{ confidence, deterministic: false, is_obligation: false, in_test: file.in_test, status: 'open' },
    }
  })
}
