import { code, plain } from '../../assure/reports/markdown-text.ts'
import { rankSeverity, type Severity } from '../../base/records/finding.ts'
import { formatCount } from '../../base/text/words.ts'

/** A finding that no work item is about. */
export interface UntrackedFinding {
  id: string
  rule_id: string
  severity: string
  title: string
  file: string
  line: number
}

/** A work item that is to be made. */
export interface PlannedItem {
  title: string
  description: string
  labels: string[]
  findings: string[]
}

/** Items that one plan makes; further rules are counted, and come with the next. */
export const MOST_NEW_ITEMS = 50
/** Places that a description lists. */
const MOST_PLACES = 50

/**
 * One item for each rule with findings that no item is about, the most severe first. Its title names the rule, by which the next reconciliation
 * finds it, so that nothing is made twice. Names and texts are escaped: nobody is mentioned by them.
 */
export function planItems(findings: readonly UntrackedFinding[]): { items: PlannedItem[]; left_out: number } {
  const byRule = new Map<string, UntrackedFinding[]>()
  for (const finding of findings) {
    const list = byRule.get(finding.rule_id)
    if (list) list.push(finding)
    else byRule.set(finding.rule_id, [finding])
  }
  const groups = [...byRule].map(([rule, own]) => ({ rule, own: own.sort(comparePlaces), rank: findRank(own) }))
  groups.sort((a, b) => a.rank - b.rank || (a.rule < b.rule ? -1 : 1))
  return {
    items: groups.slice(0, MOST_NEW_ITEMS).map(({ rule, own }) => makeItem(rule, own)),
    left_out: Math.max(0, groups.length - MOST_NEW_ITEMS),
  }
}

function makeItem(rule: string, own: readonly UntrackedFinding[]): PlannedItem {
  const { title, severity } = [...own].sort(
    (a, b) => rankSeverity(a.severity as Severity) - rankSeverity(b.severity as Severity),
  )[0]!
  const places = own.slice(0, MOST_PLACES).map(({ file, line }) => `- ${code(`${file}:${line}`)}`)
  const more = own.length - places.length
  return {
    title: `Fix ${rule} (${formatCount(own.length, 'finding')})`,
    description: [
      `${plain(title, 300)} (${severity}), by the rule ${code(rule)}:`,
      [...places, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n'),
    ].join('\n\n'),
    labels: ['svc'],
    findings: own.map(({ id }) => id),
  }
}

function findRank(own: readonly UntrackedFinding[]): number {
  return Math.min(...own.map(({ severity }) => rankSeverity(severity as Severity)))
}

function comparePlaces(a: UntrackedFinding, b: UntrackedFinding): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line
}

/** The plan as text, which a reviewer approves. */
export function formatPlan(items: readonly PlannedItem[]): string {
  return items.map(({ title, description }) => `+ ${title}\n${description.replace(/^/gm, '  ')}\n`).join('\n')
}
