import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import complianceMap from '../../../engine/ops/assure/compliance-map.ts'
import complianceTrend from '../../../engine/ops/assure/compliance-trend.ts'
import riskSummary from '../../../engine/ops/assure/risk-summary.ts'
import trustCenter from '../../../engine/ops/assure/trust-center.ts'
import gap from '../../../engine/ops/packs/gap.ts'
import { HOUSE, houseContext, rescan, scannedHouse, writeEvidence } from '../../assure/documents/made.ts'
import { refusal, view } from '../../made/call.ts'

const map = (root: string, input: object = {}) => complianceMap.run({ run_id: 'latest', ...input }, houseContext(root))
const trend = (root: string, input: object = {}) => complianceTrend.run({ last: 20, ...input }, houseContext(root))
const risk = (root: string, input: object = {}) => riskSummary.run({ run_id: 'latest', ...input }, houseContext(root))
const trust = (root: string, input: object = {}, more: object = {}) =>
  trustCenter.run({ run_id: 'latest', format: 'html', ...input } as never, houseContext(root, more))

describe('the evidence map', () => {
  test('names the evidence of each control, and counts the controls without any', async () => {
    const root = await scannedHouse({ 'PLAN.md': '# Plan\n' })
    writeEvidence(
      root,
      `- { control: 'house:H5', title: Test, url: 'https://example.org', owner: Dana, observed_at: 2026-01-01 }\n`,
    )
    const { entries, controls, unsupported } = await map(root)
    const restsOn = (id: string) =>
      controls.find(control => control.id === id)!.rests_on.map(at => [entries[at]!.kind, ...entries[at]!.sources])
    expect(restsOn('H1')).toEqual([['rules', 'local-harm']])
    // A file that could be the evidence supports nothing until a person vouches for it.
    expect(restsOn('§3(a)')).toEqual([])
    expect(restsOn('H5')).toEqual([['human', 'https://example.org']])
    expect(restsOn('H4')).toEqual([])
    expect(unsupported).toBe(2)
    expect(entries.find(({ kind }) => kind === 'human')).toMatchObject({
      person: 'Dana',
      controls: { 'house-2026': ['H5'] },
    })
  })

  test('lists rules that bear on the same controls once', async () => {
    const root = await scannedHouse()
    const pack = join(root, '.svc/packs/house/pack.yaml')
    writeFileSync(
      pack,
      readFileSync(pack, 'utf8')
        .replace('rules: [local-harm]', 'rules: [local-harm, local-odd]')
        .replace('rules: [local-odd]', 'rules: [local-harm, local-odd]'),
    )
    await rescan(root)
    expect((await map(root)).entries).toMatchObject([
      { sources: ['local-harm', 'local-odd'], controls: { 'house-2026': ['H1', 'H2'] } },
    ])
  })
})

describe('the compliance trend', () => {
  test('has a point for each run, oldest first, with the change of coverage', async () => {
    const root = await scannedHouse()
    writeFileSync(join(root, 'src/secret-plan.txt'), 'Nothing.\n')
    await rescan(root)
    const answer = await trend(root)
    expect(answer.frameworks).toMatchObject([
      {
        id: 'house-2026',
        change: 50,
        points: [{ coverage: 50, counts: { violated: 1, manual: 1 } }, { coverage: 100 }],
      },
    ])
    expect(complianceTrend.text(answer, view)).toContain(
      '100 % of 2 judged controls met; 1 manual; 1 not evaluated (+50',
    )
  })

  test('reads states of runs from before they had the names of today', async () => {
    const root = await scannedHouse()
    const { id } = JSON.parse(readFileSync(join(root, 'out/run.json'), 'utf8')) as { id: string }
    const file = join(root, 'out/history', id, 'run.json')
    const old = readFileSync(file, 'utf8')
      .replaceAll('not_applicable', 'not-applicable')
      .replace(/,\s*"not_evaluated":\s*1(?=\s*\})/, '')
    expect(old).not.toContain('not_applicable')
    writeFileSync(file, old)
    expect((await trend(root)).frameworks[0]!.points[0]!.counts).toMatchObject({ not_applicable: 1, not_evaluated: 0 })
    expect((await map(root)).controls.find(control => control.id === 'H4')!.state).toBe('not_applicable')
  })

  test('is refused where no run evaluated the framework', async () => {
    expect((await refusal(async () => trend(await scannedHouse(), { framework: 'soc2' }))).code).toBe('RUN_NOT_FOUND')
  })
})

describe('the risk summary', () => {
  test('has rating, trend, risks with the controls that they violate, and what is not known', async () => {
    const root = await scannedHouse()
    const once = await risk(root)
    expect(once).toMatchObject({ rating: 'D', open: 1, gate: 'not run', further_risks: 0 })
    expect(once.risks).toMatchObject([{ title: 'The word harm', findings: 1, controls: ['House 2: H1'] }])
    expect(once.trend.summary).toContain('no trend is known')
    expect(once.unknown).toContain('1 control without evidence of a person.')
    writeFileSync(join(root, 'src/secret-plan.txt'), 'Nothing.\n')
    await rescan(root)
    expect((await risk(root)).trend.summary).toMatch(
      /^0 open findings, 1 fewer than at the first of them, over 2 scans/,
    )
  })

  test('as PDF is one page and the same bytes twice', async () => {
    const root = await scannedHouse()
    const { output } = await risk(root, { output: 'board.pdf' })
    const pdf = readFileSync(join(root, output!))
    expect(pdf.toString('latin1')).toMatch(/^%PDF-1\.7[\s\S]*\/Count 1\b[\s\S]*%%EOF\s*$/)
    await risk(root, { output: 'again.pdf' })
    expect(readFileSync(join(root, 'again.pdf')).equals(pdf)).toBe(true)
    expect((await refusal(() => risk(root, { format: 'pdf', output: '-' }))).code).toBe('USAGE')
    expect((await refusal(() => risk(root, { output: 'board.docx' }))).code).toBe('INPUT_INVALID')
  })
})

describe('the gap analysis', () => {
  test('says how each changed control stands in the latest run, as HTML too', async () => {
    const root = await scannedHouse()
    const old = HOUSE.replace(
      '{ id: H1, title: No harm, meaning: Nobody harms., maps: [{ rules: [local-harm], why: The rule finds the word. }] }',
      '{ id: H0, title: Gone, meaning: Gone., kind: organizational }',
    )
    writeFileSync(join(root, 'old.yaml'), old.replace('version: 1.2.0', 'version: 1.0.0'))
    const ask = (input: object = {}) =>
      gap.run({ pack_id: 'house', old_yaml: 'old.yaml', ...input }, houseContext(root))
    const answer = await ask({ output: 'gap.html' })
    expect(answer.gaps).toMatchObject([
      { gap: 'new', id: 'H1', state: 'violated' },
      { gap: 'removed', id: 'H0' },
    ])
    expect(answer.gaps[1]).not.toHaveProperty('state')
    const html = readFileSync(join(root, 'gap.html'), 'utf8')
    expect(html).toContain(answer.run_id!)
    expect(html).toContain('<span class="state violated">violated</span>')
    rmSync(join(root, 'out'), { recursive: true })
    expect(await ask()).not.toHaveProperty('run_id')
  })
})

describe('the trust center', () => {
  test('over HTTP is a page, or its figures, and names nothing of the repository', async () => {
    const root = await scannedHouse()
    const page = (await trust(root, { org_name: 'Example GmbH' }, { surface: 'rest' })).content!
    const data = (await trust(root, { org_name: 'Example GmbH', format: 'json' }, { surface: 'rest' })).content!
    expect(JSON.parse(data)).toMatchObject({
      organization: 'Example GmbH',
      frameworks: [{ name: 'House 2', coverage: 50 }],
    })
    for (const text of [page, data])
      for (const name of ['secret-plan', 'harm', 'local-', root.split('/').at(-1)!, '§3'])
        expect(text).not.toContain(name)
  })

  test('writes a badge for each framework', async () => {
    const root = await scannedHouse()
    expect((await trust(root, { badges: 'public' })).badges).toEqual(['public/house-2026.svg'])
    expect(readFileSync(join(root, 'public/house-2026.svg'), 'utf8')).toMatch(
      /^<svg [\s\S]*50 % of 2, 1 manual, 1 not evaluated/,
    )
    expect((await refusal(() => trust(root, { badges: 'public' }, { surface: 'rest' }))).code).toBe('FORBIDDEN')
  })
})
