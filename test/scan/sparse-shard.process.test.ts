import { cpSync, existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Run } from '../../engine/base/records/run.ts'
import { READS_OBJECTS } from '../../engine/scan/assign-shard.ts'
import { folder, write } from '../made/folder.ts'
import { commit, git } from '../made/git.ts'
import { expectSame } from '../made/same.ts'
import { everything, left, merged, scanned } from './shard-project.ts'

const READING = { [READS_OBJECTS]: '1' }

/** A clone of the repository without any file but settings. */
function makeSparse(repository: string): string {
  const root = join(folder(), 'project')
  git(repository, 'clone', '-q', '--no-checkout', repository, root)
  write(root, { '.git/info/sparse-checkout': '.svc/\n.gitattributes\n' })
  git(root, '-c', 'core.sparseCheckout=true', 'read-tree', '--reset', '-u', 'HEAD')
  return root
}

test('shards that read git’s objects come to the run, files and reports of one scan of a checkout, merged in one or without', async () => {
  const source = await everything()
  symlinkSync('src/a.py', join(source, 'link.py'))
  write(source, {
    '.gitattributes': 'made/** linguist-generated\n',
    'made/a.js': 'eval(location.hash)\n',
    'pointer.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
    'back\\\\slash.py': 'eval(input())\n',
  })
  commit(source)
  const whole = join(folder(), 'project')
  git(source, 'clone', '-q', source, whole)
  const once = await scanned(whole)
  const result = await left(whole)
  expect(once.findings.map(({ file }) => file)).toEqual(expect.arrayContaining(['src/c.js', 'made/a.js', 'script']))

  const sparse = makeSparse(source)
  const brought = join(folder(), 'brought')
  for (const index of [1, 2]) {
    const { shard } = await scanned(sparse, { shard: `${index}/2` }, READING)
    expect(shard!.files).toBeGreaterThan(10)
    cpSync(join(sparse, shard!.folder), join(brought, `shard-${index}-of-2`), { recursive: true })
  }
  expectSame((await merged(whole, [brought])).findings, once.findings)
  expectSame(await left(whole), result)
  const absent = makeSparse(source)
  expectSame((await merged(absent, [brought], {}, READING)).findings, once.findings)
  expectSame(await left(absent), result)
  expect(existsSync(join(absent, 'src/c.js')), 'a file that nobody needs on disk').toBe(false)
  expect(readdirSync(join(absent, '.git')).filter(name => name.startsWith('svc-'))).toEqual([])
})

const CROSS = {
  'a.js': "const { run } = require('./lib/b')\nmodule.exports = (req, res) => run(req.query.name)\n",
  'lib/b.js': "const { exec } = require('child_process')\nexports.run = name => exec('ls ' + name)\n",
}
const LAYERS = 'layers:\n  - { name: top, paths: [a.js] }\n  - { name: low, paths: [lib/**] }\n'

test.each<[string, boolean, Record<string, string>, (root: string) => void]>([
  [
    'data is followed between files, and a link leads to one',
    false,
    {},
    root => symlinkSync('../a.js', join(root, 'lib/link.js')),
  ],
  ['a link is broken, so that the files are checked out', true, {}, root => symlinkSync('gone', join(root, 'link.js'))],
  [
    'architecture rules are checked, so that the files are checked out',
    true,
    { '.svc/architecture.yaml': LAYERS },
    () => {},
  ],
])('a merge without a checkout gives the run of one scan where %s', async (_, needsFiles, more, also) => {
  const source = join(folder(), 'source')
  write(source, { ...CROSS, ...more })
  also(source)
  git(source, 'init', '-q', '-b', 'main')
  commit(source)
  const whole = join(folder(), 'project')
  git(source, 'clone', '-q', source, whole)
  const once = await scanned(whole)
  const absent = makeSparse(source)
  const { shard } = await scanned(absent, { shard: '1/1' }, READING)
  const brought = join(folder(), 'brought')
  cpSync(join(absent, shard!.folder), join(brought, 'shard-1-of-1'), { recursive: true })
  rmSync(join(absent, 'out'), { recursive: true })
  expectSame((await merged(absent, [brought], {}, READING)).findings, once.findings)
  expectSame(await left(absent), await left(whole))
  expect(once.findings.some(({ flow }) => flow?.some(({ file }) => file === 'a.js'))).toBe(true)
  expect(existsSync(join(absent, 'a.js'))).toBe(needsFiles)
})

test('a sparse checkout is a part of its repository, unless whoever scans it says otherwise', async () => {
  const source = join(folder(), 'source')
  write(source, { '.svc/config.yaml': '{}\n', 'a.js': 'eval(x)\n' })
  git(source, 'init', '-q', '-b', 'main')
  commit(source)
  const root = makeSparse(source)
  await scanned(root, {}, READING)
  expect(((await left(root)).run as Run).skipped).toContainEqual({ path: 'a.js', reason: 'sparse' })
  expect((await scanned(root, { shard: '1/1' })).shard!.files).toBe(1)
  expect((await scanned(root, { shard: '1/1' }, READING)).shard!.files).toBe(2)
})

test('a shard whose object is not there fails, and leaves nothing out', async () => {
  const source = join(folder(), 'source')
  write(source, { 'a.js': 'eval(x)\n' })
  git(source, 'init', '-q', '-b', 'main')
  commit(source)
  git(source, 'config', 'uploadpack.allowFilter', 'true')
  const root = join(folder(), 'project')
  git(source, 'clone', '-q', '--no-checkout', '--filter=blob:none', `file://${source}`, root)
  write(root, { '.git/info/sparse-checkout': '.svc/\n' })
  git(root, '-c', 'core.sparseCheckout=true', 'read-tree', '--reset', '-u', 'HEAD')
  git(root, 'remote', 'remove', 'origin')
  await expect(scanned(root, { shard: '1/1' }, READING)).rejects.toMatchObject({ code: 'REPO_UNREADABLE' })
})
