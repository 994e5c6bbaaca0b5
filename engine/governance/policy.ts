import { canonical } from '../base/text/canonical.ts'
import { CONFIG_SCHEMA, fillDefaults } from '../sources/config/keys.ts'
import type { Settings } from '../sources/config/schema.ts'
import { computeSha256 } from '../sources/state/seal.ts'

/** The settings of governance with their defaults. */
export type Governance = Settings['governance']

let defaults: Governance | undefined

/** What holds where nothing is configured. */
export function makeDefaultPolicy(): Governance {
  defaults ??= (fillDefaults(CONFIG_SCHEMA, { governance: {} }) as Settings).governance
  return defaults
}

/**
 * Whether a policy asks anything of anybody: some layer is on, agents have trust of their own, or a human must review
 * something. A profile alone sets defaults and switches nothing on but the review that it names.
 */
export function isActive(policy: Governance): boolean {
  const layers = [policy.task_binding, policy.blast_radius, policy.trust_chain, policy.tool_grants, policy.rollback]
  const { on_config_change, on_critical_finding, on_dependency_add } = policy.human_review_required
  return (
    layers.some(({ enabled }) => enabled) ||
    policy.anomaly_detection.enabled ||
    on_config_change ||
    on_critical_finding ||
    on_dependency_add ||
    canonical(policy.agent_defaults) !== canonical(makeDefaultPolicy().agent_defaults)
  )
}

/** SHA-256 of a policy's canonical form: the same settings have the same digest, however they are written. */
export function computeDigest(policy: Governance): string {
  let digest = digests.get(policy)
  if (digest === undefined) {
    digest = computeSha256(canonical(policy))
    digests.set(policy, digest)
  }
  return digest
}

const digests = new WeakMap<Governance, string>()

/** Whether a policy can refuse or hold anything, rather than only record and warn. */
export function mayRefuse({
  agent_defaults,
  task_binding,
  blast_radius,
  tool_grants,
  human_review_required,
}: Governance): boolean {
  const { on_config_change, on_dependency_add } = human_review_required
  const zones = (blast_radius.zones ?? []).some(
    zone => (zone.enforcement ?? blast_radius.default_enforcement) !== 'warn',
  )
  return (
    agent_defaults.queue_action === 'block' ||
    agent_defaults.default_trust_level === 'none' ||
    Object.values(agent_defaults.trust_by_agent).includes('none') ||
    (task_binding.enabled && (task_binding.require_binding || task_binding.enforcement !== 'warn')) ||
    (blast_radius.enabled && (zones || blast_radius.zones === undefined)) ||
    tool_grants.enabled ||
    on_config_change ||
    on_dependency_add
  )
}
