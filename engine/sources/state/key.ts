import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeOnce } from '../../base/disk/private-file.ts'
import { locateUserState } from '../../base/disk/user-state.ts'
import { EngineError } from '../../base/errors.ts'

/** A key of the audit log. The id names it in signatures and tells nothing of it. */
export interface AuditKey {
  /** 16 hex digits. */
  id: string
  bytes: Buffer
}

/** The key that signs, and all whose signatures can be checked here, by id. */
export interface Keyring {
  signing: AuditKey
  known: ReadonlyMap<string, AuditKey>
}

type Environment = Readonly<Record<string, string | undefined>>

const VARIABLE = 'GUARD_AUDIT_HMAC_KEY'
/** The key before it was changed: it verifies what it has signed, and signs no more. */
const PREVIOUS = 'GUARD_AUDIT_HMAC_KEY_PREVIOUS'
/** Characters of GUARD_AUDIT_HMAC_KEY; a shorter one could be guessed. */
const SHORTEST = 16
const FILE = 'audit.key'

/**
 * The keys for a repository's audit log. The one that signs is GUARD_AUDIT_HMAC_KEY, else that of the user's state
 * folder, else, only with `local`, that of this folder (`.svc/local`), where a governed agent can read it. A missing key
 * file is made once, mode 0600; what another process made at the same time is taken. The other keys still verify.
 *
 * CONFIG_INVALID for a variable that is too short, STORE_UNREADABLE for a key file that is none, DISK where it cannot be written.
 */
export function openKeyring(env: Environment, local?: string): Keyring {
  const files = [join(locateUserState(env), FILE), ...(local === undefined ? [] : [join(local, FILE)])]
  const known = new Map<string, AuditKey>()
  const add = (key: AuditKey | undefined) => key && known.set(key.id, key)
  const given = env[VARIABLE]
  if (given !== undefined && given !== '' && given.length < SHORTEST) {
    throw new EngineError('CONFIG_INVALID', `${VARIABLE} must have at least ${SHORTEST} characters.`, {
      hint: 'Create one with `openssl rand -hex 32`.',
    })
  }
  const own = files.at(-1)!
  const signing = given ? keyOf(Buffer.from(given, 'utf8')) : (readKey(own) ?? makeKey(own))
  for (const file of files) add(file === own && !given ? signing : readKey(file))
  if (env[PREVIOUS]) add(keyOf(Buffer.from(env[PREVIOUS], 'utf8')))
  add(signing)
  return { signing, known }
}

/** The keys whose signatures can be checked here, by id; none is made. */
export function readKnownKeys(env: Environment, local?: string): Pick<Keyring, 'known'> {
  const texts = [env[VARIABLE], env[PREVIOUS]].filter(text => text !== undefined && text !== '')
  const files = [locateUserState(env), ...(local === undefined ? [] : [local])].map(folder =>
    readKey(join(folder, FILE)),
  )
  const keys = [...texts.map(text => keyOf(Buffer.from(text!, 'utf8'))), ...files.filter(key => key !== undefined)]
  return { known: new Map(keys.map(key => [key.id, key])) }
}

function keyOf(bytes: Buffer): AuditKey {
  return { id: createHash('sha256').update('svc audit key\n').update(bytes).digest('hex').slice(0, 16), bytes }
}

function readKey(file: string): AuditKey | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new EngineError('STORE_UNREADABLE', `The key of the audit log cannot be read: ${code}.`, { cause: error })
  }
  if (/^[0-9a-f]{64}$/.test(text)) return keyOf(Buffer.from(text, 'hex'))
  throw new EngineError('STORE_UNREADABLE', 'The key file of the audit log does not contain 64 hex digits.', {
    hint: 'Restore the key from its backup; without it the log cannot be verified.',
  })
}

function makeKey(file: string): AuditKey {
  try {
    makeOnce(file, `${randomBytes(32).toString('hex')}\n`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new EngineError('DISK', `The key of the audit log cannot be written: ${code}.`, {
      hint: 'Set GUARD_AUDIT_HMAC_KEY, or XDG_STATE_HOME to a writable directory.',
      cause: error,
    })
  }
  return readKey(file)!
}
