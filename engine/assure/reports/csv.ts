import type { Finding } from '../../base/records/finding.ts'
import { replaceLoneSurrogates } from '../../base/text/visible.ts'
import type { ReportModel } from '../model.ts'

const COLUMNS: readonly (readonly [name: string, value: (finding: Finding) => string | number])[] = [
  ['severity', f => f.severity],
  ['status', f => f.status],
  ['rule_id', f => f.rule_id],
  ['title', f => f.title],
  ['file', f => f.file],
  ['line', f => f.line],
  ['column', f => f.column],
  ['end_line', f => f.end_line],
  ['end_column', f => f.end_column],
  ['message', f => f.message],
  ['remediation', f => f.remediation],
  ['confidence', f => f.confidence],
  ['base_severity', f => f.base_severity],
  ['category', f => f.category],
  ['language', f => f.language],
  ['in_test', f => String(f.in_test)],
  ['file_class', f => f.file_class ?? ''],
  ['zone', f => f.zone ?? ''],
  ['cwe', f => f.cwe.join(' ')],
  ['controls', f => f.controls.map(c => `${c.framework}:${c.control}`).join(' ')],
  ['tags', f => f.tags.join(' ')],
  ['suppression_reason', f => f.suppression?.reason ?? ''],
  ['suppression_expires', f => f.suppression?.expires ?? ''],
  ['agent', f => f.agent ?? ''],
  ['pack_id', f => f.pack_id],
  ['also', f => f.also?.join(' ') ?? ''],
  ['fingerprint', f => f.fingerprint],
  ['snippet', f => f.snippet],
]

/** Comma-separated values as RFC 4180 has them: a header, CRLF after every record, fields quoted where they need it. */
export function* renderCsv({ findings }: ReportModel): Iterable<string> {
  yield `${COLUMNS.map(([name]) => name).join(',')}\r\n`
  for (const finding of findings) yield `${COLUMNS.map(([, value]) => cell(value(finding))).join(',')}\r\n`
}

/**
 * A field. Spreadsheets run a text that begins with = + - @ (or a tab or line break before them) as a formula, so such a
 * text gets an apostrophe in front. To read it back: where a field begins with apostrophes and then one of these, take
 * one apostrophe away; a text that had them already got one more, so nothing is ambiguous.
 */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  let text = replaceLoneSurrogates(value)
  if (/^'*[=+\-@\t\r\n]/.test(text)) text = `'${text}`
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
