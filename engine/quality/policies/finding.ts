import { detectLanguage, isTestPath } from '../../base/languages/languages.ts'
import type { Finding } from '../../base/records/finding.ts'
import { computeFingerprint } from '../../base/records/fingerprint.ts'
import type { NotEvaluated } from '../../base/records/run.ts'
import type { Policy, PolicyGap, Violation } from './policy.ts'

/** The pack that findings of policies name. */
const PACK = 'policies'

/** Violations as findings, which the baseline and suppressions know by `policies:<name>`. */
export function toFindings(violations: readonly Violation[], policies: readonly Policy[], path: string): Finding[] {
  const reasons = new Map(policies.map(({ name, reason }) => [name, reason]))
  const seen = new Map<string, number>()
  return violations.map(({ policy, severity, file, line, message, subject }) => {
    const rule_id = `${PACK}:${policy}`
    const key = `${rule_id}\0${file}\0${subject}`
    const index = seen.get(key) ?? 0
    seen.set(key, index + 1)
    const fingerprint = computeFingerprint(rule_id, file, subject, index)
    const reason = reasons.get(policy)
    return {
      ...{ id: `F-${fingerprint.slice(0, 12)}`, fingerprint, rule_id, pack_id: PACK },
      ...{
        title: `Policy violated: ${policy}`,
        message: reason === undefined || reason === message ? message : `${message} ${reason}`,
      },
      remediation: `Change what the message names so that the policy is obeyed. The policy is in ${path}.`,
      ...{ severity, base_severity: severity, category: 'policy', language: detectLanguage(file) ?? 'text' },
      ...{ tags: [], cwe: [], controls: [], file, line, column: 1, end_line: line, end_column: 1, snippet: '' },
      ...{ confidence: 1, deterministic: true, is_obligation: false, in_test: isTestPath(file), status: 'open' },
    }
  })
}

/** What could not be evaluated, as the run lists it. */
export function toNotEvaluated({ policy, file, reason, detail }: PolicyGap): NotEvaluated {
  return { rule_id: `${PACK}:${policy}`, ...(file !== undefined && { file }), reason, detail }
}
