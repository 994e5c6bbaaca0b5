import type { Grant } from '../sources/state/records.ts'
import type { Transaction } from '../sources/state/state.ts'
import type { Reader } from '../sources/state/tables.ts'
import { covers } from './trust.ts'

/**
 * Makes a grant active: from now for its time, but never longer than the session and the credential that it is for. One
 * whose session has ended or whose agent is revoked by now is denied instead.
 */
export function activate(tx: Transaction, grant: Grant, by: string): Grant {
  const agent = tx.get('agents', grant.agent)
  const session = grant.session_id === null ? undefined : tx.get('sessions', grant.session_id)
  const ends = [
    new Date(Date.parse(tx.at) + grant.ttl_seconds * 1000).toISOString(),
    ...(session ? [session.expires_at] : []),
    ...(agent?.expires_at ? [agent.expires_at] : []),
  ].sort()
  const over = ends[0]! <= tx.at || agent?.revoked_at !== null || (session && session.ended_at !== null)
  const changes: Partial<Grant> = over
    ? { status: 'denied', ended_at: tx.at }
    : { status: 'active', granted_at: tx.at, expires_at: ends[0]!, granted_by: by }
  tx.update('grants', grant.id, changes)
  tx.audit({
    action: over ? 'grant.deny' : 'grant.activate',
    target: grant.id,
    decision: over ? 'refused' : 'allowed',
    details: { agent: grant.agent, scope: grant.scope, by, ...(over ? {} : { expires_at: ends[0]! }) },
  })
  return { ...grant, ...changes }
}

/** The grants that hold for an agent now. */
export function listActiveGrants(reader: Reader, agent: string, at: string): Grant[] {
  // `+`, as for sessions: the index by expiry would read the active grants of every agent.
  return reader.find(
    'grants',
    "agent = ? AND status = 'active' AND +expires_at > ? ORDER BY expires_at DESC",
    agent,
    at,
  )
}

/** Counts a use of the grant that permits a scope; the last one that was granted ends it. */
export function useGrant(tx: Transaction, agent: string, scope: string): Grant | undefined {
  const grant = listActiveGrants(tx, agent, tx.at).find(({ scope: has }) => covers([has], scope))
  if (!grant) return undefined
  const uses = grant.uses + 1
  const spent = grant.max_uses !== null && uses >= grant.max_uses
  tx.update('grants', grant.id, { uses, ...(spent ? { status: 'expired' as const, ended_at: tx.at } : {}) })
  return { ...grant, uses }
}
