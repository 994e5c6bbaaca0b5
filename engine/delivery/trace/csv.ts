import { replaceLoneSurrogates } from '../../base/text/visible.ts'
import type { TracedPlace, TraceMatrix, TraceRow } from './matrix.ts'

const COLUMNS: readonly (readonly [name: string, value: (row: TraceRow) => string])[] = [
  ['id', row => row.id],
  ['title', row => row.title],
  ['status', row => row.status],
  ['state', row => row.state ?? ''],
  ['reasons', row => row.reasons.join('; ')],
  ['level', row => row.level ?? ''],
  ['parent', row => row.parent.join(' ')],
  ['children', row => row.children.join(' ')],
  ['code', row => listPlaces(row.code, row.more_code)],
  ['tests', row => listPlaces(row.tests, row.more_tests)],
  ['last_run', row => row.tests.map(({ last_run }) => last_run?.outcome ?? 'no run').join('\n')],
  ['controls', row => row.controls.join(' ')],
  ['commits', row => row.commits.map(({ sha }) => sha).join(' ')],
  ['branches', row => row.branches.join(' ')],
  ['confirmed', row => (row.confirmed ? `${row.confirmed.at} ${row.confirmed.by}` : '')],
  ['source', row => `${row.file}:${row.line}`],
]

/** The matrix as comma-separated values (RFC 4180): a requirement a record, CRLF behind each. */
export function renderTraceCsv({ rows }: TraceMatrix): string {
  const lines = [COLUMNS.map(([name]) => name), ...rows.map(row => COLUMNS.map(([, value]) => value(row)))]
  return lines.map(cells => `${cells.map(writeCell).join(',')}\r\n`).join('')
}

function listPlaces(places: readonly TracedPlace[], more: number): string {
  const lines = places.map(({ file, line, symbol }) => `${file}:${line}${symbol === undefined ? '' : ` ${symbol}`}`)
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

/** As in reports of findings: an apostrophe in front of what a spreadsheet would run as a formula. */
function writeCell(value: string): string {
  let text = replaceLoneSurrogates(value)
  if (/^'*[=+\-@\t\r\n]/.test(text)) text = `'${text}`
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
