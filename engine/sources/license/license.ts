import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { join } from 'node:path'
import { readOwn, UnreadableFile } from '../../base/disk/own-folder.ts'
import { canonical } from '../../base/text/canonical.ts'
import { isObject, parseObject } from '../../base/text/json-object.ts'

/** The tier of every built-in pack; it needs no license (decisions "Licences, login, notary"). */
export const OPEN_TIER = 'open'
/** Where a license lies, relative to the repository's root. */
export const LICENSE_PATH = '.svc/license.json'
/** The issuer's Ed25519 public key: SubjectPublicKeyInfo in base64, or in PEM. */
export const LICENSE_KEY = 'GUARD_LICENSE_KEY'

/** What a license allows, and why not more. Only `valid` allows more than the open tier. */
export interface License {
  state: 'none' | 'valid' | 'expired' | 'not_yet' | 'invalid' | 'no_key'
  /** One sentence. */
  reason: string
  /** Tiers of packs that may be used. */
  tiers: string[]
  holder?: string
  issued_at?: string
  expires?: string
}

const MOST_BYTES = 64 * 1024

/** Reads and verifies the license of a repository; a fault is a state, since everything of the open tier works without one. */
export function readLicense(root: string, env: Readonly<Record<string, string | undefined>>, today: string): License {
  const open = (state: License['state'], reason: string, more: Partial<License> = {}): License => ({
    ...{ state, reason, tiers: [OPEN_TIER] },
    ...more,
  })
  let bytes: Buffer | undefined
  try {
    bytes = readOwn(join(root, LICENSE_PATH), MOST_BYTES)
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    return open('invalid', error.message)
  }
  if (!bytes) return open('none', 'There is no license file; the open edition covers every built-in pack.')
  const file = parseObject(bytes.toString('utf8'))
  const license = file?.license
  if (!file || !isObject(license) || typeof file.signature !== 'string' || Object.keys(file).length !== 2)
    return open('invalid', `${LICENSE_PATH} is no license: it needs license and signature.`)
  const key = readKey(env[LICENSE_KEY])
  if (key === undefined) return open('no_key', `The key of the issuer is not here: set ${LICENSE_KEY}.`)
  if (key === 'invalid') return open('no_key', `${LICENSE_KEY} is no Ed25519 public key.`)
  if (!verify(null, Buffer.from(canonical(license)), key, Buffer.from(file.signature, 'base64')))
    return open('invalid', 'The signature of the license is not valid.')
  const { holder, tiers, issued_at, expires } = license
  const isTiers = Array.isArray(tiers) && tiers.every(tier => typeof tier === 'string')
  if (typeof holder !== 'string' || !isTiers || !isDate(issued_at) || !isDate(expires))
    return open('invalid', 'The license lacks holder, tiers, issued_at or expires.')
  const facts = { holder, issued_at, expires }
  if (issued_at > today) return open('not_yet', `The license holds from ${issued_at}.`, facts)
  if (expires < today) return open('expired', `The license expired on ${expires}.`, facts)
  const all = [...new Set([OPEN_TIER, ...(tiers as string[])])]
  return { state: 'valid', reason: `Licensed to ${holder} until ${expires}.`, tiers: all, ...facts }
}

function readKey(text: string | undefined): KeyObject | 'invalid' | undefined {
  if (!text) return undefined
  try {
    const key = text.includes('BEGIN')
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ed25519' ? key : 'invalid'
  } catch {
    return 'invalid'
  }
}

function isDate(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
}
