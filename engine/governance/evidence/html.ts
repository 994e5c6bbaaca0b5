import { escapeHtml as text } from '../../base/text/visible.ts'
import { roundValue } from '../anomalies.ts'
import { formatTime } from '../text.ts'
import type { Evidence } from './collect.ts'

/** Rows that a table shows; all of them are in the report's data. */
const MOST_ROWS = 300

const STYLE = `:root{color-scheme:light dark;--ink:#1b1f24;--soft:#59636e;--line:#d9dee4;--paper:#fff;--wash:#f6f8fa;--good:#1a7f37;--warn:#9a6700;--bad:#cf222e}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9198a1;--line:#31363d;--paper:#0d1117;--wash:#151b23;--good:#3fb950;--warn:#d29922;--bad:#f85149}}
*{box-sizing:border-box}body{margin:0 auto;max-width:68rem;padding:2.5rem 1.5rem;font:15px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
h1{font-size:1.75rem;margin:0 0 .25rem}h2{font-size:1.15rem;margin:2.5rem 0 .75rem;padding-top:1rem;border-top:1px solid var(--line)}
p{margin:.4rem 0}.soft,th{color:var(--soft)}code{font:.86em ui-monospace,monospace;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:.75rem;margin:1.5rem 0}dl div{background:var(--wash);border:1px solid var(--line);border-radius:8px;padding:.7rem .9rem}dt{font-size:.8rem;color:var(--soft)}dd{margin:0;font-size:1.35rem;font-weight:600}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line)}th{font-weight:500;white-space:nowrap}td.n{text-align:right;font-variant-numeric:tabular-nums}
.pill{display:inline-block;border:1px solid currentColor;border-radius:1em;padding:0 .55em;font-size:.82rem;white-space:nowrap}.good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}
@media print{:root{--ink:#000;--soft:#444;--line:#bbb;--paper:#fff;--wash:#fff;--good:#000;--warn:#000;--bad:#000}body{max-width:none;padding:0;font-size:10pt}h2{break-after:avoid}tr{break-inside:avoid}.wide{overflow:visible}@page{margin:18mm 15mm}}`

const GOOD = new Set(['done', 'active', 'approved', 'consumed', 'clean', 'allowed'])
const BAD = new Set(['violated', 'anomalous', 'refused', 'rejected', 'block', 'revoked'])

/**
 * The report as one page without scripts or anything from elsewhere. It is made from the data alone, which it carries with
 * it as it was signed (`sealed`): who verifies makes it anew and compares.
 */
export function renderEvidence(evidence: Evidence, sealed: string): string {
  const { sections: s, repository: r } = evidence
  const { audit_trail: audit } = s
  const sound = audit.fault === null
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Harness report: ${text(r.name)}</title><style>${STYLE}</style></head>
<body><header><h1>Harness report</h1>
<p><strong>${text(r.name)}</strong> ${r.branch ? `on ${text(r.branch)} ` : ''}${r.git_sha ? `at <code>${text(r.git_sha.slice(0, 12))}</code>` : ''}</p>
<p class="soft">Made ${formatTime(evidence.generated_at)} by svc ${text(evidence.tool_version)}; ${evidence.since ? `what happened since ${formatTime(evidence.since)}` : 'everything on record'}. Policy <code>${evidence.policy_digest.slice(0, 12)}</code>.</p>
<p>${sound ? pill('the audit log is as it was written', 'good') : `${pill(`the audit log has a fault: ${audit.fault!.kind}`, 'bad')} ${text(audit.fault!.message)}`}</p></header>
<dl>${[
    ['Tasks', s.task_binding.sessions.length],
    ['Violated', s.task_binding.by_status.violated ?? 0],
    ['Delegations', s.trust_chains.delegations.length],
    ['Rollbacks', s.rollbacks.rollbacks.length],
    ['Anomalous', s.anomalies.by_verdict.anomalous ?? 0],
    ['Approvals', s.human_approvals.approvals.length],
    ['Refused', audit.by_decision.refused ?? 0],
  ]
    .map(([name, count]) => `<div><dt>${name}</dt><dd>${count}</dd></div>`)
    .join('')}</dl>
<section><h2>1. Task binding</h2>${state(s.task_binding.enabled, `enforcement: ${s.task_binding.enforcement}`)}
${table(
  ['Session', 'Status', 'Agent', 'Task', 'Paths', 'Files', 'Outside'],
  s.task_binding.sessions.map(one => [
    code(one.id),
    status(one.status),
    text(`${one.agent} (${one.trust_level})`),
    text(one.intent),
    code(one.authorized_paths.join(' ')),
    number(one.files_touched.length),
    number(one.violations.length),
  ]),
)}
${table(
  ['Session', 'Outside its paths', 'By', 'When', 'Decision'],
  s.task_binding.sessions.flatMap(one =>
    one.violations.map(v => [code(one.id), code(v.path), text(v.action), formatTime(v.at), status(v.decision)]),
  ),
)}</section>
<section><h2>2. Blast radius</h2>${state(s.blast_radius.enabled, 'always-protected paths hold in any case')}
${table(
  ['Zone', 'On access', 'Touched by'],
  s.blast_radius.zones.map(one => [
    text(one.name),
    status(one.enforcement),
    code(one.touched_by.join(' ') || 'nobody'),
  ]),
)}
${table(
  ['Session', 'Always-protected path touched'],
  s.blast_radius.protected_touched.map(one => [code(one.session_id), code(one.path)]),
)}</section>
<section><h2>3. Trust chains</h2>${state(s.trust_chains.enabled, `at most ${s.trust_chains.max_depth} deep`)}
${table(
  ['Delegation', 'From', 'To', 'Agent', 'Task', 'Trust', 'Depth', 'Status'],
  s.trust_chains.delegations.map(one => [
    code(one.id),
    code(one.parent_id),
    code(one.session_id),
    text(one.agent),
    text(one.task),
    text(one.trust_level),
    number(one.depth),
    status(one.status),
  ]),
)}</section>
<section><h2>4. Rollbacks</h2>${state(s.rollbacks.enabled)}
${trailTable(s.rollbacks.rollbacks)}</section>
<section><h2>5. Anomalies</h2>${state(s.anomalies.enabled)}
${table(
  ['Session', 'Verdict', 'Agent', 'Beside', 'Violations', 'Files', 'Findings', 'New zones'],
  s.anomalies.sessions.map(one => [
    code(one.session_id),
    status(one.verdict),
    text(one.agent),
    number(one.baseline_sessions),
    ...one.signals.map(({ z, threshold }) => number(`${roundValue(z)} of ${threshold}`)),
    text(one.new_zones.join(', ') || 'none'),
  ]),
)}<p class="soft">Signals are standard deviations above the mean of the agent's earlier sessions, and their thresholds.</p></section>
<section><h2>6. Human approvals</h2>
${table(
  ['Request', 'Status', 'Type', 'What', 'Asked by', 'Answered by', 'Comment'],
  s.human_approvals.approvals.map(one => [
    code(one.id),
    status(one.status),
    text(one.type),
    text(one.title),
    text(one.requester),
    text(one.resolved_by ?? ''),
    text(one.comment ?? ''),
  ]),
)}</section>
<section><h2>7. Audit trail</h2><p>${audit.entries} entries, ${Object.entries(audit.by_decision)
    .sort()
    .map(([name, count]) => `${count} ${text(name)}`)
    .join(
      ', ',
    )}. Log <code>${text(audit.log_id)}</code>, head <code>${audit.last_seq}:${text(audit.head_hash.slice(0, 16))}</code>.</p>
${trailTable(audit.latest)}</section>
<footer><p class="soft">Verify with <code>svc harness-report --verify FILE</code>: the signed data is in this page.</p></footer>
<script type="application/json" id="svc-harness-report">${sealed.replaceAll('<', '\\u003c')}</script>
</body></html>
`
}

function trailTable(rows: Evidence['sections']['rollbacks']['rollbacks']): string {
  return table(
    ['No.', 'When', 'Action', 'Agent', 'Decision', 'On', 'Why'],
    rows.map(one => [
      number(one.seq),
      formatTime(one.at),
      text(one.action),
      text(one.agent),
      status(one.decision),
      code(one.target),
      text(one.reasons.join('; ')),
    ]),
  )
}

function table(heads: string[], rows: string[][]): string {
  if (rows.length === 0) return ''
  const body = rows
    .slice(0, MOST_ROWS)
    .map(cells => `<tr>${cells.map(cell => (cell.startsWith('<td') ? cell : `<td>${cell}</td>`)).join('')}</tr>`)
  const more = rows.length > MOST_ROWS ? `<p class="soft">And ${rows.length - MOST_ROWS} more, in the data.</p>` : ''
  return `<div class="wide"><table><thead><tr>${heads.map(head => `<th>${head}</th>`).join('')}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>${more}`
}

function state(enabled: boolean, more = ''): string {
  return `<p class="soft">${enabled ? 'Switched on' : 'Switched off'}${more ? `; ${text(more)}` : ''}.</p>`
}

const code = (value: string): string => `<code>${text(value)}</code>`
const number = (value: number | string): string => `<td class="n">${value}</td>`
const pill = (value: string, kind: string): string => `<span class="pill ${kind}">${text(value)}</span>`
const status = (value: string): string =>
  pill(value.replaceAll('_', ' '), BAD.has(value) ? 'bad' : GOOD.has(value) ? 'good' : 'warn')
