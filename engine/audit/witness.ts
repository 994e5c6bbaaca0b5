import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Head } from './chain.ts'
import { userStateFolder } from './key.ts'
import { sha256 } from './seal.ts'

/**
 * Where a log had come to, kept with the user and outside the repository. The signed head tells a log that was cut short;
 * it cannot tell one that was deleted, or put back together with its head to an earlier state. This can, as long as
 * whoever did it did not reach the user's folder too.
 */
export interface Witness extends Pick<Head, 'log_id' | 'seq' | 'hash' | 'at'> {
  /** Logs that stood here before and are gone. */
  replaced: Pick<Head, 'log_id' | 'seq' | 'at'>[]
}

type Environment = Readonly<Record<string, string | undefined>>

/** The witness of the log at this root. */
export function readWitness(env: Environment, root: string): Witness | undefined {
  try {
    const witness = JSON.parse(readFileSync(fileOf(env, root), 'utf8')) as Partial<Witness>
    return typeof witness.log_id === 'string' && Number.isInteger(witness.seq) && Array.isArray(witness.replaced)
      ? (witness as Witness)
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Notes where the log has come to. A witness that is ahead stays where the log has that entry (another process was
 * quicker) and also where it has not: then the log was put back, and the witness is the evidence. A user's folder that
 * cannot be written costs this protection and nothing else.
 */
export function keepWitness(
  env: Environment,
  root: string,
  head: Head,
  textOf: (seq: number) => string | undefined,
): void {
  const known = readWitness(env, root)
  const { log_id, seq, hash, at } = head
  if (known?.log_id === log_id && known.seq >= seq) return
  if (known?.log_id === log_id && !holds(known, textOf)) return
  const replaced = known?.replaced ?? []
  const gone = known && known.log_id !== log_id && known.seq > 0
  writeWitness(env, root, {
    ...{ log_id, seq, hash, at },
    replaced: gone ? [...replaced, { log_id: known.log_id, seq: known.seq, at: known.at }] : replaced,
  })
}

/** Whether the log still has the entry that the witness saw. */
export function holds(witness: Witness, textOf: (seq: number) => string | undefined): boolean {
  const text = textOf(witness.seq)
  // Entries that retention has removed are behind the ones that prove it; only the newest matter here.
  return text !== undefined && sha256(text) === witness.hash
}

/** Writes the witness in one step. */
export function writeWitness(env: Environment, root: string, witness: Witness): void {
  const file = fileOf(env, root)
  const temporary = `${file}.${process.pid}.tmp`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(temporary, JSON.stringify(witness), { mode: 0o600 })
    renameSync(temporary, file)
  } catch {
    // Read-only homes exist; the log itself is written.
  }
}

function fileOf(env: Environment, root: string): string {
  return join(userStateFolder(env), 'witness', `${createHash('sha256').update(root).digest('hex').slice(0, 24)}.json`)
}
