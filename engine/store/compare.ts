import type { DuckDBConnection } from '@duckdb/node-api'
import type { Severity } from '../finding.ts'
import { rows } from './duckdb.ts'
import type { RunSummary } from './runs.ts'
import { filesOf, findingsOf } from './views.ts'

/** What a person needs to recognise a finding in a list. */
export interface FindingLine {
  fingerprint: string
  rule_id: string
  severity: Severity
  title: string
  file: string
  line: number
}

export interface Comparison {
  run_id: string
  against: string
  /** Findings by fingerprint; suppressed ones do not count as there. Exact, whatever the length of the lists. */
  counts: {
    new: number
    resolved: number
    unchanged: number
    /** There before, and suppressed since. */
    suppressed: number
    /** In files that only one of two runs of different scope looked at: nothing can be said of them. */
    not_compared: number
  }
  /** In canonical order, each list cut at the limit asked for. */
  new: FindingLine[]
  resolved: FindingLine[]
  unchanged: FindingLine[]
}

const LINE = 'fingerprint, rule_id, severity, title, file, line'

/** The newer run against the older: what came, what went, what stayed; lists of at most `limit`. */
export async function compareRuns(
  connection: DuckDBConnection,
  out: string,
  newer: RunSummary,
  older: RunSummary,
  limit: number,
): Promise<Comparison> {
  // A whole scan that no longer finds a file has resolved its findings; a narrowed one just did not look.
  const sameScope = newer.scope === older.scope
  const looked = (id: string) => (sameScope ? 'true' : `file IN (SELECT path FROM ${filesOf(out, id)})`)
  const common = `WITH
    newer_all AS (SELECT * FROM ${findingsOf(out, [newer.id])}),
    older_all AS (SELECT * FROM ${findingsOf(out, [older.id])} WHERE status <> 'suppressed'),
    newer AS (SELECT * FROM newer_all WHERE status <> 'suppressed' AND ${looked(older.id)}),
    older AS (SELECT * FROM older_all WHERE ${looked(newer.id)})`
  const sets = {
    new: 'newer ANTI JOIN older USING (fingerprint)',
    resolved: 'older ANTI JOIN newer_all USING (fingerprint)',
    unchanged: 'newer SEMI JOIN older USING (fingerprint)',
    suppressed: `older SEMI JOIN (SELECT * FROM newer_all WHERE status = 'suppressed') s USING (fingerprint)`,
  }
  const count = (set: string) => `(SELECT CAST(count(*) AS INTEGER) FROM ${set})`
  const [counts] = await rows<Comparison['counts']>(
    connection,
    `${common} SELECT ${Object.entries(sets)
      .map(([name, set]) => `${count(set)} AS "${name}"`)
      .join(', ')},
      ${count(`newer_all WHERE status <> 'suppressed'`)} - ${count('newer')} + ${count('older_all')} - ${count('older')} AS not_compared`,
  )
  const list = (set: string) =>
    rows<FindingLine>(connection, `${common} SELECT ${LINE} FROM ${set} ORDER BY position LIMIT ${limit}`)
  return {
    run_id: newer.id,
    against: older.id,
    counts: counts!,
    new: await list(sets.new),
    resolved: await list(sets.resolved),
    unchanged: await list(sets.unchanged),
  }
}
