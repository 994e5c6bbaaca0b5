import { pathLiteral } from './duckdb.ts'
import { runFiles } from './layout.ts'

/**
 * The findings of runs as an SQL relation: the columns of findings.parquet with `position`, the row's place in its run's
 * canonical order from 0, and `ordinal`, the run's place in `ids` from 0. Built for each query, so a process that stays
 * sees the runs of other processes.
 */
export function findingsOf(out: string, ids: readonly string[]): string {
  if (ids.length === 1) return `(SELECT *, 0 AS ordinal FROM ${parquet(runFiles(out, ids[0]!).findings)})`
  return `(${ids.map((id, i) => `SELECT *, ${i} AS ordinal FROM ${parquet(runFiles(out, id).findings)}`).join(' UNION ALL BY NAME ')})`
}

/** The files that a run scanned, as an SQL relation: the columns of files.parquet. */
export function filesOf(out: string, id: string): string {
  return parquet(runFiles(out, id).files)
}

function parquet(path: string): string {
  return `(SELECT * RENAME (file_row_number AS position) FROM read_parquet(${pathLiteral(path)}, file_row_number = true, hive_partitioning = false))`
}
