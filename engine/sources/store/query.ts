import type { DuckDBConnection } from '@duckdb/node-api'
import { EngineError } from '../../base/errors.ts'
import type { Finding, Severity } from '../../base/records/finding.ts'
import { SEVERITIES } from '../../base/records/finding.ts'
import { listKeys, resolveRuleId } from '../../base/records/rule-ids.ts'
import { readRows, type Value } from './duckdb.ts'
import { RANK } from './findings.ts'
import type { FirstSeen } from './first-seen.ts'
import { type Dimension, isList, LISTS, SCALARS, SEVERITY_PLACE } from './query-dimensions.ts'
import { selectFindings } from './views.ts'

/** What is asked of the findings of a run. Values of one dimension are alternatives; dimensions narrow each other. */
export interface FindingQuery {
  filter?: Partial<Record<Dimension, readonly string[]>>
  /** A file, or a folder with all below it. */
  path?: string
  /** Words that all have to stand in title, message, rule, file or snippet; case makes no difference. */
  search?: string
  /** First seen at this time or later (ISO 8601). */
  since?: string
  facets?: readonly Dimension[]
  group_by?: Dimension
  sort?: 'place' | 'severity' | 'rule' | 'oldest' | 'newest'
  limit?: number
  offset?: number
  cursor?: string
}

/** The owners of a path of the repository, none included. */
export type OwnersOf = (path: string) => readonly string[]

export interface FacetValue {
  value: string
  count: number
}

export interface FindingGroup {
  key: string
  count: number
  files: number
  worst: Severity
  by_severity: Partial<Record<Severity, number>>
  title: string
}

/** A finding as a list shows it. */
export type FindingRow = Pick<
  Finding,
  | 'id'
  | 'fingerprint'
  | 'rule_id'
  | 'pack_id'
  | 'title'
  | 'severity'
  | 'base_severity'
  | 'confidence'
  | 'category'
  | 'file'
  | 'line'
  | 'column'
  | 'language'
  | 'in_test'
  | 'zone'
  | 'agent'
  | 'status'
  | 'suppression'
> & { fixable: boolean; traced: boolean; first_seen?: FirstSeen; owners?: string[] }

export interface FindingAnswer {
  run_id: string
  total: number
  /** Matching findings whose first run is not recorded. */
  undated: number
  facets: Partial<Record<Dimension, FacetValue[]>>
  findings: FindingRow[]
  groups?: FindingGroup[]
  groups_total?: number
  next_cursor?: string
}

/** Values that one facet lists, the most frequent first. */
const FACET_VALUES = 100
/** Words of a search that are looked for. */
const WORDS = 8

const ROW = `id, fingerprint, rule_id, pack_id, title, severity, base_severity, confidence, category, file, line, "column", language,
  in_test, zone, agent, status, suppression, fix IS NOT NULL AS fixable, flow IS NOT NULL AS traced`

const ORDERS = {
  place: 'position',
  severity: 'rank, position',
  rule: 'rule, position',
  oldest: 'seen NULLS FIRST, rank, position',
  newest: 'seen DESC NULLS LAST, rank, position',
}

let tables = 0

/**
 * Answers a query over the findings of one run: what matches is put into a narrow table once, and total, facets, groups and page come
 * out of it. The counts of a facet are those that its values would have with every other filter on. `ownersOf` gives the
 * owners of a path. INPUT_INVALID for a cursor of another run.
 */
export async function queryFindings(
  connection: DuckDBConnection,
  out: string,
  id: string,
  query: FindingQuery,
  ownersOf?: OwnersOf,
): Promise<FindingAnswer> {
  const from = query.cursor === undefined ? (query.offset ?? 0) : decodeCursor(query.cursor, id)
  const limit = query.limit ?? 100
  const name = `asked_${tables++}`
  const created: string[] = []
  try {
    const owners = ownersOf && `${name}_owners`
    if (owners) {
      created.push(owners)
      await createOwners(connection, owners, selectFindings(out, [id]), ownersOf)
    }
    let matches = selectMatches(out, id, query, owners)
    if (query.search) {
      // To read the texts takes longer than to write down what matches.
      created.push(name)
      await connection.run(`CREATE TEMP TABLE ${name} AS FROM ${matches.sql}`, matches.values)
      matches = { sql: name, values: [] }
    }
    const facets = await readFacets(connection, matches, query)
    const { total, undated } = facets.totals
    const answer: FindingAnswer = { run_id: id, total, undated, facets: facets.values, findings: [] }
    const next = (all: number) => (from + limit < all ? { next_cursor: encodeCursor(id, from + limit) } : {})
    if (query.group_by) {
      const { groups, all } = await readGroups(connection, matches, query.group_by, limit, from)
      return { ...answer, groups, groups_total: all, ...next(all) }
    }
    return { ...answer, findings: await readPage(connection, matches, out, id, query, limit, from), ...next(total) }
  } finally {
    if (created.length > 0) await connection.run(created.map(each => `DROP TABLE IF EXISTS ${each}`).join(';'))
  }
}

/** A relation, and the values that its SQL has places for. */
interface Matches {
  sql: string
  values: Value[]
}

async function createOwners(
  connection: DuckDBConnection,
  table: string,
  source: string,
  ownersOf: OwnersOf,
): Promise<void> {
  const files = await readRows<{ file: string }>(connection, `SELECT DISTINCT file FROM ${source}`)
  const json = JSON.stringify(files.map(({ file }) => ({ file, owners: ownersOf(file) })))
  const shape = '[{"file": "VARCHAR", "owners": ["VARCHAR"]}]'
  await connection.run(
    `CREATE TEMP TABLE ${table} AS SELECT o.file, o.owners FROM (SELECT unnest(from_json($1, '${shape}')) AS o)`,
    [json],
  )
}

/** Place, order, the dimensions that are needed, and for each filter whether it would let the finding through. */
function selectMatches(out: string, id: string, query: FindingQuery, owners: string | undefined): Matches {
  const values: Value[] = []
  const bind = (value: Value) => {
    values.push(value)
    return `$${values.length}`
  }
  const filters = filtersOf(query)
  const wanted = new Set<Dimension>(query.facets)
  if (query.group_by) wanted.add(query.group_by).add('file')
  if (query.sort === 'rule') wanted.add('rule')
  for (const [dimension] of filters) wanted.add(dimension)
  const columns = new Set(
    [...wanted].map(name => (isList(name) ? LISTS[name].column : `${SCALARS[name]} AS "${name}"`)),
  )
  const keys = (query.filter?.rule ?? []).filter(id => resolveRuleId(id) !== id)
  if (keys.length > 0) columns.add('also')
  const hits = filters.map(([dimension, asked]) => {
    // A run of before has the keys of forms as rules; a run of today has them beside the rule.
    const list = dimension === 'rule' ? [...new Set(asked.flatMap(id => [id, ...listKeys(id)]))] : asked
    const among = `[${list.map(value => bind(value)).join(', ')}]::VARCHAR[]`
    const isForm =
      dimension === 'rule' && keys.length > 0
        ? ` OR list_has_any(coalesce(also, []::VARCHAR[]), [${keys.map(key => bind(key)).join(', ')}]::VARCHAR[])`
        : ''
    const hit = isList(dimension)
      ? `list_has_any(${LISTS[dimension].values}, ${among})`
      : `(list_contains(${among}, coalesce("${dimension}", ''))${isForm})`
    return `CAST(NOT (${hit}) AS INTEGER) AS "miss_${dimension}"`
  })
  const misses = filters.map(([dimension]) => `"miss_${dimension}"`).join(' + ') || '0'
  const where = conditions(query, bind)
  const dated = query.sort === 'oldest' || query.sort === 'newest'
  const shown = query.group_by ? `${SEVERITY_PLACE} AS place, title, ` : ''
  const source = selectFindings(out, [id], { firstSeen: true })
  const joined =
    owners === undefined
      ? source
      : `(SELECT f.*, coalesce(o.owners, []::VARCHAR[]) AS owners FROM ${source} f LEFT JOIN ${owners} o USING (file))`
  const sql = `(SELECT *, ${misses} AS misses FROM (SELECT *${hits.map(hit => `, ${hit}`).join('')} FROM (
       SELECT ${[...columns].map(column => `${column}, `).join('')}${shown}${dated ? 'first_seen."at" AS seen, ' : ''}
         position, ${RANK} AS rank, first_seen IS NULL AS undated
       FROM ${joined} WHERE ${where})))`
  return { sql, values }
}

function filtersOf({ filter = {} }: FindingQuery): [Dimension, readonly string[]][] {
  return Object.entries(filter).filter(([, list]) => list.length > 0) as [Dimension, readonly string[]][]
}

function conditions({ path, search, since }: FindingQuery, bind: (value: Value) => string): string {
  const parts = ['true']
  for (const word of (search ?? '').toLowerCase().split(/\s+/).filter(Boolean).slice(0, WORDS)) {
    parts.push(
      `contains(lower(concat_ws(' ', title, message, rule_id, array_to_string(also, ' '), file, snippet)), ${bind(word)})`,
    )
  }
  const file = path?.replace(/^\.\//, '').replace(/\/+$/, '')
  if (file !== undefined && file !== '' && file !== '.') {
    parts.push(`(file = ${bind(file)} OR starts_with(file, ${bind(`${file}/`)}))`)
  }
  if (since !== undefined) parts.push(`first_seen."at" >= ${bind(since)}`)
  return parts.join(' AND ')
}

/**
 * All scalar facets and the totals in one pass, over the combinations of their values that there are. What has too many values for that, and
 * lists, take a pass of their own.
 */
async function readFacets(connection: DuckDBConnection, matches: Matches, query: FindingQuery) {
  const asked = [...new Set(query.facets ?? [])]
  const scalars = asked.filter(name => !isList(name) && name !== 'file')
  const filtered = filtersOf(query).map(([dimension]) => dimension)
  const others = (name: Dimension) => (filtered.includes(name) ? `misses = "miss_${name}"` : 'misses = 0')
  const keys = scalars.map(name => `"${name}"`)
  const flags = filtered.map(name => `"miss_${name}"`)
  const combinations = `SELECT ${[...keys, ...flags].map(part => `${part}, `).join('')}misses, undated, count(*) AS n FROM ${matches.sql} GROUP BY ALL`
  const counts = scalars.map((name, i) => `CAST(sum(n) FILTER (WHERE ${others(name)}) AS INTEGER) AS n${i}`)
  const grouping = keys.length > 0 ? `CAST(GROUPING(${keys.join(', ')}) AS INTEGER)` : '0'
  const rows = await readRows<Record<string, string | number | null>>(
    connection,
    `SELECT ${[...keys, ...counts].map(part => `${part}, `).join('')}${grouping} AS level, CAST(sum(n) FILTER (WHERE misses = 0) AS INTEGER) AS total,
       CAST(sum(n) FILTER (WHERE misses = 0 AND undated) AS INTEGER) AS undated
     FROM (${combinations}) GROUP BY GROUPING SETS (${[...keys.map(key => `(${key})`), '()'].join(', ')})`,
    matches.values,
  )
  const values: FindingAnswer['facets'] = {}
  const all = (1 << keys.length) - 1
  for (const [i, name] of scalars.entries()) {
    const level = all & ~(1 << (keys.length - 1 - i))
    const found = rows.filter(row => row.level === level && Number(row[`n${i}`]) > 0)
    values[name] = mostFrequent(
      found.map(row => ({ value: (row[name] as string | null) ?? '', count: row[`n${i}`] as number })),
    )
  }
  for (const name of asked.filter(name => isList(name) || name === 'file')) {
    const { column, values: list } = isList(name) ? LISTS[name] : { column: name, values: `[${name}]` }
    values[name] = await readRows<FacetValue>(
      connection,
      `SELECT value, CAST(sum(n) AS INTEGER) AS count FROM (SELECT unnest(${list}) AS value, n FROM
         (SELECT ${column}, count(*) AS n FROM ${matches.sql} WHERE ${others(name)} GROUP BY ALL)) GROUP BY value ORDER BY count DESC, value LIMIT ${FACET_VALUES}`,
      matches.values,
    )
  }
  const totals = rows.find(row => keys.length === 0 || row.level === all)
  return { values, totals: { total: Number(totals?.total ?? 0), undated: Number(totals?.undated ?? 0) } }
}

function mostFrequent(values: FacetValue[]): FacetValue[] {
  const compare = (a: FacetValue, b: FacetValue) => b.count - a.count || (a.value < b.value ? -1 : 1)
  return values.sort(compare).slice(0, FACET_VALUES)
}

async function readGroups(
  connection: DuckDBConnection,
  matches: Matches,
  by: Dimension,
  limit: number,
  from: number,
): Promise<{ groups: FindingGroup[]; all: number }> {
  // What has none of a list is a group too, or it would be out of sight.
  const list = isList(by) && LISTS[by].values
  const key = list ? `unnest(CASE WHEN len(${list}) = 0 THEN [''] ELSE ${list} END)` : `coalesce("${by}", '')`
  const severities = SEVERITIES.map(
    (name, i) => `CAST(count(*) FILTER (WHERE place = ${i + 1}) AS INTEGER) AS "${name}"`,
  )
  const rows = await readRows<
    Record<Severity, number> & { key: string; count: number; files: number; place: number; title: string; all: number }
  >(
    connection,
    `SELECT key, CAST(count(*) AS INTEGER) AS count, CAST(count(DISTINCT file) AS INTEGER) AS files, CAST(min(place) AS INTEGER) AS place,
       arg_min(title, position) AS title, ${severities.join(', ')}, CAST(count(*) OVER () AS INTEGER) AS "all"
     FROM (SELECT ${key} AS key, place, file, title, position FROM ${matches.sql} WHERE misses = 0)
     GROUP BY key ORDER BY place, count DESC, key LIMIT ${limit} OFFSET ${from}`,
    matches.values,
  )
  const groups = rows.map(({ key, count, files, place, title, all: _, ...rest }) => ({
    key,
    count,
    files,
    worst: SEVERITIES[place - 1]!,
    title,
    by_severity: Object.fromEntries(Object.entries(rest).filter(([, n]) => n > 0)) as FindingGroup['by_severity'],
  }))
  return { groups, all: rows[0]?.all ?? 0 }
}

async function readPage(
  connection: DuckDBConnection,
  matches: Matches,
  out: string,
  id: string,
  query: FindingQuery,
  limit: number,
  from: number,
): Promise<FindingRow[]> {
  const order = ORDERS[query.sort ?? 'severity']
  const own = `SELECT position${asksForOwners(query) ? ', owners' : ', NULL::VARCHAR[] AS owners'},
    row_number() OVER (ORDER BY ${order}) AS number FROM ${matches.sql} WHERE misses = 0 ORDER BY ${order} LIMIT ${limit} OFFSET ${from}`
  const rows = await readRows<{ json: string }>(
    connection,
    `SELECT CAST(to_json(r) AS VARCHAR) AS json FROM (SELECT p.number, p.owners, f.* FROM (${own}) p
       JOIN (SELECT position, ${ROW}, first_seen FROM ${selectFindings(out, [id], { firstSeen: true })}) f USING (position)) r ORDER BY r.number`,
    matches.values,
  )
  return rows.map(({ json }) => {
    const { number: _n, position: _p, ...row } = JSON.parse(json) as Record<string, unknown>
    for (const key of Object.keys(row)) if (row[key] === null) delete row[key]
    const suppression = row.suppression as Record<string, unknown> | undefined
    if (suppression) for (const key of Object.keys(suppression)) if (suppression[key] === null) delete suppression[key]
    return row as unknown as FindingRow
  })
}

/** Whether a query can only be answered with the owners of files. */
export function asksForOwners({ filter, facets, group_by }: FindingQuery): boolean {
  return (filter?.owner?.length ?? 0) > 0 || group_by === 'owner' || (facets?.includes('owner') ?? false)
}

function encodeCursor(run: string, offset: number): string {
  return Buffer.from(`${run}:${offset}`).toString('base64url')
}

function decodeCursor(text: string, run: string): number {
  const parts = /^(.+):(\d{1,9})$/.exec(Buffer.from(text, 'base64url').toString())
  if (parts?.[1] === run) return Number(parts[2])
  throw new EngineError(
    'INPUT_INVALID',
    `cursor must be the next_cursor of an answer over the run ${run}, but was ${JSON.stringify(text.slice(0, 80))}.`,
    { hint: 'Omit the cursor to start with the first page.' },
  )
}

/** The finding of a run with this id or fingerprint, with when it was first seen; undefined where there is none. */
export async function readFinding(
  connection: DuckDBConnection,
  out: string,
  run: string,
  id: string,
): Promise<{ json: string } | undefined> {
  const [row] = await readRows<{ json: string }>(
    connection,
    `SELECT CAST(to_json(f) AS VARCHAR) AS json FROM (SELECT * EXCLUDE (ordinal) FROM ${selectFindings(out, [run], { firstSeen: true })}
       WHERE id = $1 OR fingerprint = $1 ORDER BY position LIMIT 1) f`,
    [id],
  )
  return row
}
