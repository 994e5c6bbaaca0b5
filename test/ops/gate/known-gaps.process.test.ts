import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import gate from '../../../engine/ops/gate/check.ts'
import preCommitScan from '../../../engine/ops/hook/scan.ts'
import scanRun from '../../../engine/ops/scan/run.ts'
import { surface } from '../../made/call.ts'
import { write } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { wordRule } from '../../made/rules.ts'

const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: root, stdio: 'pipe' })

/** Nests deeper than syntax rules can follow, so that those of a severity that fails are not evaluated there. */
const DEEP = `add(eval(location.hash${'('.repeat(3000)}\n`
const FILES = { ...wordRule('frobnicate'), '.gitignore': 'out/\n.svc/local/\n', 'a.js': 'add(1)\n' }

const judge = async (root: string, input: object) =>
  gate.run({ repo_path: '.', ...input } as Parameters<typeof gate.run>[0], surface(root).context)
const commit = (root: string) => {
  git(root, 'add', '-A')
  git(root, 'commit', '-qm', 'change')
}

test('the baseline holds gaps: the gate passes, hook and gate agree on a comment that is added to such a file', async () => {
  const root = project({ ...FILES, 'deep.js': DEEP })
  const before = await judge(root, {})
  expect(before.failures.map(({ kind, file }) => [kind, file])).toContainEqual(['not_evaluated', 'deep.js'])
  expect(before.failures.find(({ kind }) => kind === 'not_evaluated')!.resolve).toContain('svc scan --update-baseline')

  const update = { repo_path: '.', update_baseline: true, dry_run: false } as Parameters<typeof scanRun.run>[0]
  const { baseline } = await scanRun.run(update, surface(root).context)
  expect(baseline!.gaps).toBeGreaterThan(0)
  const text = readFileSync(join(root, '.svc/baseline.json'), 'utf8')
  expect(JSON.parse(text).gaps[0]).toMatchObject({ file: 'deep.js' })
  commit(root)
  expect(await judge(root, {})).toMatchObject({ passed: true, run: { known_gaps: baseline!.gaps } })

  write(root, { 'deep.js': `// a comment\n${DEEP}` })
  git(root, 'add', '-A')
  expect((await preCommitScan.run({}, surface(root).context)).passed).toBe(true)
  commit(root)
  expect((await judge(root, { git_range: 'HEAD~1..HEAD' })).passed).toBe(true)
}, 120_000)

test('a gap that was there before a change does not fail it, one that it brings fails hook and gate', async () => {
  const root = project({ ...FILES, 'deep.js': DEEP })
  write(root, { 'deep.js': `// a comment\n${DEEP}` })
  git(root, 'add', '-A')
  expect((await preCommitScan.run({}, surface(root).context)).passed).toBe(true)
  write(root, { 'new.js': DEEP })
  git(root, 'add', '-A')
  const blocked = await preCommitScan.run({}, surface(root).context)
  expect(blocked).toMatchObject({ passed: false, failures: [{ kind: 'not_evaluated', file: 'new.js' }] })
  expect((await judge(root, { staged: true })).failures).toEqual(blocked.failures)
}, 120_000)
