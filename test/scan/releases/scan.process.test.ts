import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { perform } from '../../../engine/scan/perform.ts'
import { persist } from '../../../engine/scan/persist.ts'
import { surface } from '../../made/call.ts'
import { write } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { merged, shards } from '../shard-project.ts'

const FILES = {
  'box.c': '#include <stdlib.h>\nvoid destroy_box(struct box *b)\n{\n\tfree(b->name);\n\tfree(b);\n}\n',
  'main.c': 'int show(struct box *b)\n{\n\tdestroy_box(b);\n\treturn b->size;\n}\n',
}

async function scan(root: string, input: object = {}) {
  const { context } = surface(root, { env: { SVC_CACHE_KEY: 'k'.repeat(32) } })
  const { findings, run } = await perform({ repo_path: '.', ...input }, context)
  return { found: findings.filter(({ rule_id }) => rule_id === 'c-free-then-use'), run }
}

test('a scan knows what functions of other files free, with and without what the scan before kept', async () => {
  const root = project(FILES)
  const { found: cold } = await scan(root)
  expect(cold).toMatchObject([{ file: 'main.c', line: 4, status: 'open', confidence: 0.8, deterministic: false }])
  const steps = cold[0]!.flow!.map(({ file, line, label }) => `${file}:${line} ${label}`)
  expect(steps).toEqual(['main.c:3 freed by destroy_box', 'box.c:5 freed here', 'main.c:4 used here'])
  const warm = await scan(root)
  expect(warm.run.cache).toMatchObject({ misses: 0 })
  expect(warm.found).toEqual(cold)
  rmSync(join(root, '.svc/local/cache/releases.cache'))
  expect((await scan(root)).found).toEqual(cold)
  // The file with the finding is as it was; the function counts who has the block now.
  write(root, { 'box.c': FILES['box.c'].replace('\tfree(b);', '\tif (--b->users == 0)\n\t\tfree(b);') })
  expect((await scan(root)).found).toEqual([])
  // So does a second definition, which may be the one that is meant.
  write(root, { 'box.c': FILES['box.c'], 'other/box.c': 'void destroy_box(struct box *b)\n{\n\treset(b);\n}\n' })
  expect((await scan(root)).found).toEqual([])
})

test('a file that is kept since the scan before is not listed for what it frees, and it is known', async () => {
  const root = project({ ...FILES, 'a.txt': 'one\n' })
  const stored = async () => {
    const { context } = surface(root, { env: { SVC_CACHE_KEY: 'k'.repeat(32) } })
    const performed = await perform({ repo_path: '.' }, context)
    await persist(performed, context)
    const { findings, files, kept } = performed
    return { findings, files: files.all(), kept: kept?.count, own: files.own.map(({ path }) => path) }
  }
  const { findings, files } = await stored()
  expect(findings.map(({ file }) => file)).toEqual(['main.c'])
  write(root, { 'a.txt': 'two\n' })
  expect(await stored()).toEqual({ findings, files, kept: 2, own: ['a.txt'] })
})

test('shards that are merged come to the same as one scan', async () => {
  const root = project(FILES)
  const { found } = await scan(root, { cache: false })
  const { findings } = await merged(root, await shards(root, 3))
  expect(findings.map(({ fingerprint }) => fingerprint)).toContain(found[0]!.fingerprint)
})

test('of a part of a repository the functions of other files are not known, and the run says so', async () => {
  const root = project(FILES)
  const { found, run } = await scan(root, { changed_files: ['main.c'] })
  expect(found).toEqual([])
  const notices = run.notices.filter(({ kind }) => kind === 'other_files_not_followed')
  expect(notices).toMatchObject([{ detail: expect.stringContaining('functions of other files') }])
})
