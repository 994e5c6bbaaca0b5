import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { escapeHtml } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { describeSummary } from './build.ts'
import { TRACE_STATES, type TracedPlace, type TracedTest, type TraceMatrix, type TraceRow } from './matrix.ts'

/** The page's files stand beside this one in the sources and in dist/trace-page/ when built. */
const FOLDER = new URL(import.meta.url.endsWith('.ts') ? './page/' : './trace-page/', import.meta.url)
/** Places of one cell; the rest is counted. */
const PLACES = 20
const LISTED = 1000

/**
 * The matrix as one HTML file, both ways: requirements with what they are linked to, files and controls with their requirements. It can be filtered and
 * sorted, and prints as a table. It makes no request: its policy allows the one script and the one style in it, by their digests.
 */
export function renderTraceHtml(matrix: TraceMatrix): string {
  const { summary, rows, files, controls, orphans, problems, not_evaluated } = matrix
  const [script, style] = ['page.js', 'page.css'].map(name => readFileSync(new URL(name, FOLDER), 'utf8')) as [
    string,
    string,
  ]
  const policy = `default-src 'none'; img-src data:; script-src '${digest(script)}'; style-src '${digest(style)}'; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Requirements traceability</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<h1>Requirements traceability</h1>
<p>${escapeHtml(describeSummary(summary))}</p>
<form id="filter" hidden><label>Filter <input type="search" id="words" autocomplete="off"></label> <label>State <select id="state"><option value="">all</option>${TRACE_STATES.map(state => `<option>${state}</option>`).join('')}<option>draft</option><option>obsolete</option></select></label> <span id="count" role="status"></span></form>
<table id="matrix">
<caption>Requirements</caption>
<thead><tr>${['Requirement', 'State', 'Code', 'Tests and last run', 'Controls', 'Commits'].map(name => `<th scope="col">${name}</th>`).join('')}</tr></thead>
<tbody>
${rows.map(formatRow).join('\n')}
</tbody>
</table>
${formatList(
  'Files',
  files.map(
    ({ file, implements: ids, tests }) =>
      `<code>${escapeHtml(file)}</code> ${[ids.length > 0 && `implements ${linkIds(ids)}`, tests.length > 0 && `tests ${linkIds(tests)}`].filter(Boolean).join(', ')}`,
  ),
)}
${formatList(
  'Controls',
  controls.map(
    ({ control, requirements, state }) =>
      `<code>${escapeHtml(control)}</code> ${linkIds(requirements)}${state ? ` <span class="${state}">${state}</span>` : ''}`,
  ),
)}
${formatList(
  'Code without a requirement',
  orphans.map(file => `<code>${escapeHtml(file)}</code>`),
)}
${formatList(
  'Problems',
  problems.map(({ file, line, message }) => `<code>${escapeHtml(file)}:${line}</code> ${escapeHtml(message)}`),
)}
${formatList(
  'Not evaluated',
  not_evaluated.map(({ file, reason }) => `<code>${escapeHtml(file)}</code> ${escapeHtml(reason)}`),
)}
</main>
<script>${script}</script>
</body>
</html>
`
}

function formatRow(row: TraceRow): string {
  const { id, title, status, state, reasons, level, url, file, line, parent, controls, commits, branches, confirmed } =
    row
  const shown = status === 'approved' ? (state ?? '') : status
  const link = url === undefined ? '' : ` <a href="${escapeHtml(url)}" rel="noreferrer noopener">source</a>`
  const about = [
    level === undefined ? '' : `level ${escapeHtml(level)}`,
    parent.length === 0 ? '' : `details ${linkIds(parent)}`,
    `${escapeHtml(file)}:${line}`,
    confirmed ? `confirmed ${escapeHtml(confirmed.at)} by ${escapeHtml(confirmed.by)}` : '',
  ].filter(Boolean)
  const history = [
    ...commits.slice(0, PLACES).map(({ sha, subject }) => `<code>${escapeHtml(sha)}</code> ${escapeHtml(subject)}`),
    ...branches.slice(0, PLACES).map(name => `branch <code>${escapeHtml(name)}</code>`),
  ]
  return `<tr id="${escapeHtml(`r-${id}`)}" data-state="${shown}"><th scope="row"><code>${escapeHtml(id)}</code> ${escapeHtml(title)}${link}<small>${about.join(', ')}</small></th><td data-rank="${rankState(row)}"><span class="${state ?? ''}">${shown}${status === 'draft' && state ? `, ${state}` : ''}</span><small>${escapeHtml(reasons.join('; '))}</small></td><td>${formatPlaces(row.code, row.more_code)}</td><td>${formatPlaces(row.tests, row.more_tests)}</td><td>${controls.map(each => `<code>${escapeHtml(each)}</code>`).join(' ')}</td><td>${formatItems(history, 0)}</td></tr>`
}

function rankState({ state, status }: TraceRow): number {
  return status === 'approved' && state ? TRACE_STATES.indexOf(state) : TRACE_STATES.length
}

function formatPlaces(places: readonly (TracedPlace | TracedTest)[], more: number): string {
  const items = places.slice(0, PLACES).map(place => {
    const { file, line, symbol } = place
    const run = 'last_run' in place ? place.last_run : undefined
    const told = run ? ` <span class="${run.outcome}">${run.outcome} ${escapeHtml(run.ran_at.slice(0, 10))}</span>` : ''
    return `<code>${escapeHtml(file)}:${line}</code>${symbol === undefined ? '' : ` ${escapeHtml(symbol)}`}${told}`
  })
  return formatItems(items, places.length - items.length + more)
}

function formatItems(items: readonly string[], more: number): string {
  if (items.length === 0) return ''
  return `<ul>${items.map(item => `<li>${item}</li>`).join('')}${more > 0 ? `<li>and ${more} more</li>` : ''}</ul>`
}

function formatList(title: string, items: readonly string[]): string {
  if (items.length === 0) return ''
  return `<details><summary>${title}: ${formatCount(items.length, 'entry', 'entries')}</summary>${formatItems(items.slice(0, LISTED), Math.max(0, items.length - LISTED))}</details>`
}

function linkIds(ids: readonly string[]): string {
  return ids.map(id => `<a href="#${escapeHtml(encodeURIComponent(`r-${id}`))}">${escapeHtml(id)}</a>`).join(' ')
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
