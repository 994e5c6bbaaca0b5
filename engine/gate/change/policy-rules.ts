import type { Finding } from '../../base/records/finding.ts'

/** The pack that findings about a change of the gate's own settings name. It is built in and cannot be disabled. */
export const POLICY_PACK = 'change-policy'

/** What a rule about the gate's own settings says. */
export interface PolicyRule {
  id: string
  title: string
  message: string
}

const RULES = [
  {
    id: 'gate-config-weakened',
    title: 'Configuration weakened in the change that it judges',
    message: 'An attacker can let the same change pass a gate that would fail on it.',
  },
  {
    id: 'gate-base-invalid',
    title: 'Invalid settings of the base, with which the change cannot be compared',
    message: 'An attacker can hide weaker settings in a change that corrects an invalid file.',
  },
  {
    id: 'gate-pack-disabled',
    title: 'Pack or rule disabled in the change that it judges',
    message: 'An attacker can add code that the disabled rules would have found.',
  },
  {
    id: 'gate-exclusion-added',
    title: 'Files excluded from the scan in the change that it judges',
    message: 'An attacker can hide code from every rule by excluding its path.',
  },
  {
    id: 'gate-baseline-extended',
    title: 'Baseline extended in the change that it judges',
    message: 'An attacker can add findings together with the baseline entries that hide them from the gate.',
  },
  {
    id: 'gate-suppression-added',
    title: 'Suppression added in the change that it judges',
    message: 'An attacker can suppress the findings that the same change adds.',
  },
  {
    id: 'gate-evidence-added',
    title: 'Evidence added in the change that it judges',
    message: 'An attacker can let a control count as met by vouching for it in the same change.',
  },
  {
    id: 'gate-attributes-hide',
    title: 'Files excluded from the scan by Git attributes',
    message: 'An attacker can mark code as generated or vendored, or declare an encoding, so that rules skip it.',
  },
] as const satisfies readonly PolicyRule[]

/** The rules about a change of what the gate judges by; no file, comment or baseline can suppress them. */
export const POLICY_RULES: readonly PolicyRule[] = RULES

export type PolicyRuleId = (typeof RULES)[number]['id']

export const POLICY_REMEDIATION = `Remove it from the change, or have a reviewer approve it: a name from \`gate.trusted\` or CODEOWNERS of the base
(\`svc gate --reviewed-by <name>\`, set by the pipeline), or \`svc approve\` for the request that
\`svc gate --require-approval\` creates. Where the forge enforces reviews, set \`gate.protected_branch: true\` in the base.`

/** One way in which a change weakens what it is judged by. */
export interface Weakening {
  rule_id: PolicyRuleId
  file: string
  line: number
  /** What exactly, in a few words; a part of the finding's message and of its fingerprint. */
  what: string
}

/** Whether a finding is about a change of the gate's own settings. */
export function isPolicyFinding({ pack_id }: Pick<Finding, 'pack_id'>): boolean {
  return pack_id === POLICY_PACK
}
