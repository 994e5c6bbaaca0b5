import { expect, test } from 'vitest'
import {
  CATEGORIES,
  compareFindings,
  type Finding,
  rankSeverity,
  SEVERITIES,
  STATUSES,
} from '../../../engine/base/records/finding.ts'
import type { FindingFilter } from '../../../engine/sources/store/findings.ts'
import { openStore, type Store } from '../../../engine/sources/store/open.ts'
import { writeRun } from '../../../engine/sources/store/write.ts'
import fc from '../../made/property.ts'
import { finding, outFolder, run } from './make.ts'

const FOLDERS = ['src', 'src/auth', 'srcs', "it's", 'a*b', 'ünï']

function mixed(count: number): Finding[] {
  return Array.from({ length: count }, (_, n) =>
    finding(n, {
      severity: SEVERITIES[n % 5]!,
      confidence: [1, 0.7, 0.5, 0.4, 0, 1][n % 6]!,
      status: STATUSES[n % 3]!,
      category: CATEGORIES[n % 8]!,
      rule_id: `rule-${n % 7}`,
      file: `${FOLDERS[n % 6]}/f${n % 11}.py`,
      line: (n % 9) + 1,
    }),
  )
}

async function allPages(store: Store, filter: FindingFilter): Promise<Finding[]> {
  const all: Finding[] = []
  let cursor: string | undefined
  do {
    const page = await store.findings('latest', { ...filter, cursor })
    all.push(...page.findings)
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return all
}

test('walking the pages gives each finding that the filter lets through exactly once, in order, whatever filter, order and page size', async () => {
  const out = await outFolder()
  const written = mixed(300)
  await writeRun(out, run('run-01', written), written, [])
  const store = await openStore(out)
  const filters = fc.record(
    {
      severity: fc.uniqueArray(fc.constantFrom(...SEVERITIES)),
      status: fc.constantFrom(...STATUSES),
      category: fc.constantFrom(...CATEGORIES),
      rule: fc.constantFrom('rule-1', 'rule-6', "x' OR true --"),
      file: fc.constantFrom('src', 'src/', './src/auth', "it's", 'a*b/f1.py', 'ünï', '.', 'none'),
      sort: fc.constantFrom('place' as const, 'severity' as const),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(filters, fc.integer({ min: 7, max: 120 }), async (filter, limit) => {
      const folder = filter.file?.replace(/^\.\//, '').replace(/\/$/, '')
      const expected = written
        .filter(
          f =>
            (!filter.severity?.length || filter.severity.includes(f.severity)) &&
            (filter.status === undefined || f.status === filter.status) &&
            (filter.category === undefined || f.category === filter.category) &&
            (filter.rule === undefined || f.rule_id === filter.rule) &&
            (folder === undefined || folder === '.' || f.file === folder || f.file.startsWith(`${folder}/`)),
        )
        .sort(compareFindings)
      if (filter.sort === 'severity') {
        expected.sort(
          (a, b) =>
            rankSeverity(a.severity) - rankSeverity(b.severity) || b.confidence - a.confidence || compareFindings(a, b),
        )
      }
      expect(await allPages(store, { ...filter, limit })).toEqual(expected)
      expect((await store.findings('latest', { ...filter, limit })).total).toBe(expected.length)
    }),
    { numRuns: 25 },
  )
  store.close()
})

test('a cursor stays with its run while newer runs are stored, and is refused for another run', async () => {
  const out = await outFolder()
  await writeRun(out, run('run-01', []), mixed(10), [])
  const store = await openStore(out)
  const first = await store.findings('latest', { limit: 4 })
  await writeRun(out, run('run-02', []), [], [])
  const second = await store.findings('run-01', { limit: 4, cursor: first.next_cursor })
  expect([...first.findings, ...second.findings]).toEqual(mixed(10).sort(compareFindings).slice(0, 8))
  await expect(store.findings('latest', { cursor: first.next_cursor })).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  await expect(store.findings('latest', { cursor: '1; DROP TABLE x' })).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  store.close()
})

test('a run is found by the beginning of its id, when no other run begins so', async () => {
  const out = await outFolder()
  await writeRun(out, run('20250101-aa01', []), mixed(1), [])
  await writeRun(out, run('20250102-bb02', []), mixed(2), [])
  const store = await openStore(out)
  expect((await store.findings('20250101')).run_id).toBe('20250101-aa01')
  await expect(store.findings('2025')).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  await expect(store.findings('2026')).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' })
  await expect(store.findings('../../etc')).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' })
  store.close()
})

test('the summary counts open findings by severity, rule, file, control, category and language', async () => {
  const out = await outFolder()
  const control = (name: string) => ({ framework: 'owasp', control: name })
  const written = [
    finding(1, { file: 'a.py', severity: 'low', controls: [control('A01'), control('A03')] }),
    finding(2, { file: 'a.py', line: 9, severity: 'critical', rule_id: 'worse', controls: [control('A03')] }),
    finding(3, { file: 'b.go', language: 'go', category: 'secret', controls: [] }),
    finding(4, { file: 'c.py', status: 'suppressed' }),
    finding(5, { file: 'c.py', line: 9, status: 'baseline', severity: 'critical' }),
  ]
  await writeRun(out, run('run-01', written), written, [])
  const store = await openStore(out)
  const summary = await store.summary('latest', 2)
  store.close()
  expect(summary).toEqual({
    run_id: 'run-01',
    open: 3,
    suppressed: 1,
    baseline: 1,
    critical: 1,
    high: 1,
    medium: 0,
    low: 1,
    info: 0,
    rules: [
      { rule_id: 'worse', title: 'Text is run as code', severity: 'critical', count: 1 },
      { rule_id: 'py-eval', title: 'Text is run as code', severity: 'high', count: 2 },
    ],
    files: [
      { file: 'a.py', count: 2, worst: 'critical' },
      { file: 'b.go', count: 1, worst: 'high' },
    ],
    controls: [
      { framework: 'owasp', control: 'A03', count: 2 },
      { framework: 'owasp', control: 'A01', count: 1 },
    ],
    frameworks: [{ framework: 'owasp', count: 2 }],
    categories: { code: 2, secret: 1 },
    languages: { python: 2, go: 1 },
  })
})
