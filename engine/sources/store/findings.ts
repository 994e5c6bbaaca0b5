import type { DuckDBConnection } from '@duckdb/node-api'
import { EngineError } from '../../base/errors.ts'
import {
  type Category,
  type Finding,
  type FindingStatus,
  SEVERITIES,
  type Severity,
} from '../../base/records/finding.ts'
import { listKeys, resolveRuleId } from '../../base/records/rule-ids.ts'
import { parseFinding } from './columns.ts'
import { quoteLiteral, readRows, type Value } from './duckdb.ts'
import { selectFindings } from './views.ts'

/** Which findings of a run, in which order; everything left out means all, in canonical order, the first 100. */
export interface FindingFilter {
  severity?: readonly Severity[]
  rule?: string
  /** A file, or a folder with all below it; repository-relative, a trailing slash is no difference. */
  file?: string
  status?: FindingStatus
  category?: Category
  /** Text in the title, message, rule, file or snippet; case makes no difference. */
  search?: string
  /** `place` is the canonical order (path, line, column, rule); `severity` puts the worst first, then the surest, then by place. */
  sort?: 'place' | 'severity'
  limit?: number
  /** `next_cursor` of the page before, with the same filter. */
  cursor?: string
}

export interface FindingPage {
  run_id: string
  findings: Finding[]
  /** Findings that the filter lets through, over all pages. */
  total: number
  /** Present while there is more. */
  next_cursor?: string
}

/** What a severity's place counts in RANK: more than all that can be missing from full confidence. */
export const SEVERITY_STEP = 1000
/** Worst first as a number: the severity's place (critical is 1) in steps, plus what is missing from full confidence in percent. */
export const RANK = `(${SEVERITY_STEP} * list_position([${SEVERITIES.map(quoteLiteral).join(', ')}], severity) + CAST(100 * (1 - confidence) AS INTEGER))`

/**
 * A page of a run's findings. A run never changes, so a cursor (run, last rank, last position) stays good for as long as the
 * run is stored, and walking the pages gives each finding once. INPUT_INVALID for a cursor that is not one of this run's.
 */
export async function readFindingPage(
  connection: DuckDBConnection,
  out: string,
  id: string,
  filter: FindingFilter,
): Promise<FindingPage> {
  const { where, values } = conditions(filter)
  const limit = filter.limit ?? 100
  const rank = filter.sort === 'severity' ? RANK : '0'
  const source = `(SELECT *, ${rank} AS rank FROM ${selectFindings(out, [id])} WHERE ${where})`
  const [total] = await readRows<{ n: number }>(
    connection,
    `SELECT CAST(count(*) AS INTEGER) AS n FROM ${source}`,
    values,
  )

  const from = filter.cursor === undefined ? undefined : decodeCursor(filter.cursor, id)
  const after = from ? ` WHERE rank > ${from.rank} OR (rank = ${from.rank} AND position > ${from.position})` : ''
  // The page's places are found over narrow columns first: to sort whole findings would read every snippet of the run.
  const places = `SELECT rank, position FROM ${source}${after} ORDER BY rank, position LIMIT ${limit + 1}`
  const page = await readRows<{ rank: number; position: number; json: string }>(
    connection,
    `SELECT p.rank, CAST(p.position AS INTEGER) AS position, CAST(to_json(f) AS VARCHAR) AS json
     FROM (${places}) p JOIN (SELECT * EXCLUDE (ordinal) FROM ${selectFindings(out, [id])}) f USING (position) ORDER BY p.rank, p.position`,
    values,
  )
  const last = page.length > limit ? page[limit - 1] : undefined
  return {
    run_id: id,
    findings: page.slice(0, limit).map(({ json }) => parseFinding(json)),
    total: total!.n,
    ...(last && { next_cursor: encodeCursor({ run: id, rank: last.rank, position: last.position }) }),
  }
}

function conditions(filter: FindingFilter): { where: string; values: Value[] } {
  const parts = ['true']
  const values: Value[] = []
  const equals = (column: string, value: string | undefined) => {
    if (value === undefined) return
    values.push(value)
    parts.push(`${column} = $${values.length}`)
  }
  if (filter.rule !== undefined) {
    // A run of before has the key of a form as its rule; a run of today has it beside the rule.
    const ids = [...new Set([filter.rule, ...listKeys(filter.rule)])].map(id => {
      values.push(id)
      return `$${values.length}`
    })
    const isForm = resolveRuleId(filter.rule) === filter.rule ? '' : ` OR list_contains(also, ${ids[0]})`
    parts.push(`(rule_id IN (${ids.join(', ')})${isForm})`)
  }
  equals('status', filter.status)
  equals('category', filter.category)
  if (filter.severity?.length) parts.push(`severity IN (${filter.severity.map(quoteLiteral).join(', ')})`)
  if (filter.search) {
    values.push(filter.search.toLowerCase())
    parts.push(
      `contains(lower(concat_ws(' ', title, message, rule_id, array_to_string(also, ' '), file, snippet)), $${values.length})`,
    )
  }
  const file = filter.file?.replace(/^\.\//, '').replace(/\/+$/, '')
  if (file !== undefined && file !== '' && file !== '.') {
    values.push(file, `${file}/`)
    parts.push(`(file = $${values.length - 1} OR starts_with(file, $${values.length}))`)
  }
  return { where: parts.join(' AND '), values }
}

interface Cursor {
  run: string
  rank: number
  position: number
}

function encodeCursor({ run, rank, position }: Cursor): string {
  return Buffer.from(`${run}:${rank}:${position}`).toString('base64url')
}

function decodeCursor(text: string, run: string): Cursor {
  const parts = /^(.+):(\d{1,6}):(\d{1,10})$/.exec(Buffer.from(text, 'base64url').toString())
  if (parts?.[1] !== run) {
    throw new EngineError(
      'INPUT_INVALID',
      `cursor must be the next_cursor of a page of the run ${run}, but was ${JSON.stringify(text.slice(0, 80))}.`,
      {
        hint: 'Omit the cursor to start with the first page.',
      },
    )
  }
  return { run, rank: Number(parts[2]), position: Number(parts[3]) }
}
