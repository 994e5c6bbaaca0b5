import { SEVERITIES } from '../../base/records/finding.ts'
import { quoteLiteral } from './duckdb.ts'

/** What findings can be filtered, counted and grouped by, and the SQL of it over the columns of findings.parquet. */
export const SCALARS = {
  severity: 'severity',
  status: 'status',
  category: 'category',
  rule: 'rule_id',
  pack: 'pack_id',
  file: 'file',
  language: 'language',
  zone: 'zone',
  agent: 'agent',
  file_class: 'file_class',
  in_test: "CASE WHEN in_test THEN 'true' ELSE 'false' END",
  fixable: "CASE WHEN fix IS NULL THEN 'false' ELSE 'true' END",
} as const

/**
 * The same of what a finding has any number of: the column, and the values in it. `owner` is joined: it is known by file, not by finding.
 * Few lists differ, since most are those of a rule, so the values are taken out of the lists after those are counted.
 */
export const LISTS = {
  framework: { column: 'controls', values: 'list_distinct([c.framework FOR c IN controls])' },
  control: { column: 'controls', values: `list_distinct([concat(c.framework, ':', c."control") FOR c IN controls])` },
  cwe: { column: 'cwe', values: 'list_distinct(cwe)' },
  tag: { column: 'tags', values: 'list_distinct(tags)' },
  owner: { column: 'owners', values: 'owners' },
} as const

export type Scalar = keyof typeof SCALARS
export type List = keyof typeof LISTS
export type Dimension = Scalar | List

export const DIMENSIONS = [...Object.keys(SCALARS), ...Object.keys(LISTS)] as readonly Dimension[]

export function isList(dimension: Dimension): dimension is List {
  return Object.hasOwn(LISTS, dimension)
}

/** A severity's place as a number, critical first. */
export const SEVERITY_PLACE = `list_position([${SEVERITIES.map(quoteLiteral).join(', ')}], severity)`
