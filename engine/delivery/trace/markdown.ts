import { clip, escapeInvisibleLine } from '../../base/text/visible.ts'
import { describeSummary } from './build.ts'
import { TRACE_STATES, type TracedPlace, type TraceMatrix, type TraceRow } from './matrix.ts'

/** Places of one cell; the rest is counted. */
const PLACES = 5
const PROBLEMS = 100

/**
 * The matrix as GitHub-flavored Markdown: the counts, the requirements, those that are not covered first, and what is wrong with links. Nothing in a
 * name can break out of its cell, mention a user or open a link.
 */
export function renderTraceMarkdown(matrix: TraceMatrix): string {
  const { summary, rows, orphans, problems, not_evaluated } = matrix
  const rank = ({ state, status }: TraceRow) =>
    status === 'approved' && state ? TRACE_STATES.length - TRACE_STATES.indexOf(state) : TRACE_STATES.length + 1
  const ordered = [...rows].sort((a, b) => rank(a) - rank(b))
  return [
    '## Requirements traceability',
    '',
    describeSummary(summary),
    '',
    '| Requirement | State | Code | Tests | Controls |',
    '|---|---|---|---|---|',
    ...ordered.map(formatRow),
    ...formatList(
      'Code without a requirement',
      orphans.map(file => quoteCode(file)),
    ),
    ...formatList(
      'Problems',
      problems.map(({ file, line, message }) => `${quoteCode(`${file}:${line}`)} ${escapeMarkdown(message)}`),
    ),
    ...formatList(
      'Not evaluated',
      not_evaluated.map(({ file, reason }) => `${quoteCode(file)} ${escapeMarkdown(reason)}`),
    ),
    '',
  ].join('\n')
}

function formatRow(row: TraceRow): string {
  const { id, title, status, state, reasons } = row
  const why = reasons.length === 0 ? '' : `: ${escapeMarkdown(reasons.join('; '))}`
  const cells = [
    `${quoteCode(id)} ${escapeMarkdown(clip(title, 120))}`,
    `${status === 'approved' ? '' : `(${status}) `}${state ?? ''}${why}`,
    formatPlaces(row.code, row.more_code),
    formatPlaces(row.tests, row.more_tests, index => ` (${row.tests[index]!.last_run?.outcome ?? 'no run'})`),
    row.controls.map(quoteCode).join(' '),
  ]
  return `| ${cells.join(' | ')} |`
}

function formatPlaces(
  places: readonly TracedPlace[],
  more: number,
  tell: (index: number) => string = () => '',
): string {
  const shown = places.slice(0, PLACES).map(({ file, line, symbol }, index) => {
    const name = symbol === undefined ? `${file}:${line}` : `${file}:${line} ${symbol}`
    return `${quoteCode(name)}${tell(index)}`
  })
  const rest = places.length - shown.length + more
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('<br>')
}

function formatList(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return []
  const rest = items.length - PROBLEMS
  const more = rest > 0 ? [`- and ${rest} more`] : []
  return ['', `### ${title}: ${items.length}`, '', ...items.slice(0, PROBLEMS).map(item => `- ${item}`), ...more]
}

/** A name as inline code, in one cell of a table. */
export function quoteCode(text: string): string {
  const plain = escapeInvisibleLine(text).replaceAll('`', "'").replaceAll('|', '\\|')
  return `\`${plain}\``
}

/** A text of the repository as plain words: no markup, mention or link. */
export function escapeMarkdown(text: string): string {
  return escapeInvisibleLine(text)
    .replace(/[\\`*_[\]()<>#|~!]/g, '\\$&')
    .replace(/[@:](?=\S)/g, '$&\u200b')
    .replace(/&/g, '&amp;')
}
