import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { discover } from '../../../engine/sources/repository/discover.ts'
import { ground, write } from '../../made/folder.ts'
import { commit, git, outline, repository, seen } from '../../made/git.ts'

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
    const others = ['.svc/config.yaml', 'lib/out/a.c', 'out/kept.c']
    // Without the marker, the directory is the project's own.
    expect(await seen(root)).toEqual({
      files: [...others, 'out/history/1/run.json', 'out/report.html'].sort(),
      skipped: ['.svc/local/ own_file'],
    })
    write(root, { 'out/.svc': '' })
    expect(await seen(root)).toEqual({ files: others, skipped: ['.svc/local/ own_file', 'out/ own_file'] })
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
