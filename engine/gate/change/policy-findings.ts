import type { Finding } from '../../base/records/finding.ts'
import { computeFingerprint } from '../../base/records/fingerprint.ts'
import { type Agreeing, type AgreementRules, findAgreement } from './agreement.ts'
import { POLICY_PACK, POLICY_REMEDIATION, POLICY_RULES, type Weakening } from './policy-rules.ts'

/**
 * The findings about what a change does to its own judgement: its settings, and findings that comments of its own suppress. Where somebody
 * agrees they are listed as suppressed, else they are open and fail the gate.
 */
export function makePolicyFindings(
  weakenings: readonly (Weakening & { agreed?: string })[],
  suppressed: readonly Finding[],
  rules: AgreementRules,
  agreeing: Agreeing,
): Finding[] {
  const inline = suppressed.map(({ file, line, rule_id, suppression }) => {
    const what = `svc-ignore of ${rule_id}: ${suppression!.reason}`
    const agreed = findAgreement({ file }, rules, agreeing)
    return { rule_id: 'gate-suppression-added' as const, file, line, what, ...(agreed !== undefined && { agreed }) }
  })
  const numbers = new Map<string, number>()
  return [...weakenings, ...inline].map(weakening => {
    const key = `${weakening.rule_id}\0${weakening.file}\0${weakening.what}`
    const number = numbers.get(key) ?? 0
    numbers.set(key, number + 1)
    return policyFinding(weakening, number)
  })
}

/** `number` tells equal ones of a file apart. */
function policyFinding(
  { rule_id, file, line, what, agreed }: Weakening & { agreed?: string },
  number: number,
): Finding {
  const { title, message } = POLICY_RULES.find(({ id }) => id === rule_id)!
  const print = computeFingerprint(rule_id, file, what, number)
  return {
    id: `F-${print.slice(0, 12)}`,
    fingerprint: print,
    rule_id,
    pack_id: POLICY_PACK,
    title,
    message: `${message} Here: ${what}.`,
    severity: 'high',
    base_severity: 'high',
    confidence: 1,
    deterministic: true,
    category: 'policy',
    is_obligation: false,
    file,
    line,
    column: 1,
    end_line: line,
    end_column: 1,
    snippet: what,
    language: 'text',
    in_test: false,
    controls: [],
    cwe: [],
    tags: ['gate'],
    remediation: POLICY_REMEDIATION,
    status: agreed === undefined ? 'open' : 'suppressed',
    ...(agreed !== undefined && { suppression: { kind: 'file' as const, reason: agreed } }),
  }
}
