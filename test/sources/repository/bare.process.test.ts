import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BlobReader } from '../../../engine/sources/repository/blobs.ts'
import { discover } from '../../../engine/sources/repository/discover.ts'
import { ground, write } from '../../made/folder.ts'
import { commit, git, outline, repository } from '../../made/git.ts'

const base = ground()
let count = 0
const fresh = () => join(base, `case-${++count}`)

function bareCloneOf(source: string): string {
  const root = fresh()
  git(base, 'clone', '-q', '--bare', source, root)
  return root
}

test('a bare clone lists the tree of HEAD with sizes and the objects that hold the content', async () => {
  const source = repository(fresh(), { 'a b.c': 'int a;\n', 'lib/ü.py': 'x = 1\n' })
  const root = bareCloneOf(source)
  const listing = await discover(root, { exclude: ['nothing'] })
  expect(listing).toMatchObject({
    root,
    kind: 'bare',
    branch: 'main',
    git_sha: git(source, 'rev-parse', 'HEAD'),
    skipped: [],
  })
  expect(listing.files).toMatchObject([
    { path: 'a b.c', size: 7, language: 'c', in_test: false, blob: git(source, 'rev-parse', 'HEAD:a b.c') },
    { path: 'lib/ü.py', size: 6, language: 'python', in_test: false, blob: git(source, 'rev-parse', 'HEAD:lib/ü.py') },
  ])
  const reader = new BlobReader(root)
  const [first] = await reader.read([listing.files[0]!.blob!], 1000)
  reader.close()
  expect(Buffer.from(first as Uint8Array).toString()).toBe('int a;\n')
})

test('a folder whose .git is bare is listed from HEAD, with that folder as the root', async () => {
  const source = repository(fresh(), { 'a.c': '' })
  const root = fresh()
  mkdirSync(root)
  git(base, 'clone', '-q', '--bare', source, join(root, '.git'))
  const listing = await discover(root, { exclude: [] })
  expect(listing).toMatchObject({ root, kind: 'bare' })
  expect(outline(listing).files).toEqual(['a.c'])
})

test('a bare repository without a commit says which branch is missing', async () => {
  const root = fresh()
  git(base, 'init', '-q', '--bare', '-b', 'trunk', root)
  await expect(discover(root, { exclude: [] })).rejects.toMatchObject({
    code: 'NOTHING_TO_SCAN',
    message: expect.stringContaining('"trunk"'),
  })
})

test('exclusion, attributes, links and submodules hold in a bare clone', async () => {
  const source = repository(fresh(), {
    'a.c': '',
    'gen/b.c': '',
    'third/c.c': '',
    'third/ours.c': '',
    'old/d.c': '',
    'wide.txt': Buffer.from('a', 'utf16le'),
    '.gitattributes':
      'gen/** linguist-generated\nthird/** linguist-vendored=true\nwide.txt working-tree-encoding=UTF-16LE\n',
    'third/.gitattributes': 'ours.c -linguist-vendored\n',
  })
  symlinkSync('a.c', join(source, 'good'))
  symlinkSync('../gen', join(source, 'gen', 'up'))
  symlinkSync('/etc/passwd', join(source, 'absolute'))
  symlinkSync('../x', join(source, 'above'))
  symlinkSync('missing', join(source, 'broken'))
  git(source, 'submodule', '--quiet', 'add', repository(fresh(), { 'x.c': '' }), 'sub')
  commit(source)
  const listing = await discover(bareCloneOf(source), { exclude: ['old'] })
  expect(outline(listing)).toEqual({
    files: [
      '.gitattributes',
      '.gitmodules',
      'a.c',
      'gen/b.c generated',
      'third/.gitattributes vendored',
      'third/c.c vendored',
      'third/ours.c',
      'wide.txt',
    ],
    skipped: ['above symlink', 'absolute symlink', 'broken symlink', 'old/d.c excluded', 'sub/ submodule_absent'],
  })
  // git keeps the text as UTF-8 and would write it as UTF-16.
  expect(listing.files.find(file => file.path === 'wide.txt')).not.toHaveProperty('encoding')
})

test('a hook in the repository is not run', async () => {
  const source = repository(fresh(), { 'a.c': '', '.gitattributes': 'a.c linguist-generated\n' })
  const root = bareCloneOf(source)
  const trace = fresh()
  write(root, { 'hooks/post-index-change': `#!/bin/sh\ntouch '${trace}'\n` })
  chmodSync(join(root, 'hooks/post-index-change'), 0o755)
  expect(outline(await discover(root, { exclude: [] })).files).toContain('a.c generated')
  expect(existsSync(trace)).toBe(false)
})

test('names that are not UTF-8 keep their bytes in a bare clone', async () => {
  const source = repository(fresh(), {})
  const name = Buffer.from('caf\xe9.c', 'latin1')
  writeFileSync(Buffer.concat([Buffer.from(`${source}/`), name]), '')
  commit(source)
  const listing = await discover(bareCloneOf(source), { exclude: [] })
  expect(listing.files).toMatchObject([{ path: 'caf\\xe9.c', raw: Uint8Array.from(name) }])
})

test('objects are read in order, whole, from one process, with what is missing or too large told apart', async () => {
  const big = Buffer.alloc(300_000, 'line of text\n')
  const root = repository(fresh(), {
    'a.c': 'int a;',
    'empty.c': '',
    'big.c': big,
    'nul.bin': Buffer.from([0, 10, 0, 10]),
  })
  const id = (path: string) => git(root, 'rev-parse', `HEAD:${path}`)
  const reader = new BlobReader(root)
  try {
    const [first, second] = await Promise.all([
      reader.read([id('a.c'), id('empty.c'), '0'.repeat(40), id('big.c'), id('nul.bin')], 1_000_000),
      reader.read([id('big.c'), 'HEAD:a.c', 'HEAD:no such'], 299_999),
    ])
    expect(first).toEqual([
      Uint8Array.from(Buffer.from('int a;')),
      new Uint8Array(0),
      { reason: 'vanished', detail: expect.any(String) },
      Uint8Array.from(big),
      Uint8Array.from([0, 10, 0, 10]),
    ])
    expect(second).toEqual([
      { reason: 'too_large', detail: '300000 bytes, the limit is 299999' },
      Uint8Array.from(Buffer.from('int a;')),
      { reason: 'vanished', detail: expect.any(String) },
    ])
    expect((first[0] as Uint8Array).buffer.byteLength).toBe(6)
  } finally {
    reader.close()
  }
})

test('thousands of objects asked for at once all arrive', async () => {
  const root = repository(
    fresh(),
    Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`${at}.c`, `int v${at};\n`.repeat(50)])),
  )
  const reader = new BlobReader(root)
  const { files } = await discover(root, { exclude: [] })
  const contents = await reader.read(
    files.map(file => `HEAD:${file.path}`),
    10_000,
  )
  reader.close()
  files.forEach((file, at) => {
    expect(Buffer.from(contents[at] as Uint8Array).toString()).toMatch(new RegExp(`^int v${file.path.slice(0, -2)};\n`))
  })
})

test('a reader of no repository rejects with git’s reason', async () => {
  const root = fresh()
  write(root, { 'a.c': '' })
  const reader = new BlobReader(root)
  await expect(reader.read(['HEAD'], 10)).rejects.toMatchObject({ code: 'REPO_UNREADABLE' })
})

test('a name with a line feed in it is no object, and shifts no other answer', async () => {
  const root = repository(fresh(), { 'a.c': 'int a;', 'b.c': 'int b;' })
  const reader = new BlobReader(root)
  try {
    const [none, first] = await reader.read(['HEAD:x\nHEAD:b.c', 'HEAD:a.c'], 10)
    const [second] = await reader.read(['HEAD:b.c'], 10)
    expect(none).toMatchObject({ reason: 'vanished' })
    expect([first, second]).toEqual(['int a;', 'int b;'].map(text => Uint8Array.from(Buffer.from(text))))
    expect(await reader.read(['\n'], 10)).toMatchObject([{ reason: 'vanished' }])
  } finally {
    reader.close()
  }
})
