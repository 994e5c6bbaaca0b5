import { createHmac } from 'node:crypto'

/**
 * The identity of a secret: a keyed hash of its value, 128 bits in hexadecimal. It holds neither path nor rule nor place: the same
 * value is the same secret wherever it stands, and another value another secret. The key is the repository's (engine/sources/config/identity-key.ts).
 */
export function identifySecret(key: string, value: string): string {
  return createHmac('sha256', key).update(value).digest('hex').slice(0, 32)
}

/** Key of repositories that have none of their own. It keeps identities apart from plain hashes, and equal on every machine. */
export const COMMON_KEY = 'svc secret identity v1'
