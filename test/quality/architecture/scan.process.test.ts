import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import scan from '../../../engine/ops/scan/run.ts'
import { perform } from '../../../engine/scan/perform.ts'
import { context, refusal, surface } from '../../made/call.ts'
import { project } from '../../made/project.ts'
import { checkArch } from './check-arch.ts'

const FILES = {
  'src/ui.ts': "import './db'\n",
  'src/db.ts': "import './ui'\n",
  'architecture.yaml':
    'layers:\n  - { name: ui, paths: src/ui.ts }\n  - { name: db, paths: src/db.ts, reason: "Data knows no page." }\n',
}

const scanAll = async (root: string, more: object = {}) =>
  scan.run(
    { repo_path: '.', update_baseline: false, dry_run: false, external: true, jobs: 1, ...more } as never,
    context(root) as never,
  )

/** The findings of the architecture rules in a stored run. */
async function findings(root: string) {
  const { readFileSync } = await import('node:fs')
  const all = JSON.parse(readFileSync(join(root, 'out/findings.json'), 'utf8')) as Record<string, unknown>[]
  return all.filter(({ category }) => category === 'architecture')
}

describe('violations of architecture.yaml', () => {
  it('are findings of a scan, in the baseline once it is updated, for the scan and for check-arch', async () => {
    const root = project(FILES)
    await scanAll(root)
    expect(await findings(root)).toMatchObject([
      {
        ...{ rule_id: 'architecture:layers', pack_id: 'architecture', severity: 'high', status: 'open' },
        ...{ file: 'src/db.ts', line: 1, snippet: './ui', language: 'typescript' },
        message: 'The layer db imports the layer ui, which is above it. Data knows no page.',
      },
    ])
    expect((await checkArch(root)).passed).toBe(false)
    await scanAll(root, { update_baseline: true })
    expect((await checkArch(root)).counts).toEqual({ open: 0, suppressed: 0, baseline: 1 })
    // A new violation is not in the baseline.
    writeFileSync(join(root, 'src/db.ts'), "import './ui'\nimport { more } from './ui'\n")
    const after = await checkArch(root)
    expect([after.passed, after.counts]).toEqual([false, { open: 1, suppressed: 0, baseline: 1 }])
  })

  it('can be suppressed by a comment, with a reason', async () => {
    const root = project({
      ...FILES,
      'src/db.ts': "// svc-ignore: architecture:layers -- moves next month\nimport './ui'\n",
    })
    expect((await checkArch(root)).violations).toMatchObject([{ status: 'suppressed' }])
  })
})

it('that is not valid ends a scan with its place, as other settings do', async () => {
  const root = project({ 'a.ts': 'export {}\n', 'architecture.yaml': 'layers: []\ncycels: {}\n' })
  const error = await refusal(() => perform({ repo_path: '.' }, surface(root).context))
  expect(error).toMatchObject({ code: 'CONFIG_INVALID', place: { file: 'architecture.yaml', line: 2 } })
})
