import { LANGUAGES } from '../base/languages/languages.ts'
import type { Finding } from '../base/records/finding.ts'
import type { View } from '../base/text/view.ts'
import { escapeInvisibleLine } from '../base/text/visible.ts'
import { cut, formatCount, quoteShellWord } from '../base/text/words.ts'
import { formatRuleGroup, groupByRule, summarizeGroup } from '../findings/by-rule.ts'
import { SEVERITY_STYLE } from '../findings/line.ts'
import { SUPPRESSIONS_PATH } from '../sources/config/paths.ts'

/** Rules that are explained; of the rest each has one line. */
const RULES = 10
/** Findings of a rule that are shown with their code, and those that are listed by location alone; the rest is counted. */
const WITH_CODE = 5
const LOCATIONS = 50
const LONGEST_LINE = 160

/** The comment that accepts a finding of the rule on the line below it; undefined in a language without comments. */
export function ignoreComment(language: string, rule: string): string | undefined {
  const lexis = LANGUAGES.get(language)?.lexis
  const line = lexis?.line?.find(form => (form.column ?? 1) === 1)
  const directive = `svc-ignore: ${rule} -- <reason>`
  if (line) return `${line.open} ${directive}`
  // A marker with words in it hides the directive, which must stand at the beginning of the comment.
  const block = lexis?.block?.find(({ open, column }) => (column ?? 1) === 1 && !/[a-z]/i.test(open))
  // A comment of XML may not hold two dashes.
  return block && `${block.open} ${block.open === '<!--' ? directive.replace('--', '—') : directive} ${block.close}`
}

/**
 * What blocks a commit, by rule, most severe first: the location of each finding, why, the fix, and how to accept it. All of it is in
 * the file `record`, which is named where something is left out.
 */
export function listRecoveryHints(blocking: readonly Finding[], record: string, view: View): string[] {
  const groups = groupByRule(blocking)
  const more = groups.slice(RULES)
  const lines = groups.slice(0, RULES).flatMap(findings => ['', ...explainRule(findings, record, view)])
  if (more.length > 0) {
    lines.push(
      '',
      `${formatCount(more.length, 'more rule blocks', 'more rules block')} the commit; all findings are in ${record}:`,
      ...more.map(findings => `  ${formatRuleGroup(summarizeGroup(findings), view)}`),
    )
  }
  return lines
}

function explainRule(findings: readonly Finding[], record: string, view: View): string[] {
  const { paint } = view
  const [first] = findings as [Finding, ...Finding[]]
  const label = (text: string) => `  ${paint('bold', text.padEnd(7))} `
  const comment = ignoreComment(first.language, first.rule_id)
  const files = [...new Set(findings.map(({ file }) => file))]
  const fixable = findings.filter(({ fix }) => fix).length
  return [
    `  ${formatHeading(findings, view)}`,
    ...listLocations(findings, record, view),
    `${label('Why')}${first.message.trim().replaceAll('\n', '\n          ')}`,
    `${label('Fix')}${first.remediation.trim().replaceAll(/\n(?=.)/g, '\n          ')}`,
    ...(fixable > 0
      ? [`${label('Autofix')}${paint('cyan', 'svc fix-hook')} applies the fix to the staged content`]
      : []),
    `${label('Accept')}${comment ? `${paint('cyan', comment)}  on the line before, and stage it; or` : 'if it is intended:'}`,
    ...files
      .slice(0, WITH_CODE)
      .map(
        file =>
          `          ${paint('cyan', `svc suppress --rule ${first.rule_id} --file ${quoteShellWord(file)} --reason "<reason>"`)}`,
      ),
    ...(files.length > WITH_CODE
      ? [`          and the same for ${formatCount(files.length - WITH_CODE, 'more file')}`]
      : []),
    `          and then ${paint('cyan', `git add ${SUPPRESSIONS_PATH}`)}`,
  ]
}

/** `critical  SQL injection: untrusted input in a query  [js-sql-injection]`, with the counts where there are several findings. */
function formatHeading(findings: readonly Finding[], view: View): string {
  const group = summarizeGroup(findings)
  if (group.findings > 1) return formatRuleGroup(group, view)
  const severity = view.paint(SEVERITY_STYLE[group.severity], group.severity.padEnd(8))
  return `${severity}  ${escapeInvisibleLine(group.title)}  ${view.paint('dim', `[${group.rule_id}]`)}`
}

/** Each location of the rule, the first ones with their code. */
function listLocations(findings: readonly Finding[], record: string, { paint }: View): string[] {
  const isMixed = new Set(findings.map(({ severity }) => severity)).size > 1
  const lines = findings
    .slice(0, LOCATIONS)
    .flatMap(({ file, line, severity, snippet }, at) => [
      `    ${escapeInvisibleLine(file)}:${line}${isMixed ? ` (${severity})` : ''}`,
      ...(at < WITH_CODE
        ? snippet
            .split('\n')
            .map((text, i) => paint('dim', `  ${String(line + i).padStart(5)} | ${cut(text, LONGEST_LINE)}`))
        : []),
    ])
  if (findings.length > LOCATIONS)
    lines.push(`    and ${formatCount(findings.length - LOCATIONS, 'more finding')} of this rule, in ${record}`)
  return lines
}
