import { EngineError } from '../../base/errors.ts'
import type { FileRecord } from '../../base/records/run.ts'
import { SORT_KEYS, type SortKey } from './rows.ts'

/** A function with its metrics. */
export interface FunctionRow {
  /** Empty where it has none. */
  name: string
  file: string
  line: number
  end_line: number
  lines: number
  parameters: number
  nesting: number
  cyclomatic: number
  cognitive: number
}

/** What functions can be sorted by, and the metric of a file that none of its functions exceeds. */
const BOUNDS = {
  lines: 'longest_function',
  longest_function: 'longest_function',
  max_nesting: 'max_nesting',
  cyclomatic: 'max_cyclomatic',
  max_cyclomatic: 'max_cyclomatic',
  cognitive: 'max_cognitive',
  max_cognitive: 'max_cognitive',
  max_parameters: 'max_parameters',
} as const satisfies Partial<Record<SortKey, keyof FileRecord>>

/** What functions can be sorted by. */
export const FUNCTION_SORT_KEYS: readonly SortKey[] = SORT_KEYS.filter(key => Object.hasOwn(BOUNDS, key))

const VALUES = {
  longest_function: 'lines',
  max_nesting: 'nesting',
  max_cyclomatic: 'cyclomatic',
  max_cognitive: 'cognitive',
  max_parameters: 'parameters',
} as const

/**
 * The `top` functions by a key, highest first, then by place. Files are read in the order of their highest function, and only while one could
 * still be among them. INPUT_INVALID for a key that functions do not have.
 */
export function findTopFunctions(
  files: readonly FileRecord[],
  sort: SortKey,
  top: number,
  read: (file: FileRecord) => readonly Omit<FunctionRow, 'file' | 'lines'>[],
): FunctionRow[] {
  if (!FUNCTION_SORT_KEYS.includes(sort))
    throw new EngineError('INPUT_INVALID', `Functions cannot be sorted by ${sort}.`, {
      hint: `Sort functions by ${FUNCTION_SORT_KEYS.join(', ')}.`,
    })
  const bound = BOUNDS[sort as keyof typeof BOUNDS]
  const value = VALUES[bound]
  const ordered = files.filter(({ functions }) => functions !== null && functions > 0)
  ordered.sort((a, b) => b[bound]! - a[bound]! || (a.path < b.path ? -1 : 1))
  const compare = (a: FunctionRow, b: FunctionRow) =>
    b[value] - a[value] || (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line)
  let found: FunctionRow[] = []
  for (const file of ordered) {
    if (found.length >= top && found[top - 1]![value] > file[bound]!) break
    for (const { name, line, end_line, parameters, nesting, cyclomatic, cognitive } of read(file))
      found.push({
        ...{ name, file: file.path, line, end_line, lines: end_line - line + 1 },
        ...{ parameters, nesting, cyclomatic, cognitive },
      })
    if (found.length >= 2 * top) found = found.sort(compare).slice(0, top)
    else found.sort(compare)
  }
  return found.slice(0, top)
}
