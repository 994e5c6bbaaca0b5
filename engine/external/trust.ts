import { createHash, randomBytes } from 'node:crypto'
import { realpathSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeFolders } from '../base/disk/make-folders.ts'
import { writeNew } from '../base/disk/private-file.ts'
import { isInside } from '../base/disk/project-write.ts'
import { type NotRead, readPieces, readRegular } from '../base/disk/read.ts'
import { locateUserState } from '../base/disk/user-state.ts'
import { EngineError } from '../base/errors.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Digests of commands that are trusted here, separated by commas; for machines, where nobody can be asked. Never read from the repository. */
export const TRUST_VARIABLE = 'SVC_TRUST_EXTERNAL'
const FILE = 'trusted-commands.json'
const MOST_BYTES = 4 << 20

/** A command that a user has trusted: in one checkout, this very command. */
interface TrustedCommand {
  root: string
  name: string
  digest: string
  trusted_at: string
}

/**
 * Digest of what running a command means: its program and arguments in order, the root of the repository as working directory, and the
 * content of every file of the repository that an argument names. A change of any of them is another command. It is the same on every machine.
 */
export function computeCommandDigest(root: string, command: readonly string[]): string {
  const hash = createHash('sha256').update(`svc external command 1\n${JSON.stringify(command)}\n`)
  for (const argument of command) {
    const file = fileInside(root, argument)
    if (file === undefined) continue
    hash.update(`${JSON.stringify(argument)}\n`).update(contentDigest(file))
  }
  return hash.digest('hex')
}

/** Digest of a file of any size; of what is no regular file, or cannot be read, the reason. */
function contentDigest(file: string): Buffer | string {
  const hash = createHash('sha256')
  let failed: NotRead | undefined
  const pieces = readPieces(file, failure => {
    failed = failure
  })
  for (const piece of pieces) hash.update(piece)
  return failed ? JSON.stringify(failed) : hash.digest()
}

/** The file of the repository that an argument names, links resolved: by itself, or behind the `=` of an option. */
function fileInside(root: string, argument: string): string | undefined {
  const name = /^-[^=]*=(.+)$/s.exec(argument)?.[1] ?? argument
  try {
    const file = realpathSync(resolve(root, name))
    return file !== root && isInside(root, file) ? file : undefined
  } catch {
    return undefined
  }
}

/** Whether a command that the repository names, of an external scanner or an MCP server, may run in it; if not, why, with what to do. */
export function checkTrust(
  directory: string,
  name: string,
  command: readonly string[],
  env: Environment,
): { trusted: true } | { trusted: false; because: string } {
  const root = realpathSync(directory)
  const digest = computeCommandDigest(root, command)
  const given = (env[TRUST_VARIABLE] ?? '').split(/[\s,]+/)
  if (given.includes(digest)) return { trusted: true }
  if (isCi(env)) {
    const because = `its command is not trusted here: set ${TRUST_VARIABLE}=${digest} outside of the repository to have it run in CI`
    return { trusted: false, because }
  }
  if (readTrusted(env).some(known => known.digest === digest && known.root === root)) return { trusted: true }
  return {
    trusted: false,
    because: `its command is not trusted: review it with \`svc external-trust ${quoteWord(name)}\``,
  }
}

/** A word as a POSIX shell takes it: a repository chooses the name, and a user pastes the line. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** Whether this is a build machine, as all common CI systems tell (`CI=true`). There the user's state directory proves nothing: it may be shared by many jobs. */
export function isCi(env: Environment): boolean {
  return !/^(?:|0|false|no)$/i.test(env.CI ?? '')
}

/** Records that the user has trusted a command in this repository. DISK where it cannot be written. */
export function recordTrust(env: Environment, entry: TrustedCommand): void {
  const others = readTrusted(env).filter(({ root, name }) => root !== entry.root || name !== entry.name)
  writeTrusted(env, [...others, entry])
}

/** Withdraws the trust in a scanner's command in this repository; answers whether there was any. */
export function withdrawTrust(env: Environment, root: string, name: string): boolean {
  const all = readTrusted(env)
  const left = all.filter(entry => entry.root !== root || entry.name !== name)
  if (left.length === all.length) return false
  writeTrusted(env, left)
  return true
}

/** What is recorded; a file that cannot be read or parsed trusts nothing. */
function readTrusted(env: Environment): TrustedCommand[] {
  const content = readRegular(join(locateUserState(env), FILE), MOST_BYTES)
  if (!(content instanceof Uint8Array)) return []
  try {
    const parsed: unknown = JSON.parse(Buffer.from(content).toString('utf8'))
    return Array.isArray(parsed) ? parsed.filter(isEntry) : []
  } catch {
    return []
  }
}

function isEntry(value: unknown): value is TrustedCommand {
  const entry = value as Partial<TrustedCommand> | null
  return typeof entry?.root === 'string' && typeof entry.name === 'string' && typeof entry.digest === 'string'
}

function writeTrusted(env: Environment, entries: readonly TrustedCommand[]): void {
  const file = join(locateUserState(env), FILE)
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`
  try {
    makeFolders(dirname(file), { mode: 0o700 })
    writeNew(temporary, `${JSON.stringify(entries, null, 2)}\n`)
    renameSync(temporary, file)
  } catch (cause) {
    rmSync(temporary, { force: true })
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown reason'
    throw new EngineError('DISK', `The list of trusted commands cannot be written: ${code}.`, {
      hint: 'Set XDG_STATE_HOME to a directory that can be written.',
      cause,
    })
  }
}
