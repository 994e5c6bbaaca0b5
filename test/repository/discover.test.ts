import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { discover } from '../../engine/repository/discover.ts'
import { commit, git, ground, outline, repository, seen, write } from './ground.ts'

const base = ground()
let count = 0
const fresh = () => join(base, `case-${++count}`)

afterEach(() => vi.unstubAllEnvs())

describe('a git work tree', () => {
  test('lists the index and what is untracked but not ignored, sorted, with size, language and commit', async () => {
    const root = repository(fresh(), { 'src/b.py': 'x = 1\n', 'src/a.c': 'int a;\n', '.gitignore': 'build/\n*.log\n' })
    write(root, { 'new.js': 'let a\n', 'build/out.c': 'int x;\n', 'trace.log': 'x\n', 'tests/test_b.py': '' })
    const listing = await discover(root, { exclude: [] })
    expect(outline(listing)).toEqual({
      files: ['.gitignore', 'new.js', 'src/a.c', 'src/b.py', 'tests/test_b.py'],
      skipped: [],
    })
    expect(listing.files[3]).toEqual({
      path: 'src/b.py',
      size: 6,
      language: 'python',
      in_test: false,
      oid: git(root, 'rev-parse', ':src/b.py'),
    })
    expect(listing.files[4]).toMatchObject({ in_test: true, size: 0 })
    expect(listing).toMatchObject({ root, kind: 'git', branch: 'main', git_sha: git(root, 'rev-parse', 'HEAD') })
  })

  test('scans a file that an ignore file names once git tracks it', async () => {
    const root = repository(fresh(), { '.gitignore': '*.env\n' })
    write(root, { 'a.env': 'A=1\n', 'b.env': 'B=1\n' })
    git(root, 'add', '-f', 'a.env')
    expect((await seen(root)).files).toEqual(['.gitignore', 'a.env'])
  })

  test('reads a repository without a commit', async () => {
    const root = fresh()
    mkdirSync(root)
    git(root, 'init', '-q', '-b', 'trunk')
    write(root, { 'staged.c': '', 'loose.c': '' })
    git(root, 'add', 'staged.c')
    const listing = await discover(root, { exclude: [] })
    expect(outline(listing).files).toEqual(['loose.c', 'staged.c'])
    expect(listing.git_sha).toBeUndefined()
    expect(listing.branch).toBe('trunk')
  })

  test('names no branch where HEAD is detached', async () => {
    const root = repository(fresh(), { 'a.c': '' })
    git(root, 'checkout', '-q', '--detach')
    expect(await discover(root, { exclude: [] })).toMatchObject({ branch: undefined, git_sha: expect.any(String) })
  })

  test('lists a tracked file that was deleted as vanished', async () => {
    const root = repository(fresh(), { 'a.c': '', 'b/c.c': '', 'd.c': '' })
    rmSync(join(root, 'a.c'))
    rmSync(join(root, 'b'), { recursive: true })
    rmSync(join(root, 'd.c'))
    write(root, { 'd.c/inner.c': '' })
    expect(await seen(root)).toEqual({
      files: ['d.c/inner.c'],
      skipped: ['a.c vanished', 'b/c.c vanished', 'd.c vanished'],
    })
  })

  test('lists a path with a merge conflict once', async () => {
    const root = repository(fresh(), { 'a.c': 'one\n' })
    git(root, 'checkout', '-q', '-b', 'other')
    write(root, { 'a.c': 'two\n' })
    commit(root)
    git(root, 'checkout', '-q', 'main')
    write(root, { 'a.c': 'three\n' })
    commit(root)
    expect(() => git(root, 'merge', 'other')).toThrow()
    expect((await seen(root)).files).toEqual(['a.c'])
  })

  test('started in a sub-folder, keeps to it, with paths from the top of the repository', async () => {
    const root = repository(fresh(), { 'a.c': '', 'lib/b.c': '', 'lib/deep/c.c': '', 'library/d.c': '' })
    write(root, { 'lib/new.c': '', 'new.c': '' })
    const listing = await discover(join(root, 'lib'), { exclude: [] })
    expect(listing.root).toBe(root)
    expect(outline(listing).files).toEqual(['lib/b.c', 'lib/deep/c.c', 'lib/new.c'])
  })

  test('takes a folder of magic characters as a name, not as a pattern', async () => {
    const root = repository(fresh(), { '*/a.c': '', 'x/b.c': '', ':(top)/c.c': '' })
    expect((await seen(join(root, '*'))).files).toEqual(['*/a.c'])
    expect((await seen(join(root, ':(top)'))).files).toEqual([':(top)/c.c'])
  })

  test('started in an ignored folder, scans that folder for itself', async () => {
    const root = repository(fresh(), { '.gitignore': 'scratch/\n' })
    write(root, { 'scratch/a.py': '' })
    const listing = await discover(join(root, 'scratch'), { exclude: [] })
    expect(listing).toMatchObject({ kind: 'folder', root: join(root, 'scratch') })
    expect(outline(listing).files).toEqual(['a.py'])
  })

  test('leaves out what svc writes, and only where git does not track it', async () => {
    const root = repository(fresh(), { 'out/kept.c': '', 'lib/out/a.c': '' })
    write(root, { 'out/report.html': '', 'out/history/1/run.json': '', '.svc/local/key': '', '.svc/config.yaml': '' })
    expect(await seen(root)).toEqual({ files: ['.svc/config.yaml', 'lib/out/a.c', 'out/kept.c'], skipped: [] })
  })

  test('lists what scan_exclude names, with the reason', async () => {
    const root = repository(fresh(), { 'a.c': '', 'vendor/b.c': '', 'x/gen/c.c': '' })
    expect(await seen(root, ['vendor/', '**/gen'])).toEqual({
      files: ['a.c'],
      skipped: ['vendor/b.c excluded', 'x/gen/c.c excluded'],
    })
  })

  test('is not confused by the variables that git sets for a hook', async () => {
    const other = repository(fresh(), { 'other.c': '' })
    const root = repository(fresh(), { 'a.c': '' })
    vi.stubEnv('GIT_DIR', join(other, '.git'))
    vi.stubEnv('GIT_WORK_TREE', other)
    vi.stubEnv('GIT_INDEX_FILE', join(other, '.git', 'index'))
    vi.stubEnv('GIT_PREFIX', 'x/')
    vi.stubEnv('GIT_LITERAL_PATHSPECS', '0')
    const listing = await discover(root, { exclude: [] })
    expect(listing.root).toBe(root)
    expect(outline(listing).files).toEqual(['a.c'])
  })

  test('runs no program that the repository names', async () => {
    const root = repository(fresh(), { 'a.c': '' })
    write(root, { 'spy.sh': `#!/bin/sh\ntouch '${root}/ran'\n` })
    execFileSync('chmod', ['+x', join(root, 'spy.sh')])
    git(root, 'config', 'core.fsmonitor', join(root, 'spy.sh'))
    expect((await seen(root)).files).toEqual(['a.c', 'spy.sh'])
  })

  test('lists sparse entries, and scans those that are on disk all the same', async () => {
    const root = repository(fresh(), { 'a.c': '', 'in/b.c': '', 'far/c.c': '', 'far/d.c': '' })
    git(root, 'sparse-checkout', 'set', 'in')
    expect(await seen(root)).toEqual({ files: ['a.c', 'in/b.c'], skipped: ['far/c.c sparse', 'far/d.c sparse'] })
    write(root, { 'far/d.c': '' })
    expect(await seen(root)).toEqual({ files: ['a.c', 'far/d.c', 'in/b.c'], skipped: ['far/c.c sparse'] })
  })

  test('reads a sparse index', async () => {
    const root = repository(fresh(), { 'a.c': '', 'in/b.c': '', 'far/deep/c.c': '' })
    git(root, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'in')
    expect(await seen(root)).toEqual({ files: ['a.c', 'in/b.c'], skipped: ['far/deep/c.c sparse'] })
  })

  test('reads a shallow clone', async () => {
    const source = repository(fresh(), { 'a.c': '' })
    write(source, { 'b.c': '' })
    commit(source)
    const root = fresh()
    git(base, 'clone', '-q', '--depth', '1', `file://${source}`, root)
    const listing = await discover(root, { exclude: [] })
    expect(outline(listing).files).toEqual(['a.c', 'b.c'])
    expect(listing.git_sha).toBe(git(source, 'rev-parse', 'HEAD'))
  })

  test('reads a linked work tree by itself, also where the main one is gone from its place', async () => {
    const main = repository(fresh(), { 'a.c': '' })
    const root = fresh()
    git(main, 'worktree', 'add', '-q', '-b', 'feature', root)
    write(root, { 'b.c': '' })
    expect(await discover(root, { exclude: [] })).toMatchObject({ kind: 'git', root, branch: 'feature' })
    expect((await seen(root)).files).toEqual(['a.c', 'b.c'])
    renameSync(main, `${main}-moved`)
    await expect(discover(root, { exclude: [] })).rejects.toMatchObject({ code: 'REPO_UNREADABLE' })
  })

  test('opens no pipe and lists it as special', async () => {
    const root = repository(fresh(), { 'a.c': '', 'b.c': '' })
    rmSync(join(root, 'b.c'))
    execFileSync('mkfifo', [join(root, 'b.c')])
    const listing = await discover(root, { exclude: [] })
    expect(outline(listing).files).toEqual(['a.c'])
    expect(listing.skipped).toEqual([{ path: 'b.c', reason: 'special', detail: 'named pipe' }])
  })
})

describe('names of files', () => {
  test('with spaces, quotes, line ends and other scripts stay as they are', async () => {
    const names = [
      'a b.c',
      'quote".c',
      "it's.c",
      'line\nfeed.c',
      'tab\t.c',
      'ünï–日本.c',
      '-dash.c',
      '$(x).c',
      'back\\slash.c',
    ]
    const root = repository(fresh(), Object.fromEntries(names.map(name => [name, ''])))
    write(root, Object.fromEntries(names.map(name => [`new/${name}`, ''])))
    const expected = [...names, ...names.map(name => `new/${name}`)].sort()
    expect(await seen(root)).toEqual({ files: expected, skipped: [] })
  })

  test('that are not UTF-8 are shown escaped and carry their bytes', async () => {
    const root = repository(fresh(), { 'a.c': '' })
    const tracked = Buffer.from('caf\xe9.c', 'latin1')
    const untracked = Buffer.from('d\xff/new\\.c', 'latin1')
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), tracked]), 'int a;')
    commit(root)
    mkdirSync(Buffer.concat([Buffer.from(`${root}/`), untracked.subarray(0, 2)]))
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), untracked]), '')
    const { files } = await discover(root, { exclude: [] })
    expect(files.map(file => file.path)).toEqual(['a.c', 'caf\\xe9.c', 'd\\xff/new\\\\.c'])
    expect(files[1]).toMatchObject({ raw: Uint8Array.from(tracked), size: 6, language: 'c' })
    expect(files[2]).toMatchObject({ raw: Uint8Array.from(untracked) })
  })
})

describe('what cannot be scanned', () => {
  test('a folder that does not exist, or a file, is refused by name', async () => {
    await expect(discover(join(base, 'nowhere'), { exclude: [] })).rejects.toMatchObject({ code: 'REPO_NOT_FOUND' })
    write(base, { 'plain.txt': '' })
    await expect(discover(join(base, 'plain.txt'), { exclude: [] })).rejects.toThrow('is a file, not a folder')
  })

  test('a .git folder is refused with the place to start', async () => {
    const root = repository(fresh(), { 'a.c': '' })
    await expect(discover(join(root, '.git'), { exclude: [] })).rejects.toMatchObject({
      code: 'REPO_NOT_FOUND',
      hint: expect.stringContaining('.git'),
    })
  })

  test('a repository whose work tree lies elsewhere says where to start', async () => {
    const root = repository(fresh(), { 'a.c': '' })
    const elsewhere = fresh()
    mkdirSync(elsewhere)
    git(root, 'config', 'core.worktree', elsewhere)
    await expect(discover(root, { exclude: [] })).rejects.toMatchObject({
      code: 'REPO_NOT_FOUND',
      hint: expect.stringContaining('core.worktree'),
    })
  })

  test('a repository of another user is refused with the command that trusts it', async () => {
    const root = repository(fresh(), { 'a.c': '' })
    vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1')
    const refused = discover(root, { exclude: [] })
    await expect(refused).rejects.toMatchObject({
      code: 'REPO_UNREADABLE',
      hint: expect.stringContaining('safe.directory'),
    })
    await expect(refused).rejects.not.toThrow(root)
  })

  test('a damaged index is named in git’s words, without the path of the folder', async () => {
    const root = repository(fresh(), { 'a.c': '' })
    writeFileSync(join(root, '.git', 'index'), 'nonsense nonsense nonsense nonsense')
    const refused = discover(root, { exclude: [] })
    await expect(refused).rejects.toMatchObject({
      code: 'REPO_UNREADABLE',
      message: expect.stringMatching(/index|signature/),
    })
    await expect(refused).rejects.not.toThrow(root)
  })

  test('without git, a repository asks for it and a plain folder does not', async () => {
    const root = repository(fresh(), { 'lib/a.c': '' })
    const plain = fresh()
    write(plain, { 'a.c': '' })
    vi.stubEnv('PATH', join(base, 'no-programs-here'))
    await expect(discover(join(root, 'lib'), { exclude: [] })).rejects.toMatchObject({
      code: 'TOOL_MISSING',
      hint: expect.stringContaining('Install git'),
    })
    expect((await seen(plain)).files).toEqual(['a.c'])
  })

  test('an abort ends the listing with its reason', async () => {
    const root = repository(fresh(), { 'a.c': '' })
    const control = new AbortController()
    const listing = discover(root, { exclude: [], signal: control.signal })
    control.abort()
    await expect(listing).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('symbolic links', () => {
  test('are left off where they lead to something listed, and listed with the reason elsewhere', async () => {
    const root = repository(fresh(), { 'a.c': '', 'lib/b.c': '', '.gitignore': 'ignored/\n' })
    write(root, { 'ignored/c.c': '' })
    const links: Record<string, string> = {
      'to-file.c': 'a.c',
      'to-folder': 'lib',
      'to-top': '.',
      'lib/up': '..',
      'to-passwd': '/etc/passwd',
      'to-above': '../..',
      broken: 'nowhere',
      'loop-a': 'loop-b',
      'loop-b': 'loop-a',
      'to-ignored': 'ignored/c.c',
      'to-git': '.git/config',
      'to-sibling': `../${root.slice(base.length + 1)}-evil`,
    }
    mkdirSync(`${root}-evil`)
    for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path))
    const check = async () => {
      const listing = await discover(root, { exclude: [] })
      expect(outline(listing).files).toEqual(['.gitignore', 'a.c', 'lib/b.c'])
      expect(listing.skipped.map(skip => [skip.path, skip.reason, skip.detail])).toEqual([
        ['broken', 'symlink', 'leads nowhere'],
        ['loop-a', 'symlink', 'leads back to itself'],
        ['loop-b', 'symlink', 'leads back to itself'],
        ['to-above', 'symlink', 'leads outside the repository'],
        ['to-git', 'symlink', 'leads to something that is not scanned'],
        ['to-ignored', 'symlink', 'leads to something that is not scanned'],
        ['to-passwd', 'symlink', 'leads outside the repository'],
        ['to-sibling', 'symlink', 'leads outside the repository'],
      ])
    }
    await check()
    commit(root)
    await check()
  })

  test('do not lead out of the root where a tracked folder was replaced by one', async () => {
    const outside = fresh()
    write(outside, { 'secret.c': 'int secret;', 'deep/more.c': '' })
    const root = repository(fresh(), { 'a.c': '', 'lib/secret.c': '', 'lib/deep/more.c': '' })
    rmSync(join(root, 'lib'), { recursive: true })
    symlinkSync(outside, join(root, 'lib'))
    expect(await seen(root)).toEqual({
      files: ['a.c'],
      skipped: ['lib symlink', 'lib/deep/more.c symlink', 'lib/secret.c symlink'],
    })
  })
})
