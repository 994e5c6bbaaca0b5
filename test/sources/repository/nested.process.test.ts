import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { discover } from '../../../engine/sources/repository/discover.ts'
import { ground, write } from '../../made/folder.ts'
import { git, repository, seen } from '../../made/git.ts'

const base = ground()
let count = 0
const fresh = () => join(base, `case-${++count}`)

afterEach(() => vi.unstubAllEnvs())

describe('submodules', () => {
  const inner = repository(fresh(), { 'inner.c': '', '.gitignore': '*.o\n' })
  const middle = repository(fresh(), { 'middle.c': '' })
  git(middle, 'submodule', '--quiet', 'add', inner, 'deps/inner')
  git(middle, 'commit', '-q', '-m', 'inner')

  test('that are checked out are listed at every depth, with their own untracked and ignored files', async () => {
    const root = repository(fresh(), { 'top.c': '' })
    git(root, 'submodule', '--quiet', 'add', middle, 'lib')
    git(root, 'submodule', '--quiet', 'update', '--init', '--recursive')
    write(root, { 'lib/deps/inner/new.c': '', 'lib/deps/inner/built.o': '' })
    expect(await seen(root)).toEqual({
      files: [
        '.gitmodules',
        'lib/.gitmodules',
        'lib/deps/inner/.gitignore',
        'lib/deps/inner/inner.c',
        'lib/deps/inner/new.c',
        'lib/middle.c',
        'top.c',
      ],
      skipped: [],
    })
    expect((await seen(root, ['lib/deps'])).skipped).toEqual(['lib/deps/inner/ excluded'])
  })

  test('that are not checked out are listed as absent', async () => {
    const source = repository(fresh(), { 'top.c': '' })
    git(source, 'submodule', '--quiet', 'add', inner, 'lib')
    git(source, 'commit', '-q', '-m', 'lib')
    const root = fresh()
    git(base, 'clone', '-q', source, root)
    expect(await seen(root)).toEqual({ files: ['.gitmodules', 'top.c'], skipped: ['lib/ submodule_absent'] })
    rmSync(join(root, 'lib'), { recursive: true })
    expect((await seen(root)).skipped).toEqual(['lib/ submodule_absent'])
  })

  test('that lost their repository are absent, and never list the repository around them', async () => {
    const root = repository(fresh(), { 'top.c': '' })
    git(root, 'submodule', '--quiet', 'add', inner, 'lib')
    rmSync(join(root, '.git', 'modules'), { recursive: true })
    expect((await seen(root)).skipped).toEqual(['lib/ submodule_absent'])
    rmSync(join(root, 'lib', '.git'))
    mkdirSync(join(root, 'lib', '.git'))
    const listing = await discover(root, { exclude: [] })
    expect(listing.files.map(file => file.path)).toEqual(['.gitmodules', 'top.c'])
    expect(listing.skipped).toEqual([
      { path: 'lib/', reason: 'submodule_absent', detail: expect.stringContaining('not a git repository') },
    ])
  })

  test('started inside one, it is the root', async () => {
    const root = repository(fresh(), { 'top.c': '' })
    git(root, 'submodule', '--quiet', 'add', inner, 'lib')
    expect(await discover(join(root, 'lib'), { exclude: [] })).toMatchObject({ root: join(root, 'lib') })
  })
})

describe('nested repositories that git does not track', () => {
  test('are listed as git sees them, with or without a commit', async () => {
    const root = repository(fresh(), { 'a.c': '' })
    repository(join(root, 'tools'), { 'b.c': '', '.gitignore': '*.o\n' })
    write(root, { 'tools/b.o': '', 'young/c.c': '' })
    git(join(root, 'young'), 'init', '-q')
    expect(await seen(root)).toEqual({ files: ['a.c', 'tools/.gitignore', 'tools/b.c', 'young/c.c'], skipped: [] })
  })

  test('that belong to somebody else are listed as unreadable, and the rest is listed', async () => {
    const root = repository(fresh(), { 'a.c': '' })
    repository(join(root, 'theirs'), { 'b.c': '' })
    writeFileSync(join(root, 'theirs', '.git', 'config'), '[core]\n\trepositoryformatversion = 99\n')
    const listing = await discover(root, { exclude: [] })
    expect(listing.files.map(file => file.path)).toEqual(['a.c'])
    expect(listing.skipped).toMatchObject([{ path: 'theirs/', reason: 'unreadable' }])
  })

  test('that are other work trees of the same repository are left out, not scanned twice', async () => {
    const root = repository(fresh(), { 'a.c': '' })
    git(root, 'worktree', 'add', '-q', 'trees/feature')
    expect(await seen(root)).toEqual({ files: ['a.c'], skipped: ['trees/feature/ excluded'] })
  })

  test('an empty .git is no repository: its folder is part of the one around it', async () => {
    const root = repository(fresh(), { 'a.c': '' })
    write(root, { 'odd/b.c': '' })
    mkdirSync(join(root, 'odd', '.git'))
    expect((await seen(root)).files).toEqual(['a.c', 'odd/b.c'])
  })
})

describe('repositories in a plain folder', () => {
  test('are listed as git sees them, beside the loose files', async () => {
    const root = fresh()
    repository(join(root, 'one'), { 'a.c': '', '.gitignore': '*.o\n' })
    repository(join(root, 'deep', 'two'), { 'b.c': '' })
    write(root, { 'one/a.o': '', 'loose.c': '' })
    const listing = await discover(root, { exclude: [] })
    expect(listing.kind).toBe('folder')
    expect(await seen(root)).toEqual({ files: ['deep/two/b.c', 'loose.c', 'one/.gitignore', 'one/a.c'], skipped: [] })
  })

  test('are walked as folders where there is no git', async () => {
    const root = fresh()
    repository(join(root, 'one'), { 'a.c': '' })
    vi.stubEnv('PATH', join(base, 'no-programs-here'))
    expect((await seen(root)).files).toEqual(['one/a.c'])
  })

  test('whose repository moved away are listed as unreadable', async () => {
    const main = repository(fresh(), { 'a.c': '' })
    const root = fresh()
    mkdirSync(root)
    git(main, 'worktree', 'add', '-q', join(root, 'tree'))
    renameSync(main, `${main}-moved`)
    expect(await seen(root)).toEqual({ files: [], skipped: ['tree/ unreadable'] })
  })
})
