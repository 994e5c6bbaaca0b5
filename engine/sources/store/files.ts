import type { DuckDBConnection } from '@duckdb/node-api'
import { type FileMetric, METRIC_NAMES } from '../../base/records/file-metrics.ts'
import type { FileRecord } from '../../base/records/run.ts'
import { readRows } from './duckdb.ts'
import { selectFiles } from './views.ts'

/** A file of a stored run. A metric that was not measured is null, and so is each that the program that stored the run did not know. */
export type StoredFile = Omit<FileRecord, FileMetric> & Record<FileMetric, number | null>

/** The files of a run with their metrics, by path. */
export async function readFiles(connection: DuckDBConnection, out: string, id: string): Promise<StoredFile[]> {
  const names = ['path', 'language', 'CAST(bytes AS DOUBLE) AS bytes', 'findings', ...METRIC_NAMES]
  return readRows(connection, `SELECT ${names.join(', ')} FROM ${selectFiles(out, id)} ORDER BY path`)
}
