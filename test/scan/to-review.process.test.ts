import { expect, test } from 'vitest'
import { renderReport } from '../../engine/assure/report.ts'
import scan from '../../engine/ops/scan/run.ts'
import { perform } from '../../engine/scan/perform.ts'
import { model } from '../assure/fixture.ts'
import { ask } from '../made/ask.ts'
import { surface } from '../made/call.ts'
import { project } from '../made/project.ts'
import { OWN_RULES, wordRule } from '../made/rules.ts'

const RULES = { ...wordRule('doubtful', 'severity: low\nreview: true'), ...wordRule('certain', 'severity: low') }
const scanned = (root: string) => perform({ repo_path: '.' }, surface(root, { env: OWN_RULES }).context)

test('a rule for a reviewer reports places and no findings, on a scan from the cache too', async () => {
  const root = project({ ...RULES, 'a.txt': 'doubtful\nfine\ndoubtful\n', 'b.txt': 'certain\n' })
  for (let time = 0; time < 2; time++) {
    const { run, findings } = await scanned(root)
    expect(findings.map(({ rule_id }) => rule_id)).toEqual(['local-certain'])
    expect(run.counts.findings).toBe(1)
    expect(run.to_review).toEqual([
      {
        rule_id: 'local-doubtful',
        title: 'The word doubtful',
        severity: 'low',
        confidence: 0.3,
        findings: 2,
        files: 1,
        places: [1, 3].map(line => ({ file: 'a.txt', line })),
      },
    ])
  }
})

test('a suppression covers what a reviewer has decided', async () => {
  const root = project({ ...RULES, 'a.py': 'doubtful  # svc-ignore: local-doubtful -- read and meant\n' })
  const { run } = await scanned(root)
  expect(run.to_review).toEqual([])
  expect(run.notices.filter(({ kind }) => kind === 'suppression_unused')).toEqual([])
})

test('scan lists the places on demand, and counts them otherwise', async () => {
  const root = project({ ...RULES, 'a.txt': 'doubtful\n' })
  const view = { verbose: false, quiet: false, width: 80, paint: (_: unknown, text: string) => text }
  const ask = async (to_review?: true) => {
    const input = { repo_path: '.', dry_run: true, ...(to_review && { to_review }) }
    return scan.text(
      await scan.run(input as Parameters<typeof scan.run>[0], surface(root, { env: OWN_RULES }).context),
      view,
    )
  }
  expect(await ask()).toContain('1 place to review')
  expect(await ask()).not.toContain('a.txt:1')
  expect(await ask(true)).toContain('a.txt:1')
})

test('reports name the places apart from the findings', () => {
  const entry = { rule_id: 'x-y', title: 'Doubt', severity: 'low' as const, confidence: 0.3, findings: 1, files: 1 }
  const run = { to_review: [{ ...entry, places: [{ file: 'deep/a.js', line: 7 }] }] }
  const html = [...renderReport('html', model([], [], run))].join('')
  expect(html).toContain('deep/a.js:7')
  expect([...renderReport('sarif', model([], [], run))].join('')).toContain('to-review')
})

test('a rule for a reviewer of high severity does not load', async () => {
  const root = project({ ...wordRule('grave', 'severity: high\nreview: true'), 'a.txt': 'grave\n' })
  await expect(scanned(root)).rejects.toThrow(/low or info/)
})

test('a stored run counts the places beside its findings, for the overview, the list of findings and the run', async () => {
  const root = project({ ...RULES, 'a.txt': 'doubtful\nfine\ndoubtful\n', 'b.txt': 'certain\n' })
  const { context } = surface(root, { env: OWN_RULES })
  await scan.run({ repo_path: '.', dry_run: false } as Parameters<typeof scan.run>[0], context)
  const query = { facets: ['severity', 'rule'], filter: { severity: ['low'] } }
  expect((await ask('findings.query', query, root)).output).toMatchObject({ total: 1, to_review: 2 })
  expect((await ask('pages.overview', {}, root)).output).toMatchObject({
    data: { to_review: 2, run: { counts: { findings: 1, open: 1 } } },
  })
  expect((await ask('store.run', { run_id: 'latest' }, root)).output).toMatchObject({
    to_review_total: 2,
    to_review: [{ rule_id: 'local-doubtful', findings: 2, places: [{ line: 1 }, { line: 3 }] }],
  })
})
