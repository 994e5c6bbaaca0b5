import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { discover } from '../../../engine/sources/repository/discover.ts'
import { ground, write } from '../../made/folder.ts'
import { git, repository, seen } from '../../made/git.ts'

const base = ground()
let count = 0
const fresh = () => join(base, `case-${++count}`)

test('generated and vendored files are listed for scanning with their class, as the nearest attributes file says', async () => {
  const root = repository(fresh(), {
    '.gitattributes': '*.pb.go linguist-generated=true\nthird/* linguist-vendored\n',
    'third/.gitattributes': 'ours.c linguist-vendored=false\n*.pb.go -linguist-generated\n',
    'a.pb.go': '',
    'third/x.c': '',
    'third/ours.c': '',
    'third/b.pb.go': '',
  })
  write(root, { 'new.pb.go': '' })
  expect(await seen(root)).toEqual({
    files: [
      '.gitattributes',
      'a.pb.go generated',
      'new.pb.go generated',
      'third/.gitattributes vendored',
      'third/b.pb.go vendored',
      'third/ours.c',
      'third/x.c vendored',
    ],
    skipped: [],
  })
})

test('macros, quoted names and names with line ends are understood as git understands them', async () => {
  const root = repository(fresh(), {
    '.gitattributes': '[attr]machine linguist-generated\n"a b.c" machine\nline* machine\n',
    'a b.c': '',
    'line\nfeed.c': '',
    'c.c': '',
  })
  expect((await seen(root)).files).toEqual(['.gitattributes', 'a b.c generated', 'c.c', 'line\nfeed.c generated'])
})

test('a working-tree-encoding is carried by the file', async () => {
  const root = repository(fresh(), { 'a.txt': 'x', 'b.txt': 'y' })
  write(root, { '.gitattributes': 'a.txt working-tree-encoding=UTF-16LE-BOM\nb.txt -working-tree-encoding\n' })
  const { files } = await discover(root, { exclude: [] })
  expect(files.map(file => [file.path, file.encoding])).toEqual([
    ['.gitattributes', undefined],
    ['a.txt', 'UTF-16LE-BOM'],
    ['b.txt', undefined],
  ])
})

test('attributes above the folder that the scan was started in hold too', async () => {
  const root = repository(fresh(), {
    '.gitattributes': 'lib/deep/*.c linguist-generated\n',
    'lib/deep/a.c': '',
    'lib/b.c': '',
  })
  expect(await seen(join(root, 'lib'))).toEqual({ files: ['lib/b.c', 'lib/deep/a.c generated'], skipped: [] })
})

test('attributes of the clone hold, and those of the machine do not', async () => {
  const root = repository(fresh(), { 'a.c': '', 'b.c': '' })
  write(root, { '.git/info/attributes': 'a.c linguist-generated\n' })
  const home = fresh()
  write(home, {
    '.config/git/attributes': 'b.c linguist-generated\n',
    '.gitconfig': '[core]\n\tattributesFile = ~/.config/git/attributes\n',
  })
  vi.stubEnv('HOME', home)
  vi.stubEnv('XDG_CONFIG_HOME', join(home, '.config'))
  const result = await seen(root)
  vi.unstubAllEnvs()
  expect(result).toEqual({ files: ['a.c generated', 'b.c'], skipped: [] })
})

test('attributes of a linked work tree come from its repository', async () => {
  const main = repository(fresh(), { 'a.c': '' })
  write(main, { '.git/info/attributes': 'a.c linguist-vendored\n' })
  const root = fresh()
  git(main, 'worktree', 'add', '-q', root)
  expect((await seen(root)).files).toEqual(['a.c vendored'])
})

test('attributes of a submodule hold in it, and those around it do not', async () => {
  const inner = repository(fresh(), { '.gitattributes': 'gen.c linguist-generated\n', 'gen.c': '', 'b.c': '' })
  const root = repository(fresh(), { '.gitattributes': 'lib/b.c linguist-vendored\n' })
  git(root, 'submodule', '--quiet', 'add', inner, 'lib')
  expect(await seen(root)).toEqual({
    files: ['.gitattributes', '.gitmodules', 'lib/.gitattributes', 'lib/b.c', 'lib/gen.c generated'],
    skipped: [],
  })
})

test('an attributes file that a sparse checkout left out still holds', async () => {
  const root = repository(fresh(), { 'top/.gitattributes': '*.c linguist-generated\n', 'top/in/a.c': '', 'b.c': '' })
  git(root, 'sparse-checkout', 'set', '--no-cone', 'top/in/', '/b.c')
  expect(await seen(root)).toEqual({ files: ['b.c', 'top/in/a.c generated'], skipped: ['top/.gitattributes sparse'] })
})

test('an attributes file that is a pipe does not hold the listing up, and what others say still holds', async () => {
  const root = repository(fresh(), {
    'lib/.gitattributes': '*.c linguist-generated\n',
    'lib/a.c': '',
    'src/.gitattributes': '*.c linguist-generated\n',
    'src/b.c': '',
  })
  rmSync(join(root, 'src/.gitattributes'))
  execFileSync('mkfifo', [join(root, 'src/.gitattributes')])
  expect(await seen(root)).toEqual({
    files: ['lib/.gitattributes', 'lib/a.c generated', 'src/b.c'],
    skipped: ['src/.gitattributes special'],
  })
})
