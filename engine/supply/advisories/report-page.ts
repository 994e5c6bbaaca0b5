import { escapeHtml } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import type { Vulnerability, VulnerabilityReport } from './vulnerability.ts'

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}
h1,h2,h3{line-height:1.25}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid #d0d7de;vertical-align:top}
.badge{display:inline-block;padding:0 .5rem;border-radius:.25rem;color:#fff;background:#57606a;font-size:.875rem}
.critical,.high{background:#a40e26}.medium{background:#8a4600}.low{background:#0550ae}.unknown{background:#6639ba}
section{border:1px solid #d0d7de;border-radius:.5rem;padding:.25rem 1rem 1rem;margin:1rem 0}code{overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}th,td,section{border-color:#30363d}a{color:#6cb6ff}}`

/** The report as a page of its own: no script, nothing loaded from elsewhere, everything of the repository escaped. */
export function renderVulnerabilityPage(report: VulnerabilityReport): string {
  const open = report.vulnerabilities.filter(({ status }) => status === 'open')
  const dismissed = report.vulnerabilities.filter(({ status }) => status === 'dismissed')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Vulnerabilities of dependencies</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Vulnerabilities of dependencies</h1>
<p>${renderVerdict(report, open)}</p>
<p>${escapeHtml(`Data: ${report.source.location}${report.source.as_of ? `, as of ${report.source.as_of}` : ''}. Report of ${report.generated_at}.`)}</p>
${open.length > 0 ? renderCounts(report) : ''}
${renderUnknown(report)}
${open.length > 0 ? `<h2>Open</h2>\n${open.map(renderOne).join('\n')}` : ''}
${dismissed.length > 0 ? `<h2>Dismissed</h2>\n${dismissed.map(renderOne).join('\n')}` : ''}
</main>
</body>
</html>
`
}

function renderVerdict(report: VulnerabilityReport, open: readonly Vulnerability[]): string {
  const total = formatCount(report.total_dependencies, 'dependency', 'dependencies')
  if (open.length > 0)
    return `<strong>${formatCount(open.length, 'vulnerability', 'vulnerabilities')}</strong> in ${report.vulnerable_count} of ${total}.`
  if (report.source.faults.length > 0)
    return `No known vulnerabilities among the ${report.evaluated} of ${total} that were evaluated, but a part of the advisory data cannot be read.`
  if (report.evaluated === 0 && report.total_dependencies > 0)
    return `Vulnerabilities are not known: none of ${total} was evaluated.`
  const isComplete = report.evaluated === report.total_dependencies && report.unread_manifests.length === 0
  return isComplete
    ? `No known vulnerabilities in ${total}.`
    : `No known vulnerabilities among the ${report.evaluated} of ${total} that were evaluated; the others are not known.`
}

function renderCounts({ by_severity }: VulnerabilityReport): string {
  const rows = Object.entries(by_severity).filter(([, count]) => count > 0)
  return `<table><caption>Open vulnerabilities by severity</caption><thead><tr><th scope="col">Severity</th><th scope="col">Count</th></tr></thead><tbody>${rows
    .map(([severity, count]) => `<tr><td><span class="badge ${severity}">${severity}</span></td><td>${count}</td></tr>`)
    .join('')}</tbody></table>`
}

function renderUnknown({ unread_manifests, not_evaluated, source, notices }: VulnerabilityReport): string {
  const items = [
    ...unread_manifests.map(
      ({ file, line, detail, state }) =>
        `${file}${line === undefined ? '' : `:${line}`} was not read: ${detail || state}`,
    ),
    ...not_evaluated.map(
      ({ count, detail, packages }) =>
        `${formatCount(count, 'package')} not evaluated: ${detail} (${packages.join(', ')}${count > packages.length ? ', …' : ''})`,
    ),
    ...source.faults.map(fault => `An advisory was not read: ${fault}`),
    ...notices,
  ]
  if (items.length === 0) return ''
  return `<h2>Not evaluated</h2>\n<ul>${items.map(item => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`
}

function renderOne(one: Vulnerability): string {
  const rows: [string, string][] = [
    ['Package', `<code>${escapeHtml(`${one.package}@${one.version}`)}</code> (${escapeHtml(one.ecosystem)})`],
    ['Fixed in', escapeHtml(one.fixed_versions.join(', ') || 'no fixed version known')],
    [
      'Used',
      escapeHtml(`${one.direct ? 'direct' : 'transitive'}, ${one.scope}, ${one.reachability.replace('_', ' ')}`),
    ],
    ...(one.score === undefined
      ? []
      : ([['CVSS', escapeHtml(`${one.score.toFixed(1)} ${one.vector ?? ''}`)]] as [string, string][])),
    ...(one.epss ? ([['EPSS', `${(one.epss.score * 100).toFixed(1)} %`]] as [string, string][]) : []),
    ...(one.known_exploited
      ? ([['Known exploited', escapeHtml(`since ${one.known_exploited.date_added}`)]] as [string, string][])
      : []),
    [
      'Where',
      one.locations
        .slice(0, 5)
        .map(({ file, line }) => `<code>${escapeHtml(`${file}${line === undefined ? '' : `:${line}`}`)}</code>`)
        .join(', '),
    ],
    ['Why it is here', one.paths.map(path => escapeHtml(path.join(' > '))).join('<br>') || 'not known'],
    ...(one.dismissal
      ? ([['Dismissed', escapeHtml(`${one.dismissal.status}: ${one.dismissal.reason} (${one.dismissal.file})`)]] as [
          string,
          string,
        ][])
      : []),
    [
      'Read more',
      one.references
        .filter(url => /^https?:/.test(url))
        .map(url => `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`)
        .join('<br>') || escapeHtml([one.id, ...one.aliases].join(', ')),
    ],
  ]
  return `<section>
<h3><span class="badge ${one.severity}">${one.severity}</span> ${escapeHtml(one.id)}${one.aliases.length > 0 ? ` <small>${escapeHtml(one.aliases.join(', '))}</small>` : ''}</h3>
<p>${escapeHtml(one.summary || 'The advisory has no summary.')}</p>
<table><tbody>${rows.map(([name, value]) => `<tr><th scope="row">${name}</th><td>${value}</td></tr>`).join('')}</tbody></table>
</section>`
}
