import { isTestPath } from '../../base/languages/languages.ts'
import type { FileRecord } from '../../base/records/run.ts'

/** What files come to together, or one of them. A metric that was measured in none of them is null. */
export interface MetricsRow {
  /** Language, directory or path. */
  name: string
  files: number
  test_files: number
  lines: number
  code_lines: number | null
  comment_lines: number | null
  blank_lines: number | null
  functions: number | null
  longest_function: number | null
  max_nesting: number | null
  cyclomatic: number | null
  max_cyclomatic: number | null
  cognitive: number | null
  max_cognitive: number | null
  max_parameters: number | null
  /** Files whose functions were not measured. */
  not_measured: number
}

const SUMS = ['code_lines', 'comment_lines', 'blank_lines', 'functions', 'cyclomatic', 'cognitive'] as const
const HIGHEST = ['longest_function', 'max_nesting', 'max_cyclomatic', 'max_cognitive', 'max_parameters'] as const

/** What rows can be sorted by. */
export const SORT_KEYS = ['name', 'files', 'lines', ...SUMS, ...HIGHEST] as const
export type SortKey = (typeof SORT_KEYS)[number]

/** Adds files up to a row. */
export function sumFiles(name: string, files: readonly FileRecord[]): MetricsRow {
  const row: MetricsRow = {
    name,
    files: files.length,
    test_files: 0,
    lines: 0,
    code_lines: null,
    comment_lines: null,
    blank_lines: null,
    functions: null,
    longest_function: null,
    max_nesting: null,
    cyclomatic: null,
    max_cyclomatic: null,
    cognitive: null,
    max_cognitive: null,
    max_parameters: null,
    not_measured: 0,
  }
  for (const file of files) {
    row.lines += file.lines
    if (isTestPath(file.path)) row.test_files++
    if (file.functions === null) row.not_measured++
    for (const key of SUMS) if (file[key] !== null) row[key] = (row[key] ?? 0) + file[key]
    for (const key of HIGHEST) if (file[key] !== null) row[key] = Math.max(row[key] ?? 0, file[key])
  }
  return row
}

/** The rows of files by what `nameOf` says of each, in the order of `compareRows`. */
export function groupFiles(
  files: readonly FileRecord[],
  nameOf: (file: FileRecord) => string,
  sort: SortKey,
): MetricsRow[] {
  const groups = new Map<string, FileRecord[]>()
  for (const file of files) {
    const name = nameOf(file)
    const group = groups.get(name)
    if (group) group.push(file)
    else groups.set(name, [file])
  }
  return [...groups].map(([name, own]) => sumFiles(name, own)).sort(compareRows(sort))
}

/** Highest first, what was not measured last; names from A to Z. */
function compareRows(key: SortKey): (a: MetricsRow, b: MetricsRow) => number {
  const byName = (a: MetricsRow, b: MetricsRow) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
  if (key === 'name') return byName
  return (a, b) => (b[key] ?? -1) - (a[key] ?? -1) || byName(a, b)
}

/** The directory of a path; a dot for the root. */
export function findDirectory(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '.' : path.slice(0, slash)
}
