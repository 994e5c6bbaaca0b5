import { createHash } from 'node:crypto'
import type { Settings } from '../../sources/config/schema.ts'
import { encodeCanonical } from './document.ts'

/** SHA-256 of the canonical JSON (RFC 8785) of the gate's settings, in hex: the policy of a SLSA verification summary. */
export function digestPolicy(gate: Settings['gate']): string {
  return createHash('sha256').update(encodeCanonical(gate)).digest('hex')
}
