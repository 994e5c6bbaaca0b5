import type { DuckDBConnection } from '@duckdb/node-api'
import type { Severity } from '../../base/records/finding.ts'
import { lookedAt } from '../../base/records/looked.ts'
import type { Run } from '../../base/records/run.ts'
import { readRows } from './duckdb.ts'
import type { RunSummary } from './runs.ts'
import { selectFiles, selectFindings } from './views.ts'

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
    /**
     * In files that only one of two runs of different scope looked at, or gone from files and by rules that the newer run could
     * not look at or evaluate: nothing can be said of them.
     */
    not_compared: number
  }
  /** In canonical order, each list cut at the limit asked for. */
  new: FindingLine[]
  resolved: FindingLine[]
  unchanged: FindingLine[]
}

const LINE = 'fingerprint, rule_id, severity, title, file, line'
type Kind = keyof Comparison['counts']

/** Makes the names of temporary tables distinct: comparisons may run at once on one connection. */
let tables = 0

/** The newer run against the older: what came, what went, what stayed; lists of at most `limit`. */
export async function compareRuns(
  connection: DuckDBConnection,
  out: string,
  newer: Run,
  older: RunSummary,
  limit: number,
): Promise<Comparison> {
  const table = `compared_${tables++}`
  await connection.run(`CREATE TEMP TABLE ${table} AS ${kindsOf(out, newer, older)}`)
  try {
    await setUnseenAside(connection, table, out, newer, older)
    const counts: Comparison['counts'] = { new: 0, resolved: 0, unchanged: 0, suppressed: 0, not_compared: 0 }
    const counted = `SELECT kind, CAST(count(*) AS INTEGER) AS n FROM ${table} GROUP BY kind`
    for (const { kind, n } of await readRows<{ kind: Kind; n: number }>(connection, counted)) counts[kind] = n
    const list = (kind: Kind, { id }: RunSummary) =>
      readRows<FindingLine>(
        connection,
        `SELECT ${LINE} FROM ${selectFindings(out, [id])}
         JOIN (SELECT position FROM ${table} WHERE kind = '${kind}' ORDER BY position LIMIT ${limit}) USING (position) ORDER BY position`,
      )
    return {
      run_id: newer.id,
      against: older.id,
      counts,
      new: await list('new', newer),
      resolved: await list('resolved', older),
      unchanged: await list('unchanged', newer),
    }
  } finally {
    await connection.run(`DROP TABLE ${table}`)
  }
}

/** What the newer run does not have is resolved only where it looked: a rule that was broken off, or a file that could not be read, says nothing. */
async function setUnseenAside(
  connection: DuckDBConnection,
  table: string,
  out: string,
  { skipped, partly = [], not_evaluated }: Run,
  older: RunSummary,
): Promise<void> {
  if (skipped.length === 0 && partly.length === 0 && not_evaluated.length === 0) return
  const looked = lookedAt({ skipped, partly, notEvaluated: not_evaluated, whole: true, isScanned: () => false })
  const gone = await readRows<{ position: number; rule_id: string; file: string }>(
    connection,
    `SELECT CAST(position AS INTEGER) AS position, rule_id, file FROM ${selectFindings(out, [older.id])}
     JOIN (SELECT position FROM ${table} WHERE kind = 'resolved') USING (position)`,
  )
  const unseen = gone.filter(place => !looked(place)).map(({ position }) => position)
  if (unseen.length > 0)
    await connection.run(
      `UPDATE ${table} SET kind = 'not_compared' WHERE kind = 'resolved' AND position IN (${unseen.join(', ')})`,
    )
}

/** A query of kind and position, one row a fingerprint: the position in the older run for what is resolved, else in the newer. */
function kindsOf(out: string, newer: RunSummary, older: RunSummary): string {
  // A whole scan that no longer finds a file has resolved its findings; a narrowed one just did not look.
  const looked =
    newer.scope === older.scope
      ? 'true'
      : `bool_and(file IN (SELECT path FROM ${selectFiles(out, newer.id)}) AND file IN (SELECT path FROM ${selectFiles(out, older.id)}))`
  const side = (
    id: string,
  ) => `(SELECT fingerprint, min(position) AS position, bool_or(status <> 'suppressed') AS there, ${looked} AS looked
    FROM ${selectFindings(out, [id])} GROUP BY fingerprint)`
  return `SELECT CASE
      WHEN NOT coalesce(n.looked, o.looked) THEN 'not_compared'
      WHEN n.there AND o.there THEN 'unchanged'
      WHEN n.there THEN 'new'
      WHEN n.fingerprint IS NULL THEN 'resolved'
      ELSE 'suppressed' END AS kind, coalesce(n.position, o.position) AS position
    FROM ${side(newer.id)} n FULL OUTER JOIN ${side(older.id)} o USING (fingerprint)
    WHERE n.there OR o.there`
}
