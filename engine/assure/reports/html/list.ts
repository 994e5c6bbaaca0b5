import { type Finding, SEVERITIES, STATUSES } from '../../../base/records/finding.ts'
import { escapeHtml } from '../../../base/text/visible.ts'
import { groupDigits } from '../../../base/text/words.ts'

/** Shown by a browser that runs no script. */
const WITHOUT_SCRIPT = 25

const STATUS_WORDS: Record<(typeof STATUSES)[number], string> = {
  open: 'Open',
  suppressed: 'Suppressed',
  baseline: 'Baseline',
}

/** The findings' heading, filters and list. Without a script it is a plain list of the worst; the page's script takes it over. */
export function list(findings: readonly Finding[], leftOut: string): string {
  return `<section id="findings" aria-labelledby="findings-title" tabindex="-1">
<div class="section-head"><h2 id="findings-title">Findings</h2><p id="count" role="status" aria-live="polite"></p></div>
${leftOut && `<p class="note" id="left-out">${leftOut}</p>`}
<form class="filters" id="filters" hidden>
<div class="search"><label for="search" class="hidden">Search</label><input id="search" type="search" placeholder="Search path, rule, text or code" autocomplete="off" spellcheck="false"><kbd>/</kbd></div>
<label class="select"><span>Status</span><select id="status">${statusOptions(findings)}</select></label>
<label class="select"><span>Rule</span><select id="rule">${options('All rules', findings, finding => finding.rule_id)}</select></label>
<label class="select"><span>Language</span><select id="language">${options('All languages', findings, finding => finding.language)}</select></label>
<fieldset class="switch"><legend class="hidden">Group by</legend>
<label><input type="radio" name="group" value="rule" checked><span>By rule</span></label>
<label><input type="radio" name="group" value="file"><span>By file</span></label>
</fieldset>
<fieldset class="chips"><legend class="hidden">Severity</legend>${SEVERITIES.map(chip).join('')}</fieldset>
<button type="reset" class="quiet" id="clear">Clear filters</button>
</form>
<div id="list">${plainList(findings)}</div>
</section>
`
}

function chip(severity: string): string {
  return `<label class="chip ${severity}"><input type="checkbox" name="severity" value="${severity}"><span><i></i>${severity}</span></label>`
}

function statusOptions(findings: readonly Finding[]): string {
  const rows = STATUSES.map(status => {
    const count = findings.filter(finding => finding.status === status).length
    return `<option value="${status}"${status === 'open' ? ' selected' : ''}>${STATUS_WORDS[status]} (${groupDigits(count)})</option>`
  })
  return `${rows.join('')}<option value="">All (${groupDigits(findings.length)})</option>`
}

function options(all: string, findings: readonly Finding[], key: (finding: Finding) => string): string {
  const counts = new Map<string, number>()
  for (const finding of findings) counts.set(key(finding), (counts.get(key(finding)) ?? 0) + 1)
  const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
  const shown = rows.map(
    ([value, count]) => `<option value="${escapeHtml(value)}">${escapeHtml(value)} (${groupDigits(count)})</option>`,
  )
  return `<option value="">${all}</option>${shown.join('')}`
}

function plainList(findings: readonly Finding[]): string {
  if (findings.length === 0) return '<p class="empty">No findings.</p>'
  const rows = findings
    .slice(0, WITHOUT_SCRIPT)
    .map(
      finding =>
        `<li><span class="pill ${finding.severity}">${finding.severity}</span> <strong>${escapeHtml(finding.title)}</strong> <code>${escapeHtml(finding.file)}:${finding.line}</code></li>`,
    )
  return `<noscript><p class="note">JavaScript is off: the most severe findings are listed, without filters and code.</p></noscript><ol class="plain">${rows.join('')}</ol>`
}
