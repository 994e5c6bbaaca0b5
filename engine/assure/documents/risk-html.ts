import { escapeHtml } from '../../base/text/visible.ts'
import { formatCount, groupDigits } from '../../base/text/words.ts'
import { formatGate, type Risk, type RiskSummary } from '../controls/risk.ts'
import { renderLineChart } from './chart.ts'
import { type Html, renderPage } from './page.ts'
import { renderBar, renderCode, renderFigures, renderNotes, renderTable } from './parts.ts'
import { describeCoverage, NO_CERTIFICATE } from './wording.ts'

/** The risk summary as one HTML page. */
export function renderRiskHtml(summary: RiskSummary): Iterable<string> {
  return renderPage(`${summary.project}: risk summary`, summary.tool_version, body(summary))
}

function* body(summary: RiskSummary): Iterable<Html> {
  const { project, date, rating, rating_meaning, open, baseline, by_severity, trend, risks, further_risks } = summary
  yield `<main>\n<p class="kicker">Risk summary, ${date}</p>\n<h1>${escapeHtml(project)}</h1>\n`
  yield `<p><strong>Rating <span class="grade rating-${(rating ?? 'unknown')[0]!.toLowerCase()}">${rating ?? 'unknown'}</span></strong>: ${escapeHtml(rating_meaning)}. Quality gate: ${formatGate(summary)}.</p>\n`
  yield renderFigures([
    [
      groupDigits(open),
      baseline === 0 ? 'open findings' : `open findings, ${groupDigits(baseline)} of them in the baseline`,
    ],
    [groupDigits(by_severity.critical), 'critical'],
    [groupDigits(by_severity.high), 'high'],
    [groupDigits(by_severity.medium), 'medium'],
  ])
  yield `<h2>Trend</h2>\n<p>${escapeHtml(trend.summary)}</p>\n`
  if (trend.points.length > 1) {
    const points = trend.points.map(({ date, open }) => ({ label: date, value: open }))
    yield renderLineChart(points, Math.max(...points.map(({ value }) => value)), `Open findings: ${trend.summary}`)
  }
  yield `<h2>Top risks</h2>\n${risks.length === 0 ? '<p>No open finding.</p>\n' : `<ol>${risks.map(renderRisk).join('')}</ol>\n`}`
  if (further_risks > 0)
    yield `<p class="soft">and ${formatCount(further_risks, 'further weakness', 'further weaknesses')}</p>\n`
  yield renderFrameworks(summary)
  yield renderDeadlines(summary)
  yield `<h2>What is not known</h2>\n${renderNotes(summary.unknown)}`
  yield `</main>\n<footer>${NO_CERTIFICATE} Run ${renderCode(summary.run_id)}, svc ${escapeHtml(summary.tool_version)}.</footer>\n`
}

function renderRisk({ title, message, severity, findings, files, controls }: Risk): Html {
  const bears = controls.length === 0 ? '' : `<br><small>Violates ${controls.map(escapeHtml).join('; ')}</small>`
  return `<li><p><span class="state ${severity}">${severity}</span> <strong>${escapeHtml(title)}</strong>, ${formatCount(findings, 'finding')} in ${formatCount(files, 'file')}.<br>${escapeHtml(message)}${bears}</p></li>`
}

function renderFrameworks({ frameworks }: RiskSummary): Html {
  if (frameworks.length === 0) return ''
  return `<h2>Compliance</h2>\n${renderTable(
    'Manual controls and those that were not evaluated are not part of the percentage.',
    [{ name: 'Framework' }, { name: 'Coverage' }, { name: 'Controls' }],
    frameworks.map(framework => [
      escapeHtml(framework.name),
      escapeHtml(describeCoverage(framework)),
      renderBar(framework.counts),
    ]),
  )}`
}

function renderDeadlines({ deadlines }: RiskSummary): Html {
  if (deadlines.length === 0)
    return '<h2>Deadlines</h2>\n<p>No coming deadline of the enabled frameworks is known.</p>\n'
  return `<h2>Deadlines</h2>\n${renderTable(
    'Dates on which requirements of the enabled frameworks begin to apply; compare them with the law.',
    [{ name: 'Date' }, { name: 'In' }, { name: 'What applies' }],
    deadlines.map(({ date, days, framework, title }) => [
      date,
      formatCount(days, 'day'),
      escapeHtml(`${framework}: ${title}`),
    ]),
  )}`
}
