import { expect, test } from 'vitest'
import { renderReport } from '../../engine/assure/report.ts'
import { fitPieces } from '../../engine/assure/reports/sarif/fit.ts'
import { GITHUB } from '../../engine/assure/reports/sarif/limits.ts'
import { toUri } from '../../engine/assure/reports/sarif/results.ts'
import { finding, model, rule } from './fixture.ts'

// biome-ignore lint/suspicious/noExplicitAny: a SARIF log is read by path; its shape is the schema's, tested in conformance.
function runOf(subject: ReturnType<typeof model>): any {
  return JSON.parse([...renderReport('sarif', subject)].join('')).runs[0]
}

const of = rule('js-eval')

test('a log that is smaller than the limit as it is is made once and not compressed', () => {
  let made = 0
  const make = () => {
    made++
    return ['x'.repeat(600), Buffer.from('ä'.repeat(150))]
  }
  expect([...fitPieces(make, { ...GITHUB, packed_bytes: 900 })!]).toHaveLength(2)
  expect(made).toBe(1)
  // Past it only the packed size tells.
  expect([...fitPieces(make, { ...GITHUB, packed_bytes: 899 })!]).toHaveLength(2)
  expect(made).toBe(3)
})

test('a path is percent-encoded by its bytes, and names that are not UTF-8 keep them', () => {
  expect(toUri('src/a b#c?.js')).toBe('src/a%20b%23c%3F.js')
  expect(toUri('src/ü:1.js')).toBe('src/%C3%BC%3A1.js')
  expect(toUri('caf\\xe9/a\\\\b.c')).toBe('caf%E9/a%5Cb.c')
})

test('a result names its rule, its place and its fingerprint, with the code that matched and its lines', () => {
  const run = runOf(model([finding(of, 'src/a b.js', 7)], [of]))
  expect(run.columnKind).toBe('utf16CodeUnits')
  expect(run.results[0]).toMatchObject({
    ruleId: 'js-eval',
    ruleIndex: 0,
    level: 'error',
    partialFingerprints: { 'svcFingerprint/v1': 'js-eval:src/a b.js:7' },
  })
  expect(run.results[0].locations[0].physicalLocation).toEqual({
    artifactLocation: { uri: 'src/a%20b.js', uriBaseId: '%SRCROOT%' },
    region: { startLine: 7, startColumn: 3, endLine: 7, endColumn: 13, snippet: { text: 'eval(body)' } },
    contextRegion: { startLine: 7, endLine: 7, snippet: { text: '  eval(body) // now' } },
  })
})

test('a rule carries its help, its level, its security severity and lower-case CWE tags, at most 20 tags', () => {
  const tagged = rule('js-eval', { cwe: ['CWE-95', 'CWE-79'], tags: Array.from({ length: 40 }, (_, n) => `t${n}`) })
  const [described] = runOf(model([], [tagged])).tool.driver.rules
  expect(described).toMatchObject({
    id: 'js-eval',
    name: 'JsEval',
    helpUri: of.references[0],
    defaultConfiguration: { level: 'error' },
    properties: { 'security-severity': '9.5', precision: 'high' },
  })
  expect(described.properties.tags.slice(0, 3)).toEqual(['security', 'external/cwe/cwe-095', 'external/cwe/cwe-079'])
  expect(described.properties.tags).toHaveLength(20)
  expect(described.help.markdown).toContain('JSON.parse(text)')
})

test('a rule without a reference has no helpUri, and one that is no matter of security no security severity', () => {
  const style = rule('style', { references: ['a book'], cwe: [], tags: [], controls: [] })
  const [described] = runOf(model([], [style])).tool.driver.rules
  expect(described).not.toHaveProperty('helpUri')
  expect(described.properties).not.toHaveProperty('security-severity')
})

test('taxa of rules and results point into the taxonomies of CWE and of the frameworks', () => {
  const run = runOf(model([finding(of, 'a.js', 1)], [of]))
  const resolve = (taxon: { id: string; index: number; toolComponent: { index: number } }) => {
    const component = run.taxonomies[taxon.toolComponent.index]
    return `${component.name} ${component.taxa[taxon.index].id}`
  }
  expect(run.results[0].taxa.map(resolve)).toEqual(['CWE 95', 'OWASP Top 10 A03:2021'])
  const targets = run.tool.driver.rules[0].relationships.map((each: { target: never }) => resolve(each.target))
  expect(targets).toEqual(['CWE 95', 'OWASP Top 10 A03:2021'])
})

test('suppressed findings say how and why, baseline ones are unchanged, the others then new', () => {
  const findings = [
    finding(of, 'a.js', 1),
    finding(of, 'a.js', 2, { status: 'baseline' }),
    finding(of, 'a.js', 3, { status: 'suppressed', suppression: { kind: 'inline', reason: 'a fixture' } }),
    finding(of, 'a.js', 4, { status: 'suppressed', suppression: { kind: 'file', reason: 'old', approved_by: 'dana' } }),
  ]
  const { results } = runOf(model(findings, [of]))
  expect(results.map((each: { baselineState?: string }) => each.baselineState)).toEqual([
    'new',
    'unchanged',
    undefined,
    undefined,
  ])
  expect(results[2].suppressions).toEqual([{ kind: 'inSource', status: 'accepted', justification: 'a fixture' }])
  expect(results[3].suppressions[0]).toMatchObject({ kind: 'external', properties: { approved_by: 'dana' } })
})

test('a fix is the replacement that the finding has', () => {
  const edit = { start_line: 1, start_column: 3, end_line: 1, end_column: 13, text: 'parse(body)' }
  const { results } = runOf(model([finding(of, 'a.js', 1, { fix: { edits: [edit] } })], [of]))
  expect(results[0].fixes[0].artifactChanges[0].replacements).toEqual([
    {
      deletedRegion: { startLine: 1, startColumn: 3, endLine: 1, endColumn: 13 },
      insertedContent: { text: 'parse(body)' },
    },
  ])
})

test('every skipped file, rule not evaluated and faulty suppression is in the invocation', () => {
  const skipped = Array.from({ length: 2500 }, (_, n) => ({ path: `img/${n}.png`, reason: 'binary' as const }))
  const [invocation] = runOf(
    model([], [of], {
      skipped,
      not_evaluated: [
        { rule_id: 'js-eval', reason: 'timed_out', file: 'big.js', detail: '1 s' },
        { rule_id: 'js-eval', reason: 'timed_out', file: 'bigger.js' },
      ],
      notices: [
        { kind: 'suppression_unused', file: 'a.js', line: 4, detail: 'svc-ignore: js-eval matches no finding' },
      ],
    }),
  ).invocations
  const notes = invocation.toolExecutionNotifications
  expect(invocation.executionSuccessful).toBe(true)
  expect(notes.map((note: { descriptor: { id: string } }) => note.descriptor.id)).toEqual([
    'skipped/binary',
    'skipped/binary',
    'skipped/binary',
    'not-evaluated/timed_out',
  ])
  expect(notes.map((note: { locations: unknown[] }) => note.locations.length)).toEqual([1000, 1000, 500, 2])
  expect(notes[3]).toMatchObject({ level: 'warning', associatedRule: { id: 'js-eval', index: 0 } })
  expect(invocation.toolConfigurationNotifications[0].message.text).toContain('matches no finding')
})
