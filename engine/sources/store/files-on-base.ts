import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { readOwn, writeTemporary } from '../../base/disk/own-folder.ts'
import type { FileRecord } from '../../base/records/run.ts'
import { FILE_COLUMNS } from './columns.ts'
import { copy, quotePath, ROW_GROUP } from './duckdb.ts'
import { writeRelation } from './json-relation.ts'
import { GroupedParquet } from './parquet-groups.ts'

/** The files of a run, most of which stand in a Parquet file already: rows of their own put between, and some rows left out. */
export interface FilesOnBase {
  /** The Parquet file, with the columns of files.parquet: as it was when it was verified, whatever stands under its name by now. */
  base: Uint8Array
  /** Rows of it that are left out, from 0. */
  without: readonly number[]
  /** By path. */
  own: readonly FileRecord[]
  /** Before which row of the base each of them stands. */
  places: readonly number[]
}

/** All files of a run, which are to be a base for the runs to come. */
export interface FilesAndBase {
  /** By path. */
  all: readonly FileRecord[]
  /** Where the base is written, as a Parquet file with the columns of files.parquet. */
  path: string
  /** The SHA-256 of what was written there, once it was. */
  checksum?: string
}

/** Rows of a base that stand one behind the other, from 0. */
interface Stretch {
  first: number
  end: number
}

/** The name of the base in the folder of what is made on the way. */
const BASE = 'base.parquet'

/** What an own row says of where it stands: between which rows, and among those at the same place. */
const PLACE = { place: 'DOUBLE', turn: 'INTEGER' } as const

/** The own rows with their places. */
function placeRows({ own, places }: FilesOnBase): object[] {
  return own.map((file, turn) => ({ ...file, place: places[turn]! - 0.5, turn }))
}

/** All rows by path; `own` is the relation of the own rows with their places. The same rows give the same bytes as if none had been there before. */
function selectOnBase({ without }: FilesOnBase, base: string, own: string, of?: Stretch): string {
  const kept = `SELECT ${COLUMNS}, CAST(file_row_number AS DOUBLE) AS place, 0 AS turn FROM ${rowsOf(base, without, of)}`
  return `SELECT ${COLUMNS} FROM (${kept} UNION ALL SELECT ${COLUMNS}, place, turn FROM ${own}) ORDER BY place, turn`
}

/** The statement that writes the rows to a Parquet file, where they are to be those of a stretch of the base alone; base and own rows come from files in the folder. */
function copyOnBase(files: FilesOnBase, folder: string, target: string, of?: Stretch): string {
  const own = writeRelation(folder, of ? `files-${of.first}` : 'files', placeRows(files), { ...FILE_COLUMNS, ...PLACE })
  return copy(selectOnBase(files, join(folder, BASE), own, of), target)
}

/**
 * Writes all rows to a Parquet file; what is made on the way stands in the folder. Where rows of few groups have changed, the others are taken
 * over as they stand in the base: the bytes are those that the rows come to in any case.
 */
export async function writeOnBase(
  connection: DuckDBConnection,
  files: FilesOnBase,
  folder: string,
  target: string,
): Promise<void> {
  writeFileSync(join(folder, BASE), files.base)
  const whole = await replaceGroups(connection, files, folder)
  if (whole) writeFileSync(target, whole)
  else await connection.run(copyOnBase(files, folder, target))
}

/** The file with those groups made anew that have changed rows; undefined where these are many, or rows would come to stand in another group. */
async function replaceGroups(
  connection: DuckDBConnection,
  files: FilesOnBase,
  folder: string,
): Promise<Buffer | undefined> {
  const base = GroupedParquet.read(files.base)
  const changed = base && findChangedGroups(files, base)
  if (!changed || changed.length > base.groups.length / 2) return undefined
  const others = new Map<number, GroupedParquet>()
  for (const { number, of, own } of changed) {
    const path = join(folder, `group-${number}.parquet`)
    await connection.run(copyOnBase(own, folder, path, of))
    const written = readOwn(path)
    const other = written && GroupedParquet.read(written)
    if (!other) return undefined
    others.set(number, other)
  }
  return base.replace(others)
}

/** The groups that have other rows than the base's, as many as before each; undefined where there is one that has more or fewer. */
function findChangedGroups({ base, without, own, places }: FilesOnBase, { groups }: GroupedParquet) {
  const changed: { number: number; of: Stretch; own: FilesOnBase }[] = []
  let first = 0
  for (const [number, { rows }] of groups.entries()) {
    // Only the last one may have fewer, or the rows would be cut into other groups if they were written anew.
    if (rows !== ROW_GROUP && number !== groups.length - 1) return undefined
    const of = { first, end: first + rows }
    const isIn = (place: number) => place >= of.first && place < of.end
    const gone = without.filter(isIn)
    const put = own.filter((_, at) => isIn(places[at]!))
    if (gone.length !== put.length) return undefined
    const group = { base, without: gone, own: put, places: places.filter(isIn) }
    if (put.length > 0) changed.push({ number, of, own: group })
    first = of.end
  }
  return places.some(place => place >= first) ? undefined : changed
}

const COLUMNS = Object.keys(FILE_COLUMNS)
  .map(name => `"${name}"`)
  .join(', ')

function rowsOf(path: string, without: readonly number[], of?: Stretch): string {
  const conditions = [
    ...(of ? [`file_row_number BETWEEN ${of.first} AND ${of.end - 1}`] : []),
    ...(without.length > 0 ? [`file_row_number NOT IN (${without.join(', ')})`] : []),
  ]
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''
  return `read_parquet(${quotePath(path)}, hive_partitioning = false, file_row_number = true)${where}`
}

/** Leaves the files of a run, which have just been written, as a base. What the disk refuses is not the run's fault: there is no base then. */
export function leaveBase(written: string, files: FilesAndBase): void {
  try {
    const bytes = readFileSync(written)
    writeTemporary(files.path, bytes)
    files.checksum = createHash('sha256').update(bytes).digest('hex')
  } catch {
    rmSync(files.path, { force: true })
  }
}
