import type { Finding } from '../../../base/records/finding.ts'
import { clip, encodeScriptJson, escapeInvisible, escapeInvisibleLine } from '../../../base/text/visible.ts'
import { compareWorst, type ReportModel, type ReportRule } from '../../model.ts'

/** More would make a page that no browser opens gladly; the page says how many are left out and where they are. */
export const MAX_EMBEDDED = 5000

const MAX_SNIPPET_LINES = 40
const MAX_SNIPPET = 4000

/** The findings that the page carries: the worst ones, worst first. */
export function selectEmbedded(findings: readonly Finding[]): Finding[] {
  return [...findings].sort(compareWorst).slice(0, MAX_EMBEDDED)
}

/** The page's data as the text of a script element, a finding a piece. Texts are made visible: no control character is left. */
export function* renderData(model: ReportModel, findings: readonly Finding[]): Iterable<string> {
  const ids = [...new Set(findings.map(finding => finding.rule_id))].sort()
  const rules = Object.fromEntries(ids.map(id => [escapeInvisibleLine(id), ruleData(model.rules.get(id)!, model)]))
  yield `{"rules":${encodeScriptJson(rules)},\n"findings":[`
  let comma = '\n'
  for (const finding of findings) {
    yield `${comma}${encodeScriptJson(findingData(finding, model.rules.get(finding.rule_id)!))}`
    comma = ',\n'
  }
  yield '\n]}'
}

function ruleData(rule: ReportRule, model: ReportModel): unknown {
  const controls = rule.controls.map(
    ({ framework, control }) => `${model.frameworks.get(framework)?.name ?? framework} ${control}`,
  )
  return {
    title: escapeInvisibleLine(rule.title),
    pack: escapeInvisibleLine(rule.pack_id),
    message: escapeInvisible(rule.message),
    remediation: escapeInvisible(rule.remediation),
    references: rule.references.map(escapeInvisibleLine),
    cwe: rule.cwe.map(escapeInvisibleLine),
    tags: rule.tags.map(escapeInvisibleLine),
    controls: controls.map(escapeInvisibleLine),
  }
}

/** What a finding shares with its rule is left to the rule. */
function findingData(finding: Finding, rule: ReportRule): unknown {
  const {
    rule_id,
    severity,
    base_severity,
    status,
    line,
    column,
    end_line,
    end_column,
    language,
    confidence,
    suppression,
  } = finding
  return {
    id: finding.id,
    rule: escapeInvisibleLine(rule_id),
    severity,
    status,
    file: escapeInvisibleLine(finding.file),
    place: [line, column, end_line, end_column],
    language: escapeInvisibleLine(language),
    confidence,
    snippet: snippet(finding.snippet),
    ...(finding.title !== rule.title && { title: escapeInvisibleLine(finding.title) }),
    ...(finding.message !== rule.message && { message: escapeInvisible(finding.message) }),
    ...(finding.remediation !== rule.remediation && { remediation: escapeInvisible(finding.remediation) }),
    ...(base_severity !== severity && { base_severity }),
    ...(finding.in_test && { in_test: true }),
    ...(finding.file_class && { file_class: finding.file_class }),
    ...(finding.zone && { zone: escapeInvisibleLine(finding.zone) }),
    ...(finding.agent && { agent: escapeInvisibleLine(finding.agent) }),
    ...(finding.fix && { fix: finding.fix.edits.map(edit => ({ line: edit.start_line, text: snippet(edit.text) })) }),
    ...(finding.flow && {
      flow: finding.flow.map(({ file, line, label }) => ({
        file: escapeInvisibleLine(file),
        line,
        label: escapeInvisibleLine(label),
      })),
    }),
    ...(suppression && {
      held: escapeInvisibleLine(
        [
          suppression.reason,
          suppression.approved_by && `approved by ${suppression.approved_by}`,
          suppression.expires && `until ${suppression.expires}`,
        ]
          .filter(Boolean)
          .join(', '),
      ),
    }),
  }
}

/** Clipped to what one looks at; the page shows the ellipsis. Columns of what is left stay true: nothing before them is widened. */
function snippet(text: string): string {
  const lines = escapeInvisible(text).split('\n')
  const cut = lines.slice(0, MAX_SNIPPET_LINES)
  if (lines.length > cut.length) cut.push('…')
  return clip(cut.join('\n'), MAX_SNIPPET)
}
