import { createHash } from 'node:crypto'

/** A verifier key of signed notes (C2SP signed-note): the signer's name, the key's hash, and the key with its algorithm before it. */
const VERIFIER = /^([^+\s]{1,256})\+([0-9a-f]{8})\+([A-Za-z0-9+/]{40,200}={0,2})$/

/**
 * Whether a value is the verifier key of a log or notary: public by what it is. The hash in it has to be that of its name and key, so no secret can be
 * written so by chance, and a signer's private key, which begins with PRIVATE+KEY, is none.
 */
export function isVerifierKey(value: string): boolean {
  const [, name, hash, base64] = VERIFIER.exec(value) ?? []
  if (name === undefined) return false
  const digest = createHash('sha256').update(`${name}\n`).update(Buffer.from(base64!, 'base64')).digest('hex')
  return digest.startsWith(hash!)
}
