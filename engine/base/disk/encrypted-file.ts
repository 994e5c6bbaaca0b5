import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { lstatSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { EngineError } from '../errors.ts'
import { makeFolders } from './make-folders.ts'
import { readOwn } from './own-folder.ts'
import { makeOnce, writeNew } from './private-file.ts'
import { locateUserState } from './user-state.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Sizes in bytes: AES-256-GCM with the nonce of NIST SP 800-38D. */
const KEY = 32
const NONCE = 12
const MOST = 1 << 20
const KEY_FILE = 'tokens.key'
const MACHINE_IDS = ['/etc/machine-id', '/var/lib/dbus/machine-id']

interface Sealed {
  version: 1
  salt: string
  nonce: string
  tag: string
  data: string
}

/**
 * Writes a value as JSON, encrypted with AES-256-GCM, mode 0600, in one step. The key is derived (HKDF, RFC 5869) from the machine, the user, a
 * random secret in the user's state directory, and a salt of its own, so that a copied file is of no use elsewhere. `purpose` is bound to the
 * content: a file of another purpose does not open. DISK where it cannot be written, FORBIDDEN where a symbolic link stands there.
 */
export function writeEncrypted(path: string, purpose: string, value: unknown, env: Environment): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new EngineError('FORBIDDEN', `The file of the ${purpose} is a symbolic link.`, { hint: 'Remove the link.' })
  const [salt, nonce] = [randomBytes(KEY), randomBytes(NONCE)]
  const cipher = createCipheriv('aes-256-gcm', deriveKey(salt, purpose, env), nonce)
  cipher.setAAD(Buffer.from(purpose))
  const data = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
  const sealed: Sealed = {
    version: 1,
    salt: salt.toString('base64'),
    nonce: nonce.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  }
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`
  try {
    makeFolders(dirname(path), { mode: 0o700 })
    writeNew(temporary, `${JSON.stringify(sealed)}\n`)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw new EngineError('DISK', `The ${purpose} cannot be written: ${(error as NodeJS.ErrnoException).code}.`, {
      cause: error,
    })
  }
}

/** What `writeEncrypted` wrote; undefined without a file. STORE_UNREADABLE where it cannot be read, was altered, or is another user's or machine's. */
export function readEncrypted(path: string, purpose: string, env: Environment): unknown {
  const bytes = readOwn(path, MOST)
  if (!bytes) return undefined
  try {
    const { version, salt, nonce, tag, data } = JSON.parse(bytes.toString('utf8')) as Sealed
    if (version !== 1) throw new Error('its version is not 1')
    const key = deriveKey(Buffer.from(salt, 'base64'), purpose, env)
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64'), { authTagLength: 16 })
    decipher.setAAD(Buffer.from(purpose))
    decipher.setAuthTag(Buffer.from(tag, 'base64'))
    return JSON.parse(Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]).toString('utf8'))
  } catch (cause) {
    if (cause instanceof EngineError) throw cause
    throw new EngineError('STORE_UNREADABLE', 'The stored tokens cannot be decrypted.', {
      hint: 'They were altered, or written by another user or on another machine. Disconnect, then connect again.',
      cause,
    })
  }
}

function deriveKey(salt: Buffer, purpose: string, env: Environment): Buffer {
  const material = Buffer.from(JSON.stringify([readMachineId(), userInfo().username, readSecret(env)]))
  return Buffer.from(hkdfSync('sha256', material, salt, `svc ${purpose}`, KEY))
}

/** The id of the machine where the system has a file with it; the random secret alone tells machines apart elsewhere. */
function readMachineId(): string {
  for (const file of MACHINE_IDS)
    try {
      return readFileSync(file, 'utf8').trim()
    } catch {
      // The next one.
    }
  return ''
}

/** A random secret in the user's state directory, made once. */
function readSecret(env: Environment): string {
  const file = join(locateUserState(env), KEY_FILE)
  const known = readOwn(file, 1024)?.toString('utf8').trim()
  if (known) return known
  try {
    makeOnce(file, `${randomBytes(KEY).toString('hex')}\n`)
  } catch (error) {
    throw new EngineError(
      'DISK',
      `The key of the tokens cannot be written: ${(error as NodeJS.ErrnoException).code}.`,
      {
        hint: 'Set XDG_STATE_HOME to a writable directory.',
        cause: error,
      },
    )
  }
  return readOwn(file, 1024)!.toString('utf8').trim()
}
