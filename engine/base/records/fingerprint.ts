import { createHash } from 'node:crypto'

/**
 * The identity of a finding (decisions "Findings"): rule, path, the matched code with white space folded, and its number
 * among equal ones in the file, from 0. No line numbers: lines added above, re-indenting and CRLF leave it as it is.
 * 128 bits of SHA-256, hexadecimal.
 */
export function computeFingerprint(rule: string, path: string, folded: string, index: number): string {
  return createHash('sha256').update(`${rule}\0${path}\0${index}\0${folded}`).digest('hex').slice(0, 32)
}

/** The text with each run of white space as one space, none at the ends. */
export function foldSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
