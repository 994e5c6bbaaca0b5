import type { DuckDBConnection } from '@duckdb/node-api'
import type { Finding } from '../../base/records/finding.ts'
import { parseFinding } from './columns.ts'
import { readRows } from './duckdb.ts'
import { selectFiles, selectFindings } from './views.ts'

/** The open findings of a run that carry a fix, in canonical order, and the bytes of each of their files when it was scanned. */
export interface FixableFindings {
  run_id: string
  findings: Finding[]
  sizes: Map<string, number>
}

/** Reads them in two queries, however large the run is. */
export async function readFixableFindings(
  connection: DuckDBConnection,
  out: string,
  id: string,
): Promise<FixableFindings> {
  const chosen = `(SELECT * EXCLUDE (ordinal) FROM ${selectFindings(out, [id])} WHERE status = 'open' AND fix IS NOT NULL)`
  const found = await readRows<{ json: string }>(
    connection,
    `SELECT CAST(to_json(f) AS VARCHAR) AS json FROM ${chosen} f ORDER BY position`,
  )
  const sizes = await readRows<{ path: string; bytes: number }>(
    connection,
    `SELECT path, CAST(bytes AS DOUBLE) AS bytes FROM ${selectFiles(out, id)} WHERE path IN (SELECT file FROM ${chosen})`,
  )
  return {
    run_id: id,
    findings: found.map(({ json }) => parseFinding(json)),
    sizes: new Map(sizes.map(({ path, bytes }) => [path, bytes])),
  }
}
