import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { encodeBase62 } from './checksums.ts'
import { encodeMnemonic } from './mnemonic.ts'

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'

/** Alphabets of samples, by the name that a template uses. */
const ALPHABETS: Record<string, string> = {
  lower: LOWER,
  upper: UPPER,
  digits: DIGITS,
  letters: UPPER + LOWER,
  alnum: LOWER + DIGITS,
  ALNUM: UPPER + DIGITS,
  base62: UPPER + LOWER + DIGITS,
  hex: `${DIGITS}abcdef`,
  HEX: `${DIGITS}ABCDEF`,
  base32: `${UPPER}234567`,
  base32lower: `${LOWER}234567`,
  bech32: 'qpzry9x8gf2tvdw0s3jn54khce6mua7l',
  BECH32: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
  base58: '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
  base64: `${UPPER}${LOWER}${DIGITS}+/`,
  base64url: `${UPPER}${LOWER}${DIGITS}-_`,
}

/**
 * Writes out a sample of a detector, so that no file holds anything that looks like a live credential. The same template and
 * seed give the same text. In braces stand, with N a length or a range as 20-40:
 *
 * - `{base62:N}` and likewise lower, upper, digits, letters, alnum (lower and digits), ALNUM, hex, HEX, base32, base32lower, bech32, BECH32, base58, base64, base64url
 * - `{uuid}`, `{pick:a|b|c}`, `{jwt}`, `{pem:RSA PRIVATE KEY}`
 * - `{crc32}`: six characters of base 62 over what follows the last underscore before it, as GitHub and npm have it
 * - `{enc:text}`: the text in base64
 * - `{mnemonic:N}`: a recovery phrase of a wallet of 12, 15, 18, 21 or 24 words
 *
 * Any other brace stands for itself.
 */
export function sample(template: string, seed: string): string {
  const random = stream(seed)
  let out = ''
  let from = 0
  for (const found of template.matchAll(/\{([A-Za-z0-9]+)(?::([^{}]*))?\}/g)) {
    const made = piece(found[1]!, found[2], out + template.slice(from, found.index), random)
    if (made === undefined) continue
    out += template.slice(from, found.index) + made
    from = found.index + found[0].length
  }
  return out + template.slice(from)
}

function piece(name: string, argument: string | undefined, before: string, random: () => number): string | undefined {
  const alphabet = Object.hasOwn(ALPHABETS, name) ? ALPHABETS[name] : undefined
  if (alphabet !== undefined && argument !== undefined) {
    const range = /^(\d+)(?:-(\d+))?$/.exec(argument)
    if (!range) return undefined
    const least = Number(range[1])
    return letters(alphabet, least + (random() % (Number(range[2] ?? least) - least + 1)), random)
  }
  if (name === 'crc32' && argument === undefined)
    return encodeBase62(crc32(before.slice(before.lastIndexOf('_') + 1)), 6)
  if (name === 'uuid' && argument === undefined) {
    const hex = (length: number) => letters(ALPHABETS.hex!, length, random)
    return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`
  }
  if (name === 'pick' && argument !== undefined) return argument.split('|')[random() % argument.split('|').length]
  if (name === 'enc' && argument !== undefined) return Buffer.from(argument).toString('base64')
  if (name === 'mnemonic' && argument !== undefined) {
    return encodeMnemonic(Uint8Array.from({ length: (Number(argument) * 4) / 3 }, () => random() & 255))
  }
  if (name === 'jwt' && argument === undefined) {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const payload = { sub: letters(DIGITS, 9, random), iat: 1500000000 + (random() % 200000000), scope: 'read write' }
    return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(payload)}.${letters(ALPHABETS.base64url!, 43, random)}`
  }
  if (name === 'pem' && argument !== undefined) return pem(argument, random)
  return undefined
}

/** A DER sequence of random bytes under the label: it has a private key's form and is none. */
function pem(label: string, random: () => number): string {
  const body = Buffer.from(Array.from({ length: 600 }, () => random() & 255))
  const bytes = label.startsWith('OPENSSH')
    ? Buffer.concat([Buffer.from('openssh-key-v1\0'), body])
    : Buffer.concat([Buffer.from([0x30, 0x82, body.length >> 8, body.length & 255]), body])
  const lines = bytes.toString('base64').match(/.{1,64}/g)!
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----`
}

function letters(alphabet: string, count: number, random: () => number): string {
  return Array.from({ length: count }, () => alphabet[random() % alphabet.length]).join('')
}

/** Numbers below 2^31 that depend on the seed alone. */
function stream(seed: string): () => number {
  let round = 0
  let block = Buffer.alloc(0)
  let at = 0
  return () => {
    if (at >= block.length) {
      block = createHash('sha256').update(`${seed}\0${round++}`).digest()
      at = 0
    }
    const value = block.readUInt32BE(at) & 0x7fffffff
    at += 4
    return value
  }
}
