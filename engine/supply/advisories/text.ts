import type { Style, View } from '../../base/text/view.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { cut, formatCount } from '../../base/text/words.ts'
import type { Vulnerability, VulnerabilityReport } from './vulnerability.ts'

const COLORS: Record<Vulnerability['severity'], Style> = {
  critical: 'red',
  high: 'red',
  unknown: 'magenta',
  medium: 'yellow',
  low: 'blue',
  info: 'dim',
}
/** Vulnerabilities that are shown; -v and --json have all. */
const SHOWN = 50

/** The report for a terminal: the vulnerabilities, then what is not known, then the verdict. */
export function formatVulnerabilities(report: VulnerabilityReport, view: View): string {
  const { vulnerabilities, unread_manifests, not_evaluated, notices, source } = report
  const open = vulnerabilities.filter(({ status }) => status === 'open')
  const shown = view.verbose ? vulnerabilities : open.slice(0, SHOWN)
  const more = open.length - shown.filter(({ status }) => status === 'open').length
  return [
    ...shown.flatMap(one => formatOne(one, view)),
    ...(more > 0 ? [`and ${more} more; -v shows all`] : []),
    ...(shown.length > 0 ? [''] : []),
    ...unread_manifests.map(({ file, line, state, detail }) =>
      view.paint(
        state === 'failed' ? 'red' : 'yellow',
        `not read: ${escapeInvisibleLine(file)}${line === undefined ? '' : `:${line}`}: ${escapeInvisibleLine(detail || state)}`,
      ),
    ),
    ...not_evaluated.map(({ count, detail, packages }) =>
      view.paint(
        'yellow',
        `not evaluated: ${formatCount(count, 'package')}: ${detail} (${escapeInvisibleLine(packages.slice(0, 3).join(', '))}${count > 3 ? ', …' : ''})`,
      ),
    ),
    ...notices.map(notice => view.paint('yellow', escapeInvisibleLine(notice))),
    ...source.faults.map(fault => view.paint('yellow', `advisory not read: ${escapeInvisibleLine(fault)}`)),
    formatVerdict(report, view),
    view.paint('dim', formatSource(report)),
  ].join('\n')
}

function formatOne(one: Vulnerability, { paint, width }: View): string[] {
  const fix = one.fixed_versions[0]
  const where = [
    one.direct ? 'direct' : 'transitive',
    one.scope,
    ...(one.reachability === 'unknown' ? [] : [one.reachability.replace('_', ' ')]),
  ]
  const marks = [
    ...(one.malicious ? ['malicious package'] : []),
    ...(one.known_exploited ? [`known exploited since ${one.known_exploited.date_added}`] : []),
    ...(one.epss ? [`EPSS ${(one.epss.score * 100).toFixed(1)} %`] : []),
    ...(one.score === undefined ? [] : [`CVSS ${one.score.toFixed(1)}`]),
    ...(one.informational === undefined ? [] : [one.informational]),
    ...(one.vex_status === undefined ? [] : [`VEX: ${one.vex_status}`]),
  ]
  const place = one.locations[0]
  const ids = [one.id, ...one.aliases.filter(alias => alias.startsWith('CVE-'))].join(', ')
  const lines = [
    `${paint(COLORS[one.severity], one.severity.padEnd(8))}  ${paint('bold', escapeInvisibleLine(`${one.package}@${one.version}`))}  ${ids}  ${
      fix === undefined ? 'no fixed version' : paint('green', `fixed in ${escapeInvisibleLine(fix)}`)
    }`,
    `          ${escapeInvisibleLine(cut(one.summary || 'no summary', Math.max(width - 10, 40)))}`,
    paint(
      'dim',
      `          ${[where.join(', '), ...marks].join('; ')}${place ? `; ${escapeInvisibleLine(place.file)}${place.line === undefined ? '' : `:${place.line}`}` : ''}`,
    ),
  ]
  const path = one.paths[0]
  if (path && path.length > 2) lines.push(paint('dim', `          ${escapeInvisibleLine(path.join(' > '))}`))
  if (one.dismissal)
    lines.push(
      paint(
        'dim',
        `          dismissed by ${one.dismissal.file}: ${one.dismissal.status}: ${escapeInvisibleLine(one.dismissal.reason || 'no reason given')}`,
      ),
    )
  return lines
}

function formatVerdict(report: VulnerabilityReport, { paint }: View): string {
  const open = report.vulnerabilities.filter(({ status }) => status === 'open')
  const dismissed = report.vulnerabilities.length - open.length
  const rest = dismissed > 0 ? ` (${dismissed} dismissed)` : ''
  if (open.length > 0) {
    const counts = Object.entries(report.by_severity).flatMap(([severity, count]) =>
      count > 0 ? [`${count} ${severity}`] : [],
    )
    const production = open.filter(({ scope }) => scope === 'production').length
    return paint(
      'red',
      `${formatCount(open.length, 'vulnerability', 'vulnerabilities')} in ${report.vulnerable_count} of ${formatCount(report.total_dependencies, 'dependency', 'dependencies')}: ${counts.join(', ')}${rest}; ${production} in production dependencies.`,
    )
  }
  const evaluated = `${formatCount(report.evaluated, 'dependency', 'dependencies')} evaluated`
  if (report.total_dependencies === 0)
    return `No dependencies were found in ${formatCount(report.manifests, 'manifest')}.`
  if (report.source.faults.length > 0)
    return paint(
      'yellow',
      `No known vulnerabilities among the ${evaluated} of ${report.total_dependencies}${rest}, but a part of the advisory data cannot be read.`,
    )
  if (report.evaluated === 0)
    return paint(
      'yellow',
      `Vulnerabilities are not known: none of ${formatCount(report.total_dependencies, 'dependency', 'dependencies')} was evaluated.`,
    )
  const isComplete = report.evaluated === report.total_dependencies && report.unread_manifests.length === 0
  return isComplete
    ? paint(
        'green',
        `No known vulnerabilities in ${formatCount(report.evaluated, 'dependency', 'dependencies')}${rest}.`,
      )
    : paint(
        'yellow',
        `No known vulnerabilities among the ${evaluated} of ${report.total_dependencies}${rest}; the others are not known.`,
      )
}

function formatSource({ source, evaluated, not_evaluated }: VulnerabilityReport): string {
  if (evaluated === 0 && source.kind !== 'database')
    return not_evaluated.some(({ reason }) => reason === 'source_failed')
      ? `The OSV API ${source.location} gave no answer. Without a network: \`svc vulns --offline\` with a database (docs/vulnerabilities.md).`
      : 'No advisories were requested: no dependency has a known version.'
  const name = { database: 'Advisory database', api: 'OSV API', cache: 'Answers of the OSV API in the cache' }[
    source.kind
  ]
  const stale =
    source.stale > 0 ? `; ${formatCount(source.stale, 'answer')} older than configured, since the API failed` : ''
  return `${name} ${source.location}${source.as_of ? `, data of ${source.as_of.slice(0, 16).replace('T', ' ')}` : ''}${stale}.`
}
