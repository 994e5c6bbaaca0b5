import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

// A log's checkpoint is a signed note: c2sp.org/tlog-checkpoint over c2sp.org/signed-note.

/** What a checkpoint says: whose log, how many entries, which root. */
export interface Checkpoint {
  origin: string
  size: number
  root: Buffer
}

/** A log's public key by the name that signs. */
export interface LogKey {
  name: string
  key: KeyObject
}

/** Type of a signature by Ed25519 (signed-note, "Signature types"). */
const ED25519 = 1
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/** A name that may sign: no space, no plus, which separate the parts of a key, and no line break. */
export function isLogName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$/.test(name)
}

/** The 32 bytes of an Ed25519 public key. */
export function exportRawKey(key: KeyObject): Buffer {
  return toPublic(key).export({ type: 'spki', format: 'der' }).subarray(SPKI_PREFIX.length)
}

/** The public key of a pair; a public key as it is. */
export function toPublic(key: KeyObject): KeyObject {
  return key.type === 'private' ? createPublicKey(key.export({ type: 'pkcs8', format: 'pem' })) : key
}

/** SHA-256 of the public key's SubjectPublicKeyInfo, hex: names a log, and a signer. */
export function computeKeyId(key: KeyObject): string {
  return createHash('sha256')
    .update(toPublic(key).export({ type: 'spki', format: 'der' }))
    .digest('hex')
}

/** The first four bytes of SHA-256(name ‖ 0x0A ‖ 0x01 ‖ key): stand before each signature. */
function computeKeyHash(name: string, raw: Buffer): Buffer {
  return createHash('sha256').update(`${name}\n`).update(Buffer.of(ED25519)).update(raw).digest().subarray(0, 4)
}

/** A log's verifier key: `<name>+<key hash>+<base64 of 0x01 and the key>`. */
export function formatVerifierKey(name: string, key: KeyObject): string {
  const raw = exportRawKey(key)
  const hash = computeKeyHash(name, raw).toString('hex')
  return `${name}+${hash}+${Buffer.concat([Buffer.of(ED25519), raw]).toString('base64')}`
}

/** The key in a verifier key; undefined where it is none, or its hash is another key's. */
export function parseVerifierKey(text: string): LogKey | undefined {
  const [, name, hash, base64] = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(text.trim()) ?? []
  if (name === undefined || hash === undefined || base64 === undefined || !isLogName(name)) return undefined
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length !== 33 || bytes[0] !== ED25519) return undefined
  const raw = bytes.subarray(1)
  if (computeKeyHash(name, raw).toString('hex') !== hash) return undefined
  return { name, key: createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: 'der', type: 'spki' }) }
}

/** The checkpoint as a note that the log's key has signed. */
export function signCheckpoint({ origin, size, root }: Checkpoint, key: KeyObject): string {
  const text = `${origin}\n${size}\n${root.toString('base64')}\n`
  const raw = exportRawKey(key)
  const signature = Buffer.concat([computeKeyHash(origin, raw), sign(null, Buffer.from(text), key)])
  return `${text}\n— ${origin} ${signature.toString('base64')}\n`
}

/** A checkpoint is a few hundred bytes; a longer text is none. */
const MOST_CHARACTERS = 4096

/** Reads a note with the signature of this log. `wrong_key` where only others have signed it, `malformed` where it is no checkpoint. */
export function openCheckpoint(note: string, { name, key }: LogKey): Checkpoint | 'wrong_key' | 'malformed' {
  if (note.length > MOST_CHARACTERS) return 'malformed'
  const end = note.lastIndexOf('\n\n— ')
  const [text, lines] = [note.slice(0, end + 1), note.slice(end + 2)]
  if (end === -1 || !note.endsWith('\n')) return 'malformed'
  const [, origin, count, base64] = /^([^\n]+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n/.exec(text) ?? []
  if (origin === undefined || count === undefined || base64 === undefined) return 'malformed'
  const size = Number(count)
  if (!Number.isSafeInteger(size)) return 'malformed'
  const hash = computeKeyHash(name, exportRawKey(key))
  const isSigned = lines.split('\n').some(line => {
    const [, signer, value] = /^\u2014 (\S+) ([A-Za-z0-9+/]+=*)$/.exec(line) ?? []
    const bytes = Buffer.from(value ?? '', 'base64')
    if (signer !== name || bytes.length !== 68 || !bytes.subarray(0, 4).equals(hash)) return false
    return verify(null, Buffer.from(text), key, bytes.subarray(4))
  })
  if (!isSigned || origin !== name) return 'wrong_key'
  return { origin, size, root: Buffer.from(base64, 'base64') }
}
