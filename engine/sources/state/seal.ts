import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { canonical } from '../../base/text/canonical.ts'
import type { AuditKey } from './key.ts'

/** A signed record: its canonical text with `_integrity` first, and the SHA-256 of that text. */
export interface Sealed {
  text: string
  hash: string
}

const HEAD = /^\{"_integrity":"hmac-sha256:([0-9a-f]{16}):([0-9a-f]{64})",/

/**
 * Signs a record with HMAC-SHA256 (RFC 2104) over its canonical text (RFC 8785). `_integrity` is added to it; it sorts
 * before every lower-case key, so the text that was signed is the sealed text without it, byte for byte.
 */
export function seal(record: Record<string, unknown>, key: AuditKey): Sealed {
  const unsigned = canonical(record)
  const text = `{"_integrity":"hmac-sha256:${key.id}:${mac(key, unsigned)}",${unsigned.slice(1)}`
  return { text, hash: computeSha256(text) }
}

/** What a sealed text's signature is worth: it holds, it was made by a key that is not known, or it does not hold. */
export type Integrity = 'holds' | 'unknown_key' | 'broken'

/** Checks a sealed text against the keys, by their ids. */
export function checkIntegrity(text: string, keys: ReadonlyMap<string, AuditKey>): Integrity {
  const found = HEAD.exec(text)
  if (!found) return 'broken'
  const key = keys.get(found[1]!)
  if (!key) return 'unknown_key'
  const expected = createHmac('sha256', key.bytes)
    .update(`{${text.slice(found[0].length)}`)
    .digest()
  return timingSafeEqual(expected, Buffer.from(found[2]!, 'hex')) ? 'holds' : 'broken'
}

/** SHA-256 of a text's UTF-8 bytes, lower-case hex. */
export function computeSha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function mac(key: AuditKey, text: string): string {
  return createHmac('sha256', key.bytes).update(text).digest('hex')
}
