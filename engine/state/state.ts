import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { append, type Head, parseHead, sealHead } from '../audit/chain.ts'
import type { Acting, AuditDraft } from '../audit/entry.ts'
import type { Keyring } from '../audit/key.ts'
import { integrityOf } from '../audit/seal.ts'
import { keepWitness } from '../audit/witness.ts'
import { EngineError } from '../errors.ts'
import { damage, patiently } from './patience.ts'
import { Reader, Writer } from './tables.ts'

/** Milliseconds between two notes to the witness; the last one comes when the records are closed. */
const WITNESS_PAUSE = 500

/** One change of the records: what it writes and the entries that tell of it are there together or not at all. */
export class Transaction extends Writer {
  /** The time of everything in it; never before that of the last entry, so that a clock set back revives nothing. */
  readonly at: string
  readonly drafts: AuditDraft[] = []

  constructor(database: DatabaseSyncInstance, statements: Map<string, StatementSyncInstance>, at: string) {
    super(database, statements)
    this.at = at
  }

  /** Adds an entry to the audit log. */
  audit(draft: AuditDraft): void {
    this.drafts.push(draft)
  }
}

/** A repository's records of governance and its audit log, open in this process. All work is synchronous. */
export class State {
  readonly root: string
  readonly keyring: Keyring
  readonly #database: DatabaseSyncInstance
  readonly #statements = new Map<string, StatementSyncInstance>()
  readonly #reader: Reader
  /** Where the witness is found; undefined for records that nobody keeps. */
  readonly #env: Readonly<Record<string, string | undefined>> | undefined
  readonly #now: () => number
  /** Who uses these records; the last to close them does. */
  #users = 1
  /** What the witness has yet to be told, and when it was told last. */
  #unwitnessed: Head | undefined
  #witnessed = 0

  constructor(
    root: string,
    database: DatabaseSyncInstance,
    keyring: Keyring,
    env: Readonly<Record<string, string | undefined>> | undefined,
    now: () => number,
  ) {
    this.root = root
    this.keyring = keyring
    this.#database = database
    this.#reader = new Reader(database, this.#statements)
    this.#env = env
    this.#now = now
  }

  /** Reads as of one moment. */
  read<T>(work: (reader: Reader, at: string) => T): T {
    this.#database.exec('BEGIN')
    try {
      return work(this.#reader, this.#time(this.head()))
    } finally {
      this.#database.exec('ROLLBACK')
    }
  }

  /** Reads with waiting in between: each query sees the records as they are then. */
  readLater<T>(work: (reader: Reader, at: string) => Promise<T>): Promise<T> {
    return work(this.#reader, this.#time(this.head()))
  }

  /**
   * Changes records. `acting` is who does it, for the entries; nothing is changed where the work throws. An internal error
   * where records were changed and no entry tells of it: every change of state is in the audit log.
   */
  write<T>(acting: Acting, work: (transaction: Transaction) => T): T {
    try {
      patiently(() => this.#database.exec('BEGIN IMMEDIATE'))
    } catch (error) {
      throw damage(error)
    }
    let head: Head
    let result: T
    let written = 0
    try {
      head = this.head()
      const transaction = new Transaction(this.#database, this.#statements, this.#time(head))
      result = work(transaction)
      if (transaction.changes > 0 && transaction.drafts.length === 0)
        throw new Error('records were changed without an audit entry')
      written = transaction.drafts.length
      if (written > 0) this.#checkHead()
      for (const draft of transaction.drafts) {
        const next = append(head, draft, acting, transaction.at, this.keyring.signing)
        head = next.head
        transaction.execute('INSERT INTO audit (seq, text) VALUES (?, ?)', head.seq, next.sealed.text)
      }
      if (written > 0)
        transaction.execute("UPDATE meta SET value = ? WHERE key = 'audit_head'", sealHead(head, this.keyring.signing))
      this.#database.exec('COMMIT')
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw damage(error)
    }
    if (written > 0) {
      this.#unwitnessed = head
      // Who stays tells it as soon as the answer is out; the entry and the signed head are on the disk already.
      if (this.#users > 1) setImmediate(() => this.#tellWitnessLater())
      else if (performance.now() - this.#witnessed > WITNESS_PAUSE) this.#tellWitness()
    }
    return result
  }

  /** The end of the audit log as it is stored; its signature is not looked at. */
  head(): Head {
    const head = parseHead(this.meta('audit_head') ?? '')
    if (head) return head
    throw forged()
  }

  /** The sealed text of an entry. */
  textOf(seq: number): string | undefined {
    return this.#reader.rows('SELECT text FROM audit WHERE seq = ?', seq)[0]?.text as string | undefined
  }

  /** A value that is kept beside the records. */
  meta(key: string): string | undefined {
    return this.#reader.rows('SELECT value FROM meta WHERE key = ?', key)[0]?.value as string | undefined
  }

  /** These records for one more user, who closes them too. */
  share(): this {
    this.#users++
    return this
  }

  close(): void {
    if (--this.#users > 0) return
    this.#tellWitness()
    // SQLite keeps the file open until the last statement has gone, and only the collector lets statements go.
    this.#statements.clear()
    this.#database.close()
  }

  #tellWitness(): void {
    const head = this.#unwitnessed
    if (!head || !this.#env) return
    this.#unwitnessed = undefined
    this.#witnessed = performance.now()
    keepWitness(this.#env, this.root, head, seq => this.textOf(seq))
  }

  #tellWitnessLater(): void {
    try {
      this.#tellWitness()
    } catch {
      // Nobody waits any more who could be told; whoever reads the records next meets the same fault.
    }
  }

  /** Nothing may be appended to an end that is not ours: the next signature would make it look sound. */
  #checkHead(): void {
    const text = this.meta('audit_head') ?? ''
    const integrity = integrityOf(text, this.keyring.known)
    if (integrity === 'broken') throw forged()
    if (integrity === 'unknown_key') {
      throw new EngineError('STORE_UNREADABLE', 'The audit log was signed with a key that is not here.', {
        hint: 'Set GUARD_AUDIT_HMAC_KEY_PREVIOUS to that key. To begin a new log, move .svc/local/state.db aside.',
      })
    }
  }

  #time(head: Head): string {
    const now = new Date(this.#now()).toISOString()
    // As texts, which sort as the times do.
    return [now, head.at].sort()[1]!
  }
}

function forged(): EngineError {
  return new EngineError('STORE_UNREADABLE', 'The end of the audit log does not bear its signature.', {
    hint: 'Run `svc audit verify` to see what was changed.',
  })
}
