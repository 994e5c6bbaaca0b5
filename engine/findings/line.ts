import type { Severity, SeverityCounts } from '../base/records/finding.ts'
import { SEVERITIES } from '../base/records/finding.ts'
import type { Style, View } from '../base/text/view.ts'
import { escapeInvisibleLine } from '../base/text/visible.ts'
import { groupDigits } from '../base/text/words.ts'

export const SEVERITY_STYLE: Record<Severity, Style> = {
  critical: 'magenta',
  high: 'red',
  medium: 'yellow',
  low: 'blue',
  info: 'dim',
}

/** A finding in one line, whatever the file is called: severity, place, rule, what it is. */
export function formatFindingLine(
  finding: { severity: Severity; file: string; line: number; rule_id: string; title: string },
  { paint }: Pick<View, 'paint'>,
): string {
  const severity = paint(SEVERITY_STYLE[finding.severity], finding.severity.padEnd(8))
  const place = `${escapeInvisibleLine(finding.file)}:${finding.line}`
  return `${severity}  ${place}  ${paint('dim', finding.rule_id)}  ${escapeInvisibleLine(finding.title)}`
}

/** `2 critical, 1 low`; `none` where there are none. */
export function formatSeverities(counts: SeverityCounts, { paint }: Pick<View, 'paint'>): string {
  const parts = SEVERITIES.filter(severity => counts[severity] > 0).map(severity =>
    paint(SEVERITY_STYLE[severity], `${groupDigits(counts[severity])} ${severity}`),
  )
  return parts.join(', ') || 'none'
}
