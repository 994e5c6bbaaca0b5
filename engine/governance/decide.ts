import type { Enforcement, TrustLevel } from '../sources/config/values.ts'
import type { Decision } from '../sources/state/entry.ts'
import type { ApprovalType } from '../sources/state/records.ts'
import type { Governance } from './policy.ts'
import { ACTIONS, type Action, covers, trustAllows } from './trust.ts'
import { findStrictest, type ZoneHit } from './zones.ts'

/** All that a decision depends on. */
export interface Facts {
  policy: Governance
  agent: string
  /** A person needs no permission. */
  person: boolean
  credential: 'none' | 'valid' | 'revoked' | 'expired' | 'unknown'
  frozen: boolean
  /** What was met that speaks against the records, for who is about to change something. */
  tampered?: readonly string[]
  /** The agent's own trust, lowered by its session's and by every session above it. */
  trust: TrustLevel
  /** Scopes of the credential; undefined where there is none, and trust alone decides. */
  scopes?: readonly string[]
  /** Scopes of the grants that are active. */
  granted: readonly string[]
  /** Whether the agent works in a session that is open. */
  bound: boolean
  action: Action
  /** It weakens what changes are judged by. */
  weakens?: boolean
  /** Others see what is done, at a service of theirs. */
  outward?: boolean
  /** The action is one by which an agent gets a session or asks for permission. */
  unbound: boolean
  /** Paths outside the session's paths, or one's above it. */
  outside: readonly string[]
  /** Paths that could not be judged. */
  unclear: readonly { given: string; reason: string }[]
  /** Paths that are always protected. */
  protected: readonly string[]
  zones: readonly ZoneHit[]
}

/** What one rule says. */
export interface Opinion {
  rule: string
  decision: Exclude<Decision, 'allowed'>
  reason: string
  /** For `pending`: the approval that it waits for. */
  approval?: ApprovalType
}

/** What all rules together say. */
export interface Verdict {
  decision: Decision
  /** The opinions that made it so, in the rules' order. */
  opinions: Opinion[]
  /** A grant was needed: the scope that it has to have. */
  by_grant?: string
}

type Rule = (facts: Facts) => Opinion | undefined

const STERNNESS: readonly Decision[] = ['allowed', 'warned', 'pending', 'refused']

/**
 * The decision: the sternest of the rules' opinions. Rules know nothing of each other, so their order does not matter,
 * and one more can only make it sterner.
 */
export function decide(facts: Facts, rules: readonly Rule[] = RULES): Verdict {
  if (facts.person) return { decision: 'allowed', opinions: [] }
  const opinions = rules.flatMap(rule => rule(facts) ?? [])
  const decision = opinions.reduce<Decision>((sternest, opinion) => {
    return STERNNESS.indexOf(opinion.decision) > STERNNESS.indexOf(sternest) ? opinion.decision : sternest
  }, 'allowed')
  const by_grant = decision !== 'refused' && needsGrant(facts) ? ACTIONS[facts.action].scope : undefined
  return { decision, opinions: opinions.filter(o => o.decision === decision), ...(by_grant && { by_grant }) }
}

/** Whether the agent could not do it but for a grant that it has. */
function needsGrant(facts: Facts): boolean {
  const { scope } = ACTIONS[facts.action]
  return covers(facts.granted, scope) && shortOf({ ...facts, granted: [] }) !== undefined
}

/** Why the agent's own trust and scopes do not suffice, nor its grants; undefined where they do. */
function shortOf({ trust, action, scopes, granted, policy }: Facts): string | undefined {
  const { scope, trust: needed } = ACTIONS[action]
  if (covers(granted, scope)) return undefined
  if (!trustAllows(trust, action)) return `${action} needs the trust level ${needed}, and here it is ${trust}`
  if (scopes && !covers(scopes, scope)) return `${action} needs the scope ${scope}, which the credential does not have`
  const { enabled, require_approval_scopes } = policy.tool_grants
  if (enabled && require_approval_scopes.includes(scope)) return `${action} needs a grant of the scope ${scope}`
  return undefined
}

const frozen: Rule = ({ frozen, agent }) =>
  frozen ? { rule: 'frozen', decision: 'refused', reason: `${agent} is frozen` } : undefined

const tampered: Rule = ({ tampered = [] }) => {
  const [first] = tampered
  return first === undefined
    ? undefined
    : {
        rule: 'tampered',
        decision: 'refused',
        reason: `the records of governance were changed: ${first.replace(/\.$/, '')}`,
      }
}

const credential: Rule = ({ credential, agent }) =>
  credential === 'revoked' || credential === 'expired'
    ? {
        rule: 'credential',
        decision: 'refused',
        reason: `the credential of ${agent} has ${credential === 'revoked' ? 'been revoked' : 'expired'}`,
      }
    : undefined

const noTrust: Rule = ({ trust, agent }) =>
  trust === 'none' ? { rule: 'trust', decision: 'refused', reason: `${agent} has no trust at all` } : undefined

/** Exceeding trust follows `queue_action`; where grants are on, what is short of one is refused. */
const trust: Rule = facts => {
  const reason = shortOf(facts)
  if (reason === undefined || facts.trust === 'none') return undefined
  const { agent_defaults, tool_grants } = facts.policy
  if (tool_grants.enabled || agent_defaults.queue_action === 'block')
    return { rule: 'trust', decision: 'refused', reason }
  return agent_defaults.queue_action === 'warn' ? { rule: 'trust', decision: 'warned', reason } : undefined
}

const binding: Rule = ({ policy, bound, unbound }) => {
  const { enabled, require_binding } = policy.task_binding
  if (!enabled || !require_binding || bound || unbound) return undefined
  return { rule: 'binding', decision: 'refused', reason: 'no active task session' }
}

const unclear: Rule = ({ unclear }) => {
  const [first] = unclear
  return (
    first && { rule: 'path', decision: 'refused', reason: `${JSON.stringify(first.given)} is refused: ${first.reason}` }
  )
}

const scope: Rule = ({ policy, outside }) => {
  if (!policy.task_binding.enabled || outside.length === 0) return undefined
  const reason = `${outside.join(', ')} ${outside.length === 1 ? 'is' : 'are'} outside the paths of the task`
  return enforced('scope', policy.task_binding.enforcement, reason, 'scope_violation')
}

const guarded: Rule = facts => {
  const { protected: paths, trust, granted } = facts
  if (paths.length === 0 || trust === 'admin' || covers(granted, ACTIONS.edit_config.scope)) return undefined
  return {
    rule: 'protected',
    decision: 'refused',
    reason: `${paths.join(', ')} can be modified with the trust level admin only`,
  }
}

const zones: Rule = ({ policy, zones }) => {
  if (!policy.blast_radius.enabled || zones.length === 0) return undefined
  const most = findStrictest(zones)!
  const hit = zones.filter(({ enforcement }) => enforcement === most)
  const reason = hit.map(({ path, zone }) => `${path} is in the zone ${zone}`).join(', ')
  return enforced('zone', most, reason, 'zone_access')
}

const review: Rule = ({ policy, action, weakens, outward, granted }) => {
  const { on_config_change, on_dependency_add } = policy.human_review_required
  // A grant of the scope was given by a person, for a time.
  if (weakens && !covers(granted, ACTIONS[action].scope))
    return {
      rule: 'review',
      decision: 'pending',
      reason: 'an action that weakens the evaluation of changes requires a user',
      approval: 'config_change',
    }
  if (outward && !covers(granted, ACTIONS[action].scope))
    return {
      rule: 'review',
      decision: 'pending',
      reason: 'an action that others see at the DevOps provider requires a user',
      approval: 'agent_escalation',
    }
  if (on_config_change && (action === 'edit_config' || action === 'manage_packs'))
    return {
      rule: 'review',
      decision: 'pending',
      reason: 'a change of the configuration needs a human',
      approval: 'config_change',
    }
  if (on_dependency_add && action === 'add_dependency')
    return { rule: 'review', decision: 'pending', reason: 'a new dependency needs a human', approval: 'dependency_add' }
  return undefined
}

/** Every rule of the guard. */
export const RULES: readonly Rule[] = [
  frozen,
  tampered,
  credential,
  noTrust,
  trust,
  binding,
  unclear,
  scope,
  guarded,
  zones,
  review,
]

function enforced(rule: string, enforcement: Enforcement, reason: string, approval: ApprovalType): Opinion {
  if (enforcement === 'hitl') return { rule, decision: 'pending', reason, approval }
  return { rule, decision: enforcement === 'block' ? 'refused' : 'warned', reason }
}
