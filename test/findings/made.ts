import type { Finding } from '../../engine/base/records/finding.ts'
import { computeFingerprint } from '../../engine/base/records/fingerprint.ts'

/** A finding of a made-up rule; what a test does not say is plain. */
export function finding(more: Partial<Omit<Finding, 'cwe'>> & { cwe?: readonly string[] } = {}): Finding {
  const rule_id = more.rule_id ?? 'rule-a'
  const file = more.file ?? 'src/a.ts'
  const own = more.fingerprint ?? computeFingerprint(rule_id, file, 'code', 0)
  return {
    id: `F-${own.slice(0, 12)}`,
    fingerprint: own,
    rule_id,
    pack_id: 'pack',
    title: 'A title',
    message: 'A message.',
    severity: more.base_severity ?? 'high',
    base_severity: more.severity ?? 'high',
    confidence: 1,
    deterministic: true,
    category: 'code',
    is_obligation: false,
    file,
    line: 1,
    column: 1,
    end_line: 1,
    end_column: 2,
    snippet: 'code',
    language: 'typescript',
    in_test: false,
    controls: [],
    tags: [],
    remediation: 'Mend it.',
    status: 'open',
    ...more,
    cwe: [...(more.cwe ?? [])],
  }
}
