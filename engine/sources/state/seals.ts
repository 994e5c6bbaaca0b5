import { createHash } from 'node:crypto'
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { canonical } from '../../base/text/canonical.ts'
import { type Head, parseHead } from './chain.ts'
import type { AuditEntry } from './entry.ts'
import type { AuditKey } from './key.ts'
import { checkIntegrity, computeSha256 } from './seal.ts'

/** A row as it lies in the file; undefined where there is none. */
export type RawRow = Readonly<Record<string, unknown>>

/** What the log says of one row. */
export interface Seal {
  /** `<table> <key>`. */
  record: string
  /** SHA-256 of the row's canonical text. */
  digest: string
  /** The entry that made or last changed the row. */
  seq: number
}

/** A row that is not what the log says of it, or the table of digests itself. */
export interface RecordFault {
  table: string
  /** The row's key. */
  id: string
  what: 'edited' | 'added' | 'deleted'
  /** The entry that tells otherwise; 0 where none tells of the row. */
  seq: number
  message: string
}

/** Buckets of digests: a row is verified with the digests of its bucket, not with those of the whole file. */
const BUCKETS = 64
const WIDTH = 32

/** What an empty bucket and the empty file have. */
const EMPTY_BUCKET = createHash('sha256').digest()
const EMPTY_BUCKETS = Buffer.concat(Array.from({ length: BUCKETS }, () => EMPTY_BUCKET))

/**
 * Binds the rows that decisions rest on to the audit log. Each row has its digest beside it, in one of 64 buckets; the
 * last entry of the log carries the digest of all buckets. So a row that was edited, added, deleted or put back to an
 * earlier state with another program no longer fits the end of the log, and finding it out takes one bucket, not a walk.
 *
 * What was verified stays so until another connection has written (PRAGMA data_version): this one seals all it writes.
 */
export class Seals {
  readonly #database: DatabaseSyncInstance
  readonly #statements: Map<string, StatementSyncInstance>
  readonly #keys: ReadonlyMap<string, AuditKey>
  #version: unknown
  #trust: Trust | undefined
  #buckets = new Map<number, Map<string, Seal>>()
  #sound = new Set<string>()

  constructor(
    database: DatabaseSyncInstance,
    statements: Map<string, StatementSyncInstance>,
    keys: ReadonlyMap<string, AuditKey>,
  ) {
    this.#database = database
    this.#statements = statements
    this.#keys = keys
  }

  /** Begins a transaction: what another connection has written since is verified anew. */
  refresh(): void {
    const { data_version } = this.#get('PRAGMA data_version') as { data_version: unknown }
    if (data_version === this.#version) return
    this.forget()
    this.#version = data_version
  }

  /** Forgets what was verified. */
  forget(): void {
    this.#trust = undefined
    this.#buckets.clear()
    this.#sound.clear()
  }

  /** Whether the end of the log carries digests; a log of before there were any does not. */
  get isSealed(): boolean {
    return this.#trusted().sealed
  }

  /** The digest of all buckets, for the next entry; where something is wrong, the one of the last entry, so that it stays so. */
  get root(): string | null {
    const { fault, root, buckets } = this.#trusted()
    return fault ? (root ?? null) : digestOf(buckets)
  }

  /** What is wrong with the end of the log or the table of digests, so that no row can be held against it. */
  get fault(): RecordFault | undefined {
    return this.#trusted().fault
  }

  /** Holds a row against its digest; undefined where it is as the log says, and where the log says nothing of rows yet. */
  check(table: string, id: string, row: RawRow | undefined): RecordFault | undefined {
    const record = `${table} ${id}`
    if (this.#sound.has(record)) return undefined
    const { sealed, fault } = this.#trusted()
    if (!sealed) return undefined
    if (fault) return fault
    const seal = this.#sealsIn(bucketOf(record))
    if (!seal) return SEALS_CHANGED
    const found = this.#compare(table, id, row, seal.get(record))
    if (!found) this.#sound.add(record)
    return found
  }

  /** Whether a row was verified since another connection last wrote, so that it need not be read to be verified again. */
  isVerified(table: string, id: string): boolean {
    return this.#sound.has(`${table} ${id}`)
  }

  /** The first fault of the table of digests; undefined where it is the one that the log vouches for. */
  tableFault(): RecordFault | undefined {
    return this.fault ?? (this.all() ? undefined : SEALS_CHANGED)
  }

  /** Every seal; undefined where the table of digests is not the one that the log vouches for. */
  all(): Map<string, Seal> | undefined {
    const seals = new Map<string, Seal>()
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const own = this.#sealsIn(bucket)
      if (!own) return undefined
      for (const [record, seal] of own) seals.set(record, seal)
    }
    return seals
  }

  /** The row as it was sealed. */
  sealedRow(record: string): RawRow | undefined {
    const seal = this.#sealsIn(bucketOf(record))?.get(record)
    if (!seal) return undefined
    const { row } = this.#get('SELECT row FROM seals WHERE bucket = ? AND record = ?', bucketOf(record), record) as {
      row: string
    }
    return computeSha256(row) === seal.digest ? (JSON.parse(row) as RawRow) : undefined
  }

  /** Seals rows as they are now: their digests, null for a row that is gone. `seq` is the entry that tells of them. */
  seal(rows: ReadonlyMap<string, RawRow | undefined>, seq: (record: string) => number): Record<string, string | null> {
    const digests: Record<string, string | null> = {}
    const touched = new Set<number>()
    for (const [record, row] of [...rows].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const bucket = bucketOf(record)
      touched.add(bucket)
      const text = row && rowText(row)
      digests[record] = text === undefined ? null : computeSha256(text)
      if (text === undefined) this.#run('DELETE FROM seals WHERE bucket = ? AND record = ?', bucket, record)
      else
        this.#run(
          'INSERT OR REPLACE INTO seals (bucket, record, digest, seq, row) VALUES (?, ?, ?, ?, ?)',
          ...[bucket, record, digests[record], seq(record), text],
        )
      this.#sound.add(record)
    }
    const buckets = Buffer.from(this.#trusted().buckets)
    for (const bucket of touched) {
      this.#buckets.delete(bucket)
      bucketDigest(this.#rowsIn(bucket)).copy(buckets, bucket * WIDTH)
    }
    this.#run('INSERT OR REPLACE INTO seal_buckets (id, digests) VALUES (1, ?)', buckets)
    this.#trust = { sealed: true, buckets }
    return digests
  }

  /** Takes all seals away, for all rows to be sealed anew. */
  clear(): void {
    this.forget()
    this.#run('DELETE FROM seals')
    this.#trust = { sealed: false, buckets: EMPTY_BUCKETS }
  }

  #compare(table: string, id: string, row: RawRow | undefined, seal: Seal | undefined): RecordFault | undefined {
    if (!seal) return row && changed(table, id, 0, `${table} has ${id}, which is in no entry of the log`, 'added')
    if (!row) return changed(table, id, seal.seq, `${table} had ${id}, and it was deleted`, 'deleted')
    if (computeSha256(rowText(row)) === seal.digest) return undefined
    const was = this.sealedRow(`${table} ${id}`)
    const fields = was ? [...new Set([...Object.keys(was), ...Object.keys(row)])] : []
    const differing = fields.filter(name => (was?.[name] ?? null) !== (row[name] ?? null))
    const which = differing.length > 0 ? ` (${differing.sort().join(', ')})` : ''
    return changed(table, id, seal.seq, `${id} in ${table} differs from entry ${seal.seq} of the log${which}`)
  }

  #trusted(): Trust {
    this.#trust ??= this.#readTrust()
    return this.#trust
  }

  #readTrust(): Trust {
    const stored = (this.#get("SELECT value FROM meta WHERE key = 'audit_head'") as { value?: string })?.value ?? ''
    const integrity = checkIntegrity(stored, this.#keys)
    const head = parseHead(stored)
    const bad = (message: string): Trust => ({
      ...{ sealed: true, buckets: EMPTY_BUCKETS },
      fault: { table: 'audit', id: String(head?.seq ?? 0), what: 'edited', seq: head?.seq ?? 0, message },
    })
    if (integrity === 'unknown_key') return bad('the audit log was signed with a key that is not here')
    if (integrity === 'broken' || !head) return bad('the end of the audit log does not bear its signature')
    const root = head.seq === 0 ? digestOf(EMPTY_BUCKETS) : this.#rootIn(head)
    if (root === null) return bad(`entry ${head.seq}, the last of the audit log, is missing or was modified`)
    if (root === undefined) return { sealed: false, buckets: EMPTY_BUCKETS }
    const blob = (this.#get('SELECT digests FROM seal_buckets WHERE id = 1') as { digests?: Uint8Array })?.digests
    const buckets = blob ? Buffer.from(blob) : EMPTY_BUCKETS
    if (digestOf(buckets) === root) return { sealed: true, buckets }
    return { sealed: true, buckets: EMPTY_BUCKETS, root, fault: SEALS_CHANGED }
  }

  /** The digest of all buckets in the last entry; undefined where it has none yet, null where it is not the entry of the head. */
  #rootIn({ seq, hash }: Head): string | null | undefined {
    const text = (this.#get('SELECT text FROM audit WHERE seq = ?', seq) as { text?: string })?.text
    if (text === undefined || computeSha256(text) !== hash) return null
    return (JSON.parse(text) as AuditEntry).details.records_root as string | undefined
  }

  #sealsIn(bucket: number): Map<string, Seal> | undefined {
    const known = this.#buckets.get(bucket)
    if (known) return known
    const seals = this.#rowsIn(bucket)
    const { buckets, fault } = this.#trusted()
    if (fault || !bucketDigest(seals).equals(buckets.subarray(bucket * WIDTH, (bucket + 1) * WIDTH))) return undefined
    const own = new Map(seals.map(seal => [seal.record, seal]))
    this.#buckets.set(bucket, own)
    return own
  }

  #rowsIn(bucket: number): Seal[] {
    return this.#prepare('SELECT record, digest, seq FROM seals WHERE bucket = ? ORDER BY record').all(
      bucket,
    ) as unknown as Seal[]
  }

  #get(sql: string, ...values: (string | number)[]): unknown {
    return this.#prepare(sql).get(...values)
  }

  #run(sql: string, ...values: unknown[]): void {
    this.#prepare(sql).run(...(values as string[]))
  }

  #prepare(sql: string): StatementSyncInstance {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

/** A bucket does not have the digest that the log vouches for. */
const SEALS_CHANGED = changed('seals', '*', 0, 'the table of digests was changed, so the records cannot be verified')

/** What the end of the log says of all digests. */
interface Trust {
  sealed: boolean
  buckets: Buffer
  /** The digest of all buckets in the last entry, where the buckets are others. */
  root?: string
  fault?: RecordFault
}

/** A row's text: without what is null, so that a column that is added later changes no digest. */
function rowText(row: RawRow): string {
  return canonical(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)))
}

function bucketOf(record: string): number {
  return createHash('sha256').update(record).digest()[0]! % BUCKETS
}

function bucketDigest(seals: readonly Seal[]): Buffer {
  const hash = createHash('sha256')
  for (const { record, digest, seq } of seals) hash.update(`${JSON.stringify(record)} ${digest} ${seq}\n`)
  return hash.digest()
}

function digestOf(buckets: Buffer): string {
  return createHash('sha256').update(buckets).digest('hex')
}

function changed(
  table: string,
  id: string,
  seq: number,
  message: string,
  what: RecordFault['what'] = 'edited',
): RecordFault {
  return { table, id, what, seq, message }
}
