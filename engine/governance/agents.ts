import { EngineError } from '../base/errors.ts'
import type { Agent } from '../sources/state/records.ts'
import type { Transaction } from '../sources/state/state.ts'
import { OPEN } from './chain.ts'
import { hashCredential, makeCredential } from './credential.ts'
import { revokeSession } from './sessions.ts'
import { DEFAULT_SCOPES } from './trust.ts'

/** Names that stand for something else in the log. */
const RESERVED = new Set(['person', 'unknown', 'svc', 'api-key', '*'])

/** Registers an agent; the credential is in the answer and nowhere else. CONFLICT where the name has one that is valid. */
export function registerAgent(
  tx: Transaction,
  { name, scopes, expires }: { name: string; scopes?: readonly string[]; expires?: number },
): { agent: Agent; credential: string } {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) || RESERVED.has(name.toLowerCase())) {
    throw new EngineError('INPUT_INVALID', `${JSON.stringify(name)} cannot be the name of an agent.`, {
      hint: 'Use letters, digits, dots, dashes and underscores, at most 64.',
    })
  }
  const known = tx.get('agents', name)
  if (known && known.revoked_at === null && (known.expires_at === null || known.expires_at > tx.at)) {
    throw new EngineError('CONFLICT', `${name} is registered already.`, {
      hint: `Revoke the credential first: \`svc agent-revoke ${name}\`.`,
    })
  }
  const credential = makeCredential()
  const agent: Agent = {
    name,
    credential_hash: hashCredential(credential),
    scopes: [...(scopes ?? DEFAULT_SCOPES)],
    created_at: tx.at,
    expires_at: expires === undefined ? null : new Date(Date.parse(tx.at) + expires * 86_400_000).toISOString(),
    revoked_at: null,
  }
  if (known) tx.remove('agents', name)
  tx.insert('agents', agent)
  tx.audit({
    action: 'agent.register',
    target: name,
    decision: 'allowed',
    details: { scopes: agent.scopes, expires_at: agent.expires_at },
  })
  return { agent, credential }
}

/** Revokes an agent's credential, its open sessions (with those below them, where the policy says so) and its grants. */
export function revokeAgent(tx: Transaction, name: string, cascade: boolean): { agent: Agent; sessions: string[] } {
  const agent = tx.get('agents', name)
  if (!agent) {
    throw new EngineError('NOT_FOUND', `There is no agent ${name}.`, { hint: 'List them with `svc agent-list`.' })
  }
  if (agent.revoked_at !== null) throw new EngineError('CONFLICT', `The credential of ${name} is revoked already.`)
  tx.update('agents', name, { revoked_at: tx.at })
  tx.audit({ action: 'agent.revoke', target: name, decision: 'allowed' })
  const open = tx.find('sessions', `agent = ? AND bound_by = 'credential' AND ${OPEN}`, name)
  for (const { id } of open) revokeSession(tx, id, `the credential of ${name} was revoked`, cascade)
  for (const grant of tx.find('grants', "agent = ? AND status IN ('active', 'pending')", name)) {
    tx.update('grants', grant.id, { status: 'revoked', ended_at: tx.at })
    tx.audit({ action: 'grant.revoke', target: grant.id, decision: 'allowed', details: { why: `${name} was revoked` } })
  }
  return { agent: { ...agent, revoked_at: tx.at }, sessions: open.map(({ id }) => id) }
}

/** Whom a freeze means: `*` for all; INPUT_INVALID where neither a name nor all is given, or both. */
export function describeTarget({ name, all }: { name?: string; all: boolean }): string {
  if ((name === undefined) !== all) throw new EngineError('INPUT_INVALID', 'Pass the name of an agent or --all.')
  return name ?? '*'
}

/** Freezes an agent by name, registered or not, or everybody with `*`: the next check refuses. */
export function freeze(tx: Transaction, name: string, by: string): void {
  tx.remove('frozen', name)
  tx.insert('frozen', { name, at: tx.at, by })
  tx.audit({ action: 'agent.freeze', target: name, decision: 'allowed', details: { by } })
}

/** Takes a freeze back; CONFLICT where there is none of that name. */
export function unfreeze(tx: Transaction, name: string): void {
  if (!tx.get('frozen', name)) {
    const all = tx.get('frozen', '*') !== undefined && name !== '*'
    throw new EngineError(
      'CONFLICT',
      `${name === '*' ? 'Not everybody is' : `${name} is not`} frozen${all ? ' by name' : ''}.`,
      {
        ...(all && { hint: 'Everybody is frozen: `svc agent-unfreeze --all`.' }),
      },
    )
  }
  tx.remove('frozen', name)
  tx.audit({ action: 'agent.unfreeze', target: name, decision: 'allowed' })
}
