import type { Acting, AuditDraft, AuditEntry } from './entry.ts'
import type { AuditKey } from './key.ts'
import { computeSha256, type Sealed, seal } from './seal.ts'

/** The end of the chain, signed, so that entries cannot be cut off unseen. */
export interface Head {
  /** 16 hex digits, drawn when the log began: an entry of another log never fits this one. */
  log_id: string
  /** The sequence number of the last entry; 0 for an empty log. */
  seq: number
  /** The last entry's hash, or the beginning's. */
  hash: string
  /** Time of the last entry; empty for an empty log. */
  at: string
  /** In an archive's head: the first entry of the archive, which is not the log's. */
  first_seq?: number
}

/** What the first entry's `prev_hash` is. */
export function computeGenesis(logId: string): string {
  return computeSha256(`svc audit log ${logId}`)
}

/** The head of a log that has no entry yet. */
export function makeEmptyHead(logId: string): Head {
  return { log_id: logId, seq: 0, hash: computeGenesis(logId), at: '' }
}

/** The next entry of a chain, and the head after it. */
export function append(
  head: Head,
  draft: AuditDraft,
  acting: Acting,
  at: string,
  key: AuditKey,
): { sealed: Sealed; head: Head } {
  const entry: Omit<AuditEntry, '_integrity'> = {
    seq: head.seq + 1,
    at,
    action: draft.action,
    surface: acting.surface,
    actor: acting.actor,
    target: draft.target,
    decision: draft.decision,
    details: draft.details ?? {},
    policy_digest: acting.policy_digest,
    prev_hash: head.hash,
  }
  const sealed = seal({ ...entry }, key)
  return { sealed, head: { log_id: head.log_id, seq: entry.seq, hash: sealed.hash, at } }
}

/** The head as it is stored. */
export function sealHead(head: Head, key: AuditKey): string {
  return seal({ ...head }, key).text
}

/** The head in a stored text, whatever its signature is worth; undefined where it is none. */
export function parseHead(text: string): Head | undefined {
  try {
    const head = JSON.parse(text) as Partial<Head>
    const sound =
      typeof head.log_id === 'string' &&
      Number.isInteger(head.seq) &&
      typeof head.hash === 'string' &&
      typeof head.at === 'string'
    if (!sound) return undefined
    const { log_id, seq, hash, at, first_seq } = head as Head
    return { log_id, seq, hash, at, ...(Number.isInteger(first_seq) && { first_seq }) }
  } catch {
    return undefined
  }
}
