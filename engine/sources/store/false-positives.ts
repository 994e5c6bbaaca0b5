import type { DuckDBConnection } from '@duckdb/node-api'
import { readRows } from './duckdb.ts'
import { selectFindings } from './views.ts'

/** How many findings a run has, and how many of them were suppressed as false positives. */
export interface FalsePositives {
  findings: number
  false_positives: number
}

/** Counts suppressions whose reason begins with `false positive` or `false-positive`, in any case. */
export async function countFalsePositives(
  connection: DuckDBConnection,
  out: string,
  id: string,
): Promise<FalsePositives> {
  const [counts] = await readRows<FalsePositives>(
    connection,
    `SELECT CAST(count(*) AS INTEGER) AS findings,
       CAST(count(*) FILTER (status = 'suppressed' AND regexp_matches(suppression.reason, '(?i)^\\s*false[- ]positive')) AS INTEGER) AS false_positives
     FROM ${selectFindings(out, [id])}`,
  )
  return counts ?? { findings: 0, false_positives: 0 }
}
