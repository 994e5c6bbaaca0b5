import { EngineError } from '../base/errors.ts'
import type { TrustLevel } from '../sources/config/values.ts'
import { makeId } from '../sources/state/ids.ts'
import type { Delegation, Session } from '../sources/state/records.ts'
import type { Transaction } from '../sources/state/state.ts'
import type { Reader } from '../sources/state/tables.ts'
import { addSeconds } from './approvals.ts'
import { isOpen, listChain, listDescendants } from './chain.ts'
import type { GovernanceSession } from './governance-session.ts'
import { getOwnSession, getSession } from './sessions.ts'
import { findLowest, trustRank } from './trust.ts'

/** A sub-task to hand over. */
export interface Handover {
  parent: string
  task: string
  /** Who works on it; the parent's agent where left out. */
  agent?: string
  trust?: TrustLevel
  /** Further narrowing; the parent's paths hold in any case. */
  paths?: readonly string[]
  /** Seconds; never past the parent's end. */
  ttl?: number
}

/**
 * Hands a sub-task to another agent: a session below the parent's. Trust may stay level where the policy lets it, or go
 * lower; paths are those of the parent and of the sub-task both; time ends with the parent's. FORBIDDEN for what would
 * widen anything, go deeper than max_depth, or be done by somebody else than the parent's agent or a person.
 */
export function delegate(
  tx: Transaction,
  governance: GovernanceSession,
  handover: Handover,
): { delegation: Delegation; session: Session } {
  const { enabled, max_depth, allow_same_level } = governance.policy.trust_chain
  if (!enabled) {
    throw new EngineError('FORBIDDEN', 'Delegation is not switched on here.', {
      hint: 'Set governance.trust_chain.enabled in .svc/config.yaml.',
    })
  }
  const parent = getOwnSession(tx, governance, handover.parent)
  if (!isOpen(parent) || parent.expires_at <= tx.at)
    throw new EngineError(
      'CONFLICT',
      `${parent.id} is ${isOpen(parent) ? 'expired' : parent.status}; only an open session can delegate.`,
    )
  const chain = listChain(tx, parent)
  if (chain.length > max_depth)
    throw new EngineError(
      'FORBIDDEN',
      `The chain would be ${chain.length} delegations deep, and at most ${max_depth} are allowed.`,
    )
  const own = findLowest(...chain.map(({ trust_level }) => trust_level))
  const trust = handover.trust ?? own
  if (trustRank(trust) > trustRank(own))
    throw new EngineError('FORBIDDEN', `The trust ${trust} is higher than that of ${parent.id}, which is ${own}.`)
  if (trust === own && !allow_same_level)
    throw new EngineError('FORBIDDEN', `The trust must be lower than that of ${parent.id}, which is ${own}.`)
  const agent = handover.agent ?? parent.agent
  const record = tx.get('agents', agent)
  const ends = [parent.expires_at, ...(handover.ttl === undefined ? [] : [addSeconds(tx.at, handover.ttl)])].sort()
  const paths = handover.paths && handover.paths.length > 0 ? [...handover.paths] : parent.authorized_paths
  const session: Session = {
    ...parent,
    id: makeId('TS'),
    agent,
    bound_by: agent === parent.agent ? parent.bound_by : record && record.revoked_at === null ? 'credential' : 'none',
    intent: handover.task,
    authorized_paths: paths,
    status: 'active',
    created_at: tx.at,
    expires_at: ends[0]!,
    ended_at: null,
    parent_id: parent.id,
    trust_level: trust,
    files_touched: [],
    violations: [],
    zones_touched: [],
    findings_new: 0,
  }
  const delegation: Delegation = {
    id: makeId('DG'),
    parent_id: parent.id,
    session_id: session.id,
    agent,
    task: handover.task,
    trust_level: trust,
    paths,
    depth: chain.length,
    status: 'active',
    created_at: tx.at,
    expires_at: session.expires_at,
    ended_at: null,
  }
  tx.insert('sessions', session)
  tx.insert('delegations', delegation)
  tx.audit({
    action: 'task.delegate',
    target: delegation.id,
    decision: 'allowed',
    details: {
      parent_id: parent.id,
      session_id: session.id,
      agent,
      task: handover.task,
      trust_level: trust,
      paths,
      depth: delegation.depth,
    },
  })
  return { delegation, session }
}

/** A session in its tree. */
export interface Placed {
  session: Session
  /** What it came from; null for one that nobody delegated. */
  delegation: Delegation | null
  /** How far it is from the root. */
  depth: number
}

/** The whole tree that a session belongs to, depth first from its root; each session once, whatever the store says. */
export function buildDelegationTree(reader: Reader, id: string): Placed[] {
  const top = listChain(reader, getSession(reader, id)).at(-1)!
  const depths = new Map<string | null, number>()
  return [top, ...listDescendants(reader, top.id)].map(session => {
    const depth = session === top ? 0 : depths.get(session.parent_id)! + 1
    depths.set(session.id, depth)
    return { session, delegation: reader.find('delegations', 'session_id = ?', session.id)[0] ?? null, depth }
  })
}
