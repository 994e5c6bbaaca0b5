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

/** The same of what a finding has any number of. `owner` is joined: it is known by file, not by finding. */
export const LISTS = {
  framework: 'list_distinct([c.framework FOR c IN controls])',
  control: `list_distinct([concat(c.framework, ':', c."control") FOR c IN controls])`,
  cwe: 'list_distinct(cwe)',
  tag: 'list_distinct(tags)',
  owner: 'coalesce(owners, []::VARCHAR[])',
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
