import { createHmac, timingSafeEqual } from 'node:crypto'
import { EngineError } from '../base/errors.ts'
import type { Head } from '../sources/state/chain.ts'
import type { AuditKey, Keyring } from '../sources/state/key.ts'
import type { Mark } from './verify.ts'

/** What an anchor begins with; one line, so that it fits a CI log or a git note. */
const SCHEME = 'svc-audit-anchor:1'

/**
 * The head of the log in one line, to be kept where nobody can change it. Whoever holds it can later prove that no entry
 * up to there was changed, even by somebody with the key: the hash stands for all of them.
 */
export function formatAnchor({ log_id, seq, hash }: Head, key: AuditKey): string {
  const body = `${SCHEME}:${log_id}:${seq}:${hash}`
  return `${body}:${key.id}:${macOf(body, key)}`
}

const ANCHOR = /svc-audit-anchor:1:([0-9a-f]{16}):(\d+):([0-9a-f]{64}):([0-9a-f]{16}):([0-9a-f]{64})/

/** Whether a text holds an anchor. */
export function isAnchor(text: string): boolean {
  return ANCHOR.test(text)
}

/** The anchor in a text as a mark to verify with; INPUT_INVALID where there is none, or its signature does not hold. */
export function parseAnchor(text: string, known: Keyring['known']): Mark {
  const found = ANCHOR.exec(text)
  if (!found) throw new EngineError('INPUT_INVALID', 'It contains no anchor of an audit log.')
  const [, log_id, seq, hash, keyId, mac] = found as unknown as [string, string, string, string, string, string]
  const key = known.get(keyId)
  const body = `${SCHEME}:${log_id}:${seq}:${hash}`
  // Without its key the anchor's own signature cannot be checked; what it says of the log still can.
  if (key && !timingSafeEqual(Buffer.from(macOf(body, key), 'hex'), Buffer.from(mac, 'hex')))
    throw new EngineError('INPUT_INVALID', 'The anchor was modified: its signature is not valid.')
  return { log_id, seq: Number(seq), hash }
}

function macOf(body: string, key: AuditKey): string {
  return createHmac('sha256', key.bytes).update(body).digest('hex')
}
