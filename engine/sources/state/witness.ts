import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { locateWitnesses } from '../../base/disk/user-state.ts'
import type { Head } from './chain.ts'
import { computeSha256 } from './seal.ts'

/** What a witness tells of one log. */
export interface Witnessed extends Pick<Head, 'log_id' | 'seq' | 'at'> {
  /** How many records the log vouched for: agents, tasks, grants, answers, freezes. Left out by earlier versions. */
  records?: number
  /** Whether the settings in force asked anything of anybody. */
  governs?: boolean
}

/**
 * Where a log had come to, kept with the user and outside the repository. The signed head tells a log that was cut short;
 * it cannot tell one that was deleted, or put back together with its head to an earlier state. This can, as long as
 * whoever did it did not reach the user's folder too.
 */
export interface Witness extends Witnessed {
  /** Hash of the last entry. */
  hash: string
  /** Logs that stood here before and are gone. */
  replaced: Witnessed[]
}

type Environment = Readonly<Record<string, string | undefined>>

/** Logs that are gone and are remembered, the newest of them. */
const MOST_REPLACED = 20
/** A witness has some hundred bytes. */
const LONGEST = 65_536

/**
 * The witness of the log at this root; undefined where there is none, and `changed` where something else stands in its
 * place: a link, a device, a text that svc did not write.
 */
export function readWitness(env: Environment, root: string): Witness | 'changed' | undefined {
  const file = locateWitness(env, root)
  if (lstatSync(dirname(file), { throwIfNoEntry: false })?.isSymbolicLink()) return 'changed'
  let handle: number
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : 'changed'
  }
  try {
    const stat = fstatSync(handle)
    if (!stat.isFile() || stat.size > LONGEST) return 'changed'
    const witness = JSON.parse(readFileSync(handle, 'utf8')) as Partial<Witness>
    const sound =
      typeof witness.log_id === 'string' &&
      Number.isInteger(witness.seq) &&
      typeof witness.hash === 'string' &&
      Array.isArray(witness.replaced)
    return sound ? (witness as Witness) : 'changed'
  } catch {
    return 'changed'
  } finally {
    closeSync(handle)
  }
}

/**
 * Notes where the log has come to. A witness that is ahead stays where the log has that entry (another process was
 * quicker) and also where it has not: then the log was put back, and the witness is the evidence. So does one that was
 * changed, until a person accepts it. A user's folder that cannot be written costs this protection and nothing else.
 */
export function keepWitness(
  env: Environment,
  root: string,
  head: Head,
  { textOf, ...told }: Pick<Witness, 'records' | 'governs'> & { textOf: (seq: number) => string | undefined },
): void {
  const known = readWitness(env, root)
  if (known === 'changed') return
  const { log_id, seq, hash, at } = head
  if (known?.log_id === log_id && known.seq >= seq) return
  if (known?.log_id === log_id && !holds(known, textOf)) return
  const replaced = known?.replaced ?? []
  const gone = known && known.log_id !== log_id && known.seq > 0
  const governs = told.governs ?? (known?.log_id === log_id ? known.governs : undefined)
  writeWitness(env, root, {
    ...{ log_id, seq, hash, at, records: told.records },
    ...(governs !== undefined && { governs }),
    replaced: gone ? [...replaced, removeHash(known)].slice(-MOST_REPLACED) : replaced,
  })
}

/** Whether the log still has the entry that the witness saw. */
export function holds(witness: Witness, textOf: (seq: number) => string | undefined): boolean {
  const text = textOf(witness.seq)
  // Entries that retention has removed are behind the ones that prove it; only the newest matter here.
  return text !== undefined && computeSha256(text) === witness.hash
}

/** Writes the witness in one step. */
export function writeWitness(env: Environment, root: string, witness: Witness): void {
  const file = locateWitness(env, root)
  const temporary = `${file}.${process.pid}.tmp`
  try {
    makeFolders(dirname(file), { mode: 0o700 })
    writeFileSync(temporary, JSON.stringify(witness), { mode: 0o600 })
    renameSync(temporary, file)
  } catch {
    // Read-only homes exist; the log itself is written.
  }
}

/** The file of the witness of the log at this root. */
export function locateWitness(env: Environment, root: string): string {
  return join(locateWitnesses(env), `${createHash('sha256').update(root).digest('hex').slice(0, 24)}.json`)
}

/** What is remembered of a log that is gone. */
export function removeHash({ hash: _, replaced: __, ...told }: Witness): Witnessed {
  return told
}
