import type { DuckDBConnection } from '@duckdb/node-api'
import type { FindingStatus, Severity } from '../../base/records/finding.ts'
import type { Rating } from '../../base/records/rating.ts'
import { type GateCounts, tally } from './counts.ts'
import { readRows } from './duckdb.ts'
import type { RunSummary } from './runs.ts'
import { selectFindings } from './views.ts'

/** One run in a trend. */
export interface TrendPoint extends GateCounts {
  started_at: string
  scope: string
  git_sha?: string
  branch?: string
  files: number
  rating?: Rating
  score?: number
  /** Findings, by fingerprint, that the run before it in the trend did not have, and those that it had and this one has not (or has suppressed). Absent for the first, and where the scopes differ. */
  introduced?: number
  resolved?: number
}

/** Findings of a run by fingerprint, suppressed ones left out, and those of them that the run before has too. */
interface Distinct {
  there: number
  stayed: number
}

/** Runs as a series, oldest first; `runs` in that order. Counts come from the findings, not from what the runs say of themselves. */
export async function readTrend(
  connection: DuckDBConnection,
  out: string,
  runs: readonly RunSummary[],
): Promise<TrendPoint[]> {
  if (runs.length === 0) return []
  const ids = runs.map(({ id }) => id)
  const all = selectFindings(out, ids)
  const groups = await readRows<{ ordinal: number; severity: Severity; status: FindingStatus; n: number }>(
    connection,
    `SELECT CAST(ordinal AS INTEGER) AS ordinal, severity, status, CAST(count(*) AS INTEGER) AS n FROM ${all} GROUP BY ALL`,
  )
  const counts = ids.map((id, i) =>
    tally(
      id,
      groups.filter(({ ordinal }) => ordinal === i),
    ),
  )
  const distinct = await distinctOf(connection, all)
  const of = (i: number) => distinct.get(i) ?? { there: 0, stayed: 0 }
  return runs.map((run, i) => {
    const comparable = i > 0 && runs[i - 1]!.scope === run.scope
    const { there, stayed } = of(i)
    return {
      ...counts[i]!,
      started_at: run.started_at,
      scope: run.scope,
      ...(run.git_sha !== undefined && { git_sha: run.git_sha }),
      ...(run.branch !== undefined && { branch: run.branch }),
      files: run.counts.files,
      ...(run.rating !== undefined && { rating: run.rating }),
      ...(run.score !== undefined && { score: run.score }),
      ...(comparable && { introduced: there - stayed, resolved: of(i - 1).there - stayed }),
    }
  })
}

/**
 * Per run, how many findings it has, and how many of them the run before has too. One in many places, as a secret is, counts once.
 * A fingerprint's 64-bit hash stands for it: a third of the memory and time.
 */
async function distinctOf(connection: DuckDBConnection, all: string): Promise<Map<number, Distinct>> {
  const counts = await readRows<{ ordinal: number } & Distinct>(
    connection,
    `WITH f AS MATERIALIZED (SELECT DISTINCT ordinal, hash(fingerprint) AS h FROM ${all} WHERE status <> 'suppressed')
     SELECT CAST(f.ordinal AS INTEGER) AS ordinal, CAST(count(*) AS INTEGER) AS there, CAST(count(g.h) AS INTEGER) AS stayed
     FROM f LEFT JOIN f g ON f.h = g.h AND f.ordinal = g.ordinal + 1 GROUP BY f.ordinal`,
  )
  return new Map(counts.map(({ ordinal, ...distinct }) => [ordinal, distinct]))
}
