import type { DuckDBConnection } from '@duckdb/node-api'
import type { StateCounts } from '../../base/records/framework.ts'
import { quotePath, readRows } from './duckdb.ts'
import { runFiles } from './layout.ts'
import type { RunSummary } from './runs.ts'

/** What a framework came to in one run, as the run recorded it. */
export interface FrameworkPoint {
  run_id: string
  started_at: string
  framework: string
  name: string
  pack_version: string
  counts: StateCounts
  /** met / (met + violated) in percent; absent where neither is there. */
  coverage?: number
}

type Row = Omit<FrameworkPoint, 'counts' | 'coverage'> & StateCounts & { coverage: number | null }

/** The frameworks of these runs, in the order of the runs and of each run's frameworks; a run that evaluated none gives no row. */
export async function readFrameworkTrend(
  connection: DuckDBConnection,
  out: string,
  runs: readonly Pick<RunSummary, 'id'>[],
): Promise<FrameworkPoint[]> {
  if (runs.length === 0) return []
  const files = runs.map(({ id }) => quotePath(runFiles(out, id).run))
  const count = (state: string, old = state) =>
    `coalesce(f->'$.counts.${state}', f->'$.counts."${old}"', '0')::INTEGER AS ${state}`
  const rows = await readRows<Row>(
    connection,
    `WITH stored AS (SELECT content::JSON AS run FROM read_text([${files.join(', ')}]) WHERE json_valid(content)),
     judged AS (SELECT run->>'$.id' AS run_id, run->>'$.started_at' AS started_at, unnest((run->'$.frameworks')::JSON[]) AS f,
       generate_subscripts((run->'$.frameworks')::JSON[], 1) AS place FROM stored)
     SELECT run_id, started_at, f->>'$.id' AS framework, f->>'$.name' AS name, f->>'$.pack_version' AS pack_version,
       ${count('violated')}, ${count('met')}, ${count('manual')}, ${count('not_applicable', 'not-applicable')},
       ${count('not_evaluated')}, (f->'$.coverage')::DOUBLE AS coverage
     FROM judged ORDER BY list_position([${runs.map(({ id }) => `'${id.replaceAll("'", "''")}'`).join(', ')}], run_id), place`,
  )
  return rows.map(({ violated, met, manual, not_applicable, not_evaluated, coverage, ...row }) => ({
    ...row,
    counts: { violated, met, manual, not_applicable, not_evaluated },
    ...(coverage !== null && { coverage }),
  }))
}
