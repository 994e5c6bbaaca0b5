import type { DuckDBConnection } from '@duckdb/node-api'
import { type FileMetric, METRIC_NAMES } from '../../base/records/file-metrics.ts'
import type { Severity } from '../../base/records/finding.ts'
import type { FileRecord } from '../../base/records/run.ts'
import { readRows } from './duckdb.ts'
import { selectFiles, selectFindings } from './views.ts'

/** A file of a stored run. A metric that was not measured is null, and so is each that the program that stored the run did not know. */
export type StoredFile = Omit<FileRecord, FileMetric> & Record<FileMetric, number | null>

/** The files of a run with their metrics, by path. */
export async function readFiles(connection: DuckDBConnection, out: string, id: string): Promise<StoredFile[]> {
  const names = ['path', 'language', 'CAST(bytes AS DOUBLE) AS bytes', 'findings', ...METRIC_NAMES]
  return readRows(connection, `SELECT ${names.join(', ')} FROM ${selectFiles(out, id)} ORDER BY path`)
}

/** How many findings of a severity a file has, suppressed ones aside. */
export interface FindingCount {
  file: string
  severity: Severity
  count: number
}

/** The findings of a run that are not suppressed, by file and severity. */
export async function countByFile(connection: DuckDBConnection, out: string, id: string): Promise<FindingCount[]> {
  return readRows<FindingCount>(
    connection,
    `SELECT file, severity, CAST(count(*) AS INTEGER) AS count FROM ${selectFindings(out, [id])}
     WHERE status <> 'suppressed' GROUP BY ALL ORDER BY file, severity`,
  )
}
