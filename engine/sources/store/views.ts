import { FILE_COLUMNS, FIRST_SEEN_TYPE } from './columns.ts'
import { quotePath } from './duckdb.ts'
import { runFiles } from './layout.ts'

/**
 * The findings of runs as an SQL relation: the columns of findings.parquet with `position`, the row's place in its run's
 * canonical order from 0, and `ordinal`, the run's place in `ids` from 0. Built for each query, so a process that stays
 * sees the runs of other processes; runs of older programs lack the newer columns. One scan over a list of files: a union of scans takes half as long again.
 * `first_seen`, which is no part of a finding, is there only where it is asked for, and null in runs of programs that did not record it.
 */
export function selectFindings(out: string, ids: readonly string[], { firstSeen = false } = {}): string {
  const files = ids.map(id => quotePath(runFiles(out, id).findings))
  const rows = parquet(files, ', file_row_number = true, union_by_name = true')
  const own = `COLUMNS(c -> c NOT IN ('first_seen', 'file_row_number', 'file_index')), file_row_number AS position, file_index AS ordinal`
  if (!firstSeen) return `(SELECT ${own} FROM ${rows})`
  const column = `NULL::${FIRST_SEEN_TYPE} AS first_seen`
  return `(SELECT ${own}, first_seen FROM (SELECT *, file_index FROM ${rows} UNION ALL BY NAME SELECT ${column} WHERE false))`
}

/** The files that a run scanned, as an SQL relation: the columns of files.parquet. Columns that runs of older programs lack are null. */
export function selectFiles(out: string, id: string): string {
  const columns = Object.entries(FILE_COLUMNS).map(([name, type]) => `NULL::${type} AS "${name}"`)
  return `(SELECT ${columns.join(', ')} WHERE false UNION ALL BY NAME SELECT * FROM ${parquet([quotePath(runFiles(out, id).files)])})`
}

function parquet(files: readonly string[], options = ''): string {
  return `read_parquet([${files.join(', ')}], hive_partitioning = false${options})`
}
