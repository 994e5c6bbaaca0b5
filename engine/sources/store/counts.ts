import type { DuckDBConnection } from '@duckdb/node-api'
import { type FindingStatus, SEVERITIES, type Severity, type SeverityCounts } from '../../base/records/finding.ts'
import { quoteLiteral, readRows } from './duckdb.ts'
import { selectFindings } from './views.ts'

/** What a gate judges: open findings by severity, and what is held back beside them. */
export interface GateCounts extends SeverityCounts {
  run_id: string
  open: number
  suppressed: number
  baseline: number
}

/** Counts of one run. */
export async function countForGate(connection: DuckDBConnection, out: string, id: string): Promise<GateCounts> {
  const groups = await readRows<{ severity: Severity; status: FindingStatus; n: number }>(
    connection,
    `SELECT severity, status, CAST(count(*) AS INTEGER) AS n FROM ${selectFindings(out, [id])} GROUP BY ALL`,
  )
  return tally(id, groups)
}

/** The counts of one run from its groups by severity and status. */
export function tally(
  run_id: string,
  groups: Iterable<{ severity: Severity; status: FindingStatus; n: number }>,
): GateCounts {
  const counts: GateCounts = {
    run_id,
    open: 0,
    suppressed: 0,
    baseline: 0,
    critical: 0,
    high: 0,
    medium: 0,
    low: 0,
    info: 0,
  }
  for (const { severity, status, n } of groups) {
    counts[status] += n
    if (status === 'open') counts[severity] += n
  }
  return counts
}

export interface RuleCount {
  rule_id: string
  title: string
  /** The worst that the rule's findings have after rescoring and escalation. */
  severity: Severity
  count: number
}

/** A run's open findings from every side. Lists are longest or worst first and cut at the limit asked for. */
export interface Summary extends GateCounts {
  rules: RuleCount[]
  files: { file: string; count: number; worst: Severity }[]
  controls: { framework: string; control: string; count: number }[]
  /** Every framework; a finding that bears on several of its controls counts once. */
  frameworks: { framework: string; count: number }[]
  categories: Record<string, number>
  languages: Record<string, number>
}

/** Summary of one run's open findings, with at most `limit` rules, files and controls. */
export async function summarize(
  connection: DuckDBConnection,
  out: string,
  id: string,
  limit: number,
): Promise<Summary> {
  const open = `(SELECT * FROM ${selectFindings(out, [id])} WHERE status = 'open')`
  const count = 'CAST(count(*) AS INTEGER) AS count'
  const names = SEVERITIES.map(quoteLiteral).join(', ')
  const worst = `list_extract([${names}], min(list_position([${names}], severity)))`
  const by = async (column: string) => {
    const groups = await readRows<{ key: string; count: number }>(
      connection,
      `SELECT ${column} AS key, ${count} FROM ${open} GROUP BY 1 ORDER BY count DESC, key`,
    )
    return Object.fromEntries(groups.map(({ key, count }) => [key, count]))
  }
  return {
    ...(await countForGate(connection, out, id)),
    rules: await readRows(
      connection,
      `SELECT rule_id, min(title) AS title, ${worst} AS severity, ${count} FROM ${open} f GROUP BY rule_id
       ORDER BY min(list_position([${names}], f.severity)), count DESC, rule_id LIMIT ${limit}`,
    ),
    files: await readRows(
      connection,
      `SELECT file, ${count}, ${worst} AS worst FROM ${open} GROUP BY file ORDER BY count DESC, file LIMIT ${limit}`,
    ),
    controls: await readRows(
      connection,
      `SELECT c.framework AS framework, c."control" AS control, ${count} FROM (SELECT unnest(controls) AS c FROM ${open})
       GROUP BY ALL ORDER BY count DESC, framework, control LIMIT ${limit}`,
    ),
    frameworks: await readRows(
      connection,
      `SELECT framework, ${count} FROM (SELECT DISTINCT position, unnest(controls).framework AS framework FROM ${open})
       GROUP BY framework ORDER BY count DESC, framework`,
    ),
    categories: await by('category'),
    languages: await by('language'),
  }
}
