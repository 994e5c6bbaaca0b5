import { escapeHtml } from '../../base/text/visible.ts'
import { groupDigits } from '../../base/text/words.ts'
import type { FrameworkPoint } from '../../sources/store/framework-trend.ts'
import { renderLineChart } from './chart.ts'
import { type Html, renderPage } from './page.ts'
import { renderCode, renderNotes, renderTable } from './parts.ts'
import { formatTime } from './wording.ts'

/** One framework over the runs. */
export interface FrameworkTrend {
  id: string
  name: string
  points: FrameworkPoint[]
  /** Coverage of the last point minus that of the first, in percentage points, where both have one. */
  change?: number
}

/** The points by framework, frameworks by id. */
export function groupTrend(points: readonly FrameworkPoint[]): FrameworkTrend[] {
  const groups = new Map<string, FrameworkPoint[]>()
  for (const point of points) {
    const group = groups.get(point.framework)
    if (group) group.push(point)
    else groups.set(point.framework, [point])
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, points]) => {
      const [first, last] = [points[0]!.coverage, points.at(-1)!.coverage]
      const change = first === undefined || last === undefined ? undefined : Math.round((last - first) * 10) / 10
      return { id, name: points.at(-1)!.name, points, ...(change !== undefined && { change }) }
    })
}

const NOTES = [
  'States are those that each run recorded. Evidence of people is not in them: it is judged on the day of a report.',
  'A change of packs or their versions changes what is evaluated; the table has the version.',
]

/** The trend of frameworks as one HTML document: a chart and a table for each. */
export function renderTrendHtml(name: string, version: string, trends: readonly FrameworkTrend[]): Iterable<string> {
  return renderPage(`${name}: compliance trend`, version, body(name, trends))
}

function* body(name: string, trends: readonly FrameworkTrend[]): Iterable<Html> {
  yield `<main>\n<p class="kicker">Compliance trend</p>\n<h1>${escapeHtml(name)}</h1>\n${renderNotes(NOTES)}`
  for (const { name, points } of trends) {
    const values = points.map(({ coverage }) => coverage ?? null)
    yield `<h2>${escapeHtml(name)}</h2>\n`
    yield renderLineChart(
      points.map(({ started_at }, at) => ({ label: started_at.slice(0, 10), value: values[at]! })),
      100,
      `Coverage of ${name} in percent over ${points.length} runs: from ${values[0] ?? 'no value'} to ${values.at(-1) ?? 'no value'}. The table has every value.`,
    )
    yield renderTable(
      `Coverage of ${name} by run, newest first`,
      [
        { name: 'Run' },
        { name: 'Coverage', number: true },
        ...['Met', 'Violated', 'Manual', 'Not evaluated', 'Not applicable'].map(name => ({ name, number: true })),
        { name: 'Pack' },
      ],
      [...points]
        .reverse()
        .map(({ run_id, started_at, coverage, counts, pack_version }) => [
          `${formatTime(started_at)}<br><small>${renderCode(run_id)}</small>`,
          coverage === undefined ? '–' : `${coverage} %`,
          ...[counts.met, counts.violated, counts.manual, counts.not_evaluated, counts.not_applicable].map(groupDigits),
          escapeHtml(pack_version),
        ]),
    )
  }
  yield '</main>\n'
}
