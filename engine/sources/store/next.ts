import type { DuckDBConnection } from '@duckdb/node-api'
import type { Finding, FindingStatus } from '../../base/records/finding.ts'
import { parseFinding } from './columns.ts'
import { readRows } from './duckdb.ts'
import { RANK, SEVERITY_STEP } from './findings.ts'
import { selectFindings } from './views.ts'

/** A finding to mend, and how many more of its status the same rule has. */
export interface NextAction {
  finding: Finding
  alike: number
}

export interface NextOptions {
  status?: Exclude<FindingStatus, 'suppressed'> | undefined
  /** A file, or a directory with all below it. */
  file?: string | undefined
  /** Fingerprints of findings that go before all others. */
  urgent?: readonly string[] | undefined
}

/**
 * What to mend first of the findings of a status, open where left out: for each rule its most telling one (urgent, then worst, then one with a ready fix, then surest, then by
 * place); rules in that order too. Findings that nobody knows a remedy for are left out: there is nothing to do next.
 */
export async function readNextActions(
  connection: DuckDBConnection,
  out: string,
  id: string,
  limit: number,
  { status = 'open', file, urgent = [] }: NextOptions,
): Promise<NextAction[]> {
  const place = file === undefined ? '' : ' AND (file = $2 OR starts_with(file, $3))'
  const order = `NOT list_contains(string_split($1, ','), fingerprint), ${RANK} // ${SEVERITY_STEP}, fix IS NULL, ${RANK}, position`
  const chosen = await readRows<{ json: string; alike: number }>(
    connection,
    `WITH f AS (SELECT * EXCLUDE (ordinal) FROM ${selectFindings(out, [id])} WHERE status = '${status}' AND (remediation <> '' OR fix IS NOT NULL)${place}),
      best AS (SELECT position, CAST(count(*) OVER (PARTITION BY rule_id) - 1 AS INTEGER) AS alike, row_number() OVER (ORDER BY ${order}) AS place
        FROM f QUALIFY row_number() OVER (PARTITION BY rule_id ORDER BY ${order}) = 1)
     SELECT CAST(to_json(f) AS VARCHAR) AS json, alike
     FROM (SELECT * FROM best ORDER BY place LIMIT ${limit}) b JOIN f USING (position) ORDER BY b.place`,
    [urgent.join(','), ...(file === undefined ? [] : [file, `${file}/`])],
  )
  return chosen.map(({ json, alike }) => ({ finding: parseFinding(json), alike }))
}
