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

/**
 * What to mend first of the findings of a status: for each rule its most telling one (worst, then one with a ready fix, then surest, then by
 * place); rules in that order too. Findings that nobody knows a remedy for are left out: there is nothing to do next. `file` narrows
 * them to a file, or to a directory with all below it.
 */
export async function readNextActions(
  connection: DuckDBConnection,
  out: string,
  id: string,
  limit: number,
  status: Exclude<FindingStatus, 'suppressed'>,
  file?: string,
): Promise<NextAction[]> {
  const place = file === undefined ? '' : ' AND (file = $1 OR starts_with(file, $2))'
  const order = `${RANK} // ${SEVERITY_STEP}, fix IS NULL, ${RANK}, position`
  const chosen = await readRows<{ json: string; alike: number }>(
    connection,
    `WITH f AS (SELECT * EXCLUDE (ordinal) FROM ${selectFindings(out, [id])} WHERE status = '${status}' AND (remediation <> '' OR fix IS NOT NULL)${place}),
      best AS (SELECT position, CAST(count(*) OVER (PARTITION BY rule_id) - 1 AS INTEGER) AS alike, row_number() OVER (ORDER BY ${order}) AS place
        FROM f QUALIFY row_number() OVER (PARTITION BY rule_id ORDER BY ${order}) = 1)
     SELECT CAST(to_json(f) AS VARCHAR) AS json, alike
     FROM (SELECT * FROM best ORDER BY place LIMIT ${limit}) b JOIN f USING (position) ORDER BY b.place`,
    file === undefined ? [] : [file, `${file}/`],
  )
  return chosen.map(({ json, alike }) => ({ finding: parseFinding(json), alike }))
}
