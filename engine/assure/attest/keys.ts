import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { writeFault } from '../../base/disk/disk.ts'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { makeOnce, writeNew } from '../../base/disk/private-file.ts'
import { locateUserState } from '../../base/disk/user-state.ts'
import { EngineError } from '../../base/errors.ts'
import { tryGit } from '../../sources/repository/git.ts'
import { locateLocalState, makeLocalFolder } from '../../sources/state/local-folder.ts'
import { computeKeyId, toPublic } from '../notary/checkpoint.ts'

// Two keys sign an attestation: a secret of this machine (HMAC-SHA256, `.svc/local/attestation_key`), which tells its own
// machine that nothing was changed, and an Ed25519 key of the user's, which tells everybody who has the public key.

/** A shared secret, with the id that signatures name it by. */
export interface SecretKey {
  id: string
  bytes: Buffer
}

type Environment = Readonly<Record<string, string | undefined>>

const SECRET = 'attestation_key'
const PAIR = 'ed25519.pem'
/** A private key that is brought along, such as a secret of the CI system; in place of the user's. */
const VARIABLE = 'GUARD_ATTESTATION_KEY_FILE'

/**
 * The secrets of this machine by id, the one that signs first; none is made. A repository can bring a secret that its author knows: one
 * that this user's svc has not made, or that is in git, is none, and `notice` is told.
 */
export async function readSecrets(
  root: string,
  env: Environment,
  notice: (text: string) => void = () => {},
): Promise<SecretKey[]> {
  const folder = locateLocalState(root)
  const names = [SECRET, ...listFiles(folder).filter(name => name.startsWith(`${SECRET}.`))]
  const tracked = await listTracked(root)
  return names.flatMap(name => {
    const secret = readSecret(join(folder, name))
    const fault = secret && findSecretFault(name, secret, env, tracked)
    if (fault !== undefined) notice(`.svc/local/${name} is not used: ${fault}.`)
    return secret && fault === undefined ? [secret] : []
  })
}

/** The secret that signs, made where there is none. One that svc has not made is put aside; CONFLICT for one that is in git. */
export async function loadSecret(root: string, env: Environment): Promise<SecretKey> {
  const file = join(makeLocalFolder(root), SECRET)
  const there = readSecret(file)
  const tracked = await listTracked(root)
  if (tracked.has(SECRET))
    throw new EngineError('CONFLICT', `.svc/local/${SECRET} is in git, so others can have it.`, {
      hint: `Remove it with \`git rm --force .svc/local/${SECRET}\`, then svc makes another.`,
    })
  if (there && findSecretFault(SECRET, there, env, tracked) === undefined) return there
  if (there) renameSync(file, `${file}.${there.id}`)
  return makeSecret(root, file, env)
}

function findSecretFault(
  name: string,
  secret: SecretKey,
  env: Environment,
  tracked: ReadonlySet<string>,
): string | undefined {
  if (tracked.has(name)) return 'it is in git, so others can have it'
  return existsSync(locateSeal(env, secret)) ? undefined : "it was not made by this user's svc"
}

/** Files of `.svc/local` that git tracks. */
async function listTracked(root: string): Promise<Set<string>> {
  const { code, stdout } = await tryGit(root, ['ls-files', '-z', '--', '.svc/local'])
  if (code !== 0) return new Set()
  return new Set(
    stdout
      .toString('utf8')
      .split('\0')
      .map(path => basename(path)),
  )
}

/** The mark in the user's state directory of a secret that svc has made: it is named by a digest, which tells nothing of the secret. */
function locateSeal(env: Environment, { bytes }: SecretKey): string {
  const digest = createHash('sha256').update('svc attestation seal\n').update(bytes).digest('hex')
  return join(locateKeys(env), 'secrets', digest)
}

/** The user's Ed25519 key; undefined where there is none. */
export function readSigningKey(env: Environment): KeyObject | undefined {
  const brought = env[VARIABLE]
  return brought ? readPrivate(brought, VARIABLE) : readPrivate(join(locateKeys(env), PAIR))
}

/** The user's Ed25519 key, made where there is none. */
export function loadSigningKey(env: Environment): KeyObject {
  const there = readSigningKey(env)
  if (there) return there
  writePair(env)
  return readSigningKey(env)!
}

/** Every public key of the user's by id, retired ones too: what they have signed stays verifiable. */
export function readPublicKeys(env: Environment): Map<string, KeyObject> {
  const own = readSigningKey(env)
  const retired = listFiles(locateRetired(env)).map(name => readPublicFile(join(locateRetired(env), name)))
  return new Map([...(own ? [toPublic(own)] : []), ...retired].map(key => [computeKeyId(key), key]))
}

/** The ids of the keys that rotation has replaced: secrets of the repository, and public keys of the user's. */
export function listRetired(root: string, env: Environment): Set<string> {
  const secrets = listFiles(locateLocalState(root)).filter(name => name.startsWith(`${SECRET}.`))
  const keys = listFiles(locateRetired(env)).map(name => name.replace(/\.pub\.pem$/, ''))
  return new Set([...secrets.map(name => name.slice(SECRET.length + 1)), ...keys])
}

/** Makes the keys that are missing; CONFLICT where both are there. */
export async function createKeys(root: string, env: Environment): Promise<{ key_id: string; secret_id: string }> {
  if (readSigningKey(env) && (await readSecrets(root, env)).length > 0)
    throw new EngineError('CONFLICT', 'The keys of attestations are there already.', {
      hint: 'Replace them with `svc attest key rotate`.',
    })
  return { key_id: computeKeyId(loadSigningKey(env)), secret_id: (await loadSecret(root, env)).id }
}

/** Replaces both keys. What the old ones have signed stays verifiable: the public key and the secret are kept. */
export async function rotateKeys(
  root: string,
  env: Environment,
): Promise<{ key_id: string; secret_id: string; retired: string[] }> {
  if (env[VARIABLE])
    throw new EngineError(
      'CONFLICT',
      `The signing key is the one that ${VARIABLE} names, and is not svc's to replace.`,
      {
        hint: `Change it where it is kept, or unset ${VARIABLE}.`,
      },
    )
  const retired: string[] = []
  const pair = readSigningKey(env)
  if (pair) {
    const id = computeKeyId(pair)
    makeOnce(join(locateRetired(env), `${id}.pub.pem`), exportPublicPem(pair))
    rmSync(join(locateKeys(env), PAIR))
    retired.push(id)
  }
  const file = join(makeLocalFolder(root), SECRET)
  const secret = readSecret(file)
  if (secret) {
    renameSync(file, `${file}.${secret.id}`)
    retired.push(secret.id)
  }
  return { key_id: computeKeyId(loadSigningKey(env)), secret_id: (await loadSecret(root, env)).id, retired }
}

/** The public key as PEM (SubjectPublicKeyInfo). */
export function exportPublicPem(key: KeyObject): string {
  return toPublic(key).export({ type: 'spki', format: 'pem' }) as string
}

/** The public keys in a PEM file, one or several; INPUT_INVALID where it has none, or one that is not Ed25519. */
export function parsePublicKeys(text: string, name: string): Map<string, KeyObject> {
  const blocks = text.match(/-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\s]{1,4096}-----END PUBLIC KEY-----/g) ?? []
  const fault = () =>
    new EngineError('INPUT_INVALID', `${name} contains no Ed25519 public key in PEM.`, {
      hint: 'Write one with `svc attest key public -o svc.pub.pem`.',
    })
  if (blocks.length === 0) throw fault()
  const keys = new Map<string, KeyObject>()
  for (const block of blocks) {
    let key: KeyObject
    try {
      key = createPublicKey(block)
    } catch {
      throw fault()
    }
    if (key.asymmetricKeyType !== 'ed25519') throw fault()
    keys.set(computeKeyId(key), key)
  }
  return keys
}

function locateKeys(env: Environment): string {
  return join(locateUserState(env), 'attestation')
}

function locateRetired(env: Environment): string {
  return join(locateKeys(env), 'retired')
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(({ name }) => name)
      .sort()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}

function readPublicFile(path: string): KeyObject {
  return [...parsePublicKeys(readFileSync(path, 'utf8'), path).values()][0]!
}

function readPrivate(path: string, named?: string): KeyObject | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (named === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new EngineError(named ? 'INPUT_INVALID' : 'STORE_UNREADABLE', 'The signing key cannot be read.', {
      cause: error,
      ...(named && { hint: `Correct ${named}.` }),
    })
  }
  try {
    const key = createPrivateKey(text)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // Answered below, without a word of what is in the file.
  }
  throw new EngineError(named ? 'INPUT_INVALID' : 'STORE_UNREADABLE', 'The signing key is no Ed25519 key in PEM.', {
    hint: named ? `Correct ${named}.` : 'Restore it from a backup, or remove it and create another.',
  })
}

function writePair(env: Environment): void {
  const file = join(locateKeys(env), PAIR)
  try {
    makeOnce(file, generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())
  } catch (error) {
    throw writeFault(error, locateKeys(env), file)
  }
}

function readSecret(file: string): SecretKey | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new EngineError('STORE_UNREADABLE', `The key of attestations cannot be read: ${code}.`, { cause: error })
  }
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new EngineError('STORE_UNREADABLE', '.svc/local/attestation_key does not contain 64 hex digits.', {
      hint: 'Restore it from a backup; without it, attestations that it signed cannot be verified here.',
    })
  const bytes = Buffer.from(text, 'hex')
  return { id: createHash('sha256').update('svc attestation key\n').update(bytes).digest('hex').slice(0, 16), bytes }
}

function makeSecret(root: string, file: string, env: Environment): SecretKey {
  const text = randomBytes(32).toString('hex')
  try {
    makeFolders(locateLocalState(root), { mode: 0o700 })
    // Sealed first: a process that finds the secret finds its seal.
    makeOnce(locateSeal(env, { id: '', bytes: Buffer.from(text, 'hex') }), '')
    writeNew(file, `${text}\n`)
  } catch (error) {
    // What another process has made at the same time is as good.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw writeFault(error, root, file)
  }
  return readSecret(file)!
}
