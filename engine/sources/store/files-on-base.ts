import type { DuckDBConnection } from '@duckdb/node-api'
import type { FileRecord } from '../../base/records/run.ts'
import { FILE_COLUMNS } from './columns.ts'
import { copy, quotePath } from './duckdb.ts'
import { writeRelation } from './json-relation.ts'

/** The files of a run, most of which stand in a Parquet file already: rows of their own put between, and some rows left out. */
export interface FilesOnBase {
  /** The Parquet file, with the columns of files.parquet. */
  base: string
  /** Rows of it that are left out, from 0. */
  without: readonly number[]
  /** By path. */
  own: readonly FileRecord[]
  /** Before which row of the base each of them stands. */
  places: readonly number[]
}

/** All files of a run, of which some are to be a base for the runs to come. */
export interface FilesAndBase {
  /** By path. */
  all: readonly FileRecord[]
  /** Which of them are not of the base, from 0. */
  without: readonly number[]
  /** Where the base is written, as a Parquet file with the columns of files.parquet. */
  path: string
}

/** What an own row says of where it stands: between which rows, and among those at the same place. */
const PLACE = { place: 'DOUBLE', turn: 'INTEGER' } as const

/** The own rows with their places. */
function placeRows({ own, places }: FilesOnBase): object[] {
  return own.map((file, turn) => ({ ...file, place: places[turn]! - 0.5, turn }))
}

/** All rows by path; `own` is the relation of the own rows with their places. The same rows give the same bytes as if none had been there before. */
function selectOnBase({ base, without }: FilesOnBase, own: string): string {
  const kept = `SELECT ${COLUMNS}, CAST(file_row_number AS DOUBLE) AS place, 0 AS turn FROM ${rowsOf(base, without)}`
  return `SELECT ${COLUMNS} FROM (${kept} UNION ALL SELECT ${COLUMNS}, place, turn FROM ${own}) ORDER BY place, turn`
}

/** The statement that writes all rows to a Parquet file; the own rows come from a file in the folder. */
export function copyOnBase(files: FilesOnBase, folder: string, target: string): string {
  return copy(
    selectOnBase(files, writeRelation(folder, 'files', placeRows(files), { ...FILE_COLUMNS, ...PLACE })),
    target,
  )
}

const COLUMNS = Object.keys(FILE_COLUMNS)
  .map(name => `"${name}"`)
  .join(', ')

function rowsOf(path: string, without: readonly number[]): string {
  const condition = without.length > 0 ? ` WHERE file_row_number NOT IN (${without.join(', ')})` : ''
  return `read_parquet(${quotePath(path)}, hive_partitioning = false, file_row_number = true)${condition}`
}

/** Writes the base beside a run whose files have just been written. What the disk refuses is not the run's fault: there is no base then. */
export async function writeBase(
  connection: DuckDBConnection,
  files: string,
  { path, without }: FilesAndBase,
): Promise<void> {
  await connection.run(copy(`SELECT ${COLUMNS} FROM ${rowsOf(files, without)}`, path)).catch(() => {})
}
