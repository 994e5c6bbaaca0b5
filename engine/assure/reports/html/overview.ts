import { type Finding, SEVERITIES, type Severity } from '../../../base/records/finding.ts'
import { RATING_MEANING } from '../../../base/records/rating.ts'
import type { Run } from '../../../base/records/run.ts'
import { computePercent } from '../../../base/text/percent.ts'
import { escapeHtml } from '../../../base/text/visible.ts'
import { formatCount, groupDigits } from '../../../base/text/words.ts'
import { describeLocations, summarizeByRule } from '../../../findings/by-rule.ts'
import { countDropped, countExcluded, type ReportModel } from '../../model.ts'

const RADIUS = 54
const ROUND = 2 * Math.PI * RADIUS
const BAR = 1000

/** Rules that are listed; the rest is counted. */
const LISTED = 10

/** The page's head: what was scanned and when, the severities, the counts and the rules with open findings, most severe first. */
export function renderOverview({ run, findings, framework }: ReportModel): string {
  const open = findings.filter(finding => finding.status === 'open')
  return `<header class="top">
<div class="title"><p class="brand">${LOGO}svc <span>compliance scan</span></p>
<h1>${escapeHtml(run.root_name)}</h1>
<p class="meta">${facts(run)}</p></div>
<div class="actions"><button type="button" id="theme" hidden>Theme</button><button type="button" id="print" hidden>Print</button></div>
</header>
<div class="overview${framework === undefined ? '' : ' scored'}">
${framework === undefined ? '' : `<section class="panel score" aria-label="Score">${dial(run)}</section>\n`}<section class="panel severities" aria-label="Open findings by severity">
<p class="big">${grade(run)}<strong>${groupDigits(run.counts.open)}</strong> open ${run.counts.open === 1 ? 'finding' : 'findings'}${spread(open)}</p>
${open.length === 0 ? '<p class="start">No open findings.</p>' : ''}${bar(run)}
<ul class="tiles">${SEVERITIES.map(severity => tile(severity, run.counts.by_severity[severity])).join('')}</ul>
</section>
<section class="panel" aria-label="Coverage"><dl class="counts">${counts(run)}</dl></section>
</div>
${listRules(open)}`
}

function facts(run: Run): string {
  const parts = [
    run.gate &&
      `<span class="gate ${run.gate.passed ? 'passed' : 'failed'}">Gate ${run.gate.passed ? 'passed' : 'failed'}</span>`,
    run.branch && `<span class="tag">${escapeHtml(run.branch)}</span>`,
    run.git_sha && `<code>${escapeHtml(run.git_sha.slice(0, 12))}</code>`,
    `<time datetime="${escapeHtml(run.started_at)}">${escapeHtml(run.started_at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC'))}</time>`,
    run.duration_ms > 0 && duration(run.duration_ms),
    run.scope && `scope: ${escapeHtml(run.scope)}`,
    run.agent && `by ${escapeHtml(run.agent)}`,
  ]
  return parts.filter(Boolean).join(' <b aria-hidden="true">·</b> ')
}

/** The rating as a letter in its color, with its meaning as text for those who cannot see it. */
function grade({ rating }: Run): string {
  if (rating === undefined) return ''
  const meaning = `Rating ${rating}: ${RATING_MEANING[rating]}`
  return `<span class="rating ${rating[0]!.toLowerCase()}" title="${escapeHtml(meaning)}" role="img" aria-label="${escapeHtml(meaning)}">${rating}</span> `
}

function dial(run: Run): string {
  if (run.score === undefined) {
    return `${ring(0, 'none', 'No score')}<p class="verdict">No rule was evaluated</p>`
  }
  // Rounded down: 100 means that nothing is open.
  const score = computePercent(run.score, 100)!
  const level = score >= 90 ? 'good' : score >= 75 ? 'fair' : score >= 50 ? 'weak' : 'poor'
  return `${ring(score, level, String(score))}<p class="verdict"><strong>Compliance score</strong><br>Share of the rules without an open finding, weighted by severity</p>`
}

function ring(score: number, level: string, label: string): string {
  const filled = (ROUND * score) / 100
  const number =
    label === 'No score'
      ? '<text x="64" y="72" class="number">–</text>'
      : `<text x="64" y="70" class="number">${label}</text><text x="64" y="88" class="unit">of 100</text>`
  const arc =
    score > 0
      ? `<circle cx="64" cy="64" r="${RADIUS}" class="arc ${level}" stroke-dasharray="${filled.toFixed(2)} ${ROUND.toFixed(2)}" transform="rotate(-90 64 64)"/>`
      : ''
  return `<svg class="dial" viewBox="0 0 128 128" role="img" aria-label="Compliance score ${label} of 100"><circle cx="64" cy="64" r="${RADIUS}" class="track"/>${arc}${number}</svg>`
}

function spread(open: readonly Finding[]): string {
  if (open.length === 0) return ''
  const files = new Set(open.map(finding => finding.file)).size
  const rules = new Set(open.map(finding => finding.rule_id)).size
  return ` in ${formatCount(files, 'file')}, by ${formatCount(rules, 'rule')}`
}

/** The open findings by rule: a rule with many findings takes one line. */
function listRules(open: readonly Finding[]): string {
  const groups = summarizeByRule(open)
  if (groups.length === 0) return ''
  const rows = groups.slice(0, LISTED).map(group => {
    const others = group.other_titles > 0 ? ` (and ${formatCount(group.other_titles, 'other title')})` : ''
    const where = describeLocations(group)
    return `<li><span class="pill ${group.severity}">${group.severity}</span> <strong>${escapeHtml(group.title)}</strong>${others}: <span class="where">${escapeHtml(where)}</span> <code class="rule-id">${escapeHtml(group.rule_id)}</code></li>`
  })
  const more = groups.length - LISTED
  const rest = more > 0 ? `<p class="calm">... and ${formatCount(more, 'more rule')}</p>` : ''
  return `<section class="panel by-rule" aria-labelledby="by-rule-title"><h2 id="by-rule-title">Open findings by rule</h2><ol>${rows.join('')}</ol>${rest}</section>\n`
}

/** Severities in proportion; each that occurs is wide enough to be seen. */
function bar(run: Run): string {
  const counts = SEVERITIES.map(severity => run.counts.by_severity[severity])
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0)
    return '<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true"><rect width="1000" height="10" class="ok"/></svg>'
  const least = 12
  const spare = BAR - least * counts.filter(count => count > 0).length
  let x = 0
  const parts = SEVERITIES.map((severity, i) => {
    const width = counts[i]! > 0 ? least + (spare * counts[i]!) / total : 0
    const part =
      width > 0 ? `<rect x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="10" class="${severity}"/>` : ''
    x += width
    return part
  })
  return `<svg class="bar" viewBox="0 0 ${BAR} 10" preserveAspectRatio="none" aria-hidden="true">${parts.join('')}</svg>`
}

function tile(severity: Severity, count: number): string {
  return `<li class="tile ${severity}${count === 0 ? ' zero' : ''}"><button type="button" data-severity="${severity}" disabled><strong>${groupDigits(count)}</strong><span>${severity}</span></button></li>`
}

function counts(run: Run): string {
  const { counts } = run
  const missing = new Set(run.not_evaluated.map(entry => entry.rule_id)).size
  const rows: [string, string, string?][] = [
    ['Files scanned', groupDigits(counts.files)],
    ['Lines', groupDigits(counts.lines)],
    ['Rules', groupDigits(counts.rules)],
    ['In the baseline', groupDigits(counts.baseline)],
    ['Suppressed', groupDigits(counts.suppressed)],
    ['Files skipped', groupDigits(run.skipped.length), '#skipped'],
    ['Files partly scanned', groupDigits(run.partly?.length ?? 0)],
    ['Findings excluded by rules', groupDigits(countExcluded(run))],
    ['Findings dropped by functions of other files', groupDigits(countDropped(run)), '#dropped-across-files'],
    ['Rules not evaluated', groupDigits(missing), '#not-evaluated'],
  ]
  return rows
    .map(([name, value, link]) => {
      const shown = link && value !== '0' ? `<a href="${link}">${value}</a>` : value
      return `<div><dt>${name}</dt><dd>${shown}</dd></div>`
    })
    .join('')
}

function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  return `${formatCount(Math.floor(ms / 60_000), 'minute')} ${Math.round((ms % 60_000) / 1000)} s`
}

const LOGO =
  '<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M10 1 3 3.8v5.4c0 4.3 2.9 8 7 9.8 4.1-1.8 7-5.5 7-9.8V3.8Z"/><path class="tick" d="m6.6 9.9 2.5 2.5 4.4-4.8"/></svg>'
