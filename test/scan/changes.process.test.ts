import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import gate from '../../engine/ops/gate/check.ts'
import { perform, type ScanInput } from '../../engine/scan/perform.ts'
import { surface } from '../made/call.ts'
import { write } from '../made/folder.ts'
import { project } from '../made/project.ts'
import { OWN_RULES, wordRule } from '../made/rules.ts'

const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], {
    cwd: root,
    stdio: 'pipe',
  }).toString()

/** What the change introduces, as `file:line`, and what it only carries along. */
async function judged(root: string, input: Partial<ScanInput>, env: Record<string, string> = {}) {
  const { findings, run } = await perform(
    { repo_path: '.', ...input },
    surface(root, { env: { ...OWN_RULES, ...env } }).context,
  )
  const at = (status: string) =>
    findings
      .filter(finding => finding.status === status && finding.pack_id === 'local')
      .map(({ file, line }) => `${file}:${line}`)
  return { introduced: at('open'), carried: at('baseline'), run }
}

const base = () => project({ ...wordRule('frobnicate'), 'a.txt': 'frobnicate old\n', 'b.txt': 'clean\n' })

describe('a scan of what is staged', () => {
  test('judges the index and not the working file', async () => {
    const root = base()
    write(root, { 'b.txt': 'frobnicate staged\n' })
    git(root, 'add', 'b.txt')
    write(root, { 'b.txt': 'clean again\n', 'a.txt': 'frobnicate old\nfrobnicate unstaged\n' })
    expect(await judged(root, { staged: true })).toMatchObject({ introduced: ['b.txt:1'], carried: [] })
  })

  test('sets aside what was there before, wherever it has moved to', async () => {
    const root = base()
    write(root, { 'a.txt': 'one\ntwo\n   frobnicate   old\nfrobnicate new\n' })
    git(root, 'add', '-A')
    const { introduced, carried } = await judged(root, { staged: true })
    expect([introduced, carried]).toEqual([['a.txt:4'], ['a.txt:3']])
  })

  test('keeps the identity of findings in a renamed file', async () => {
    const root = base()
    git(root, 'mv', 'a.txt', 'moved.txt')
    expect(await judged(root, { staged: true })).toMatchObject({ introduced: [], carried: ['moved.txt:1'] })
  })

  test('reads the index that a hook is given', async () => {
    const root = base()
    const index = join(root, '.git/other-index')
    execFileSync('git', ['read-tree', 'HEAD'], { cwd: root, env: { ...process.env, GIT_INDEX_FILE: index } })
    write(root, { 'c.txt': 'frobnicate\n' })
    execFileSync('git', ['add', 'c.txt'], { cwd: root, env: { ...process.env, GIT_INDEX_FILE: index } })
    expect(await judged(root, { staged: true })).toMatchObject({ introduced: [] })
    expect(await judged(root, { staged: true }, { GIT_INDEX_FILE: '.git/other-index' })).toMatchObject({
      introduced: ['c.txt:1'],
    })
  })

  test('works before the first commit, and is content with nothing staged', async () => {
    const root = base()
    expect(await judged(root, { staged: true })).toMatchObject({
      introduced: [],
      run: { scope: 'staged', counts: { files: 0 } },
    })
    rmSync(join(root, '.git'), { recursive: true })
    git(root, 'init', '-q')
    git(root, 'add', '-A')
    expect((await judged(root, { staged: true })).introduced).toEqual(['a.txt:1'])
  })

  test('leaves out what the configuration leaves out, and of what attributes mark nothing severe', async () => {
    const root = base()
    write(root, { '.gitattributes': 'third/** linguist-vendored\n', '.svc/config.yaml': 'scan_exclude: [gen]\n' })
    git(root, 'add', '-A')
    git(root, 'commit', '-qm', 'settings')
    write(root, { 'gen/x.txt': 'frobnicate\n', 'third/x.txt': 'frobnicate\n' })
    git(root, 'add', '-A')
    const { introduced, run } = await judged(root, { staged: true })
    expect(introduced).toEqual(['third/x.txt:1'])
    expect(run.counts.skipped).toEqual({ excluded: 1 })
    expect(run.ledger).toEqual({ scope: 2, scanned: 0, partly: { vendored: 1 }, skipped: { excluded: 1 } })
  })
})

describe('a scan of a range', () => {
  test('judges the commits and nothing that is only in the working tree', async () => {
    const root = base()
    const first = git(root, 'rev-parse', 'HEAD').trim()
    write(root, { 'c.txt': 'frobnicate\n' })
    git(root, 'add', '-A')
    git(root, 'commit', '-qm', 'second')
    write(root, { 'c.txt': 'clean\n', 'd.txt': 'frobnicate\n' })
    for (const git_range of [`${first}..HEAD`, `${first}..`, first, `${first}...HEAD`]) {
      expect((await judged(root, { git_range })).introduced).toEqual(['c.txt:1'])
    }
  })

  test('says how to fetch what a shallow clone lacks, and never passes in silence', async () => {
    const root = base()
    const first = git(root, 'rev-parse', 'HEAD').trim()
    write(root, { 'c.txt': 'x\n' })
    git(root, 'add', '-A')
    git(root, 'commit', '-qm', 'second')
    const clone = `${root}-shallow`
    execFileSync('git', ['clone', '-q', '--depth=1', `file://${root}`, clone], { stdio: 'pipe' })
    try {
      await expect(judged(clone, { git_range: `${first}..HEAD` })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: expect.stringContaining('shallow'),
        hint: expect.stringContaining(`git fetch --depth=1 origin ${first}`),
      })
    } finally {
      rmSync(clone, { recursive: true })
    }
  })

  // As machines clone: one commit of one branch, so that the base is neither there nor among what a plain fetch brings.
  test('judges against a branch that a shallow clone of another one lacks, once the command that it names was run', async () => {
    const root = base()
    const main = git(root, 'branch', '--show-current').trim()
    git(root, 'checkout', '-qb', 'feature')
    write(root, { 'c.txt': 'frobnicate\n' })
    git(root, 'add', '-A')
    git(root, 'commit', '-qm', 'second')
    const clone = `${root}-shallow`
    execFileSync('git', ['clone', '-q', '--depth=1', `file://${root}`, clone], { stdio: 'pipe' })
    try {
      const { hint } = await judged(clone, { branch: main }).catch(error => error)
      execFileSync('sh', ['-c', /`(.*)`/.exec(hint)![1]!], { cwd: clone, stdio: 'pipe' })
      expect((await judged(clone, { branch: main })).introduced).toEqual(['c.txt:1'])
      expect((await judged(clone, { git_range: `origin/${main}...HEAD` })).introduced).toEqual(['c.txt:1'])
    } finally {
      rmSync(clone, { recursive: true })
    }
  })

  test('does not pass the gate where git has lost the content of a file', async () => {
    const root = base()
    write(root, { 'c.txt': 'frobnicate\n' })
    git(root, 'add', '-A')
    git(root, 'commit', '-qm', 'second')
    const blob = git(root, 'rev-parse', 'HEAD:c.txt').trim()
    rmSync(join(root, '.git/objects', blob.slice(0, 2), blob.slice(2)))
    const input = { repo_path: '.', git_range: 'HEAD~1..HEAD' } as Parameters<typeof gate.run>[0]
    expect(await gate.run(input, surface(root).context)).toMatchObject({
      passed: false,
      reasons: ['c.txt not scanned (vanished)'],
    })
  })

  test('refuses a revision that is none, an option among them', async () => {
    const root = base()
    for (const git_range of ['nowhere..HEAD', '--output=x..HEAD', '-h']) {
      await expect(judged(root, { git_range })).rejects.toMatchObject({
        code: expect.stringMatching(/NOT_FOUND|INPUT_INVALID/),
      })
    }
  })
})

describe('a scan against a branch', () => {
  test('judges the working tree since the merge base, untracked files included', async () => {
    const root = base()
    git(root, 'checkout', '-qb', 'topic')
    write(root, { 'c.txt': 'frobnicate\n' })
    git(root, 'add', '-A')
    git(root, 'commit', '-qm', 'topic')
    git(root, 'branch', 'main2', 'HEAD~1')
    write(root, { 'd.txt': 'frobnicate\n', 'a.txt': 'frobnicate old\nx\n' })
    expect(await judged(root, { branch: 'main2' })).toMatchObject({
      introduced: ['c.txt:1', 'd.txt:1'],
      carried: ['a.txt:1'],
    })
  })
})

describe('a scan of a patch', () => {
  test('judges it whether it is applied or not', async () => {
    const root = base()
    write(root, { 'b.txt': 'clean\nfrobnicate\n' })
    const diff = git(root, 'diff')
    expect(await judged(root, { diff })).toMatchObject({ introduced: ['b.txt:2'] })
    git(root, 'commit', '-qam', 'applied')
    expect(await judged(root, { diff })).toMatchObject({ introduced: ['b.txt:2'] })
  })

  test('refuses a folder in the place of a patch file', async () => {
    const root = project({ 'a/b.txt': 'x\n' })
    await expect(judged(root, { diff: 'a' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('is refused where there is no commit to compare with', async () => {
    const root = project({ 'a.txt': 'x\n' })
    git(root, 'checkout', '-q', '--orphan', 'other')
    await expect(judged(root, { diff: git(root, 'diff', '--cached') })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'git has no commit "HEAD".',
    })
  })

  test('says of a text that it is no patch, and not how git might be told to take it', async () => {
    await expect(judged(base(), { diff: 'not a patch\nat all\n' })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: 'This is not a patch that git can parse.',
      hint: 'Pass the complete, unmodified output of `git diff`.',
    })
  })

  test('refuses one that does not fit, and changes neither index nor files', async () => {
    const root = base()
    await expect(
      judged(root, { diff: '--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-other\n+frobnicate\n' }),
    ).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    expect(git(root, 'status', '--porcelain')).toBe('')
  })
})

test('a scan of files by their paths takes them as findings write them, other bytes than UTF-8 among them', async () => {
  const root = base()
  writeFileSync(Buffer.concat([Buffer.from(`${root}/x`), Buffer.from([0xff])]), 'frobnicate\n')
  git(root, 'add', '-A')
  const { introduced } = await judged(root, { changed_files: ['x\\xff', './b.txt'] })
  expect(introduced).toEqual(['x\\xff:1'])
})

test('a scan is of one change at a time', async () => {
  await expect(judged(base(), { staged: true, git_range: 'HEAD' })).rejects.toMatchObject({
    code: 'INPUT_INVALID',
    message: expect.stringContaining('--staged and --git-range'),
  })
})
