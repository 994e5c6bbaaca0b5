import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { ignoreUnreadable, readOwn } from '../../base/disk/own-folder.ts'
import { makeOnce } from '../../base/disk/private-file.ts'
import { locateUserState } from '../../base/disk/user-state.ts'
import { EngineError } from '../../base/errors.ts'

/** Key for results that travel between machines. */
export const CACHE_KEY_VARIABLE = 'SVC_CACHE_KEY'
/** Characters of the variable; a shorter key could be guessed. */
const SHORTEST = 16
const FILE = 'cache.key'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Seals what svc keeps between scans, with a key that whoever writes the repository does not have: a cache that somebody else has edited
 * would have the next scan find nothing. The seal is an HMAC-SHA256 over the SHA-256 of the content, which is computed anyway to
 * find damage, so that a large cache is read once and costs no second pass.
 */
export interface Seal {
  /** Names the key and tells nothing of it: 16 hexadecimal digits. */
  readonly key_id: string
  /** The key was given (SVC_CACHE_KEY), and is not the user's own of this machine. */
  readonly isGiven: boolean
  /** 64 hexadecimal digits, over a purpose and the digest of a content. */
  sign(purpose: string, digest: string): string
  verify(purpose: string, digest: string, signature: string): boolean
}

/**
 * The seal of this user: SVC_CACHE_KEY, else a key of their state directory, made once with mode 0600 where it is missing, unless `isReading`.
 * Undefined where there is no key and none can be made: then nothing is believed that another process has left.
 * CONFIG_INVALID for a variable that is too short.
 */
export function openSeal(env: Environment, isReading = false): Seal | undefined {
  const given = env[CACHE_KEY_VARIABLE]
  if (given) {
    if (given.length >= SHORTEST) return sealOf(Buffer.from(given, 'utf8'), true)
    throw new EngineError('CONFIG_INVALID', `${CACHE_KEY_VARIABLE} must have at least ${SHORTEST} characters.`, {
      hint: 'Create one with `openssl rand -hex 32`.',
    })
  }
  const file = join(locateUserState(env), FILE)
  const key = keyIn(file) ?? (isReading ? undefined : makeKey(file, env))
  return key && sealOf(key, false)
}

/** The seal for one repository: what it has sealed holds in no other one. */
export function bindSeal(seal: Seal, repository: string): Seal {
  const bind = (purpose: string) => `${purpose}\n${repository}`
  return {
    ...seal,
    sign: (purpose, digest) => seal.sign(bind(purpose), digest),
    verify: (purpose, digest, signature) => seal.verify(bind(purpose), digest, signature),
  }
}

function sealOf(given: Buffer, isGiven: boolean): Seal {
  // A key of its own, whatever else the same secret may be used for.
  const key = createHmac('sha256', given).update('svc cache seal\n').digest()
  const sign = (purpose: string, digest: string) =>
    createHmac('sha256', key).update(`${purpose}\n${digest}`).digest('hex')
  return {
    key_id: createHash('sha256').update('svc cache key\n').update(key).digest('hex').slice(0, 16),
    isGiven,
    sign,
    verify(purpose, digest, signature) {
      const [is, was] = [sign(purpose, digest), signature].map(text => Buffer.from(text, 'latin1'))
      return is!.length === was!.length && timingSafeEqual(is!, was!)
    },
  }
}

function keyIn(file: string): Buffer | undefined {
  const text = ignoreUnreadable(() => readOwn(file, 256))
    ?.toString('latin1')
    .trim()
  return text !== undefined && /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : undefined
}

function makeKey(file: string, env: Environment): Buffer | undefined {
  // No home is made for a user who has none.
  if (!env.XDG_STATE_HOME && !existsSync(env.HOME || homedir())) return undefined
  try {
    makeOnce(file, `${randomBytes(32).toString('hex')}\n`)
  } catch {
    return undefined
  }
  return keyIn(file)
}
