import type { Finding } from '../../base/records/finding.ts'
import type { NotEvaluated } from '../../base/records/run.ts'
import { escapeInvisible, escapeInvisibleLine } from '../../base/text/visible.ts'
import { groupBy, hadFiles, REASONS, type ReportModel, setAsideText } from '../model.ts'

/** A test case: a finding, or what is said of a rule that has none. */
interface Case {
  name: string
  file?: string
  line?: number
  /** Why it neither passed nor failed. */
  skipped?: string
  failure?: Finding
}

/**
 * JUnit XML: a test suite for each rule, a test case for each finding. Open findings fail; suppressed ones, ones held by
 * the baseline and what was not evaluated are skipped with the reason; a rule that ran and found nothing is one passed
 * case. Characters that XML 1.0 has no form for are written as \xNN.
 */
export function* renderJunit(model: ReportModel): Iterable<string> {
  const { run } = model
  const all = [...suites(model)].map(suite => ({ ...suite, counted: count(suite.cases) }))
  const total = { tests: 0, failures: 0, skipped: 0 }
  for (const { counted } of all) {
    total.tests += counted.tests
    total.failures += counted.failures
    total.skipped += counted.skipped
  }
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  yield `<testsuites name="svc" ${counts(total)} time="${run.duration_ms / 1000}">\n`
  const timestamp = attribute(run.started_at.replace(/(\.\d+)?Z$/, ''))
  for (const { name, rule, cases, counted } of all) {
    yield `  <testsuite name="${attribute(name)}" ${counts(counted)} time="0" timestamp="${timestamp}">\n`
    for (const each of cases) yield testCase(rule, each)
    yield '  </testsuite>\n'
  }
  yield '</testsuites>\n'
}

function* suites({ run, findings, rules }: ReportModel): Iterable<{ name: string; rule: string; cases: Case[] }> {
  const found = groupBy(findings, finding => finding.rule_id)
  const missing = groupBy(run.not_evaluated, entry => entry.rule_id)
  for (const rule of rules.values()) {
    const cases = [...(found.get(rule.id) ?? []).map(findingCase), ...(missing.get(rule.id) ?? []).map(missingCase)]
    if (cases.length === 0) {
      const skipped = hadFiles(rule, run) ? undefined : `not evaluated: no file of ${rule.languages!.join(', ')}`
      cases.push({ name: skipped ? 'every file' : 'no finding', skipped })
    }
    yield { name: `${rule.pack_id}/${rule.id}`, rule: rule.id, cases }
  }
  const aside = setAsideText(run)
  if (aside)
    yield {
      name: 'svc/coverage',
      rule: 'svc-coverage',
      cases: [{ name: 'not searched by every rule', skipped: aside }],
    }
  for (const [id, entries] of missing) {
    if (!rules.has(id)) yield { name: id, rule: id, cases: entries.map(missingCase) }
  }
}

function findingCase(finding: Finding): Case {
  const { file, line, column, status, suppression } = finding
  const place = { name: `${file}:${line}:${column}`, file, line }
  if (status === 'open') return { ...place, failure: finding }
  if (status === 'baseline') return { ...place, skipped: 'in the baseline' }
  return { ...place, skipped: `suppressed: ${suppression?.reason ?? 'no reason recorded'}` }
}

function missingCase({ file, reason, detail }: NotEvaluated): Case {
  return { name: file ?? 'every file', skipped: `not evaluated: ${REASONS[reason]}${detail ? ` (${detail})` : ''}` }
}

type Counts = Record<'tests' | 'failures' | 'skipped', number>

function count(cases: readonly Case[]): Counts {
  const failures = cases.filter(each => each.failure).length
  return { tests: cases.length, failures, skipped: cases.filter(each => each.skipped !== undefined).length }
}

function counts({ tests, failures, skipped }: Counts): string {
  return `tests="${tests}" failures="${failures}" errors="0" skipped="${skipped}"`
}

function testCase(rule: string, { name, file, line, skipped, failure }: Case): string {
  const place = file === undefined ? '' : ` file="${attribute(file)}" line="${line}"`
  const head = `    <testcase classname="${attribute(rule)}" name="${attribute(name)}"${place} time="0"`
  if (skipped !== undefined) return `${head}>\n      <skipped message="${attribute(skipped)}"/>\n    </testcase>\n`
  if (!failure) return `${head}/>\n`
  const { severity, title, message, snippet, remediation } = failure
  const body = [message, snippet, remediation].filter(Boolean).join('\n\n')
  return `${head}>\n      <failure type="${severity}" message="${attribute(`${severity}: ${title}`)}">${escapeXml(escapeInvisible(body))}</failure>\n    </testcase>\n`
}

function attribute(text: string): string {
  if (!/[^\x20-\x7E]|[&<>"]/.test(text)) return text
  return escapeXml(escapeInvisibleLine(text)).replaceAll('"', '&quot;')
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
