import type { View } from '../../base/text/view.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { groupDigits } from '../../base/text/words.ts'
import type { FunctionRow } from './functions.ts'
import type { MetricsRow } from './rows.ts'

type Column<T> = readonly [title: string, value: (row: T) => number | null]

const COLUMNS: readonly Column<MetricsRow>[] = [
  ['files', row => row.files],
  ['code', row => row.code_lines],
  ['comment', row => row.comment_lines],
  ['blank', row => row.blank_lines],
  ['functions', row => row.functions],
  ['longest', row => row.longest_function],
  ['nesting', row => row.max_nesting],
  ['cyclomatic', row => row.cyclomatic],
  ['max', row => row.max_cyclomatic],
  ['cognitive', row => row.cognitive],
  ['max', row => row.max_cognitive],
]

const FUNCTION_COLUMNS: readonly Column<FunctionRow>[] = [
  ['cyclomatic', row => row.cyclomatic],
  ['cognitive', row => row.cognitive],
  ['lines', row => row.lines],
  ['nesting', row => row.nesting],
  ['parameters', row => row.parameters],
]

/** Rows as a table with a last line of totals. */
export function formatRows(title: string, rows: readonly MetricsRow[], total: MetricsRow, view: View): string {
  const columns = rows.some(row => row.files !== 1) ? COLUMNS : COLUMNS.slice(1)
  return format(title, [...rows, total], columns, row => row.name, view, rows.length)
}

/** Functions as a table. */
export function formatFunctions(rows: readonly FunctionRow[], view: View): string {
  const place = ({ name, file, line }: FunctionRow) => `${file}:${line} ${name === '' ? '(anonymous)' : name}`
  return format('function', rows, FUNCTION_COLUMNS, place, view)
}

function format<T>(
  title: string,
  rows: readonly T[],
  columns: readonly Column<T>[],
  nameOf: (row: T) => string,
  view: View,
  rule?: number,
): string {
  const cells = rows.map(row => columns.map(([, value]) => formatMetric(value(row))))
  const widths = columns.map(([heading], index) => Math.max(heading.length, ...cells.map(row => row[index]!.length)))
  const room = Math.max(24, view.width - widths.reduce((sum, width) => sum + width + 2, 0))
  const names = rows.map(row => shorten(escapeInvisibleLine(nameOf(row)), room))
  const first = Math.max(title.length, ...names.map(name => name.length))
  const line = (name: string, values: readonly string[]) =>
    [name.padEnd(first), ...values.map((value, index) => value.padStart(widths[index]!))].join('  ')
  const head = line(
    title,
    columns.map(([heading]) => heading),
  )
  const body = rows.map((_, index) => line(names[index]!, cells[index]!))
  if (rule !== undefined) body.splice(rule, 0, '─'.repeat(head.length))
  return [view.paint('bold', head), ...body].join('\n')
}

/** A metric for a reader; a dash where it was not measured. */
function formatMetric(value: number | null): string {
  return value === null ? '–' : groupDigits(value)
}

/** A long path loses its beginning, which tells least; any other name its end. */
function shorten(name: string, most: number): string {
  if (name.length <= most) return name
  return name.includes('/') ? `…${name.slice(name.length - most + 1)}` : `${name.slice(0, most - 1)}…`
}
