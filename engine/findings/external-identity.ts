import type { Finding } from '../base/records/finding.ts'

/** Fewer letters and digits than this tell nothing of what was found: the first line of a lock file is `{`. */
const TELLING = 4

/**
 * What the fingerprint of another scanner's finding is made from: the code that it points to, with white space folded, and
 * where that says next to nothing the message, without its numbers. No lines: they move.
 */
export function computeExternalIdentity(cut: string, message: string): string {
  if (cut.replace(/[^\p{L}\p{N}]/gu, '').length >= TELLING) return cut
  return `${cut}\n${message.replace(/\d+/g, '0').replace(/\s+/g, ' ').trim()}`
}

/** As `computeExternalIdentity`, for a finding that was imported; none for svc's own. */
export function listExternalIdentities({ pack_id, message }: Finding, cut: string): string[] {
  return pack_id.startsWith('external:') ? [computeExternalIdentity(cut, message)] : []
}
