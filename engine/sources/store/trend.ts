import type { DuckDBConnection } from '@duckdb/node-api'
import type { FindingStatus, Severity } from '../../base/records/finding.ts'
import { lookedAt } from '../../base/records/looked.ts'
import type { Rating } from '../../base/records/rating.ts'
import { type GateCounts, tally } from './counts.ts'
import { readRows } from './duckdb.ts'
import { type RunSummary, readRun } from './runs.ts'
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
  /** Findings, by fingerprint, that the run before it in the trend did not have, and those that it had and this one has not (or has suppressed). Absent for the first, and where the scopes differ. Those in what this one could not look at are not resolved. */
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
  const isComparable = (i: number) => i > 0 && runs[i - 1]!.scope === runs[i]!.scope
  const goneFrom = (i: number) => of(i - 1).there - of(i).stayed
  const losing = [...runs.keys()].filter(i => isComparable(i) && goneFrom(i) > 0)
  const unseen = await countUnseen(connection, out, all, ids, losing)
  return runs.map((run, i) => {
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
      ...(isComparable(i) && { introduced: there - stayed, resolved: goneFrom(i) - (unseen.get(i) ?? 0) }),
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

/**
 * Of the findings that the run before has and these runs have not, how many are in what they could not look at, by the runs' places in
 * `ids`. One in many places is unseen where one of them is.
 */
async function countUnseen(
  connection: DuckDBConnection,
  out: string,
  all: string,
  ids: readonly string[],
  losing: readonly number[],
): Promise<Map<number, number>> {
  const looks = new Map<number, ReturnType<typeof lookedAt>>()
  for (const i of losing) {
    const { skipped, partly = [], not_evaluated } = await readRun(out, ids[i]!)
    if (skipped.length === 0 && partly.length === 0 && not_evaluated.length === 0) continue
    looks.set(i, lookedAt({ skipped, partly, notEvaluated: not_evaluated, whole: true, isScanned: () => false }))
  }
  if (looks.size === 0) return new Map()
  const wanted = [...looks.keys()].join(', ')
  const gone = await readRows<{ ordinal: number; key: string; rule_id: string; file: string }>(
    connection,
    `WITH f AS MATERIALIZED (SELECT ordinal, hash(fingerprint) AS h, rule_id, file FROM ${all}
       WHERE status <> 'suppressed' AND (ordinal IN (${wanted}) OR ordinal + 1 IN (${wanted})))
     SELECT CAST(f.ordinal + 1 AS INTEGER) AS ordinal, CAST(f.h AS VARCHAR) AS key, rule_id, file
     FROM f ANTI JOIN f g ON f.h = g.h AND g.ordinal = f.ordinal + 1 WHERE f.ordinal + 1 IN (${wanted})`,
  )
  const unseen = new Map<number, Set<string>>()
  for (const { ordinal, key, ...place } of gone) {
    if (looks.get(ordinal)!(place)) continue
    const keys = unseen.get(ordinal) ?? new Set()
    unseen.set(ordinal, keys.add(key))
  }
  return new Map([...unseen].map(([ordinal, keys]) => [ordinal, keys.size]))
}
