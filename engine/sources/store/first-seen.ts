import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { EngineError } from '../../base/errors.ts'
import type { Run } from '../../base/records/run.ts'
import { FIRST_SEEN_TYPE } from './columns.ts'
import { quoteLiteral } from './duckdb.ts'
import { listRuns, readRun } from './runs.ts'
import { selectFindings } from './views.ts'

/** The run that a finding was first seen in, and when that run began (ISO 8601). */
export interface FirstSeen {
  run_id: string
  at: string
}

/** Narrowed runs after the last whole one that are looked at too; a finding of a longer row of them counts from the whole run after them. */
const NARROWED = 8

/**
 * The runs whose findings are carried over, newest first: those since the last one of the whole repository, that one included.
 * Damaged ones are passed over. Usually that is the latest run, and its record is all that is read.
 */
export async function listRunsToCarry(out: string): Promise<string[]> {
  const latest = await readLatest(out)
  if (latest?.scope === 'everything') return [latest.id]
  const { runs } = await listRuns(out)
  const whole = runs.findIndex(({ scope }) => scope === 'everything')
  const narrowed = runs.slice(0, whole === -1 ? runs.length : whole).slice(0, NARROWED)
  return [...narrowed, ...(whole === -1 ? [] : [runs[whole]!])].map(({ id }) => id)
}

/** The latest run, if the output directory names it and it can be read. */
async function readLatest(out: string): Promise<Run | undefined> {
  try {
    const { id } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) as { id: string }
    return await readRun(out, id)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof EngineError) return undefined
    if ((error as NodeJS.ErrnoException).code !== undefined || error instanceof TypeError) return undefined
    throw error
  }
}

/** How the run that is written now, and the runs before it, date its findings. */
export interface Dating {
  out: string
  /** The runs whose dates are carried over (`listRunsToCarry`). */
  carried: readonly string[]
  /** The run that is written, for what is new. */
  seen: FirstSeen
}

/**
 * Runs the statement that `statementOf` makes of a query of `source`, findings as they are written, with `first_seen`: that of the same fingerprint in the
 * runs that are carried over, else the run that is written. Where one of those runs has the finding and does not say since when, it stays unknown.
 * `places` is a relation of each row's fingerprint and number from 0. The dates are put beside the rows by position: a join of the rows
 * themselves would change their order. All is one call, so that the database goes on while this thread is busy.
 */
export async function runWithFirstSeen(
  connection: DuckDBConnection,
  source: string,
  places: string,
  { out, carried, seen }: Dating,
  statementOf: (query: string) => string,
): Promise<void> {
  const now = `{run_id: ${quoteLiteral(seen.run_id)}, "at": ${quoteLiteral(seen.at)}}::${FIRST_SEEN_TYPE}`
  if (carried.length === 0) {
    await connection.run(statementOf(`SELECT *, ${now} AS first_seen FROM ${source}`))
    return
  }
  const statements = [
    `CREATE TEMP TABLE seen_before AS
     SELECT fingerprint, bool_or(first_seen IS NULL) AS undated, arg_min(first_seen, first_seen."at") AS earliest
     FROM ${selectFindings(out, carried, { firstSeen: true })} GROUP BY fingerprint`,
    `CREATE TEMP TABLE dated AS
     SELECT CASE WHEN s.undated IS NULL THEN ${now} WHEN s.undated THEN NULL ELSE s.earliest END AS first_seen
     FROM ${places} p LEFT JOIN seen_before s USING (fingerprint) ORDER BY p.number`,
    statementOf(`SELECT * FROM ${source} POSITIONAL JOIN dated`),
  ]
  try {
    await connection.run(statements.join(';\n'))
  } catch (error) {
    const isReadBefore = await connection.run('SELECT 1 FROM seen_before LIMIT 0').then(
      () => true,
      () => false,
    )
    if (isReadBefore) throw error
    // A run that is damaged inside: what it had cannot be told from what is new.
    await connection.run(statementOf(`SELECT *, NULL::${FIRST_SEEN_TYPE} AS first_seen FROM ${source}`))
  }
}
