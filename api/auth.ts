import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Whether the request carries the key; the time taken tells nothing about how much of it was right. */
export function carriesKey(headers: IncomingHttpHeaders, key: string): boolean {
  const presented = presentedKey(headers)
  return presented !== undefined && isKey(presented, key)
}

/** Whether a text is the key; the time taken tells nothing about how much of it was right. */
export function isKey(text: string, key: string): boolean {
  return timingSafeEqual(digest(text), digest(key))
}

/** The key of X-API-Key, else of `Authorization: Bearer` (RFC 6750). */
function presentedKey(headers: IncomingHttpHeaders): string | undefined {
  const direct = headers['x-api-key']
  if (typeof direct === 'string') return direct
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

/** Digests are of equal length, which timingSafeEqual needs. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** A fresh key: 256 random bits in 43 characters that need no quoting. */
export function generateKey(): string {
  return randomBytes(32).toString('base64url')
}
