import type { DuckDBConnection } from '@duckdb/node-api'
import { SEVERITIES, type Severity } from '../../base/records/finding.ts'
import { quoteLiteral, readRows } from './duckdb.ts'
import { selectFindings } from './views.ts'

/** The findings of one rule, counted by status; without any code or location. */
export interface RuleCounts {
  rule_id: string
  title: string
  /** The most severe that the rule reported. */
  severity: Severity
  open: number
  baseline: number
  suppressed: number
}

/** The findings of a run by rule, most severe first, then by their number. */
export function readRuleCounts(
  connection: DuckDBConnection,
  out: string,
  id: string,
  limit: number,
): Promise<RuleCounts[]> {
  const order = `list_position([${SEVERITIES.map(quoteLiteral).join(', ')}], severity)`
  const count = (status: string) => `CAST(count(*) FILTER (status = '${status}') AS INTEGER) AS ${status}`
  return readRows<RuleCounts>(
    connection,
    `SELECT rule_id, min(title) AS title, arg_min(severity, ${order}) AS severity, ${['open', 'baseline', 'suppressed'].map(count).join(', ')}
     FROM ${selectFindings(out, [id])} GROUP BY rule_id ORDER BY min(${order}), count(*) DESC, rule_id LIMIT ${limit}`,
  )
}
