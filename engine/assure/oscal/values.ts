import { createHash } from 'node:crypto'
import { escapeInvisibleLine } from '../../base/text/visible.ts'

export const OSCAL_VERSION = '1.2.1'

/** The namespace of our properties: a name, not an address that is fetched. */
export const PROPERTY_NAMESPACE = 'urn:svc:oscal'

/** Of all our UUIDs; a random one, for good. */
const NAMESPACE = Buffer.from('7c1f0b5e4f9a4c52a2d06b8f3e915d77', 'hex')

/**
 * A UUID of version 5 (RFC 9562, 5.5) from names: the same names give the same UUID on every machine, so that two exports of a run
 * are the same bytes and two runs never share one.
 */
export function makeUuid(...names: readonly string[]): string {
  // Lengths in front, so that no two lists of names give the same bytes.
  const text = names.map(name => `${name.length}:${name}`).join('')
  const bytes = createHash('sha1').update(NAMESPACE).update(text).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** An OSCAL token (an XML name without a colon) for an id: `164.308(a)(1)` becomes `_164.308_a__1_`. The id itself goes into a property. */
export function toToken(id: string): string {
  const token = id.replace(/[^\p{L}\p{N}._-]/gu, '_')
  return /^[\p{L}_]/u.test(token) ? token : `_${token}`
}

/** An OSCAL string or a line of markup: one line, not empty, without white space at the ends. */
export function toLine(text: string): string {
  return escapeInvisibleLine(text).trim() || '(none)'
}

/** A URI reference for a path of the repository. */
export function toHref(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** A property of ours. */
export function makeProperty(name: string, value: string) {
  return { name, ns: PROPERTY_NAMESPACE, value: toLine(value) }
}
