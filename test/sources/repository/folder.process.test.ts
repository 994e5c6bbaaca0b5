import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { discover } from '../../../engine/sources/repository/discover.ts'
import { ground, write } from '../../made/folder.ts'
import { git, seen } from '../../made/git.ts'
import fc from '../../made/property.ts'

const base = ground()
let count = 0
const fresh = () => join(base, `case-${++count}`)

test('a plain folder is listed whole, sorted, and what version control and svc keep for themselves is named', async () => {
  const root = fresh()
  write(root, { 'b/c.py': '', 'a.c': 'int a;', '.hidden/d.js': '', '.hg/store': '', '.svn/entries': '' })
  write(root, { 'out/.svc': '', 'out/report.html': '', '.svc/local/key': '', 'lib/out/e.c': '' })
  const listing = await discover(root, { exclude: [] })
  expect(listing).toEqual({
    root,
    kind: 'folder',
    files: [
      { path: '.hidden/d.js', size: 0, language: 'javascript', in_test: false },
      { path: 'a.c', size: 6, language: 'c', in_test: false },
      { path: 'b/c.py', size: 0, language: 'python', in_test: false },
      { path: 'lib/out/e.c', size: 0, language: 'c', in_test: false },
    ],
    skipped: [
      { path: '.hg/', reason: 'version_control', detail: 'data of Mercurial' },
      { path: '.svc/local/', reason: 'own_file', detail: 'a directory that svc writes' },
      { path: '.svn/', reason: 'version_control', detail: 'data of Subversion' },
      { path: 'out/', reason: 'own_file', detail: 'a directory that svc writes' },
    ],
  })
})

test('an empty folder has nothing, and is no error', async () => {
  const root = fresh()
  mkdirSync(root)
  expect(await seen(root)).toEqual({ files: [], skipped: [] })
})

test('installed packages and excluded folders are not entered, and each is listed once', async () => {
  const root = fresh()
  write(root, { 'a.js': '', 'node_modules/x/index.js': '', 'web/node_modules/y/index.js': '', 'vendor/z/z.go': '' })
  expect(await seen(root, ['vendor'])).toEqual({
    files: ['a.js'],
    skipped: ['node_modules/ vendored', 'vendor/ excluded', 'web/node_modules/ vendored'],
  })
  expect((await seen(join(root, 'node_modules'))).files).toEqual(['x/index.js'])
})

test('links, pipes and sockets are never opened', async () => {
  const root = fresh()
  write(root, { 'a.c': '' })
  mkdirSync(join(root, 'sub'))
  symlinkSync('..', join(root, 'sub', 'cycle'))
  symlinkSync('/etc', join(root, 'etc'))
  execFileSync('mkfifo', [join(root, 'pipe.c')])
  execFileSync('mkfifo', [join(root, '.gitignore')])
  execFileSync('mkfifo', [join(root, '.gitattributes')])
  expect(await seen(root)).toEqual({
    files: ['a.c'],
    skipped: ['.gitattributes special', '.gitignore special', 'etc symlink', 'pipe.c special'],
  })
})

test('names that are not UTF-8 are listed below folders that are not', async () => {
  const root = fresh()
  mkdirSync(Buffer.concat([Buffer.from(`${root}/d`), Buffer.from([0xff])]), { recursive: true })
  const name = Buffer.concat([
    Buffer.from('d'),
    Buffer.from([0xff]),
    Buffer.from('/a b\n'),
    Buffer.from([0xfe]),
    Buffer.from('.c'),
  ])
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), name]), 'int a;')
  write(root, { 'x\\xff.c': '' })
  const { files } = await discover(root, { exclude: [] })
  expect(files).toEqual([
    { path: 'd\\xff/a b\n\\xfe.c', size: 6, language: 'c', in_test: false, raw: Uint8Array.from(name) },
    { path: 'x\\\\xff.c', size: 0, language: 'c', in_test: false, raw: Uint8Array.from(Buffer.from('x\\xff.c')) },
  ])
})

test('the innermost ignore file decides, and a folder that is left out cannot be looked into', async () => {
  const root = fresh()
  write(root, {
    '.gitignore': '*.log\n/build/\ntmp/\n!keep.log\n*.TXT\n',
    'sub/.gitignore': '!*.log\n!tmp/\nlocal.c\n',
    'a.log': '',
    'keep.log': '',
    'lower.txt': '',
    'build/x.c': '',
    'sub/build/x.c': '',
    'sub/b.log': '',
    'sub/tmp/c.c': '',
    'sub/tmp/d.log': '',
    'sub/local.c': '',
    'tmp/.gitignore': '!*\n',
    'tmp/e.c': '',
    'local.c': '',
  })
  const { files } = await seen(root)
  expect(files).toEqual([
    '.gitignore',
    'keep.log',
    'local.c',
    'lower.txt',
    'sub/.gitignore',
    'sub/b.log',
    'sub/build/x.c',
    'sub/tmp/c.c',
    'sub/tmp/d.log',
  ])
})

test('any tree with any ignore files is listed as git would list it', async () => {
  const part = fc.constantFrom('a', 'b', 'c.c', 'd.log')
  const path = fc.array(part, { minLength: 1, maxLength: 3 }).map(parts => parts.join('/'))
  const pattern = fc
    .tuple(
      fc.constantFrom('', '!'),
      fc.constantFrom('', '/', '**/'),
      fc.constantFrom('a', 'b', '*.c', '*.log', 'a/b', '*', 'a/**'),
      fc.constantFrom('', '/'),
    )
    .map(parts => parts.join(''))
  const ignoreFile = fc.tuple(fc.constantFrom('', 'a/', 'b/', 'a/b/'), fc.array(pattern, { maxLength: 4 }))
  await fc.assert(
    fc.asyncProperty(
      fc.array(path, { minLength: 1, maxLength: 8 }),
      fc.array(ignoreFile, { maxLength: 3 }),
      async (paths, ignores) => {
        const root = fresh()
        mkdirSync(root)
        // A path may be a file or a folder, whichever came first.
        const place = (name: string, text: string) => {
          try {
            write(root, { [name]: text })
          } catch {}
        }
        for (const name of paths) place(name, '')
        for (const [at, lines] of ignores) place(`${at}.gitignore`, `${lines.join('\n')}\n`)
        const walked = (await seen(root)).files
        git(root, 'init', '-q')
        expect(walked).toEqual((await seen(root)).files)
      },
    ),
    {
      numRuns: 40,
      examples: [
        [
          ['b/a/a'],
          [
            ['', ['a']],
            ['b/', ['!a/']],
          ],
        ],
      ],
    },
  )
})
