import { join } from 'node:path'
import { quoteLiteral, quotePath } from './duckdb.ts'
import { writeJsonArray } from './json-array.ts'

/** The longest record that DuckDB's JSON reader is prepared for, unless there is a longer one; it buffers twice that. */
const RECORD_BYTES = 1 << 20

/** Writes records as `<name>.json` into a folder; answers that file as a relation of the columns, for a query. */
export function writeRelation(
  folder: string,
  name: string,
  records: readonly object[],
  columns: Readonly<Record<string, string>>,
): string {
  const path = join(folder, `${name}.json`)
  const longest = writeJsonArray(path, records, Object.keys(columns) as never[])
  const types = Object.entries(columns).map(([column, type]) => `"${column}": ${quoteLiteral(type)}`)
  return `read_json(${quotePath(path)}, format = 'array', hive_partitioning = false, columns = {${types.join(', ')}},
    maximum_object_size = ${Math.max(RECORD_BYTES, longest + 1024)})`
}
