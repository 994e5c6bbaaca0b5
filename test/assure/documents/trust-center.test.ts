import { expect, test } from 'vitest'
import { makeTrustCenter } from '../../../engine/assure/documents/trust-center.ts'
import { renderTrustHtml } from '../../../engine/assure/documents/trust-center-html.ts'
import { loadBuiltinPacks } from '../../../engine/sources/packs/load.ts'
import fc from '../../made/property.ts'
import { finding, rule, run } from '../fixture.ts'
import { assessmentOf, hostileAssessment } from './assessment.ts'

/** A name that no word of the page can be by chance. */
const name = fc.string({ minLength: 6, maxLength: 20, unit: 'grapheme-ascii' }).map(text => `zq${text}qz`)
const [framework] = loadBuiltinPacks().filter(({ id }) => id === 'owasp-top-10-2021')

const anyFinding = fc.record({
  ...{ file: name, snippet: name, title: name, message: name, rule_id: name, language: name, zone: name, agent: name },
  ...{ fingerprint: name, id: name, remediation: name, suppressed: fc.boolean() },
})
const anyRun = fc.record({
  root_name: name,
  branch: name,
  git_sha: name,
  agent: name,
  packs_reason: name,
  skipped: name,
})
const anyEvidence = fc.record({ title: name, file: name, owner: name, note: name, reason: name })

test('nothing of the run is on the public page: no path, code, title, rule, branch, commit or name', () => {
  fc.assert(
    fc.property(fc.array(anyFinding, { minLength: 1, maxLength: 4 }), anyRun, anyEvidence, (given, names, vouched) => {
      const findings = given.map(({ suppressed, ...over }) => ({
        ...finding(rule('a-rule', { cwe: ['CWE-79'] }), 'a.js', 1),
        ...over,
        ...(suppressed && {
          status: 'suppressed' as const,
          suppression: { kind: 'inline' as const, reason: over.message },
        }),
      }))
      const { skipped, ...over } = names
      const subject = run(findings, {
        ...over,
        skipped: [{ path: skipped, reason: 'binary' }],
        not_evaluated: [{ rule_id: skipped, file: skipped, reason: 'timed_out', detail: skipped }],
        notices: [{ kind: 'unread_file', file: skipped, detail: skipped }],
      })
      const control = framework!.controls[0]!.id
      const evidence = {
        ...vouched,
        ...{ control: `owasp-top-10-2021:${control}`, observed_at: '2026-01-01', line: 1, state: 'valid' as const },
        ...{ framework: 'owasp-top-10-2021', control_id: control },
      }
      const center = makeTrustCenter(assessmentOf(subject, findings, [framework!], [evidence]), 'Example GmbH')
      const pages = [JSON.stringify(center), [...renderTrustHtml(center)].join('')]
      const secrets = [...given, names, vouched]
        .flatMap(each => Object.values(each))
        .filter(each => typeof each === 'string')
      for (const page of pages) {
        expect(page).toContain('Example GmbH')
        for (const secret of secrets) expect(page).not.toContain(secret)
        // Escaped for HTML and JSON, a name would look different.
        expect(page).not.toMatch(/zq[^<]{6,140}qz/)
      }
    }),
    { numRuns: 60 },
  )
})

test('each percentage stands beside the number of manual controls, on the badge too', () => {
  const center = makeTrustCenter(hostileAssessment(), 'Example GmbH')
  expect(center.frameworks).toHaveLength(3)
  for (const { badge, summary, counts, coverage } of center.frameworks) {
    expect(summary).toMatch(new RegExp(`${counts.manual} manual; ${counts.not_evaluated} not evaluated$`))
    expect(badge).toContain(coverage === null ? 'not judged' : `${coverage} % of`)
    expect(badge).toContain(`${counts.manual} manual, ${counts.not_evaluated} not evaluated`)
  }
})

test('a framework is complete only if every control is met or not applicable', () => {
  const { frameworks } = makeTrustCenter(hostileAssessment(), 'Example GmbH')
  for (const { complete, counts } of frameworks)
    expect(complete).toBe(counts.violated + counts.manual + counts.not_evaluated === 0 && counts.met > 0)
  const html = [...renderTrustHtml(makeTrustCenter(hostileAssessment(), '<b>'))].join('')
  expect(html).toContain('Not complete: ')
  expect(html).not.toContain('<b>')
})

test('the page names the run that the gate ran in, where that is another one', () => {
  const assessment = hostileAssessment()
  const gate = { ...assessment.run.gate!, passed: true, run_id: '20260101-gate' }
  const page = (run: typeof assessment.run) =>
    [...renderTrustHtml(makeTrustCenter({ ...assessment, run }, 'Acme'))].join('')
  expect(page({ ...assessment.run, gate })).toContain('The gate passed on the scanned tree, in run 20260101-gate.')
  const { run_id: _, ...own } = gate
  expect(page({ ...assessment.run, gate: own })).toContain('The gate passed on the scanned tree.')
})
