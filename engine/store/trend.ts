import type { DuckDBConnection } from '@duckdb/node-api'
import type { FindingStatus, Severity } from '../finding.ts'
import { type GateCounts, tally } from './counts.ts'
import { rows } from './duckdb.ts'
import type { RunSummary } from './runs.ts'
import { findingsOf } from './views.ts'

/** One run in a trend. */
export interface TrendPoint extends GateCounts {
  started_at: string
  scope: string
  git_sha?: string
  branch?: string
  files: number
  score?: number
  /** Findings that the run before it in the trend did not have, and those that it had and this one has not (or has suppressed). Absent for the first, and where the scopes differ. */
  introduced?: number
  resolved?: number
}

/** Runs as a series, oldest first; `runs` in that order. Counts come from the findings, not from what the runs say of themselves. */
export async function trendOf(
  connection: DuckDBConnection,
  out: string,
  runs: readonly RunSummary[],
): Promise<TrendPoint[]> {
  if (runs.length === 0) return []
  const ids = runs.map(({ id }) => id)
  const all = findingsOf(out, ids)
  const groups = await rows<{ ordinal: number; severity: Severity; status: FindingStatus; n: number }>(
    connection,
    `SELECT CAST(ordinal AS INTEGER) AS ordinal, severity, status, CAST(count(*) AS INTEGER) AS n FROM ${all} GROUP BY ALL`,
  )
  const counts = ids.map((id, i) =>
    tally(
      id,
      groups.filter(({ ordinal }) => ordinal === i),
    ),
  )
  const kept = await keptOf(connection, all)
  const present = ({ open, baseline }: GateCounts) => open + baseline
  return runs.map((run, i) => {
    const comparable = i > 0 && runs[i - 1]!.scope === run.scope
    const stayed = kept.get(i) ?? 0
    return {
      ...counts[i]!,
      started_at: run.started_at,
      scope: run.scope,
      ...(run.git_sha !== undefined && { git_sha: run.git_sha }),
      ...(run.branch !== undefined && { branch: run.branch }),
      files: run.counts.files,
      ...(run.score !== undefined && { score: run.score }),
      ...(comparable && { introduced: present(counts[i]!) - stayed, resolved: present(counts[i - 1]!) - stayed }),
    }
  })
}

/** Per run, how many of its findings the run before has too. A fingerprint's 64-bit hash stands for it: a third of the memory and time. */
async function keptOf(connection: DuckDBConnection, all: string): Promise<Map<number, number>> {
  const counts = await rows<{ ordinal: number; n: number }>(
    connection,
    `WITH f AS MATERIALIZED (SELECT ordinal, hash(fingerprint) AS h FROM ${all} WHERE status <> 'suppressed')
     SELECT CAST(ordinal AS INTEGER) AS ordinal, CAST(count(*) AS INTEGER) AS n FROM f SEMI JOIN f g ON f.h = g.h AND f.ordinal = g.ordinal + 1 GROUP BY ordinal`,
  )
  return new Map(counts.map(({ ordinal, n }) => [ordinal, n]))
}
