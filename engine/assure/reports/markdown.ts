import { type Finding, SEVERITIES } from '../../base/records/finding.ts'
import type { Run } from '../../base/records/run.ts'
import { computePercent } from '../../base/text/percent.ts'
import { formatCount, groupDigits } from '../../base/text/words.ts'
import { type RuleGroup, summarizeByRule } from '../../findings/by-rule.ts'
import { compareWorst, groupBy, REASONS, type ReportModel, setAsideText } from '../model.ts'
import { formatCoverage } from './coverage-text.ts'
import { cellCode, code, plain } from './markdown-text.ts'

/** Rules in the table; the rest is counted. */
const RULES = 10
const LISTED = 100
/** GitHub refuses a comment of more than 65,536 characters. */
const BUDGET = 60_000

/**
 * GitHub-flavored Markdown, short enough for a pull request comment: counts, the rules with open findings, then collapsed lists of the
 * other findings, of what was not evaluated and of what was skipped. Nothing in a name or message can mention a user, open a link or
 * break out of its cell.
 */
export function* renderMarkdown(model: ReportModel): Iterable<string> {
  const { run } = model
  const open = model.findings.filter(finding => finding.status === 'open').sort(compareWorst)
  const groups = summarizeByRule(open)
  let left = BUDGET
  for (const block of [
    heading(model, open.length),
    counts(run, open),
    listRules(groups),
    listFurther(groups, open),
    controls(run),
    notEvaluated(run),
    skipped(run),
    footer(run),
  ]) {
    // Only the lists of hostile names can reach the limit; a collapsed list that does not fit is named, not cut open.
    const fits = block.length <= left
    const text = fits ? block : '_A list was too long for this comment; see report.html._\n\n'
    left -= text.length
    yield text
  }
}

function heading({ run, framework }: ReportModel, open: number): string {
  const score =
    framework === undefined || run.score === undefined ? '' : ` · score ${computePercent(run.score, 100)} of 100`
  const rating = run.rating ? ` · rating ${run.rating}` : ''
  const gate = run.gate ? `gate ${run.gate.passed ? 'passed' : 'failed'} · ` : ''
  return `## svc: ${gate}${open === 0 ? 'no open findings' : formatCount(open, 'open finding')}${rating}${score}\n\n`
}

function counts(run: Run, open: readonly Finding[]): string {
  const by = new Map(SEVERITIES.map(severity => [severity, 0]))
  for (const { severity } of open) by.set(severity, by.get(severity)! + 1)
  const held = [
    run.counts.baseline > 0 && `${groupDigits(run.counts.baseline)} in the baseline`,
    run.counts.suppressed > 0 && `${groupDigits(run.counts.suppressed)} suppressed`,
    `${formatCount(run.counts.files, 'file')} scanned with ${formatCount(run.counts.rules, 'rule')}`,
    run.skipped.length > 0 && `${formatCount(run.skipped.length, 'file')} skipped`,
    run.not_evaluated.length > 0 && `${formatCount(run.not_evaluated.length, 'rule evaluation')} missing`,
    setAsideText(run),
  ]
  return `| ${SEVERITIES.join(' | ')} |\n|${' ---: |'.repeat(SEVERITIES.length)}\n| ${SEVERITIES.map(s => groupDigits(by.get(s)!)).join(' | ')} |\n\n${held.filter(Boolean).join(' · ')}\n\n`
}

function listRules(groups: readonly RuleGroup[]): string {
  if (groups.length === 0) return ''
  const rows = groups.slice(0, RULES).map(group => {
    const { severity, title, rule_id, other_titles, findings, files, file, line } = group
    const others = other_titles > 0 ? ` (and ${formatCount(other_titles, 'other title')})` : ''
    const count = findings === 1 ? '1' : `${groupDigits(findings)} in ${formatCount(files, 'file')}`
    return `| ${severity} | **${plain(title)}**${others} ${cellCode(rule_id)} | ${count} | ${cellCode(`${file}:${line}`)} |\n`
  })
  const more = groups.length - RULES
  const rest = more > 0 ? `... and ${formatCount(more, 'more rule')}\n\n` : ''
  return `| | Rule | Findings | First location |\n| --- | --- | ---: | --- |\n${rows.join('')}\n${rest}`
}

/** The findings whose location the table of rules does not show. */
function listFurther(groups: readonly RuleGroup[], open: readonly Finding[]): string {
  const shown = new Set(groups.slice(0, RULES).map(({ rule_id }) => rule_id))
  // The first of each rule in this order is the one of the table.
  const others = open.filter(({ rule_id }) => !shown.delete(rule_id))
  const rest = others.slice(0, LISTED)
  if (rest.length === 0) return ''
  const more = others.length - rest.length
  const rows = rest.map(f => `- ${f.severity}: ${plain(f.title)}, ${code(`${f.file}:${f.line}`)}\n`)
  const tail = more > 0 ? `\n${formatCount(more, 'more finding')} in report.html.\n` : ''
  return details(
    `${formatCount(rest.length, 'more finding')}${more > 0 ? ` (of ${groupDigits(others.length)})` : ''}`,
    rows.join('') + tail,
  )
}

function controls({ frameworks = [] }: Run): string {
  if (frameworks.length === 0) return ''
  const rows = frameworks.map(framework => {
    const violated = framework.controls.filter(({ state }) => state === 'violated').map(({ id }) => code(id))
    const which = violated.length > 0 ? `; violated: ${violated.slice(0, LISTED).join(', ')}` : ''
    return `- **${plain(framework.name)}**: ${formatCoverage(framework)}${which}\n`
  })
  return details(`Controls of ${formatCount(frameworks.length, 'framework')}`, rows.join(''))
}

function notEvaluated(run: Run): string {
  if (run.not_evaluated.length === 0) return ''
  const groups = [...groupBy(run.not_evaluated, entry => `${entry.reason}\n${entry.rule_id}`).values()]
  const rows = groups.slice(0, LISTED).map(entries => {
    const files = entries.filter(entry => entry.file !== undefined).length
    return `- ${code(entries[0]!.rule_id)}: ${REASONS[entries[0]!.reason]}${files > 0 ? ` (${formatCount(files, 'file')})` : ''}\n`
  })
  if (groups.length > LISTED) rows.push(`- and ${formatCount(groups.length - LISTED, 'more rule')}\n`)
  return details(`Not evaluated: ${formatCount(groups.length, 'rule')} (this is not a pass)`, rows.join(''))
}

function skipped(run: Run): string {
  if (run.skipped.length === 0) return ''
  const rows = [...groupBy(run.skipped, skip => skip.reason)].map(([, skips]) => {
    const names = skips.slice(0, 5).map(skip => code(skip.path))
    const more = skips.length > 5 ? ` and ${groupDigits(skips.length - 5)} more` : ''
    return `- ${groupDigits(skips.length)} ${REASONS[skips[0]!.reason]}: ${names.join(', ')}${more}\n`
  })
  return details(`Skipped: ${formatCount(run.skipped.length, 'file')}`, rows.join(''))
}

function footer(run: Run): string {
  const at = run.git_sha ? ` at ${code(run.git_sha.slice(0, 12))}` : ''
  return `<sub>Run ${code(run.id)} of ${plain(run.root_name)}${at}, svc ${plain(run.tool_version)}. ${plain(run.packs_reason, 300)}</sub>\n`
}

function details(summary: string, body: string): string {
  return `<details><summary>${summary}</summary>\n\n${body}\n</details>\n\n`
}
