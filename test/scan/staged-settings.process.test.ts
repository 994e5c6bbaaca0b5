import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { perform } from '../../engine/scan/perform.ts'
import { surface } from '../made/call.ts'
import { folder, write } from '../made/folder.ts'
import { project } from '../made/project.ts'
import { wordRule } from '../made/rules.ts'

const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], {
    cwd: root,
    stdio: 'pipe',
  }).toString()

const SUPPRESSED = '- rule: local-bad\n  reason: known\n'

/** A repository in which a bad file is staged, with these settings committed. */
function repository(settings: Record<string, string> = {}, bad = 'src/a.txt'): string {
  const root = project({ ...wordRule('bad'), '.gitignore': 'out/\n', ...settings })
  write(root, { [bad]: 'bad\n' })
  git(root, 'add', bad)
  return root
}

/** What a scan of what is staged comes to: the open findings of the repository's own rules, and what differs on disk. */
async function judged(root: string, env: Record<string, string> = {}) {
  // A person commits: what the commit changes of its own settings counts, and is listed.
  const input = { repo_path: '.', staged: true, isCommitter: async () => true }
  const { findings, unstaged, run } = await perform(input, surface(root, { env }).context)
  const open = findings.filter(({ status, pack_id }) => status === 'open' && pack_id === 'local')
  return { open: open.map(({ file, rule_id }) => `${rule_id} ${file}`), unstaged, run }
}

const BAD = ['local-bad src/a.txt']

describe('what is staged is judged by what is staged', () => {
  test('a suppression that is not staged suppresses nothing, and that is said', async () => {
    const root = repository()
    write(root, { '.svc/suppressions.yaml': SUPPRESSED })
    const { open, unstaged } = await judged(root)
    expect(open).toEqual(BAD)
    expect(unstaged).toContain('.svc/suppressions.yaml differs on disk')
    git(root, 'add', '.svc')
    expect(await judged(root)).toMatchObject({ open: [], unstaged: undefined })
  })

  test('a suppression that is staged holds, whatever became of the file on disk', async () => {
    const root = repository({ '.svc/suppressions.yaml': SUPPRESSED })
    expect((await judged(root)).open).toEqual([])
    write(root, { '.svc/suppressions.yaml': '[]\n' })
    expect((await judged(root)).open).toEqual([])
    rmSync(join(root, '.svc/suppressions.yaml'))
    expect((await judged(root)).open).toEqual([])
    git(root, 'add', '-A', '.svc')
    expect((await judged(root)).open).toEqual(BAD)
  })

  test('one of which git was only told that it will be added is not staged', async () => {
    const root = repository()
    write(root, { '.svc/suppressions.yaml': SUPPRESSED })
    git(root, 'add', '-N', '.svc/suppressions.yaml')
    expect((await judged(root)).open).toEqual(BAD)
  })

  test('settings that git ignores were never meant to be committed, and hold as they are', async () => {
    const root = repository({ '.gitignore': 'out/\n.svc/suppressions.yaml\n' })
    write(root, { '.svc/suppressions.yaml': SUPPRESSED })
    expect(await judged(root)).toMatchObject({ open: [], unstaged: undefined })
    write(root, { '.svc/config.yaml': 'scan_exclude: [src]\n' })
    expect((await judged(root)).open).toEqual([])
    git(root, 'add', '.svc/config.yaml')
    expect((await judged(root)).run.counts.skipped).toEqual({ excluded: 1 })
  })

  test('the configuration is the staged one, of the root and of folders', async () => {
    const root = repository({ 'src/.svc/config.yaml': 'severity_rescoring_enabled: false\n' })
    write(root, { '.svc/config.yaml': 'scan_exclude: [src]\n', 'src/.svc/config.yaml': 'scan_exclude: ["*.txt"]\n' })
    expect((await judged(root)).open).toEqual(BAD)
    git(root, 'add', 'src/.svc/config.yaml')
    expect((await judged(root)).run.counts.skipped).toMatchObject({ excluded: 1 })
    rmSync(join(root, 'src/.svc/config.yaml'))
    expect((await judged(root)).run.counts.skipped).toMatchObject({ excluded: 1 })
  })

  test('the baseline is the staged one', async () => {
    const root = repository()
    const [finding] = (await perform({ repo_path: '.', staged: true }, surface(root).context)).findings
    const { fingerprint, rule_id, file } = finding!
    const baseline = { version: 1, tool_version: '0.0.0', run_id: 'x', entries: [{ fingerprint, rule_id, file }] }
    write(root, { '.svc/baseline.json': JSON.stringify(baseline) })
    expect((await judged(root)).open).toEqual(BAD)
    git(root, 'add', '.svc/baseline.json')
    expect((await judged(root)).open).toEqual([])
  })

  test("the repository's own rules are the staged ones", async () => {
    const root = repository()
    rmSync(join(root, '.svc/rules/local-bad.yaml'))
    write(root, wordRule('src'))
    expect((await judged(root)).open).toEqual(BAD)
    git(root, 'add', '-A', '.svc')
    expect((await judged(root)).open).toEqual([])
  })

  test('attributes are the staged ones', async () => {
    const root = repository()
    write(root, { '.gitattributes': 'src/** linguist-vendored\n' })
    expect((await judged(root)).open).toEqual(BAD)
    const classes = async () => (await judged(root)).run.ledger?.partly
    expect(await classes()).toEqual({})
    git(root, 'add', '.gitattributes')
    expect(await classes()).toEqual({ vendored: 1 })
    write(root, { '.gitattributes': '' })
    expect(await classes()).toEqual({ vendored: 1 })
  })

  test('the index that a hook is given decides, as for the files', async () => {
    const root = repository()
    const index = join(root, '.git/other-index')
    const env = { ...process.env, GIT_INDEX_FILE: index }
    execFileSync('git', ['read-tree', 'HEAD'], { cwd: root, env })
    write(root, { '.svc/suppressions.yaml': SUPPRESSED })
    execFileSync('git', ['add', 'src/a.txt', '.svc/suppressions.yaml'], { cwd: root, env })
    expect((await judged(root)).open).toEqual(BAD)
    expect((await judged(root, { GIT_INDEX_FILE: '.git/other-index' })).open).toEqual([])
  })

  test('a file that line ends make different on disk is no difference', async () => {
    const root = repository({ '.gitattributes': '*.yaml text eol=crlf\n', '.svc/suppressions.yaml': SUPPRESSED })
    rmSync(join(root, '.svc/suppressions.yaml'))
    git(root, 'checkout', '.svc/suppressions.yaml')
    expect((await judged(root)).open).toEqual([])
  })

  test('leaves nothing behind in the folder for temporary files', async () => {
    const root = repository()
    write(root, { '.svc/suppressions.yaml': SUPPRESSED })
    // One of its own: in that of the system other tests come and go.
    const temporary = folder()
    vi.stubEnv('TMPDIR', temporary)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(tmpdir()).toBe(temporary)
    await judged(root)
    expect(readdirSync(temporary)).toEqual([])
  })
})
