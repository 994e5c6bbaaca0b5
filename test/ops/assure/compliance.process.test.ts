import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadAssessment } from '../../../engine/assure/controls/load.ts'
import complianceReport from '../../../engine/ops/assure/compliance-report.ts'
import evidenceExport from '../../../engine/ops/assure/evidence-export.ts'
import evidenceAdd from '../../../engine/ops/evidence/add.ts'
import evidenceCheck from '../../../engine/ops/evidence/check.ts'
import { houseContext, rescan, scannedHouse, writeEvidence } from '../../assure/documents/made.ts'
import { refusal, view } from '../../made/call.ts'

const report = (root: string, input: object = {}, more: object = {}) =>
  complianceReport.run({ run_id: 'latest', list: false, ...input }, houseContext(root, more))
const exported = (root: string, input: object = {}, more: object = {}) =>
  evidenceExport.run(
    { framework: 'house', all: false, list: false, run_id: 'latest', ...input } as never,
    houseContext(root, more),
  )
const add = (root: string, input: object = {}) =>
  evidenceAdd.run(
    { control: 'house:§3(a)', title: 'The plan', file: 'docs/plan.txt', owner: 'Dana Reed', ...input } as never,
    houseContext(root),
  )
const stateOf = async (root: string, id: string) =>
  (await loadAssessment(houseContext(root))).frameworks[0]!.controls.find(each => each.id === id)!

describe('an assessment', () => {
  test('has a state for each control, with the rules, findings and documents behind it', async () => {
    const [house] = (await loadAssessment(houseContext(await scannedHouse()))).frameworks
    expect(house!.controls.map(({ id, state }) => [id, state])).toEqual([
      ['H1', 'violated'],
      ['H2', 'met'],
      ['§3(a)', 'manual'],
      ['H4', 'not_applicable'],
      ['H5', 'not_evaluated'],
    ])
    expect(house).toMatchObject({ coverage: 50, complete: false, recorded: true })
    expect(house!.controls[0]).toMatchObject({
      rules: [{ id: 'local-harm', outcome: 'evaluated', open: 1 }],
      findings: [{ file: 'src/secret-plan.txt', line: 1, status: 'open' }],
    })
    expect(house!.controls[3]!.rules).toMatchObject([{ id: 'local-lua', outcome: 'no_files' }])
  })

  test('says that a framework was not on in the run, and takes no rule that did not run for evaluated', async () => {
    const root = await scannedHouse({ '.svc/config.yaml': 'packs:\n  disable: [house]\n' })
    writeFileSync(
      join(root, '.svc/rules/local-odd.yaml'),
      `${readFileSync(join(root, '.svc/rules/local-odd.yaml'), 'utf8')}canary: true\n`,
    )
    const { frameworks } = await loadAssessment(houseContext(root), { frameworks: ['house-2026'] })
    expect(frameworks[0]!.caveats[0]).toMatch(/not on in this run/)
    expect(frameworks[0]!.controls[1]).toMatchObject({ id: 'H2', state: 'not_evaluated' })
  })

  test('of a part of the repository is refused', async () => {
    const root = await scannedHouse()
    const runs = readFileSync(join(root, 'out/run.json'), 'utf8')
    const { id } = JSON.parse(runs) as { id: string }
    const file = join(root, 'out/history', id, 'run.json')
    writeFileSync(
      file,
      readFileSync(file, 'utf8')
        .replace('"scope":"everything"', '"scope":"staged"')
        .replace('"scope": "everything"', '"scope": "staged"'),
    )
    expect((await refusal(() => report(root))).code).toBe('CONFLICT')
  })
})

/** Evidence is judged by the clock: an earlier SOURCE_DATE_EPOCH, which these tests have, only dates documents. */
const today = () => new Date().toISOString().slice(0, 10)

describe('evidence of a person', () => {
  test('makes a manual control met while it is valid, and says who vouches', async () => {
    const root = await scannedHouse()
    const { entry } = await add(root, { expires: '30' })
    expect(entry).toMatchObject({ state: 'valid', control: 'house-2026:§3(a)', observed_at: today() })
    const control = await stateOf(root, '§3(a)')
    expect(control).toMatchObject({ state: 'met', evidence: [{ owner: 'Dana Reed' }] })
  })

  test('falls back to manual where it expired, changed, is missing or has no digest, and the reason is said', async () => {
    const root = await scannedHouse()
    const { entry } = await add(root)
    const write = (more: string, sha = `sha256: ${entry.sha256}`) =>
      writeEvidence(
        root,
        `- { control: 'house:§3(a)', title: Plan, file: docs/plan.txt, ${sha}, owner: Dana, observed_at: 2026-01-01${more} }\n`,
      )
    write(', expires: 2026-03-03')
    expect(await stateOf(root, '§3(a)')).toMatchObject({ state: 'manual', evidence: [{ state: 'expired' }] })
    expect((await stateOf(root, '§3(a)')).reason).toMatch(/of Dana does not count: It expired on 2026-03-03/)
    write(`, expires: ${today()}`)
    expect((await stateOf(root, '§3(a)')).state).toBe('met')
    write('', 'note: by hand')
    expect(await stateOf(root, '§3(a)')).toMatchObject({ state: 'manual', evidence: [{ state: 'no_digest' }] })
    write('')
    writeFileSync(join(root, 'docs/plan.txt'), 'Another plan.\n')
    expect(await stateOf(root, '§3(a)')).toMatchObject({ state: 'manual', evidence: [{ state: 'changed' }] })
  })

  test('never outweighs a finding', async () => {
    const root = await scannedHouse()
    await add(root, { control: 'house:H1' })
    expect((await stateOf(root, 'H1')).state).toBe('violated')
  })

  test('may be for one obligation', async () => {
    const root = await scannedHouse()
    await add(root, { control: 'house:house-h3' })
    expect(await stateOf(root, '§3(a)')).toMatchObject({ state: 'met', evidence: [{ obligation: 'house-h3' }] })
  })

  test('is checked with exit code 1 where an entry does not count', async () => {
    const root = await scannedHouse()
    await add(root, { expires: '6' })
    const check = () => evidenceCheck.run({ within: 14 }, houseContext(root))
    const good = await check()
    expect([good.valid, good.expiring.length, evidenceCheck.exit!(good)]).toEqual([1, 1, 0])
    writeEvidence(
      root,
      `${readFileSync(join(root, '.svc/evidence.yaml'), 'utf8')}\n- { control: 'house:H9', title: x, url: 'https://example.org', owner: D, observed_at: 2026-01-01 }\n`,
    )
    const bad = await check()
    expect(bad.faults).toMatchObject([{ state: 'unknown_control', reason: 'house-2026 has no control H9.' }])
    expect(evidenceCheck.exit!(bad)).toBe(1)
  })
})

describe('a compliance report', () => {
  test.each(['html', 'json', 'md', 'oscal', 'oscal-component'] as const)('in %s is the same twice', async format => {
    const root = await scannedHouse()
    await add(root)
    const once = (await report(root, { format, output: '-' })).content
    expect((await report(root, { format, output: '-' })).content).toBe(once)
    expect(once).toContain('2026-03-04')
  })

  test('states the number of manual controls beside each percentage', async () => {
    const root = await scannedHouse()
    const answer = await report(root)
    expect(complianceReport.text(answer, view)).toContain('50 % of 2 judged controls met; 1 manual; 1 not evaluated')
    const html = readFileSync(join(root, 'out/compliance-report.html'), 'utf8')
    expect(html).toContain('50 % of 2 judged controls met; 1 manual; 1 not evaluated.')
    expect(html).toContain('Not complete: 1 violated, 1 manual, 1 not evaluated.')
  })

  test('lists the frameworks, over HTTP as JSON', async () => {
    const { content, available } = await report(await scannedHouse(), { list: true }, { surface: 'rest' })
    expect(JSON.parse(content!).frameworks).toEqual(available)
    expect(available!.find(({ id }) => id === 'house-2026')).toMatchObject({
      evaluated: true,
      enabled: true,
      controls: 5,
    })
  })
})

describe('an evidence package', () => {
  test('has the fields that were agreed, and says population, period, tool, input, output and person of each piece', async () => {
    const root = await scannedHouse()
    await add(root, { note: 'Read the plan.' })
    const answer = await exported(root, {}, { surface: 'rest' })
    expect(answer).toMatchObject({
      framework: 'house-2026',
      edition: '2',
      generated_at: '2026-03-04T04:53:20.000Z',
      coverage: { violated: 1, met: 2, manual: 0, not_applicable: 1, not_evaluated: 1 },
    })
    const [h1, , plan, , h5] = answer.controls!
    expect(h1).toMatchObject({ id: 'H1', rules: [{ id: 'local-harm', evaluated: true, open: 1, suppressed: 0 }] })
    expect(h1!.findings).toHaveLength(1)
    expect(h1!.evidence.map(({ kind }) => kind)).toEqual(['scan'])
    expect(plan!.evidence).toMatchObject([
      { kind: 'human', source: 'docs/plan.txt', provenance: { person: 'Dana Reed' } },
    ])
    expect(h5!.evidence).toEqual([])
    for (const { evidence } of answer.controls!)
      for (const { provenance } of evidence)
        for (const key of ['population', 'tool', 'input', 'output'] as const) expect(provenance[key]).not.toBe('')
  })

  test('needs a framework or all on the command line', async () => {
    const root = await scannedHouse()
    expect((await refusal(() => exported(root, { framework: '' }))).code).toBe('USAGE')
    const { packages, output } = await exported(root, { framework: '', all: true, output: 'all.json' })
    expect(output).toBe('all.json')
    expect(JSON.parse(readFileSync(join(root, 'all.json'), 'utf8')).packages).toEqual(packages)
  })

  test('of a run keeps its states when the packs change afterwards', async () => {
    const root = await scannedHouse()
    const pack = join(root, '.svc/packs/house/pack.yaml')
    writeFileSync(pack, readFileSync(pack, 'utf8').replace('rules: [local-odd]', 'rules: [local-harm]'))
    const answer = await exported(root, {}, { surface: 'rest' })
    expect(answer.controls![1]!.state).toBe('met')
    await rescan(root)
    expect((await exported(root, {}, { surface: 'rest' })).controls![1]!.state).toBe('violated')
  })
})
