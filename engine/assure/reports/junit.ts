import type { Finding } from '../../finding.ts'
import type { NotEvaluated } from '../../scan/run.ts'
import { groupBy, REASONS, type ReportModel, type ReportRule } from '../model.ts'
import { visible, visibleLine } from '../text.ts'

/**
 * JUnit XML: a test suite for each rule, a test case for each finding. Open findings fail; suppressed ones, ones held by
 * the baseline and what was not evaluated are skipped with the reason; a rule that ran and found nothing is one passed
 * case. Characters that XML 1.0 has no form for are written as \xNN.
 */
export function* junit({ run, findings, rules }: ReportModel): Iterable<string> {
  const found = groupBy(findings, finding => finding.rule_id)
  const missing = groupBy(run.not_evaluated, entry => entry.rule_id)
  const suites = [...rules.values()].map(rule => ({
    name: `${rule.pack_id}/${rule.id}`,
    rule,
    findings: found.get(rule.id) ?? [],
    missing: missing.get(rule.id) ?? [],
  }))
  const orphans = [...missing].filter(([id]) => !rules.has(id))
  const total = findings.length + run.not_evaluated.length + suites.filter(suite => passed(suite)).length
  const failures = findings.filter(finding => finding.status === 'open').length
  const skipped = findings.length - failures + run.not_evaluated.length

  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  yield `<testsuites name="svc" tests="${total}" failures="${failures}" errors="0" skipped="${skipped}" time="${run.duration_ms / 1000}">\n`
  for (const suite of suites) {
    yield opening(suite.name, run.started_at, suite.findings, suite.missing, passed(suite))
    if (passed(suite)) yield `    <testcase classname="${attribute(suite.rule.id)}" name="no finding" time="0"/>\n`
    for (const finding of suite.findings) yield testCase(finding, suite.rule)
    for (const entry of suite.missing) yield notEvaluated(entry)
    yield '  </testsuite>\n'
  }
  for (const [id, entries] of orphans) {
    yield opening(id, run.started_at, [], entries, false)
    for (const entry of entries) yield notEvaluated(entry)
    yield '  </testsuite>\n'
  }
  yield '</testsuites>\n'
}

function passed(suite: { findings: readonly Finding[]; missing: readonly NotEvaluated[] }): boolean {
  return suite.findings.length === 0 && suite.missing.length === 0
}

function opening(
  name: string,
  started: string,
  findings: readonly Finding[],
  missing: readonly NotEvaluated[],
  isPassed: boolean,
): string {
  const failures = findings.filter(finding => finding.status === 'open').length
  const skipped = findings.length - failures + missing.length
  const tests = findings.length + missing.length + Number(isPassed)
  const counts = `tests="${tests}" failures="${failures}" errors="0" skipped="${skipped}"`
  return `  <testsuite name="${attribute(name)}" ${counts} time="0" timestamp="${attribute(started.replace(/(\.\d+)?Z$/, ''))}">\n`
}

function testCase(finding: Finding, rule: ReportRule): string {
  const place = `${finding.file}:${finding.line}:${finding.column}`
  const head = `    <testcase classname="${attribute(rule.id)}" name="${attribute(place)}" file="${attribute(finding.file)}" line="${finding.line}" time="0">\n`
  if (finding.status !== 'open') {
    const why =
      finding.status === 'baseline'
        ? 'held by the baseline'
        : `suppressed: ${finding.suppression?.reason ?? 'no reason recorded'}`
    return `${head}      <skipped message="${attribute(why)}"/>\n    </testcase>\n`
  }
  const body = [finding.message, finding.snippet, finding.remediation].filter(Boolean).join('\n\n')
  return `${head}      <failure type="${attribute(finding.severity)}" message="${attribute(`${finding.severity}: ${finding.title}`)}">${content(body)}</failure>\n    </testcase>\n`
}

function notEvaluated(entry: NotEvaluated): string {
  const why = `not evaluated: ${REASONS[entry.reason]}${entry.detail ? ` (${entry.detail})` : ''}`
  return `    <testcase classname="${attribute(entry.rule_id)}" name="${attribute(entry.file ?? 'every file')}" time="0">\n      <skipped message="${attribute(why)}"/>\n    </testcase>\n`
}

function attribute(text: string): string {
  return escapeXml(visibleLine(text)).replaceAll('"', '&quot;')
}

function content(text: string): string {
  return escapeXml(visible(text))
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
