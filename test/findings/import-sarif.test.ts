import { describe, expect, test } from 'vitest'
import { importSarif } from '../../engine/findings/import-sarif.ts'
import fc from '../made/property.ts'
import { at, load, log, OPTIONS, one, result, rules } from './sarif-log.ts'

describe('a result becomes a finding', () => {
  test('with the scanner as its pack, its place, code and words, and the specified confidence', () => {
    const finding = one({ locations: [at('src/app.py', { startLine: 2, startColumn: 1, endColumn: 16 })] })
    expect(finding).toMatchObject({
      rule_id: 'semgrep:r1',
      pack_id: 'external:semgrep',
      message: 'Something is wrong.',
      severity: 'medium',
      base_severity: 'medium',
      confidence: 0.9,
      deterministic: false,
      file: 'src/app.py',
      line: 2,
      column: 1,
      end_line: 2,
      end_column: 16,
      snippet: 'os.system(name)',
      language: 'python',
      status: 'open',
      is_obligation: false,
    })
    expect(finding.fingerprint).toMatch(/^[0-9a-f]{32}$/)
    expect(finding.id).toBe(`F-${finding.fingerprint.slice(0, 12)}`)
  })

  test.each([
    [{ level: 'error' }, {}, 'high'],
    [{ level: 'note' }, {}, 'low'],
    [{ level: 'none' }, {}, 'info'],
    [{}, { defaultConfiguration: { level: 'error' } }, 'high'],
    [{ level: 'error' }, { properties: { 'security-severity': '9.8' } }, 'critical'],
    [{ level: 'error' }, { properties: { 'security-severity': 5 } }, 'medium'],
    [{ properties: { 'security-severity': '7.0' } }, { properties: { 'security-severity': '2.0' } }, 'high'],
    [{ level: 'error', properties: { issue_severity: 'LOW' } }, {}, 'low'],
    [{ level: 'error', properties: { severity: 'constructor' } }, {}, 'high'],
    [{ level: 'constructor' }, {}, 'medium'],
    [{ kind: 'informational' }, {}, 'info'],
    [{ level: 'nonsense' }, {}, 'medium'],
  ])('%j under the rule %j is of severity %3$s', (own, rule, severity) => {
    expect(one(own, rules({ id: 'r1', ...rule })).severity).toBe(severity)
  })

  test.each([
    [{ properties: { tags: ['security', 'external/cwe/cwe-079'] } }, ['CWE-79']],
    [{ properties: { tags: ['CWE-89: SQL Injection', 'CWE-078'] } }, ['CWE-78', 'CWE-89']],
    [{ properties: { cwe: 'CWE-22' } }, ['CWE-22']],
    [{ relationships: [{ target: { id: '352', toolComponent: { name: 'CWE' } } }] }, ['CWE-352']],
  ])('whose rule %j names the weaknesses %j', (rule, cwe) => {
    expect(one({}, rules({ id: 'r1', ...rule })).cwe).toEqual(cwe)
  })

  test('with the weaknesses of its own taxa', () => {
    expect(one({ taxa: [{ id: '798', toolComponent: { name: 'cwe' } }] }).cwe).toEqual(['CWE-798'])
  })

  test('named by its rule, whether by id, index, reference or hierarchy', () => {
    const described = rules(
      { id: 'other' },
      { id: 'CA1', shortDescription: { text: 'Do not. Ever.' }, helpUri: 'https://x.test/1' },
    )
    for (const more of [
      { ruleId: 'CA1' },
      { ruleId: undefined, ruleIndex: 1 },
      { ruleId: undefined, rule: { index: 1 } },
    ]) {
      const finding = one(more, described)
      expect(finding).toMatchObject({ rule_id: 'semgrep:CA1', title: 'Do not.', remediation: 'See https://x.test/1' })
    }
    expect(one({ ruleId: 'CA1/2' }, described)).toMatchObject({ rule_id: 'semgrep:CA1/2', title: 'Do not.' })
  })

  test('with the message that it names, its arguments filled in and its links as words', () => {
    const described = rules({ id: 'r1', messageStrings: { m: { text: "'{0}' is [used](1) in {1}" } } })
    expect(one({ message: { id: 'm', arguments: ['x', 'y'] } }, described).message).toBe("'x' is used in y")
    expect(one({ message: { markdown: '**bad**' } }).message).toBe('**bad**')
  })

  test('that is suppressed where the tool says so, with its reason; not where that is under review', () => {
    const suppressed = one({ suppressions: [{ kind: 'inSource', justification: 'checked' }] })
    expect(suppressed).toMatchObject({ status: 'suppressed', suppression: { kind: 'inline', reason: 'checked' } })
    expect(one({ suppressions: [{ kind: 'external' }] }).suppression?.reason).toContain('without a reason')
    expect(one({ suppressions: [{ kind: 'external', status: 'underReview' }] }).status).toBe('open')
    expect(one({ suppressions: [] }).status).toBe('open')
  })

  test('about secrets without the secret: neither the snippet nor the message shows it', () => {
    const files = { 'k.env': `export API_KEY="${'hunter2'.repeat(2)}"\n` }
    const { findings } = load(
      [result({ message: { text: 'found hunter2hunter2' }, locations: [at('k.env', { startLine: 1 })] })],
      {},
      { name: 'gitleaks', has: path => path in files, textOf: path => files[path as 'k.env'] },
    )
    expect(findings[0]).toMatchObject({ category: 'secret', message: 'found hun…' })
    expect(JSON.stringify(findings)).not.toContain('hunter2')
  })
})

describe('an identity', () => {
  const prints = (content: string, results: readonly object[]) =>
    load(results, {}, { has: () => true, textOf: () => content }).findings.map(({ fingerprint }) => fingerprint)

  test('survives lines added above, re-indenting and CRLF, and changes with the code', () => {
    const then = prints('a = 1\nos.system(name)\n', [result({ locations: [at('x.py', { startLine: 2 })] })])
    expect(prints('\n\n\n\tos.system(name)\r\n', [result({ locations: [at('x.py', { startLine: 4 })] })])).toEqual(then)
    expect(prints('a = 1\nos.system(other)\n', [result({ locations: [at('x.py', { startLine: 2 })] })])).not.toEqual(
      then,
    )
  })

  test('does not depend on the order of the results', () => {
    const results = [
      result({ locations: [at('x.py', { startLine: 1 })] }),
      result({ locations: [at('x.py', { startLine: 2 })] }),
      result({ locations: [at('x.py', { startLine: 1 })], message: { text: 'Another.' } }),
    ]
    expect(prints('same()\nsame()\n', [...results].reverse())).toEqual(prints('same()\nsame()\n', results))
  })

  test('of two packages with the same flaw at the same place of a lock file is not one', () => {
    const cve = (name: string) =>
      result({
        ruleId: 'CVE-2024-1',
        message: { text: `Package: ${name} 1.2.3` },
        locations: [at('package-lock.json', { startLine: 1 })],
      })
    const first = load([cve('left'), cve('right')])
    expect(new Set(first.findings.map(({ fingerprint }) => fingerprint)).size).toBe(2)
    expect(first.findings.map(({ category }) => category)).toEqual(['dependency', 'dependency'])
    // Removing one leaves the other as it was.
    expect(first.findings.map(({ fingerprint }) => fingerprint)).toContain(
      load([cve('right')]).findings[0]!.fingerprint,
    )
  })
})

describe('nothing is lost', () => {
  const anything = fc.anything({ maxDepth: 3, withNullPrototype: true })
  const oddResult = fc.oneof(
    anything,
    fc.record(
      {
        ruleId: fc.oneof(fc.string(), anything),
        kind: fc.constantFrom('pass', 'fail', 'open', 'notApplicable', undefined),
        level: fc.oneof(fc.constantFrom('error', 'note'), anything),
        message: fc.oneof(fc.record({ text: fc.string() }), anything),
        baselineState: fc.constantFrom('absent', 'new', undefined),
        suppressions: fc.oneof(fc.array(anything, { maxLength: 2 }), anything),
        locations: fc.oneof(
          fc.array(
            fc.oneof(
              anything,
              fc
                .tuple(
                  fc.constantFrom('src/app.py', '/etc/x', '../y', 'vendor/z.js', 'gone.py', ''),
                  fc.oneof(fc.integer({ min: -5, max: 50 }), anything),
                )
                .map(([uri, startLine]) => at(uri, { startLine } as object)),
            ),
            { maxLength: 3 },
          ),
          anything,
        ),
      },
      { requiredKeys: [] },
    ),
  )

  test('whatever the results look like, each is a finding or counted, and every finding is whole', () => {
    fc.assert(
      fc.property(fc.array(oddResult, { maxLength: 12 }), results => {
        const given = JSON.parse(JSON.stringify(results, (_, value) => (typeof value === 'bigint' ? 1 : value)) ?? '[]')
        const found = load(given)
        const { findings, outside, excluded, unplaced, passed, repeated } = found
        expect(findings.length + outside.count + excluded.count + unplaced.count + passed + repeated).toBe(given.length)
        for (const { rule_id, file, line, column, end_line, end_column, message, title } of findings) {
          expect(rule_id).toMatch(/^semgrep:[\w./:-]+$/)
          expect(['src/app.py', 'gone.py']).toContain(file)
          expect(Math.min(line, column, end_line, end_column)).toBeGreaterThanOrEqual(1)
          expect(end_line > line || end_column >= column).toBe(true)
          expect(message.length * title.length).toBeGreaterThan(0)
        }
        expect(new Set(findings.map(({ fingerprint }) => fingerprint)).size).toBe(findings.length)
      }),
      { numRuns: 500 },
    )
  })

  test('of passed, inapplicable and absent results only the number is kept', () => {
    const found = load([
      result({ kind: 'pass' }),
      result({ kind: 'notApplicable' }),
      result({ baselineState: 'absent' }),
    ])
    expect([found.findings.length, found.passed]).toEqual([0, 3])
  })

  test('a result without a place is counted under its rule, a repeated one once', () => {
    expect(load([result({ locations: [] })]).unplaced).toEqual({ count: 1, names: ['semgrep:r1'] })
    expect(load([result(), result()])).toMatchObject({ repeated: 1 })
  })

  test('a tool that failed, a run that did not run, and results kept elsewhere are never clean', () => {
    const failed = {
      invocations: [{ executionSuccessful: false, toolExecutionNotifications: [{ message: { text: 'no memory' } }] }],
    }
    expect(load([result()], failed)).toMatchObject({ failures: ['the tool reports that it failed: no memory'] })
    expect(importSarif(log({ tool: {} }), OPTIONS).failures[0]).toContain('did not run')
    expect(load([], { externalPropertyFileReferences: { results: [{}] } }).failures).toHaveLength(1)
    expect(load([]).failures).toEqual([])
  })

  test('a report of another commit is told', () => {
    const git_sha = 'a'.repeat(40)
    const of = (revisionId: string) => load([], { versionControlProvenance: [{ revisionId }] }, { git_sha }).defects
    expect(of('b'.repeat(40))).toEqual(['the report is of commit bbbbbbbbbbbb, not of aaaaaaaaaaaa'])
    expect([of(git_sha), of('aaaaaaa')]).toEqual([[], []])
  })
})

describe('a text that is no SARIF log', () => {
  test.each([
    ['', 'it is empty'],
    ['{"runs":', 'not valid JSON'],
    ['[]', 'no SARIF log'],
    ['{"results": []}', 'no SARIF log'],
    ['{"version": "1.0.0", "runs": []}', 'SARIF 1'],
  ])('%j is refused with the reason', (text, reason) => {
    expect(() => importSarif(text, OPTIONS)).toThrow(reason)
  })

  test('is not one with a byte order mark, without a version, or without runs in its list', () => {
    expect(importSarif(`\ufeff${log({ results: [] })}`, OPTIONS).findings).toEqual([])
    expect(importSarif('{"runs": []}', OPTIONS).defects).toEqual(['the version is null, read as 2.1.0'])
  })
})
