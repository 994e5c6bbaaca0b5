import type { Takes } from '../../server/answers.gen.ts'

type Query = Takes['POST /api/findings/query']
export type Dimension = NonNullable<Query['group_by']>

/** Dimensions that have a menu of their own, with the words of the menu. */
export const MENUS = {
  rule: 'Rule',
  category: 'Category',
  language: 'Language',
  framework: 'Framework',
  pack: 'Pack',
  zone: 'Zone',
  agent: 'Agent',
} as const satisfies Partial<Record<Dimension, string>>

/** What the findings can be grouped by. */
export const GROUPS = {
  '': 'No groups',
  rule: 'By rule',
  file: 'By file',
  owner: 'By owner',
  control: 'By control',
  cwe: 'By CWE',
  language: 'By language',
} as const

export const STATUSES = { open: 'Open', suppressed: 'Suppressed', baseline: 'In the baseline', all: 'All' } as const
export const SORTS = {
  severity: 'Worst first',
  place: 'By file',
  rule: 'By rule',
  oldest: 'Oldest first',
  newest: 'Newest first',
} as const

/** What the address says of the findings that are wanted. */
export interface Filter {
  search: string
  severity: string[]
  status: keyof typeof STATUSES
  sort: keyof typeof SORTS
  group: keyof typeof GROUPS
  /** A file or directory. */
  file: string
  /** Values by dimension, of those that have a menu and those that a link may name. */
  values: Partial<Record<Dimension, string[]>>
}

const NAMED: readonly Dimension[] = [
  ...(Object.keys(MENUS) as Dimension[]),
  'control',
  'cwe',
  'owner',
  'tag',
  'fixable',
  'in_test',
]

/** Reads the address; what it does not know is left out. */
export function filterOf(query: URLSearchParams): Filter {
  const list = (name: string) => (query.get(name) ?? '').split(',').filter(Boolean)
  const choice = <T extends object>(name: string, of: T, initially: keyof T): keyof T => {
    const given = query.get(name) ?? ''
    return Object.hasOwn(of, given) ? (given as keyof T) : initially
  }
  const values: Filter['values'] = {}
  for (const name of NAMED) if (query.get(name)) values[name] = list(name)
  return {
    search: query.get('search') ?? '',
    severity: list('severity'),
    status: choice('status', STATUSES, 'open'),
    sort: choice('sort', SORTS, 'severity'),
    group: choice('group', GROUPS, ''),
    file: query.get('file') ?? '',
    values,
  }
}

/** The query that answers the filter for a run, the counts beside the filters included. */
export function queryOf({ search, severity, status, sort, group, file, values }: Filter, run_id: string): Query {
  const filter = {
    ...values,
    ...(severity.length > 0 && { severity }),
    ...(status !== 'all' && { status: [status] }),
  }
  return {
    run_id,
    filter: filter as Query['filter'],
    ...(file && { path: file }),
    ...(search && { search }),
    sort,
    ...(group && { group_by: group }),
    facets: ['severity', ...(Object.keys(MENUS) as Dimension[])],
  }
}
