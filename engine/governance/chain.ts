import type { Session } from '../sources/state/records.ts'
import type { Reader } from '../sources/state/tables.ts'
import type { Identity } from './identity.ts'
import { makeScope } from './paths.ts'

/** Condition for the sessions in which work goes on. A violated one is open: what happens next depends on the enforcement. */
export const OPEN = "status IN ('active', 'violated')"

/** Whether work goes on in a session. */
export function isOpen({ status }: Pick<Session, 'status'>): boolean {
  return status === 'active' || status === 'violated'
}

/**
 * The session that an agent works in: the one that it names (SVC_TASK_SESSION), else its newest open one; that also where
 * the one it names is not open or not its own, or naming nonsense would be the way out of every session. One that was bound
 * with a credential is only for who shows that credential, so that nobody gets another's paths by claiming a name.
 */
export function findSessionInForce(
  reader: Reader,
  { agent, method, credential, person }: Identity,
  wanted: string | undefined,
  at: string,
): Session | undefined {
  if (person || credential === 'revoked' || credential === 'expired') return undefined
  const proven = method === 'credential' ? '=' : '!='
  // A unary `+` keeps a condition from choosing the index (SQLite Query Optimizer Overview): the index by expiry would read the
  // open sessions of every agent. The id alone is read, since whole rows take longer to sort.
  const [row] = reader.rows(
    `SELECT id FROM sessions WHERE agent = ? AND bound_by ${proven} 'credential' AND ${OPEN} AND +expires_at > ?
     ORDER BY id = ? DESC, created_at DESC, rowid DESC LIMIT 1`,
    agent,
    at,
    wanted ?? '',
  )
  return row && reader.get('sessions', row.id as string)
}

/** A session and those above it, nearest first. A store in which sessions are their own ancestors ends the chain. */
export function listChain(reader: Reader, session: Session): Session[] {
  const chain = [session]
  const seen = new Set([session.id])
  for (let at: Session | undefined = session; at?.parent_id && !seen.has(at.parent_id); ) {
    seen.add(at.parent_id)
    at = reader.get('sessions', at.parent_id)
    if (at) chain.push(at)
  }
  return chain
}

/** The sessions below one, depth first; each once, whatever the store says, and however deep it goes. */
export function listDescendants(reader: Reader, id: string): Session[] {
  const found: Session[] = []
  const seen = new Set([id])
  const children = (parent: string) =>
    reader.find('sessions', 'parent_id = ? ORDER BY created_at DESC, rowid DESC', parent)
  const waiting = children(id)
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (seen.has(next.id)) continue
    seen.add(next.id)
    found.push(next)
    waiting.push(...children(next.id))
  }
  return found
}

/** Whether a path is within the paths of a session and of every one above it. */
export function makeChainScope(chain: readonly Pick<Session, 'authorized_paths'>[]): (path: string) => boolean {
  const scopes = chain.map(({ authorized_paths }) => makeScope(authorized_paths))
  return path => scopes.every(permits => permits(path))
}
