import type { CodeLens, Hover } from 'vscode-languageserver/node'
import type { RuleCard } from '../../engine/base/records/document-check.ts'
import type { Finding } from '../../engine/base/records/finding.ts'
import { formatCount } from '../../engine/base/text/words.ts'
import type { Checked } from './documents.ts'

/** Rule, weakness and remediation of findings, as Markdown or plain text. */
export function describeFindings(
  findings: readonly { finding: Finding; card: RuleCard | undefined }[],
  isMarkdown: boolean,
): Hover['contents'] {
  const parts = findings.map(({ finding, card }) => (isMarkdown ? toMarkdown(finding, card) : toPlain(finding, card)))
  return { kind: isMarkdown ? 'markdown' : 'plaintext', value: parts.join(isMarkdown ? '\n\n---\n\n' : '\n\n') }
}

function toMarkdown(finding: Finding, card: RuleCard | undefined): string {
  const rule = card?.href === undefined ? `\`${finding.rule_id}\`` : `[\`${finding.rule_id}\`](${card.href})`
  return [
    `**${escapeMarkdown(finding.title)}** (${finding.severity}, ${rule})`,
    escapeMarkdown(finding.message),
    ...(finding.cwe.length > 0 ? [finding.cwe.map(linkWeakness).join(', ')] : []),
    `**How to fix**\n\n${finding.remediation.trimEnd()}`,
  ].join('\n\n')
}

function toPlain({ title, severity, rule_id, message, cwe, remediation }: Finding, card: RuleCard | undefined): string {
  return [
    `${title} (${severity}, ${rule_id})`,
    message,
    ...(cwe.length > 0 ? [cwe.join(', ')] : []),
    `How to fix: ${remediation.trimEnd()}`,
    ...(card?.href === undefined ? [] : [card.href]),
  ].join('\n')
}

/** A repository's own rules may say anything; what they say is text, not markup. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>#|]/g, '\\$&')
}

function linkWeakness(cwe: string): string {
  const number = /\d+/.exec(cwe)?.[0]
  return number === undefined ? cwe : `[${cwe}](https://cwe.mitre.org/data/definitions/${number}.html)`
}

/** One line on what the diagnostics do not show: suppressed and baselined findings, rules that were not evaluated. Undefined where there is none. */
export function describeHidden({ verdict: { findings, not_evaluated, state } }: Checked): string | undefined {
  const count = (status: Finding['status']) => findings.filter(finding => finding.status === status).length
  const [suppressed, baseline, missed] = [count('suppressed'), count('baseline'), not_evaluated.length]
  const parts = [
    ...(suppressed > 0 ? [`${suppressed} suppressed`] : []),
    ...(baseline > 0 ? [`${baseline} in the baseline`] : []),
    ...(missed > 0 ? [`${formatCount(missed, 'rule')} not evaluated`] : []),
    ...(state ? [`not fully scanned: ${state.reason}${state.detail === undefined ? '' : ` (${state.detail})`}`] : []),
  ]
  return parts.length === 0 ? undefined : `svc: ${parts.join(', ')}`
}

/** The lens on the first line. */
export function makeLenses(uri: string, checked: Checked): CodeLens[] {
  const title = describeHidden(checked)
  if (title === undefined) return []
  const start = { line: 0, character: 0 }
  return [{ range: { start, end: start }, command: { title, command: 'svc.showHidden', arguments: [uri] } }]
}

/** The hidden findings one by one. */
export function listHidden({ verdict: { findings, not_evaluated } }: Checked): string {
  return [
    ...findings
      .filter(({ status }) => status !== 'open')
      .map(({ line, rule_id, status, suppression }) => {
        const reason = suppression ? `: ${suppression.reason}` : ''
        return `Line ${line}: ${rule_id} (${status}${reason})`
      }),
    ...not_evaluated.map(({ rule_id, reason }) => `${rule_id}: not evaluated (${reason})`),
  ].join('\n')
}
