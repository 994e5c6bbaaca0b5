import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { registerTemporary } from '../../base/disk/temporary.ts'

/** Nothing is downloaded: parquet and json are built in, and the store needs no other extension. */
const OPTIONS = {
  memory_limit: '256MB',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  // Where a query that needs more memory goes on; DuckDB would make it in the working directory, which is somebody's repository.
  // Made only then, and removed with the database; the name cannot be guessed, since the folder around it is everybody's.
  temp_directory: join(tmpdir(), `svc-duckdb-${randomBytes(8).toString('hex')}`),
}
registerTemporary(OPTIONS.temp_directory)

let reading: Promise<DuckDBInstance> | undefined

/** A connection to the process's one in-memory database, made on first use (DuckDB takes about 60 ms to load and open). */
export async function connect(): Promise<DuckDBConnection> {
  reading ??= open('2')
  return (await reading).connect()
}

/** A database for writing. */
export interface Writer {
  connection: DuckDBConnection
  /** Gives its memory back. */
  close(): void
}

/** A database of its own with one thread: the bytes of a Parquet file then depend on nothing but its rows, and half the memory is needed. */
export function openWriter(): Promise<Writer> {
  const writer = opened ?? makeWriter()
  opened = undefined
  return writer
}

let opened: Promise<Writer> | undefined

/** Opens beforehand what the next call of `openWriter` gives: it takes 30 ms, much of it on another thread. */
export function openWriterAhead(): void {
  opened ??= makeWriter()
  // Whoever asks for it is told.
  opened.catch(() => {})
}

async function makeWriter(): Promise<Writer> {
  const instance = await open('1')
  const connection = await instance.connect()
  const close = () => {
    connection.closeSync()
    instance.closeSync()
  }
  return { connection, close }
}

async function open(threads: string): Promise<DuckDBInstance> {
  const { DuckDBInstance } = await import('./duckdb-api.ts')
  return DuckDBInstance.create(':memory:', { ...OPTIONS, threads })
}

/** The rows of a query as plain objects. The query casts its counts to INTEGER, so numbers are numbers. */
export async function readRows<T>(
  connection: DuckDBConnection,
  sql: string,
  values: readonly Value[] = [],
): Promise<T[]> {
  const reader = await connection.runAndReadAll(sql, [...values])
  return reader.getRowObjectsJS() as T[]
}

export type Value = string | number | boolean

/** Rows a Parquet row group: small, because DuckDB holds one in memory while it writes, and a page of findings reads one. */
export const ROW_GROUP = 8192

/** The statement that writes a query's rows to a Parquet file. */
export function copy(query: string, target: string): string {
  return `COPY (${query}) TO ${quoteLiteral(target)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP})`
}

/** A text as an SQL literal. DuckDB knows no backslash escapes in '…'. */
export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** A path as an SQL literal that names this one file: DuckDB would take * ? [ in it for a pattern. */
export function quotePath(path: string): string {
  return quoteLiteral(path.replace(/[*?[]/g, '[$&]'))
}
