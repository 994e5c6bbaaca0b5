import type { Style, View } from '../../base/text/view.ts'
import { clip, escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { describeSummary } from './build.ts'
import { TRACE_STATES, type TraceMatrix, type TraceRow, type TraceState } from './matrix.ts'

export const STATE_STYLE: Record<TraceState, Style> = {
  covered: 'green',
  partly: 'yellow',
  suspect: 'yellow',
  untested: 'yellow',
  unimplemented: 'red',
}
/** Rows and problems that a user is shown; -v has all. */
const SHOWN = 40

/** The matrix for a terminal: what is not covered first. */
export function formatTrace(matrix: TraceMatrix, { paint, verbose, width }: View): string {
  const { rows, problems, orphans, not_evaluated, test_reports } = matrix
  const ordered = rows.filter(({ status }) => status !== 'obsolete').sort((a, b) => rank(b) - rank(a))
  const idWidth = Math.min(30, Math.max(2, ...ordered.map(({ id }) => id.length)))
  const limit = verbose ? Number.POSITIVE_INFINITY : SHOWN
  const line = (row: TraceRow) => {
    const { id, title, state, status, reasons, code, tests, more_code, more_tests } = row
    const counts = `${code.length + more_code} code, ${tests.length + more_tests} tests`
    const head = `${paint(STATE_STYLE[state!], state!.padEnd(13))}  ${escapeInvisibleLine(id).padEnd(idWidth)}  ${counts.padEnd(18)}`
    const why =
      reasons.length === 0 ? [] : [`${' '.repeat(15)}${paint('dim', escapeInvisibleLine(reasons.join('; ')))}`]
    const about = `${status === 'draft' ? '(draft) ' : ''}${escapeInvisibleLine(title)}`
    return [`${head}  ${clip(about, Math.max(30, width - idWidth - 37))}`, ...why].join('\n')
  }
  const more = (hidden: number) => (hidden > 0 ? [`  and ${hidden} more; -v shows all`] : [])
  return [
    ...ordered.slice(0, limit).map(line),
    ...more(ordered.length - limit),
    ...problems
      .slice(0, limit)
      .map(
        ({ file, line: at, message }) =>
          `${paint('red', 'problem')}  ${escapeInvisibleLine(file)}:${at}  ${escapeInvisibleLine(message)}`,
      ),
    ...more(problems.length - limit),
    ...orphans
      .slice(0, limit)
      .map(file => `${paint('yellow', 'orphan')}  ${escapeInvisibleLine(file)}  no requirement is linked`),
    ...more(orphans.length - limit),
    ...not_evaluated
      .slice(0, limit)
      .map(
        ({ file, reason }) =>
          `${paint('yellow', 'not evaluated')}  ${escapeInvisibleLine(file)}  ${escapeInvisibleLine(reason)}`,
      ),
    ...more(not_evaluated.length - limit),
    describeSummary(matrix.summary),
    describeReports(test_reports),
  ].join('\n')
}

function describeReports(reports: TraceMatrix['test_reports']): string {
  if (reports.length === 0) return 'No report of a test run was found: tests count as present (docs/traceability.md).'
  const tests = reports.reduce((sum, each) => sum + each.tests, 0)
  const faults = reports.filter(({ fault }) => fault !== undefined).length
  const broken = faults > 0 ? ` ${formatCount(faults, 'report')} could not be read to the end.` : ''
  return `Last run: ${formatCount(tests, 'test')} in ${formatCount(reports.length, 'report')}, ${reports[0]!.ran_at}.${broken}`
}

function rank({ state, status }: TraceRow): number {
  return TRACE_STATES.indexOf(state!) - (status === 'draft' ? 10 : 0)
}
