import { compareFindings, type Finding, rankSeverity, SEVERITIES, type Severity } from '../base/records/finding.ts'
import type { View } from '../base/text/view.ts'
import { escapeInvisibleLine } from '../base/text/visible.ts'
import { formatCount, groupDigits } from '../base/text/words.ts'
import { SEVERITY_STYLE } from './line.ts'

/** All findings of one rule. */
export interface RuleGroup {
  rule_id: string
  /** The title of the most severe finding. */
  title: string
  /** How many further titles the findings have, as those of a scanner that names a package in each. */
  other_titles: number
  /** The highest severity among the findings. */
  severity: Severity
  findings: number
  files: number
  /** How many findings have each severity; severities without a finding are left out. */
  by_severity: Partial<Record<Severity, number>>
  /** The location of the most severe finding. */
  file: string
  line: number
}

/** What is needed of a finding to group it. */
export type RuleFinding = Pick<
  Finding,
  'rule_id' | 'title' | 'severity' | 'confidence' | 'file' | 'line' | 'column' | 'end_line' | 'end_column'
>

/** Most severe first, then the surest, then by location: the order in which groups and their findings are listed. */
export function compareBySeverity(a: RuleFinding, b: RuleFinding): number {
  return rankSeverity(a.severity) - rankSeverity(b.severity) || b.confidence - a.confidence || compareFindings(a, b)
}

/** The findings by rule: rules in the order of their most severe finding, and the findings of each rule in the same order. */
export function groupByRule<F extends RuleFinding>(findings: readonly F[]): F[][] {
  const groups = new Map<string, F[]>()
  for (const finding of [...findings].sort(compareBySeverity)) {
    const group = groups.get(finding.rule_id)
    if (group) group.push(finding)
    else groups.set(finding.rule_id, [finding])
  }
  return [...groups.values()]
}

/** What a list of findings says about each of its rules, most severe first. */
export function summarizeByRule(findings: readonly Finding[]): RuleGroup[] {
  return groupByRule(findings).map(summarizeGroup)
}

/** The findings of one rule as a group; the first of them must be the most severe. */
export function summarizeGroup(findings: readonly Finding[]): RuleGroup {
  const [{ rule_id, title, severity, file, line }] = findings as [Finding, ...Finding[]]
  const by_severity: RuleGroup['by_severity'] = {}
  for (const { severity } of findings) by_severity[severity] = (by_severity[severity] ?? 0) + 1
  return {
    rule_id,
    title,
    other_titles: new Set(findings.map(finding => finding.title)).size - 1,
    severity,
    findings: findings.length,
    files: new Set(findings.map(finding => finding.file)).size,
    by_severity,
    file,
    line,
  }
}

/**
 * A group in one line, whatever its files are called: `high      TLS certificate verification disabled: 860 in 612 files, first at src/a.ts:12`;
 * the location alone for a single finding.
 */
export function formatRuleGroup(group: RuleGroup, { paint }: Pick<View, 'paint'>): string {
  const severity = paint(SEVERITY_STYLE[group.severity], group.severity.padEnd(8))
  const others = group.other_titles > 0 ? ` (and ${formatCount(group.other_titles, 'other title')})` : ''
  return `${severity}  ${escapeInvisibleLine(group.title)}${others}: ${describeLocations(group, text => paint('bold', text))}  ${paint('dim', `[${group.rule_id}]`)}`
}

/** `src/a.ts:12` of a single finding, else `860 in 612 files, first at src/a.ts:12`, with the severities where they differ. */
export function describeLocations(group: RuleGroup, mark: (location: string) => string = text => text): string {
  const location = mark(`${escapeInvisibleLine(group.file)}:${group.line}`)
  if (group.findings === 1) return location
  const counts = SEVERITIES.flatMap(severity =>
    group.by_severity[severity] ? `${groupDigits(group.by_severity[severity])} ${severity}` : [],
  )
  const mixed = counts.length > 1 ? ` (${counts.join(', ')})` : ''
  return `${groupDigits(group.findings)}${mixed} in ${formatCount(group.files, 'file')}, first at ${location}`
}
