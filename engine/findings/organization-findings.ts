import type { Finding } from '../base/records/finding.ts'

/** The pack that findings about the organization's policy name. */
export const ORGANIZATION_PACK = 'organization'

/**
 * Whether a finding is about the organization's policy. Only the owners of the policy relax it: nothing that stands in the repository
 * (comments, suppressions, the baseline, gate.fail_on) has a say in it.
 */
export function isOrganizationFinding({ pack_id }: Pick<Finding, 'pack_id'>): boolean {
  return pack_id === ORGANIZATION_PACK
}

/** Whether a rule is one of the organization's policy. */
export function isOrganizationRule(rule_id: string): boolean {
  return rule_id.startsWith(`${ORGANIZATION_PACK}:`)
}
