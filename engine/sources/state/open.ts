import { randomBytes } from 'node:crypto'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { EngineError } from '../../base/errors.ts'
import { makeEmptyHead, sealHead } from './chain.ts'
import { type Keyring, openKeyring } from './key.ts'
import { locateLocalState, makeStateFile, STATE_PATH, stateExists } from './local-folder.ts'
import { MIGRATIONS } from './migrations.ts'
import { PATIENCE, runPatiently, toDamage } from './patience.ts'
import { State } from './state.ts'

export interface OpenOptions {
  env: Readonly<Record<string, string | undefined>>
  /** Where the key of the audit log is made: with the user, or in the repository where that is configured. */
  key?: 'user' | 'repository'
  /** The present, in milliseconds since 1970. */
  now?: () => number
  /** Records that nobody keeps, empty at first and gone with the process: to look where there are none. */
  passing?: boolean
}

/**
 * Opens the repository's records, making them where there are none. Several processes may have them open: each change
 * waits for its turn. The caller closes it.
 */
export async function openState(
  root: string,
  { env, key = 'user', now = Date.now, passing = false }: OpenOptions,
): Promise<State> {
  const keyring = openKeyring(env, key === 'repository' ? locateLocalState(root) : undefined)
  const { DatabaseSync } = await import('@photostructure/sqlite')
  const file = passing ? ':memory:' : makeStateFile(root)
  let database: DatabaseSyncInstance | undefined
  try {
    database = new DatabaseSync(file, { timeout: PATIENCE })
    prepare(database, keyring)
    const state = new State(root, database, keyring, passing ? undefined : env, now)
    // Rows of before there were seals; where the log's end is not ours nothing can be written, and looking must go on.
    if (!state.endFault()) state.sealRecords()
    return state
  } catch (error) {
    database?.close()
    throw toDamage(error)
  }
}

/** The repository's records, where there are some. */
export async function openStateIfAny(root: string, options: OpenOptions): Promise<State | undefined> {
  return stateExists(root) ? openState(root, options) : undefined
}

/** Opens the records for one piece of work, and closes them whatever comes of it. */
export async function runWithState<T>(
  root: string,
  options: OpenOptions,
  work: (state: State) => T | Promise<T>,
): Promise<T> {
  const state = await openState(root, options)
  try {
    return await work(state)
  } finally {
    state.close()
  }
}

/** Sets the connection up, and brings the file to the newest schema. */
function prepare(database: DatabaseSyncInstance, keyring: Keyring): void {
  const version = () => (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
  // Changing the journal takes the whole file; a process that finds it changed already need not.
  const journal = database.prepare('PRAGMA journal_mode').get() as { journal_mode: string }
  if (journal.journal_mode !== 'wal') runPatiently(() => database.exec('PRAGMA journal_mode = WAL'))
  // A decision that was told to somebody must be there after the power has failed.
  database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF')
  if (version() === MIGRATIONS.length) return
  runPatiently(() => database.exec('BEGIN IMMEDIATE'))
  try {
    const from = version()
    if (from > MIGRATIONS.length) {
      throw new EngineError('STORE_UNREADABLE', `${STATE_PATH} was written by a newer svc.`, {
        hint: 'Use that version or a newer one.',
      })
    }
    for (const step of MIGRATIONS.slice(from)) database.exec(step)
    if (from === 0) {
      const head = sealHead(makeEmptyHead(randomBytes(8).toString('hex')), keyring.signing)
      database.prepare("INSERT INTO meta (key, value) VALUES ('audit_head', ?)").run(head)
    }
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}; COMMIT`)
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
