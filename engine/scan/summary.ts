import { resolve } from 'node:path'
import type { Finding } from '../base/records/finding.ts'
import { RATING_MEANING, type Rating } from '../base/records/rating.ts'
import { countToReview, type NotEvaluated, type Run, type ToReview } from '../base/records/run.ts'
import type { Style, View } from '../base/text/view.ts'
import { escapeInvisibleLine } from '../base/text/visible.ts'
import { formatCount, groupDigits } from '../base/text/words.ts'
import { compareBySeverity, formatRuleGroup, type RuleGroup, summarizeByRule } from '../findings/by-rule.ts'
import { formatSeverities } from '../findings/line.ts'
import { listReasons } from '../findings/reasons.ts'
import { formatAliases, formatTrace } from './findings-text.ts'
import { formatDetails } from './summary-details.ts'

/** Rules that are listed; the rest is counted. */
const SHOWN = 10
/**
 * Which locations of a rule are listed below it: all where it has few findings, the first ones where it fails a gate, since a user has to act
 * on each, or none.
 */
const LOCATIONS = { few: 3, first: 5, none: 0 } as const

/** What follows the summary: advice on what to do next, the gate's verdict, or nothing, where nothing was stored. */
type Following = 'advice' | 'verdict' | 'nothing'

/** What a summary has besides the run and its findings. */
export interface SummaryOptions {
  /** `advice` where left out. */
  following?: Following
  /** The directory of the reports, null where none were written; `out` where left out. */
  out?: string | null
  /** The root that was scanned where the user is in another directory: it is named, and paths of reports start there. */
  tree?: string
  /** The groups of all findings, where `findings` is only a part of them. */
  by_rule?: readonly RuleGroup[]
  /** List what a reviewer decides on. */
  to_review?: boolean
}

/** The scan at a glance: what was scanned, counts, the findings by rule, what was left out, what to do next. */
export function formatSummary(
  run: Run,
  findings: readonly Finding[],
  view: View,
  { following = 'advice', out = 'out', tree, by_rule, to_review = false }: SummaryOptions = {},
): string {
  const located = out !== null && tree !== undefined ? resolve(tree, out) : out
  const stored = following !== 'nothing' && run.scope !== 'staged' ? (located ?? undefined) : undefined
  const parts = [headline(run, tree), severities(run, view), rating(run, view)]
  if (!view.quiet) {
    const open = findings.filter(({ status }) => status === 'open')
    parts.push(
      listRules(
        by_rule ?? summarizeByRule(open),
        open,
        view,
        by_rule ? 'none' : following === 'verdict' ? 'first' : 'few',
      ),
      listUnknown(run, view, stored, to_review),
      to_review ? listPlaces(run.to_review ?? [], view) : '',
      disabledPacks(run, view),
      ...run.notices.map(
        notice =>
          `${view.paint('yellow', 'note')} ${notice.file === '.' ? '' : `${formatLocation(notice)}: `}${notice.detail}`,
      ),
    )
    parts.push(
      view.verbose ? `${formatDetails(run, stored)}${run.packs_reason}` : '',
      next(run, view, following, located, tree),
    )
  }
  return parts.filter(Boolean).join('\n')
}

function headline({ counts, duration_ms, scope, ledger }: Run, tree?: string): string {
  const seconds = duration_ms / 1000
  return `Scanned ${formatCount(counts.files, 'file')}${tree === undefined ? '' : ` of ${escapeInvisibleLine(tree)}`}${states(ledger)} (${size(counts.bytes)}) with ${formatCount(counts.rules, 'rule')} in ${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s${scope === 'everything' ? '' : `, only of: ${scope}`}.`
}

/** How many of the scope's files were not searched by everything, with the reasons: `, 12 partly (10 generated, 2 minified), 4 skipped (4 binary)`. */
function states(ledger: Run['ledger']): string {
  if (!ledger) return ''
  const count = (reasons: Readonly<Record<string, number | undefined>>) =>
    Object.values(reasons).reduce((sum: number, n) => sum + (n ?? 0), 0)
  const part = (state: string, reasons: Readonly<Record<string, number | undefined>>) =>
    count(reasons) > 0 ? `, ${groupDigits(count(reasons))} ${state} (${listReasons(reasons)})` : ''
  return `${part('partly', ledger.partly)}${part('skipped', ledger.skipped)}`
}

/** Scopes of what is judged by what was there before it. */
const CHANGE = /^(?:staged$|patch$|range |against branch )/

function severities({ counts, scope }: Run, { paint }: View): string {
  const held = [
    counts.suppressed > 0 && `${groupDigits(counts.suppressed)} suppressed`,
    counts.baseline > 0 &&
      `${groupDigits(counts.baseline)} ${CHANGE.test(scope) ? 'from before the change' : 'in the baseline'}`,
  ].filter(Boolean)
  const beside = held.length > 0 ? ` (${held.join(', ')})` : ''
  if (counts.open === 0) return `${paint('green', 'No open findings')}${beside}.`
  return `${formatCount(counts.open, 'open finding')}: ${formatSeverities(counts.by_severity, { paint })}${beside}.`
}

const RATING_STYLE: Record<Rating, Style> = {
  ...{ A: 'green', 'A?': 'yellow', B: 'blue' },
  ...{ C: 'yellow', D: 'red', E: 'magenta' },
}

/** The rating with its reason, and where findings in the baseline decide it, that they do. */
function rating({ rating, counts }: Run, { paint }: View): string {
  if (rating === undefined) return ''
  const isKnown = counts.open === 0 && counts.baseline > 0 && rating >= 'B'
  return `Rating ${paint(RATING_STYLE[rating], rating)}: ${RATING_MEANING[rating]}${isKnown ? ', in the baseline' : ''}.`
}

/**
 * The findings by rule, most severe first: a rule with many findings takes one line, and the locations that `listed` names are below it.
 */
function listRules(
  groups: readonly RuleGroup[],
  open: readonly Finding[],
  view: View,
  listed: keyof typeof LOCATIONS,
): string {
  if (groups.length === 0) return ''
  const shown = groups.slice(0, SHOWN)
  const lines = shown.flatMap(group => {
    const own = open.filter(({ rule_id }) => rule_id === group.rule_id).sort(compareBySeverity)
    const line = `  ${formatRuleGroup(group, view)}${own[0]?.file_class ? ` (${own[0].file_class})` : ''}${trace(own[0], view)}`
    return [line, ...listLocations(own, view, listed)]
  })
  const more = groups.length - SHOWN
  return `\n${lines.join('\n')}${more > 0 ? `\n  ${view.paint('dim', `... and ${formatCount(more, 'more rule')}`)}` : ''}\n`
}

function trace(finding: Finding | undefined, view: View): string {
  if (!view.verbose || !finding) return ''
  return view.paint('dim', `${formatAliases(finding)}${formatTrace(finding, '            ')}`)
}

/** The locations behind the first one, which the rule's own line has. */
function listLocations(findings: readonly Finding[], view: View, listed: keyof typeof LOCATIONS): string[] {
  const most = LOCATIONS[listed]
  if (findings.length < 2 || most === 0 || (listed === 'few' && findings.length > most)) return []
  const indent = ' '.repeat(12)
  const lines = findings.slice(1, most).map(finding => `${indent}${formatLocation(finding)}`)
  const left = findings.length - most
  return left > 0 ? [...lines, `${indent}${view.paint('dim', `... and ${groupDigits(left)} more`)}`] : lines
}

/** What was not scanned and not evaluated: unknown, which is not the same as clean. */
function listUnknown(
  {
    counts,
    ledger,
    not_evaluated,
    known_gaps = 0,
    scope,
    silent_in_tests = [],
    excluded_by_rule = [],
    dropped_across_files = [],
    to_review = [],
  }: Run,
  { paint }: View,
  stored?: string,
  isListed = false,
): string {
  const lines: string[] = []
  const skipped = Object.entries(counts.skipped)
  // Runs of programs that had no ledger.
  if (!ledger && skipped.length > 0) {
    const total = skipped.reduce((sum, [, n]) => sum + n, 0)
    lines.push(
      `${formatCount(total, 'file')} not scanned: ${skipped.map(([reason, n]) => `${n} ${reason.replaceAll('_', ' ')}`).join(', ')}.`,
    )
  }
  if (not_evaluated.length > 0) {
    const rules = new Set(not_evaluated.map(({ rule_id }) => rule_id)).size
    const files = new Set(not_evaluated.flatMap(({ file }) => file ?? [])).size
    lines.push(
      paint(
        'yellow',
        `${formatCount(rules, 'rule')} not evaluated${files > 0 ? ` in ${formatCount(files, 'file')}` : ''}${known_gaps > 0 ? ` (${formatCount(known_gaps, 'gap')} ${CHANGE.test(scope) ? 'known before the change' : 'in the baseline'})` : ''}; ${stored ? `see not_evaluated in ${stored}/run.json` : '-v lists them'}.`,
      ),
    )
  }
  // What a contributor could not look at at all; the reason says what to do.
  for (const { rule_id, detail } of not_evaluated.filter(isWholeContributor).slice(0, CONTRIBUTORS_SHOWN))
    lines.push(paint('yellow', `  ${rule_id}: ${escapeInvisibleLine(detail ?? '')}`))
  if (silent_in_tests.length > 0) {
    const total = silent_in_tests.reduce((sum, { findings }) => sum + findings, 0)
    lines.push(
      `${formatCount(total, 'match', 'matches')} in tests not reported, by ${formatCount(silent_in_tests.length, 'rule')} that ${silent_in_tests.length === 1 ? 'skips' : 'skip'} tests; ${stored ? `see silent_in_tests in ${stored}/run.json` : '-v lists them'}.`,
    )
  }
  if (excluded_by_rule.length > 0) {
    const total = excluded_by_rule.reduce((sum, { findings }) => sum + findings, 0)
    lines.push(
      `${formatCount(total, 'finding')} excluded by ${formatCount(excluded_by_rule.length, 'rule')} (exclude_files, or code that a rule file quotes); ${stored ? `see excluded_by_rule in ${stored}/run.json` : '-v lists them'}.`,
    )
  }
  if (dropped_across_files.length > 0) {
    const total = dropped_across_files.reduce((sum, { findings }) => sum + findings, 0)
    lines.push(
      `${formatCount(total, 'finding')} dropped, since functions of other files sanitize or do not return the input; ${stored ? `see dropped_across_files in ${stored}/run.json` : '-v lists them'}.`,
    )
  }
  const toReview = countToReview(to_review)
  if (toReview > 0)
    lines.push(
      `${formatCount(toReview, 'place')} to review, by ${formatCount(to_review.length, 'rule')} of low confidence, not counted as findings${isListed ? '.' : `; ${stored ? `see to_review in ${stored}/run.json` : '--to-review lists them'}.`}`,
    )
  return lines.join('\n')
}

/** What a reviewer decides on, each place under its rule. */
function listPlaces(entries: readonly ToReview[], { paint }: View): string {
  const lines = entries.flatMap(({ rule_id, title, findings, places }) => [
    `  ${rule_id}  ${title} ${paint('dim', `(${formatCount(findings, 'place')})`)}`,
    ...places.map(({ file, line }) => `            ${escapeInvisibleLine(file)}:${line}`),
  ])
  return lines.length > 0 ? `\nTo review:\n${lines.join('\n')}\n` : ''
}

/** Reasons of contributors that are shown; -v and the run have all. */
const CONTRIBUTORS_SHOWN = 5

function isWholeContributor({ rule_id, file, detail }: NotEvaluated): boolean {
  return rule_id.includes(':') && file === undefined && detail !== undefined
}

/** Packs whose rules were not asked though there are files for them. */
function disabledPacks({ packs_disabled = [] }: Run, { paint }: View): string {
  if (packs_disabled.length === 0) return ''
  return paint(
    'yellow',
    `Disabled by the configuration though their languages are present: ${packs_disabled.join(', ')}.`,
  )
}

function next(
  { counts, scope }: Run,
  { paint }: View,
  following: Following,
  out: string | null,
  tree?: string,
): string {
  if (following === 'nothing' || out === null) return ''
  const command = (text: string) => paint('cyan', text)
  const explain = `${command('svc explain <rule>')} describes a rule and its fix`
  if (scope === 'staged') return counts.open === 0 ? '' : `Next: ${explain}.`
  const report = `${escapeInvisibleLine(out)}/report.html`
  // The verdict names the next step itself.
  if (following === 'verdict') return counts.open === 0 ? '' : `Report: ${report}`
  const where = tree === undefined ? 'Next' : `Next, in ${escapeInvisibleLine(tree)}`
  const first =
    counts.open === 0
      ? `run ${command('svc gate')} in CI`
      : `${command('svc next-action')} lists which findings to fix first, ${explain}`
  return `${where}: ${first}; the report is ${report}.`
}

function formatLocation({ file, line }: { file: string; line?: number }): string {
  return line === undefined ? escapeInvisibleLine(file) : `${escapeInvisibleLine(file)}:${line}`
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`
  return bytes < 1_000_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000_000_000).toFixed(2)} GB`
}
