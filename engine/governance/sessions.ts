import { EngineError } from '../base/errors.ts'
import { makeId } from '../sources/state/ids.ts'
import type { Session } from '../sources/state/records.ts'
import type { Transaction } from '../sources/state/state.ts'
import type { Reader } from '../sources/state/tables.ts'
import { addSeconds } from './approvals.ts'
import { isOpen, listDescendants } from './chain.ts'
import type { GovernanceSession } from './governance-session.ts'
import type { Start } from './recheck.ts'

/** What a session is bound to. */
export interface Binding {
  intent: string
  paths: readonly string[]
  work_item?: string
  /** Seconds. */
  ttl?: number
  /** Whose session it is, where a person binds for an agent. */
  agent?: string
}

/** FORBIDDEN where an agent binds a task for another; told before anything is read of the repository. */
export function refuseForeign({ identity }: GovernanceSession, agent: string | undefined): void {
  if (agent === undefined || agent === identity.agent || identity.person) return
  throw new EngineError('FORBIDDEN', `${identity.agent} cannot bind a task for ${agent}.`, {
    hint: 'A user can; an agent can delegate with `svc task-delegate`.',
  })
}

/**
 * Begins a session. Its time is the least of what was asked, the policy's, the credential's and that of the session it is
 * below: an agent that works in a delegated session stays below it, so that no new binding widens what it was given.
 */
export function bindSession(tx: Transaction, governance: GovernanceSession, binding: Binding, start: Start): Session {
  const { identity, policy, trust } = governance
  refuseForeign(governance, binding.agent)
  const agent = binding.agent ?? identity.agent
  const record = tx.get('agents', agent)
  const parent = governance.session?.parent_id == null ? undefined : governance.session
  const most = policy.task_binding.auto_expire_seconds
  const ends = [
    addSeconds(tx.at, Math.min(binding.ttl ?? most, identity.person ? Number.POSITIVE_INFINITY : most)),
    ...(record?.expires_at ? [record.expires_at] : []),
    ...(parent ? [parent.expires_at] : []),
  ].sort()
  const session: Session = {
    id: makeId('TS'),
    agent,
    bound_by: agent === identity.agent ? identity.method : record && record.revoked_at === null ? 'credential' : 'none',
    intent: binding.intent,
    authorized_paths: [...binding.paths],
    work_item: binding.work_item ?? null,
    status: 'active',
    git_sha: start.git_sha,
    branch: start.branch,
    created_at: tx.at,
    expires_at: ends[0]!,
    ended_at: null,
    parent_id: parent?.id ?? null,
    // A person who binds for an agent lends it nothing: the agent's own trust lowers this.
    trust_level: trust,
    files_touched: [],
    violations: [],
    zones_touched: [],
    findings_new: 0,
    baseline: start.baseline,
  }
  tx.insert('sessions', session)
  tx.audit({
    action: 'task.bind',
    target: session.id,
    decision: 'allowed',
    details: {
      agent,
      intent: session.intent,
      authorized_paths: session.authorized_paths,
      git_sha: session.git_sha,
      expires_at: session.expires_at,
      ...(session.parent_id && { parent_id: session.parent_id }),
    },
  })
  return session
}

/** Ends a session that has been looked at, and what it delegated. */
export function completeSession(tx: Transaction, id: string): Session {
  tx.update('sessions', id, { status: 'done', ended_at: tx.at })
  endDelegations(tx, id, 'done')
  tx.audit({ action: 'task.complete', target: id, decision: 'allowed' })
  endBelow(tx, id, 'its parent is done')
  endGrants(tx, id)
  return getSession(tx, id)
}

/** Revokes a session; with `cascade` every open one below it too. */
export function revokeSession(tx: Transaction, id: string, why: string, cascade: boolean): void {
  const session = getSession(tx, id)
  if (isOpen(session)) {
    tx.update('sessions', id, { status: 'revoked', ended_at: tx.at })
    endDelegations(tx, id, 'revoked')
    tx.audit({ action: 'task.revoke', target: id, decision: 'allowed', details: { why } })
    endGrants(tx, id)
  }
  if (cascade) endBelow(tx, id, `${id} was revoked`)
}

/** The session with this id; NOT_FOUND where there is none. */
export function getSession(reader: Reader, id: string): Session {
  const session = reader.get('sessions', id)
  if (session) return session
  throw new EngineError('NOT_FOUND', `There is no task session ${id}.`, {
    hint: 'List them with `svc task-list --all`.',
  })
}

/**
 * The session with this id, for its own agent or a person. An agent is its own where it is known as it was when the session
 * began: who only claims the name gets nothing that was bound with a credential. FORBIDDEN for anybody else.
 */
export function getOwnSession(reader: Reader, { identity }: Pick<GovernanceSession, 'identity'>, id: string): Session {
  const session = getSession(reader, id)
  const { agent, bound_by } = session
  const isOwn = agent === identity.agent && (bound_by === 'credential') === (identity.method === 'credential')
  if (identity.person || isOwn) return session
  throw new EngineError('FORBIDDEN', `${id} is the session of ${agent}, not of ${identity.agent}.`)
}

function endBelow(tx: Transaction, id: string, why: string): void {
  for (const child of listDescendants(tx, id)) {
    if (!isOpen(child)) continue
    tx.update('sessions', child.id, { status: 'revoked', ended_at: tx.at })
    endDelegations(tx, child.id, 'revoked')
    tx.audit({ action: 'task.revoke', target: child.id, decision: 'allowed', details: { why } })
    endGrants(tx, child.id)
  }
}

/** The delegation by which a session came to be ends with it. */
function endDelegations(tx: Transaction, id: string, status: 'done' | 'revoked'): void {
  for (const { id: delegation } of tx.find('delegations', "session_id = ? AND status = 'active'", id))
    tx.update('delegations', delegation, { status, ended_at: tx.at })
}

/** No grant outlives its session. */
function endGrants(tx: Transaction, id: string): void {
  for (const grant of tx.find('grants', "session_id = ? AND status IN ('active', 'pending')", id)) {
    tx.update('grants', grant.id, { status: 'revoked', ended_at: tx.at })
    tx.audit({ action: 'grant.revoke', target: grant.id, decision: 'allowed', details: { why: `${id} has ended` } })
  }
}
