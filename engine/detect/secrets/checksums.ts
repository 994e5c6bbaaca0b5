import type { ChecksumName } from '../../base/records/secret-detector.ts'
import { isMnemonic } from './mnemonic.ts'

/** Base 62 in the order digits, upper case, lower case, as GitHub and npm write their checksums. */
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * Checks by which a credential shows that it is one: each answers whether the secret comes out right. They are named in
 * detectors (`checksum: github`).
 */
export const CHECKSUMS = {
  /** The last six characters are the CRC-32 of those between the prefix's underscore and them, in base 62 (GitHub, npm). */
  github: (secret: string): boolean => {
    const body = secret.slice(secret.lastIndexOf('_') + 1)
    return body.length > 6 && encodeBase62(computeCrc32(body.slice(0, -6)), 6) === body.slice(-6)
  },
  /** Three base64url parts, the first two JSON objects, the first with `alg` (RFC 7519). */
  jwt: (secret: string): boolean => {
    const [header = '', payload = '', signature] = secret.split('.')
    const head = jsonObject(header)
    return (
      head !== undefined && typeof head.alg === 'string' && signature !== undefined && jsonObject(payload) !== undefined
    )
  },
  /** A private key in PEM (RFC 7468), with or without the lines around its body: the base64 decodes to a DER sequence whose length fits, or to what OpenSSH's own keys begin with. */
  pem: (secret: string): boolean => {
    const body = secret
      .replace(/-----[A-Z ]{1,60}-----/g, '\n')
      .replace(/\\[rn]/g, '\n')
      // A plus is a digit of base64 too: it joins literals only where it stands apart.
      .replace(/(["'\s])\+(?=["'\s]|$)/g, '$1')
      .replace(/["';,\\\s]/g, '')
    if (!/^[A-Za-z0-9+/]{40,}={0,2}$/.test(body)) return false
    const bytes = Buffer.from(body, 'base64')
    if (bytes.subarray(0, 14).toString('latin1') === 'openssh-key-v1') return true
    if (bytes[0] !== 0x30) return false
    const size = bytes[1]! < 0x80 ? bytes[1]! + 2 : bytes[1] === 0x81 ? bytes[2]! + 3 : bytes.readUInt16BE(2) + 4
    // Cut-off or wrapped copies are still keys, so a shorter body than promised counts, a longer one by little.
    return bytes.length >= size / 2 && bytes.length <= size + 8
  },
  /** A macaroon of PyPI: base64url of a version-2 macaroon whose location is pypi.org or test.pypi.org. */
  pypi: (secret: string): boolean => {
    const bytes = Buffer.from(secret.replace(/^pypi-/, ''), 'base64url')
    return bytes[0] === 2 && bytes[1] === 1 && /^.(?:test\.)?pypi\.org/s.test(bytes.subarray(2, 20).toString('latin1'))
  },
  /** An AWS access key id: 16 characters of base 32 of which the first ones hold the account's number, below 10^12. */
  aws: (secret: string): boolean => {
    const digits = [...secret.slice(4)].map(char => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char))
    if (digits.length !== 16 || digits.includes(-1)) return false
    // Ids made before the account was in them start with I or J.
    if (digits[0]! >= 8 && digits[0]! <= 9) return true
    let bits = 0n
    for (const digit of digits.slice(0, 10)) bits = (bits << 5n) | BigInt(digit)
    // Of the first 48 bits, the account has 40, after one bit and before seven.
    return ((bits >> 9n) & 0xffffffffffn) < 1_000_000_000_000n
  },
  /** The digits' Luhn sum (ISO/IEC 7812-1) is a multiple of ten. */
  luhn: (secret: string): boolean => {
    const digits = [...secret.replace(/\D/g, '')].map(Number).reverse()
    const sum = digits.reduce(
      (total, digit, at) => total + (at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2),
      0,
    )
    return digits.length > 1 && sum % 10 === 0
  },
  /** A recovery phrase of a wallet, whose last word holds a checksum (BIP-39). */
  mnemonic: isMnemonic,
  /** The secret decodes from base64 to text with a colon in it: user and password of HTTP basic authentication (RFC 7617). */
  basic: (secret: string): boolean =>
    /^[\x20-\x7e]{1,100}:[\x20-\x7e]{1,200}$/.test(Buffer.from(secret, 'base64').toString('latin1')),
} as const satisfies Record<ChecksumName, (secret: string) => boolean>

/** CRC-32 (ISO 3309) of ASCII. By hand, since zlib's takes longer to load than a commit hook has for all detectors. */
export function computeCrc32(text: string): number {
  let crc = -1
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

/** The number in base 62, filled up with zeros. */
export function encodeBase62(value: number, width: number): string {
  let out = ''
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) out = BASE62[rest % 62] + out
  return out.padStart(width, '0')
}

function jsonObject(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
