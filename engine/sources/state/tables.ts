import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { EngineError } from '../../base/errors.ts'
import type { Agent, Approval, AuditorToken, Delegation, Grant, Session } from './records.ts'
import type { RawRow, RecordFault, Seals } from './seals.ts'

/** A name that is frozen: the next check of that agent refuses. `*` stands for all. */
export interface Frozen {
  name: string
  at: string
  by: string
}

/** What is kept beside the records by its name: the policy in force, and what tells of it. */
export interface Kept {
  key: string
  value: string
}

/** The record of each table. */
export interface Tables {
  meta: Kept
  agents: Agent
  frozen: Frozen
  sessions: Session
  delegations: Delegation
  grants: Grant
  approvals: Approval
  auditors: AuditorToken
}

export type Value = string | number | null

/** The key of each table. */
export const KEYS: Readonly<Record<keyof Tables, string>> = {
  meta: 'key',
  agents: 'name',
  frozen: 'name',
  sessions: 'id',
  delegations: 'id',
  grants: 'id',
  approvals: 'id',
  auditors: 'token_hash',
}

/** Columns that hold JSON, in whichever table. */
const JSON_COLUMNS: ReadonlySet<string> = new Set([
  'authorized_paths',
  'baseline',
  'files_touched',
  'paths',
  'scopes',
  'subject',
  'violations',
  'votes',
  'zones_touched',
])

/**
 * The sealed record that names the sessions of an agent in which work goes on: one that is not in the table any more is
 * found out without a walk.
 */
export function openSessions(agent: string): readonly [table: string, id: string] {
  return ['open', agent]
}

/** What is sealed of an agent's open sessions; undefined where there are none. */
export function openRow(reader: Reader, agent: string): RawRow | undefined {
  const ids = reader
    .rows("SELECT id FROM sessions WHERE agent = ? AND status IN ('active', 'violated') ORDER BY id", agent)
    .map(({ id }) => id as string)
  return ids.length > 0 ? { agent, ids: ids.join(' ') } : undefined
}

/** Reading records. Statements are prepared once a connection. Each row that is read is held against its seal. */
export class Reader {
  readonly #database: DatabaseSyncInstance
  readonly #statements: Map<string, StatementSyncInstance>
  protected readonly seals: Seals
  /** Rows read that are not what the audit log says of them; a decision that rests on such rows must not be made. */
  readonly faults: RecordFault[] = []

  constructor(database: DatabaseSyncInstance, statements: Map<string, StatementSyncInstance>, seals: Seals) {
    this.#database = database
    this.#statements = statements
    this.seals = seals
  }

  /** The record with this key; that there is none is held against the log as well. */
  get<K extends keyof Tables>(table: K, key: string): Tables[K] | undefined {
    const row = this.raw(table, key)
    this.note(this.seals.check(table, key, row))
    return row && (decoded(row) as Tables[K])
  }

  /** The records that a condition holds for; it may go on with ORDER BY and LIMIT. Values stand for its question marks. */
  find<K extends keyof Tables>(table: K, where: string, ...values: Value[]): Tables[K][] {
    return this.rows(`SELECT * FROM ${table} WHERE ${where}`, ...values).map(row => {
      this.note(this.seals.check(table, row[KEYS[table]] as string, row))
      return decoded(row) as Tables[K]
    })
  }

  /** Holds the list of an agent's open sessions against the log: one that was deleted or ended elsewhere is a fault. */
  checkOpenSessions(agent: string): void {
    if (this.seals.isVerified(...openSessions(agent))) return
    this.note(this.seals.check(...openSessions(agent), openRow(this, agent)))
  }

  /** The record as it was sealed, whatever its row says now. */
  sealed<K extends keyof Tables>(table: K, key: string): Tables[K] | undefined {
    const row = this.sealedRow(table, key)
    return row && (decoded(row) as Tables[K])
  }

  /** The row as it was sealed; without the columns that were null. */
  sealedRow(table: keyof Tables, key: string): RawRow | undefined {
    return this.seals.sealedRow(`${table} ${key}`)
  }

  /** How many records a condition holds for. */
  count(table: keyof Tables, where: string, ...values: Value[]): number {
    return Number(this.rows(`SELECT count(*) AS count FROM ${table} WHERE ${where}`, ...values)[0]!.count)
  }

  /** The rows of any query, not held against anything. */
  rows(sql: string, ...values: Value[]): Record<string, unknown>[] {
    return this.prepare(sql).all(...values) as Record<string, unknown>[]
  }

  /** A row as it lies in the file. */
  protected raw(table: keyof Tables, key: string): RawRow | undefined {
    return this.rows(`SELECT * FROM ${table} WHERE ${KEYS[table]} = ?`, key)[0]
  }

  protected note(fault: RecordFault | undefined): void {
    if (fault && !this.faults.some(({ message }) => message === fault.message)) this.faults.push(fault)
  }

  protected prepare(sql: string): StatementSyncInstance {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

/** Changing records; what is changed is counted, so that a change without an audit entry can be refused. */
export class Writer extends Reader {
  changes = 0
  /** Rows that were written, and whose seals are to be written anew. */
  readonly touched = new Map<string, readonly [table: keyof Tables, key: string]>()
  /** Agents whose open sessions may have become others. */
  readonly #agents = new Set<string>()
  /** Rows that did not fit their seals before they were written: sealing them would pass a forgery off as ours. */
  readonly #broken = new Set<string>()

  /** Runs a statement that is not a query. */
  execute(sql: string, ...values: Value[]): void {
    this.changes += Number(this.prepare(sql).run(...values).changes)
  }

  insert<K extends keyof Tables>(table: K, record: Tables[K]): void {
    const names = Object.keys(record)
    const marks = names.map(() => '?').join(', ')
    this.#touch(table, String((record as unknown as Record<string, unknown>)[KEYS[table]]))
    if (table === 'sessions') this.#touchOpen((record as Session).agent)
    this.execute(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`, ...encoded(record))
  }

  /** Sets fields of the record with this key. */
  update<K extends keyof Tables>(table: K, key: string, changes: Partial<Tables[K]>): void {
    const sets = Object.keys(changes).map(name => `${name} = ?`)
    const before = this.#touch(table, key)
    if (table === 'sessions' && 'status' in changes && before) this.#touchOpen(String(before.agent))
    this.execute(`UPDATE ${table} SET ${sets.join(', ')} WHERE ${KEYS[table]} = ?`, ...encoded(changes), key)
  }

  remove(table: keyof Tables, key: string): void {
    this.#touch(table, key)
    this.execute(`DELETE FROM ${table} WHERE ${KEYS[table]} = ?`, key)
  }

  /** Keeps a value under a name. */
  keep(key: string, value: string): void {
    if (this.get('meta', key)) this.update('meta', key, { value })
    else this.insert('meta', { key, value })
  }

  override get<K extends keyof Tables>(table: K, key: string): Tables[K] | undefined {
    if (!this.touched.has(`${table} ${key}`)) return super.get(table, key)
    const row = this.raw(table, key)
    return row && (decoded(row) as Tables[K])
  }

  override find<K extends keyof Tables>(table: K, where: string, ...values: Value[]): Tables[K][] {
    if (this.touched.size === 0) return super.find(table, where, ...values)
    return this.rows(`SELECT * FROM ${table} WHERE ${where}`, ...values).map(row => {
      const key = row[KEYS[table]] as string
      if (!this.touched.has(`${table} ${key}`)) this.note(this.seals.check(table, key, row))
      return decoded(row) as Tables[K]
    })
  }

  /** The rows to seal, as they are now. */
  toSeal(): Map<string, RawRow | undefined> {
    const rows = new Map<string, RawRow | undefined>()
    for (const [record, [table, key]] of this.touched)
      if (!this.#broken.has(record)) rows.set(record, this.raw(table, key))
    for (const agent of this.#agents) {
      const record = openSessions(agent).join(' ')
      if (!this.#broken.has(record)) rows.set(record, openRow(this, agent))
    }
    return rows
  }

  /** Notes that a row is about to be written; the row as it was. */
  #touch(table: keyof Tables, key: string): RawRow | undefined {
    const record = `${table} ${key}`
    const row = this.raw(table, key)
    if (this.touched.has(record)) return row
    this.touched.set(record, [table, key])
    const fault = this.seals.check(table, key, row)
    if (fault) this.#broken.add(record)
    this.note(fault)
    return row
  }

  #touchOpen(agent: string): void {
    if (this.#agents.has(agent)) return
    this.#agents.add(agent)
    const fault = this.seals.check(...openSessions(agent), openRow(this, agent))
    if (fault) this.#broken.add(openSessions(agent).join(' '))
    this.note(fault)
  }
}

function encoded(record: object): Value[] {
  return Object.entries(record).map(([name, value]) =>
    JSON_COLUMNS.has(name) && value !== null ? JSON.stringify(value) : value,
  )
}

function decoded(row: RawRow): unknown {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      JSON_COLUMNS.has(name) && value !== null ? parsed(name, value as string, row) : value,
    ]),
  )
}

function parsed(name: string, text: string, row: RawRow): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new EngineError('STORE_UNREADABLE', `The record ${row.id ?? row.name} was edited: ${name} is not JSON.`, {
      hint: 'Run `svc audit verify`; a user can restore it with `svc audit verify --restore-records`.',
      cause: error,
    })
  }
}
