import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { EngineError } from '../../base/errors.ts'
import { append, type Head, parseHead, sealHead } from './chain.ts'
import type { Acting, AuditDraft } from './entry.ts'
import type { Keyring } from './key.ts'
import { runPatiently, toDamage } from './patience.ts'
import { checkIntegrity } from './seal.ts'
import { readEveryRow, SEALING, sealTransaction } from './sealing.ts'
import { type RecordFault, Seals } from './seals.ts'
import { Reader, Writer } from './tables.ts'
import { keepWitness } from './witness.ts'

/** Milliseconds between two notes to the witness; the last one comes when the records are closed. */
const WITNESS_PAUSE = 500
/** Milliseconds by which a clock may be set back unremarked; RFC 4120 takes five minutes for clocks that are kept well. */
const CLOCK_SKEW = 300_000

/** One change of the records: what it writes and the entries that tell of it are there together or not at all. */
export class Transaction extends Writer {
  /** The time of everything in it; never before that of the last entry, so that a clock set back revives nothing. */
  readonly at: string
  readonly drafts: AuditDraft[] = []

  constructor(
    database: DatabaseSyncInstance,
    statements: Map<string, StatementSyncInstance>,
    seals: Seals,
    at: string,
  ) {
    super(database, statements, seals)
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
  /** Whether the policy in force asks anything of anybody, once that is known; for the witness. */
  governs: boolean | undefined
  /** Whether the witness may be told: one that is gone is evidence, and is not made anew until a person accepts it. */
  witnessing = true
  readonly #database: DatabaseSyncInstance
  readonly #statements = new Map<string, StatementSyncInstance>()
  readonly #seals: Seals
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
    this.#seals = new Seals(database, this.#statements, keyring.known)
    this.#reader = new Reader(database, this.#statements, this.#seals)
    this.#env = env
    this.#now = now
  }

  /** Reads as of one moment. */
  read<T>(work: (reader: Reader, at: string) => T): T {
    this.#database.exec('BEGIN')
    try {
      this.#seals.refresh()
      return work(this.#newReader(), this.#time(this.head()))
    } catch (error) {
      throw toDamage(error)
    } finally {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
    }
  }

  /** Reads with waiting in between: each query sees the records as they are then. */
  readLater<T>(work: (reader: Reader, at: string) => Promise<T>): Promise<T> {
    this.#seals.refresh()
    return work(this.#newReader(), this.#time(this.head()))
  }

  /**
   * Changes records. `acting` is who does it, for the entries; nothing is changed where the work throws. An internal error
   * where records were changed and no entry tells of it: every change of state is in the audit log. `settles` is for a
   * person who accepts what was found: the rows as they are, the clock as it is now.
   */
  write<T>(acting: Acting, work: (transaction: Transaction) => T, settles: Settling = {}): T {
    const { reseal = false, clock = false } = settles
    try {
      runPatiently(() => this.#database.exec('BEGIN IMMEDIATE'))
    } catch (error) {
      throw toDamage(error)
    }
    let head: Head
    let result: T
    let written = 0
    try {
      this.#seals.refresh()
      head = this.head()
      const transaction = new Transaction(
        this.#database,
        this.#statements,
        this.#seals,
        clock ? this.#present() : this.#time(head),
      )
      result = work(transaction)
      if (transaction.changes > 0 && transaction.drafts.length === 0)
        throw new Error('records were changed without an audit entry')
      written = transaction.drafts.length
      if (written > 0) {
        this.#checkHead()
        sealTransaction(this.#seals, transaction, head.seq, reseal)
      }
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
      this.#seals.forget()
      throw toDamage(error)
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

  /** Seals the rows of a file that was written before rows were sealed; an entry tells of it. Nothing where it is done. */
  sealRecords(): void {
    if (this.read(() => this.#seals.isSealed)) return
    this.write(SEALING, tx => {
      if (this.#seals.isSealed) return
      const rows = readEveryRow(tx).size
      tx.audit({ action: 'records.seal', target: 'state.db', decision: 'allowed', details: { rows } })
    })
  }

  /** All rows that are not what the audit log says of them. Reads every record. */
  recordFaults(): RecordFault[] {
    return this.read(reader => {
      if (!this.#seals.isSealed) return []
      const broken = this.#seals.tableFault()
      if (broken) return [broken]
      const sealed = this.#seals.all()!
      const rows = readEveryRow(reader)
      const faults = [...new Set([...rows.keys(), ...sealed.keys()])].sort().map(record => {
        const space = record.indexOf(' ')
        return this.#seals.check(record.slice(0, space), record.slice(space + 1), rows.get(record))
      })
      return faults.filter(fault => fault !== undefined)
    })
  }

  /** The digests of all sealed rows, by record; empty where the table of digests is not to be believed. */
  seals(): Map<string, string> {
    const all = this.read(() => (this.#seals.fault ? undefined : this.#seals.all()))
    return new Map([...(all ?? [])].map(([record, { digest }]) => [record, digest]))
  }

  /** What is wrong with the end of the log or the table of digests; undefined where rows can be held against them. */
  endFault(): RecordFault | undefined {
    return this.read(() => this.#seals.fault)
  }

  /** Milliseconds by which the last entry is ahead of the clock, where it is more than clocks that are set anew may differ. */
  clockAhead(): number {
    const ahead = Date.parse(this.head().at || '1970-01-01') - this.#now()
    return ahead > CLOCK_SKEW ? ahead : 0
  }

  /** What the witness is told of the records, beside where the log has come to. */
  witnessed(): { records: number; governs?: boolean } {
    const [row] = this.#reader.rows("SELECT count(*) AS count FROM seals WHERE record NOT LIKE 'meta %'")
    return { records: Number(row!.count), ...(this.governs !== undefined && { governs: this.governs }) }
  }

  /** A value that is kept beside the records, as it lies in the file. */
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
    if (!head || !this.#env || !this.witnessing) return
    this.#unwitnessed = undefined
    this.#witnessed = performance.now()
    keepWitness(this.#env, this.root, head, { ...this.witnessed(), textOf: seq => this.textOf(seq) })
  }

  #tellWitnessLater(): void {
    try {
      this.#tellWitness()
    } catch {
      // Nobody waits any more who could be told; whoever reads the records next meets the same fault.
    }
  }

  #newReader(): Reader {
    return new Reader(this.#database, this.#statements, this.#seals)
  }

  /** Nothing may be appended to an end that is not ours: the next signature would make it look sound. */
  #checkHead(): void {
    const text = this.meta('audit_head') ?? ''
    const integrity = checkIntegrity(text, this.keyring.known)
    if (integrity === 'broken') throw forged()
    if (integrity === 'unknown_key') {
      throw new EngineError('STORE_UNREADABLE', 'The audit log was signed with a key that is not here.', {
        hint: 'Set GUARD_AUDIT_HMAC_KEY_PREVIOUS to that key. To start a new log, move .svc/local/state.db away.',
      })
    }
  }

  #time(head: Head): string {
    const present = this.#present()
    // As texts, which sort as the times do.
    return present < head.at ? head.at : present
  }

  #present(): string {
    return new Date(this.#now()).toISOString()
  }
}

/** What a person accepts with an entry of the log. */
export interface Settling {
  /** The rows as they are: all are sealed anew. */
  reseal?: boolean
  /** The clock as it is, though the log has later entries. */
  clock?: boolean
}

function forged(): EngineError {
  return new EngineError('STORE_UNREADABLE', 'The end of the audit log does not bear its signature.', {
    hint: 'Run `svc audit verify` to see what was changed.',
  })
}
