import type { Style, View } from '../../base/text/view.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { cut, formatCount } from '../../base/text/words.ts'
import type { LicenseRisk } from './kinds.ts'
import type { LicenseRecord, LicenseReport } from './report.ts'

const COLORS: Record<LicenseRisk, Style> = { high: 'red', medium: 'yellow', low: 'blue', none: 'dim' }
/** Dependencies that are shown; -v and --json have all. */
const SHOWN = 40
const REASONS = 5

/** The report for a terminal: what needs attention first, then what is not known, then the sums. */
export function formatLicenses(report: LicenseReport, view: View): string {
  const known = report.dependencies.filter(({ kind }) => kind !== 'unknown')
  const unknown = report.dependencies.filter(({ kind }) => kind === 'unknown')
  const marked = known.filter(({ risk, policy }) => risk === 'high' || risk === 'medium' || isBad(policy))
  const listed = view.verbose ? report.dependencies : marked.slice(0, SHOWN)
  const more = marked.length - SHOWN
  return [
    ...formatRows(listed, view),
    ...(!view.verbose && more > 0 ? [`and ${more} more of high or medium risk; -v shows all`] : []),
    ...(listed.length > 0 ? [''] : []),
    ...report.unread_manifests.map(({ file, line, state, detail }) =>
      view.paint(
        state === 'failed' ? 'red' : 'yellow',
        `not read: ${escapeInvisibleLine(file)}${line === undefined ? '' : `:${line}`}: ${escapeInvisibleLine(detail || state)}`,
      ),
    ),
    ...formatUnknown(unknown, view),
    ...report.notices.map(notice => view.paint('yellow', escapeInvisibleLine(notice))),
    formatSums(report, view),
  ].join('\n')
}

function isBad(policy: LicenseRecord['policy']): boolean {
  return policy !== undefined && policy !== 'allowed'
}

function formatRows(records: readonly LicenseRecord[], { paint, width, verbose }: View): string[] {
  if (records.length === 0) return []
  const nameOf = ({ package: name, version }: LicenseRecord) =>
    cut(escapeInvisibleLine(`${name}${version === undefined ? '' : `@${version}`}`), 48)
  const widest = Math.min(48, Math.max(...records.map(one => nameOf(one).length)))
  return records.map(one => {
    const license = cut(
      escapeInvisibleLine(one.license ?? one.declared ?? 'unknown'),
      Math.max(width - widest - 40, 20),
    )
    const marks = [
      one.kind,
      one.direct ? 'direct' : 'transitive',
      ...(one.scope === 'production' ? [] : [one.scope]),
      ...(one.policy === undefined ? [] : [`policy: ${one.policy}`]),
      ...(verbose
        ? [one.source_file === undefined ? one.source : `${one.source} ${escapeInvisibleLine(one.source_file)}`]
        : []),
    ]
    return `${paint(COLORS[one.risk], one.risk.padEnd(6))}  ${paint('bold', nameOf(one).padEnd(widest))}  ${license}  ${paint('dim', marks.join(', '))}`
  })
}

/** Unknown licenses by the reason: a package manager that was not run is one line, not a thousand. */
function formatUnknown(unknown: readonly LicenseRecord[], { paint }: View): string[] {
  const byReason = new Map<string, LicenseRecord[]>()
  for (const one of unknown) {
    const reason = one.reason ?? 'no reason is known'
    byReason.set(reason, [...(byReason.get(reason) ?? []), one])
  }
  const groups = [...byReason].sort(([, a], [, b]) => b.length - a.length)
  const rest = groups.slice(REASONS).reduce((sum, [, list]) => sum + list.length, 0)
  return [
    ...groups.slice(0, REASONS).map(([reason, list]) =>
      paint(
        'yellow',
        `unknown: ${formatCount(list.length, 'dependency', 'dependencies')}: ${escapeInvisibleLine(reason)} (${list
          .slice(0, 3)
          .map(one => escapeInvisibleLine(one.package))
          .join(', ')}${list.length > 3 ? ', …' : ''})`,
      ),
    ),
    ...(rest > 0 ? [paint('yellow', `unknown: ${rest} more for other reasons; -v shows all`)] : []),
  ]
}

function formatSums(report: LicenseReport, { paint }: View): string {
  const { total_dependencies: total, by_risk, copyleft, unknown, denied, review, manifests } = report
  if (total === 0) return `No dependencies were found in ${formatCount(manifests, 'manifest')}.`
  const sums = `${formatCount(total, 'dependency', 'dependencies')}: ${by_risk.high} high, ${by_risk.medium} medium, ${by_risk.low} low, ${by_risk.none} none; ${copyleft} copyleft, ${unknown} unknown.`
  if (denied === undefined) return sums
  const verdict = `${denied} denied by the policy, ${review} to review.`
  return `${sums}\n${paint(denied > 0 ? 'red' : (review ?? 0) > 0 || unknown > 0 ? 'yellow' : 'green', verdict)}`
}
