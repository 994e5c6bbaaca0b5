import { LANGUAGES } from '../base/languages/languages.ts'
import type { Finding } from '../base/records/finding.ts'
import type { View } from '../base/text/view.ts'
import { cut, formatCount, quoteShellWord } from '../base/text/words.ts'
import { formatFindingLine } from '../findings/line.ts'
import { SUPPRESSIONS_PATH } from '../sources/config/paths.ts'

/** Findings that are shown with all hints; the rest is counted. */
const SHOWN = 20
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

/** What blocks a commit (all of it in the file `record`), and the ways out: by rule, with location, reason, fix and how to accept it. */
export function listRecoveryHints(blocking: readonly Finding[], record: string, view: View): string[] {
  const shown = blocking.slice(0, SHOWN)
  const byRule = new Map<string, Finding[]>()
  for (const finding of shown) byRule.set(finding.rule_id, [...(byRule.get(finding.rule_id) ?? []), finding])
  const lines = [...byRule.values()].flatMap(findings => ['', ...hintsOf(findings, view)])
  if (blocking.length > shown.length) {
    lines.push(
      '',
      `and ${formatCount(blocking.length - shown.length, 'more finding')} that block the commit, in ${record}.`,
    )
  }
  return lines
}

function hintsOf(findings: readonly Finding[], view: View): string[] {
  const { paint } = view
  const [first] = findings as [Finding, ...Finding[]]
  const label = (text: string) => `  ${paint('bold', text.padEnd(7))} `
  const places = findings.flatMap(finding => [
    `  ${formatFindingLine(finding, view)}`,
    ...finding.snippet
      .split('\n')
      .map((text, i) => paint('dim', `  ${String(finding.line + i).padStart(5)} | ${cut(text, LONGEST_LINE)}`)),
  ])
  const comment = ignoreComment(first.language, first.rule_id)
  const files = [...new Set(findings.map(({ file }) => file))]
  const fixable = findings.filter(({ fix }) => fix).length
  return [
    ...places,
    `${label('Why')}${first.message.trim().replaceAll('\n', '\n          ')}`,
    `${label('Fix')}${first.remediation.trim().replaceAll(/\n(?=.)/g, '\n          ')}`,
    ...(fixable > 0 ? [`${label('Auto')}${paint('cyan', 'svc fix-hook')} makes the change in what is staged`] : []),
    `${label('Accept')}${comment ? `${paint('cyan', comment)}  on the line before, staged too; or` : 'where it is meant to be so:'}`,
    ...files.map(
      file =>
        `          ${paint('cyan', `svc suppress --rule ${first.rule_id} --file ${quoteShellWord(file)} --reason "<reason>"`)}`,
    ),
    `          and then ${paint('cyan', `git add ${SUPPRESSIONS_PATH}`)}`,
  ]
}
