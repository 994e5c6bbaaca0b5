import { expect, it } from 'vitest'
import scanRun from '../../engine/ops/scan/run.ts'
import { surface } from '../made/call.ts'
import { project } from '../made/project.ts'

it('names the file found in the remediation of a forbidden file, quoted for a shell', async () => {
  const root = project({ 'keys/id_rsa': 'x\n', "it's/my keys/server.p12": 'x\n' })
  const { context } = surface(root)
  const input = {
    repo_path: '.',
    cache: false,
    staged: false,
    actionable_only: false,
    update_baseline: false,
    dry_run: true,
  }
  const { findings } = await scanRun.run(
    { ...input, config_overrides: { packs: { enable: ['supply-chain'] } } },
    context,
  )
  const commands = findings
    .filter(({ rule_id }) => rule_id === 'supply-private-key-file')
    .map(({ remediation }) => /git rm .*/.exec(remediation)?.[0])
  expect(commands.sort()).toEqual([
    "git rm --cached -- 'it'\\''s/my keys/server.p12'",
    'git rm --cached -- keys/id_rsa',
  ])
})
