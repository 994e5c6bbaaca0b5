import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { renderReport } from '../../engine/assure/report.ts'
import { perform, type ScanInput } from '../../engine/scan/perform.ts'
import { makeReportModel } from '../../engine/scan/persist.ts'
import { surface } from '../made/call.ts'
import { project } from '../made/project.ts'
import { wordRule } from '../made/rules.ts'

const pack = `id: house
version: 1.2.0
name: House
description: Rules of the house.
framework: { id: house, name: House, edition: '2', date: '2026', controls_total: 9 }
controls:
  - { id: H1, title: No harm, meaning: Nobody harms., maps: [{ rules: [local-harm], why: The rule finds the word. }] }
  - { id: H2, title: No odd, meaning: Nobody is odd., maps: [{ rules: [local-odd], why: The rule finds the word. }] }
  - { id: H3, title: Plan, meaning: There is a plan., kind: organizational }
obligations:
  - { id: house-h3, control: H3, title: The plan, evidence: The plan itself., files: [PLAN.md] }
`
const config = 'packs:\n  enable: [house]\n'
const files = {
  ...wordRule('harm'),
  ...wordRule('odd'),
  '.svc/packs/house/pack.yaml': pack,
  '.svc/config.yaml': config,
}
const scanned = (root: string, input: Partial<ScanInput> = {}) =>
  perform({ repo_path: '.', ...input }, surface(root).context)
const house = async (root: string, input?: Partial<ScanInput>) =>
  (await scanned(root, input)).run.frameworks?.find(({ id }) => id === 'house')

describe('a run', () => {
  test('says what became of the controls of the frameworks that are on', async () => {
    const root = project({ ...files, 'a.txt': 'harm\n' })
    expect(await house(root)).toMatchObject({
      name: 'House 2',
      pack_version: '1.2.0',
      controls_total: 9,
      counts: { violated: 1, met: 1, manual: 1, not_applicable: 0, not_evaluated: 0 },
      coverage: 50,
      controls: [
        { id: 'H1', state: 'violated', findings: 1 },
        { id: 'H2', state: 'met', checked: 1 },
        { id: 'H3', state: 'manual', obligations: [{ files: [] }] },
      ],
    })
  })

  test('names a file that may be the evidence, which nobody has vouched for, but no empty one', async () => {
    const root = project({ ...files, 'a.txt': 'x\n', 'PLAN.md': '' })
    expect((await house(root))!.controls[2]).toMatchObject({ state: 'manual', obligations: [{ files: [] }] })
    writeFileSync(join(root, 'PLAN.md'), '# Plan\n')
    expect((await house(root))!.controls[2]).toMatchObject({ state: 'manual', obligations: [{ files: ['PLAN.md'] }] })
  })

  test('says nothing of controls where it looked at a part only', async () => {
    const root = project({ ...files, 'a.txt': 'x\n' })
    expect(await house(root, { changed_files: ['a.txt'] })).toBeUndefined()
  })

  test('shows the controls in the HTML and the Markdown report', async () => {
    const performed = await scanned(project({ ...files, 'a.txt': 'harm\n' }))
    const html = [...renderReport('html', makeReportModel(performed))].join('')
    expect(html).toContain('id="framework-house"')
    expect(html).toContain("3 of the framework's 9 controls")
    const markdown = [...renderReport('markdown', makeReportModel(performed))].join('')
    expect(markdown).toMatch(
      /\*\*House 2\*\*: 1 violated, 1 met, 1 manual; coverage 50 % of 2 evaluated; violated: `H1`/,
    )
  })
})
