import type { View } from '../../base/text/view.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { type Threat, ZONES, type Zone } from './model.ts'

const STYLE = { critical: 'red', high: 'red', medium: 'yellow', low: 'dim' } as const

/** The threats as a list to read, the worst first. */
export function formatThreats(threats: readonly Threat[], { paint, verbose }: View): string[] {
  return threats.flatMap(threat => {
    const {
      id,
      severity,
      likelihood,
      stride,
      title,
      places,
      status,
      mitigation,
      attack_vector,
      findings,
      controls_seen,
      mitigation_note,
    } = threat
    const state = status === 'mitigated' ? paint('green', 'mitigated') : paint(STYLE[severity], severity.padEnd(9))
    const rows = [
      `${paint('bold', id)}  ${state}  ${stride.replaceAll('_', ' ').padEnd(22)}  ${escapeInvisibleLine(title)}`,
    ]
    const [first] = places
    const facts = [
      ...(first ? [`${escapeInvisibleLine(first.file)}:${first.line}`] : []),
      `likelihood ${likelihood}`,
      ...(findings.length > 0 ? [formatCount(findings.length, 'open finding')] : []),
      ...(controls_seen.length > 0
        ? [`seen: ${controls_seen.map(({ what }) => escapeInvisibleLine(what)).join(', ')}`]
        : []),
    ]
    rows.push(`    ${paint('dim', facts.join(' · '))}`)
    if (threat.changed_since_mitigation) rows.push('    It was mitigated, and its element has changed since.')
    if (verbose)
      rows.push(`    ${escapeInvisibleLine(attack_vector)}`, `    Mitigation: ${escapeInvisibleLine(mitigation)}`)
    if (mitigation_note !== undefined) rows.push(`    Note: ${escapeInvisibleLine(mitigation_note)}`)
    return rows
  })
}

/** How many open findings bear on threats, and how many lie in no element. */
export function formatBearing(findings: readonly { threats: readonly unknown[] }[]): string {
  const outside = findings.filter(({ threats }) => threats.length === 0).length
  const rest = outside === 0 ? '' : `; ${outside} of them on no threat of this model`
  return `${formatCount(findings.length, 'open finding')} of the last scan bear on STRIDE categories${rest}.`
}

/** The elements by trust zone. */
export function formatModel({
  elements,
  zones,
}: {
  elements: readonly { name: string; zone: string; entry_points: readonly unknown[] }[]
  zones: readonly string[]
}): string[] {
  return zones.map(zone => {
    const own = elements.filter(element => element.zone === zone)
    const names = own.map(
      ({ name, entry_points }) =>
        `${escapeInvisibleLine(name)}${entry_points.length > 0 ? ` (${formatCount(entry_points.length, 'entry point')})` : ''}`,
    )
    return `  ${ZONES[zone as Zone].padEnd(14)}  ${names.join(', ')}`
  })
}
