import { EngineError } from '../base/errors.ts'
import { makeId } from '../sources/state/ids.ts'
import type { Grant } from '../sources/state/records.ts'
import type { Transaction } from '../sources/state/state.ts'
import type { Reader } from '../sources/state/tables.ts'
import { computeSubjectDigest, requestApproval } from './approvals.ts'
import type { GovernanceSession } from './governance-session.ts'
import { activate, listActiveGrants } from './grant-life.ts'
import { covers } from './trust.ts'

/** What is asked for. */
export interface GrantAsk {
  scope: string
  reason: string
  /** Seconds. */
  ttl?: number
  /** The grant ends after so many uses. */
  uses?: number
}

/**
 * Asks for a scope. One that the policy grants by itself is active at once; any other, `*` above all, waits for a person.
 * Where a grant already holds the scope, that one is the answer. FORBIDDEN without a credential: a grant is for a name,
 * and a name that nothing proves gets none.
 */
export function requestGrant(tx: Transaction, governance: GovernanceSession, ask: GrantAsk): Grant {
  const { identity, policy, session } = governance
  if (identity.credential !== 'valid') {
    throw new EngineError('FORBIDDEN', 'A grant is for an agent with a credential.', {
      hint: 'Have a user run `svc agent-register`, and set the credential in SVC_AGENT_KEY.',
    })
  }
  const scope = scopeNamed(ask.scope)
  const held = listActiveGrants(tx, identity.agent, tx.at).find(grant => grant.scope === scope)
  if (held) return held
  const waiting = tx.find('grants', "agent = ? AND scope = ? AND status = 'pending'", identity.agent, scope)[0]
  if (waiting) return waiting
  const grant = add(tx, policy, { ...ask, scope, agent: identity.agent, session_id: session?.id ?? null })
  const { auto_grant_scopes, require_approval_scopes } = policy.tool_grants
  const automatic =
    scope !== '*' &&
    auto_grant_scopes.includes(scope) &&
    !covers(
      require_approval_scopes.filter(s => s !== '*'),
      scope,
    )
  if (automatic) return activate(tx, grant, 'policy')
  const approval = requestApproval(tx, {
    type: 'tool_grant',
    title: `${identity.agent} asks for the scope ${scope}`,
    context: ask.reason,
    subject_digest: computeSubjectDigest('tool_grant', { grant: grant.id }),
    requester: identity.agent,
    session_id: session?.id ?? null,
  })
  tx.update('grants', grant.id, { approval_id: approval.id })
  return { ...grant, approval_id: approval.id }
}

/** Grants a scope without being asked. NOT_FOUND for an agent that is not registered. */
export function giveGrant(tx: Transaction, governance: GovernanceSession, agent: string, ask: GrantAsk): Grant {
  const record = tx.get('agents', agent)
  if (!record || record.revoked_at !== null) {
    throw new EngineError('NOT_FOUND', `There is no registered agent ${agent}.`, {
      hint: 'List them with `svc agent-list`.',
    })
  }
  const grant = add(tx, governance.policy, { ...ask, scope: scopeNamed(ask.scope), agent, session_id: null })
  return activate(tx, grant, governance.identity.agent)
}

/** Ends a grant, or what waits to become one. CONFLICT where it has ended. */
export function revokeGrant(tx: Transaction, id: string, why: string): Grant {
  const grant = getGrant(tx, id)
  if (grant.status !== 'active' && grant.status !== 'pending')
    throw new EngineError('CONFLICT', `${id} is ${grant.status} already.`)
  tx.update('grants', id, { status: 'revoked', ended_at: tx.at })
  tx.audit({
    action: 'grant.revoke',
    target: id,
    decision: 'allowed',
    details: { agent: grant.agent, scope: grant.scope, why },
  })
  if (grant.approval_id && grant.status === 'pending') {
    tx.update('approvals', grant.approval_id, { status: 'expired', resolved_at: tx.at })
    tx.audit({
      action: 'approval.expire',
      target: grant.approval_id,
      decision: 'allowed',
      details: { why: `${id} was revoked` },
    })
  }
  return { ...grant, status: 'revoked', ended_at: tx.at }
}

/** The grant with this id; NOT_FOUND where there is none. */
export function getGrant(reader: Reader, id: string): Grant {
  const grant = reader.get('grants', id)
  if (grant) return grant
  throw new EngineError('NOT_FOUND', `There is no grant ${id}.`, { hint: 'List them with `svc grants`.' })
}

function scopeNamed(scope: string): string {
  if (scope === '*' || /^[a-z][a-z0-9_.-]*(:[a-z0-9_.*-]+)?$/.test(scope)) return scope
  throw new EngineError('INPUT_INVALID', `${JSON.stringify(scope)} is not a scope.`, {
    hint: 'Examples of scopes: scan, findings:read, fix:write, packs:read, config:write, *.',
  })
}

function add(
  tx: Transaction,
  { tool_grants }: GovernanceSession['policy'],
  { scope, reason, ttl, uses, agent, session_id }: GrantAsk & Pick<Grant, 'agent' | 'session_id'>,
): Grant {
  const grant: Grant = {
    id: makeId('GR'),
    scope,
    agent,
    session_id,
    reason,
    status: 'pending',
    ttl_seconds: Math.min(ttl ?? tool_grants.default_ttl_seconds, tool_grants.max_ttl_seconds),
    requested_at: tx.at,
    granted_at: null,
    expires_at: null,
    granted_by: null,
    approval_id: null,
    uses: 0,
    max_uses: uses ?? null,
    ended_at: null,
  }
  tx.insert('grants', grant)
  tx.audit({
    action: 'grant.request',
    target: grant.id,
    decision: 'pending',
    details: { agent, scope, reason, ttl_seconds: grant.ttl_seconds },
  })
  return grant
}
