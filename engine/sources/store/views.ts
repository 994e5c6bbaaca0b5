import { FILE_COLUMNS } from './columns.ts'
import { quotePath } from './duckdb.ts'
import { runFiles } from './layout.ts'

/**
 * The findings of runs as an SQL relation: the columns of findings.parquet with `position`, the row's place in its run's
 * canonical order from 0, and `ordinal`, the run's place in `ids` from 0. Built for each query, so a process that stays
 * sees the runs of other processes; runs of older programs lack the newer columns. One scan over a list of files: a union of scans takes half as long again.
 */
export function selectFindings(out: string, ids: readonly string[]): string {
  const files = ids.map(id => quotePath(runFiles(out, id).findings))
  return `(SELECT * RENAME (file_row_number AS position), file_index AS ordinal FROM ${parquet(files, ', file_row_number = true, union_by_name = true')})`
}

/** The files that a run scanned, as an SQL relation: the columns of files.parquet. Columns that runs of older programs lack are null. */
export function selectFiles(out: string, id: string): string {
  const columns = Object.entries(FILE_COLUMNS).map(([name, type]) => `NULL::${type} AS "${name}"`)
  return `(SELECT ${columns.join(', ')} WHERE false UNION ALL BY NAME SELECT * FROM ${parquet([quotePath(runFiles(out, id).files)])})`
}

function parquet(files: readonly string[], options = ''): string {
  return `read_parquet([${files.join(', ')}], hive_partitioning = false${options})`
}
