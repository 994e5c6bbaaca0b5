import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import type { Agent, Approval, Delegation, Grant, Session } from './records.ts'

/** A name that is frozen: the next check of that agent refuses. `*` stands for all. */
export interface Frozen {
  name: string
  at: string
  by: string
}

/** The record of each table. */
export interface Tables {
  agents: Agent
  frozen: Frozen
  sessions: Session
  delegations: Delegation
  grants: Grant
  approvals: Approval
}

export type Value = string | number | null

const KEYS: Record<keyof Tables, string> = {
  agents: 'name',
  frozen: 'name',
  sessions: 'id',
  delegations: 'id',
  grants: 'id',
  approvals: 'id',
}

/** Columns that hold JSON, in whichever table. */
const JSON_COLUMNS: ReadonlySet<string> = new Set([
  'authorized_paths',
  'baseline',
  'files_touched',
  'paths',
  'scopes',
  'violations',
  'votes',
  'zones_touched',
])

/** Reading records. Statements are prepared once a connection. */
export class Reader {
  readonly #database: DatabaseSyncInstance
  readonly #statements: Map<string, StatementSyncInstance>

  constructor(database: DatabaseSyncInstance, statements: Map<string, StatementSyncInstance>) {
    this.#database = database
    this.#statements = statements
  }

  /** The record with this key. */
  get<K extends keyof Tables>(table: K, key: string): Tables[K] | undefined {
    return this.find(table, `${KEYS[table]} = ?`, key)[0]
  }

  /** The records that a condition holds for; it may go on with ORDER BY and LIMIT. Values stand for its question marks. */
  find<K extends keyof Tables>(table: K, where: string, ...values: Value[]): Tables[K][] {
    return this.rows(`SELECT * FROM ${table} WHERE ${where}`, ...values).map(row => decoded(row) as Tables[K])
  }

  /** How many records a condition holds for. */
  count(table: keyof Tables, where: string, ...values: Value[]): number {
    return Number(this.rows(`SELECT count(*) AS count FROM ${table} WHERE ${where}`, ...values)[0]!.count)
  }

  /** The rows of any query. */
  rows(sql: string, ...values: Value[]): Record<string, unknown>[] {
    return this.prepare(sql).all(...values) as Record<string, unknown>[]
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

  /** Runs a statement that is not a query. */
  execute(sql: string, ...values: Value[]): void {
    this.changes += Number(this.prepare(sql).run(...values).changes)
  }

  insert<K extends keyof Tables>(table: K, record: Tables[K]): void {
    const names = Object.keys(record)
    const marks = names.map(() => '?').join(', ')
    this.execute(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`, ...encoded(record))
  }

  /** Sets fields of the record with this key. */
  update<K extends keyof Tables>(table: K, key: string, changes: Partial<Tables[K]>): void {
    const sets = Object.keys(changes).map(name => `${name} = ?`)
    this.execute(`UPDATE ${table} SET ${sets.join(', ')} WHERE ${KEYS[table]} = ?`, ...encoded(changes), key)
  }

  remove(table: keyof Tables, key: string): void {
    this.execute(`DELETE FROM ${table} WHERE ${KEYS[table]} = ?`, key)
  }
}

function encoded(record: object): Value[] {
  return Object.entries(record).map(([name, value]) => (JSON_COLUMNS.has(name) ? JSON.stringify(value) : value))
}

function decoded(row: Record<string, unknown>): unknown {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, JSON_COLUMNS.has(name) ? JSON.parse(value as string) : value]),
  )
}
