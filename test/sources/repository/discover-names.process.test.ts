import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { discover } from '../../../engine/sources/repository/discover.ts'
import { ground, write } from '../../made/folder.ts'
import { commit, git, outline, repository, seen } from '../../made/git.ts'

const base = ground()
let count = 0
const fresh = () => join(base, `case-${++count}`)

afterEach(() => vi.unstubAllEnvs())

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
    await expect(discover(join(base, 'plain.txt'), { exclude: [] })).rejects.toThrow('is a file, not a directory')
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
        ['broken', 'symlink', 'is broken'],
        ['loop-a', 'symlink', 'points to itself'],
        ['loop-b', 'symlink', 'points to itself'],
        ['to-above', 'symlink', 'points outside the repository'],
        ['to-git', 'symlink', 'points to something that is not scanned'],
        ['to-ignored', 'symlink', 'points to something that is not scanned'],
        ['to-passwd', 'symlink', 'points outside the repository'],
        ['to-sibling', 'symlink', 'points outside the repository'],
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
