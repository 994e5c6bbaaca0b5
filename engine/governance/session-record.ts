import type { Decision } from '../sources/state/entry.ts'
import type { Approval, Session, Violation } from '../sources/state/records.ts'
import type { Transaction } from '../sources/state/state.ts'
import { computeSubjectDigest, consumeApproval, findGivenApproval, requestApproval } from './approvals.ts'
import { listChain, makeChainScope } from './chain.ts'
import type { JudgedFacts } from './facts.ts'
import type { GovernanceSession } from './governance-session.ts'
import { listActiveGrants } from './grant-life.ts'
import { getTrust } from './identity.ts'
import { type Changed, REPOSITORY } from './recheck.ts'
import { getSession } from './sessions.ts'
import { ACTIONS, covers, findLowest } from './trust.ts'
import { findZonesTouched, isProtected } from './zones.ts'

/** Entries of a session's lists; what goes past them is in the audit log. */
const MOST = 1000

/** Notes on a session what was touched, in which zones, and what was outside its paths. */
export function recordAccess(
  tx: Transaction,
  id: string,
  { touched, outside, zones }: Pick<JudgedFacts, 'touched' | 'outside' | 'zones'>,
  { action, decision, approved }: { action: string; decision: Decision; approved: boolean },
): void {
  if (touched.length === 0) return
  const session = tx.get('sessions', id)
  if (!session) return
  const violations = outside.map(
    (path): Violation => ({
      path,
      action,
      at: tx.at,
      decision: approved ? 'approved' : WORDS[decision],
    }),
  )
  const done = decision === 'allowed' || decision === 'warned'
  tx.update('sessions', id, {
    files_touched: merged(session.files_touched, done ? touched : []),
    zones_touched: merged(session.zones_touched, done ? zones.map(({ zone }) => zone) : []),
    violations: [...session.violations, ...violations].slice(-MOST),
    status: violations.length > 0 && !approved && session.status === 'active' ? 'violated' : session.status,
  })
}

/** What the look at git says of a session: what it changed, and what of it lies outside its paths. */
export interface Rechecked {
  session: Session
  outside: string[]
  /** What of it can be modified with the trust level admin only, whatever the paths: it decides how work is judged. */
  weakening: string[]
  /**
   * What becomes of the changes outside: nothing under warn, a refusal under block, an approval under hitl. What weakens the
   * judgement takes an approval at the least.
   */
  decision: Decision
  /** The approval of exactly these changes: given, or waited for. */
  approval?: Approval
}

/** How a look at git treats approvals of what lies outside: it heeds one that is given, asks for one, or uses it up. */
type Asking = 'heed' | 'ask' | 'use'

/**
 * Holds what git says has changed against the session's paths, and records what lies outside: the session is then
 * violated. An approval is of these paths in this session; only the end of the session uses it up, since looking at what
 * a person has approved is nothing to approve.
 */
export function recordRecheck(
  tx: Transaction,
  { policy }: Pick<GovernanceSession, 'policy'>,
  id: string,
  changed: Changed,
  asking: Asking,
): Rechecked {
  const session = getSession(tx, id)
  const permits = makeChainScope(listChain(tx, session))
  // No pattern permits doing away with what could tell of changes.
  const beyond = changed.paths.filter(path => !permits(path) || (changed.unknown && path === REPOSITORY))
  // Nor what decides how the work is judged.
  const weakening = mayWeaken(tx, policy, session) ? [] : changed.paths.filter(isProtected)
  const outside = [...new Set([...beyond, ...weakening])].sort()
  const { enabled, enforcement } = policy.task_binding
  const isOutside = enabled && beyond.length > 0
  const isHeld = isOutside || weakening.length > 0
  const strictest = isOutside && (enforcement === 'block' || weakening.length === 0) ? enforcement : 'hitl'
  const approval = isHeld && strictest === 'hitl' ? approvalOfChanges(tx, session, outside, asking) : undefined
  const approved = approval?.status === 'approved'
  const decision: Decision = !isHeld || approved ? 'allowed' : OUTCOMES[strictest]
  const known = new Set(session.violations.map(({ path, action }) => `${action} ${path}`))
  const fresh = outside
    .filter(path => !known.has(`changed ${path}`))
    .slice(0, Math.max(0, MOST - session.violations.length))
    .map(
      (path): Violation => ({ path, action: 'changed', at: tx.at, decision: approved ? 'approved' : WORDS[decision] }),
    )
  const touched = merged(session.files_touched, changed.paths)
  const status =
    outside.length > 0 && decision !== 'allowed' && session.status === 'active' ? 'violated' : session.status
  const result = { outside, weakening, decision, ...(approval && { approval }) }
  if (fresh.length === 0 && touched.length === session.files_touched.length && status === session.status)
    return { session, ...result }
  const zones = policy.blast_radius.enabled ? findZonesTouched(policy, changed.paths).map(({ zone }) => zone) : []
  tx.update('sessions', id, {
    files_touched: touched,
    zones_touched: merged(session.zones_touched, zones),
    violations: [...session.violations, ...fresh],
    status,
  })
  tx.audit({
    action: 'task.recheck',
    target: id,
    decision,
    details: { changed: changed.paths.length, outside: outside.slice(0, 100), outside_count: outside.length },
  })
  return { session: getSession(tx, id), ...result }
}

/** Whether a session's agent may change what decides how work is judged: by its trust along the chain, or by a grant. */
function mayWeaken(tx: Transaction, policy: GovernanceSession['policy'], session: Session): boolean {
  const { agent, bound_by } = session
  const credential = bound_by === 'credential' ? 'valid' : 'none'
  const person = bound_by === 'terminal' || bound_by === 'api_key'
  const own = getTrust({ agent, method: bound_by, person, credential }, policy)
  if (findLowest(own, ...listChain(tx, session).map(({ trust_level }) => trust_level)) === 'admin') return true
  const scopes = credential === 'valid' ? listActiveGrants(tx, agent, tx.at).map(({ scope }) => scope) : []
  return covers(scopes, ACTIONS.edit_config.scope)
}

const OUTCOMES = { warn: 'warned', block: 'refused', hitl: 'pending' } as const
/** What is written of an access outside the paths that nobody has approved: one that was let through was only recorded. */
const WORDS = { allowed: 'recorded', warned: 'recorded', refused: 'refused', pending: 'pending' } as const

function approvalOfChanges(
  tx: Transaction,
  { id, agent }: Session,
  outside: readonly string[],
  asking: Asking,
): Approval | undefined {
  const digest = computeSubjectDigest('scope_violation', { session: id, paths: outside })
  const given = asking === 'use' ? consumeApproval(tx, digest, agent) : findGivenApproval(tx, digest, agent, tx.at)
  if (given || asking === 'heed') return given
  return requestApproval(tx, {
    type: 'scope_violation',
    title: `${agent} changed ${outside.length} files outside the paths of ${id}`,
    context: outside.join('\n'),
    subject_digest: digest,
    requester: agent,
    session_id: id,
  })
}

/** Two lists as one without repetition, the earlier first. */
function merged(list: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...list, ...more])].slice(0, MOST)
}
