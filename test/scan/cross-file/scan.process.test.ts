import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { perform } from '../../../engine/scan/perform.ts'
import { surface } from '../../made/call.ts'
import { write } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { merged, scanned, shards } from '../shard-project.ts'

const FILES = {
  'app/views.py':
    'from flask import request\nfrom app.store import find\ndef show():\n    return find(request.args["q"])\n',
  'app/store.py':
    'import sqlite3\ndb = sqlite3.connect("x")\ndef find(q):\n    return db.execute("select * from u where name=\'%s\'" % q)\n',
}

async function scan(root: string, input: object = {}) {
  const { context } = surface(root, { env: { SVC_CACHE_KEY: 'k'.repeat(32) } })
  const { findings } = await perform({ repo_path: '.', ...input }, context)
  return findings.filter(({ flow }) => new Set(flow?.map(({ file }) => file)).size > 1)
}

test('a scan finds what flows from file to file, with and without what the scan before kept', async () => {
  const root = project(FILES)
  const [cold] = await scan(root)
  expect(cold).toMatchObject({ rule_id: 'sql-injection', file: 'app/store.py', line: 4, status: 'open' })
  // The rule of syntax that has the same weakness at the place is named by it, and does not speak as well.
  expect(cold!.also).toContain('python-sql-quoted-value')
  const warm = await scan(root)
  expect(warm).toEqual([cold])
  // A caller that checks its input ends it, though the file with the sink is as it was.
  write(root, { 'app/views.py': FILES['app/views.py'].replace('request.args["q"]', 'int(request.args["q"])') })
  expect(await scan(root)).toEqual([])
})

test('a comment at the sink suppresses it, and a baseline holds it', async () => {
  const root = project(FILES)
  await scanned(root, { update_baseline: true })
  expect(await scan(root)).toMatchObject([{ status: 'baseline' }])
  const comment = '    # svc-ignore: sql-injection -- the statement is a fixture\n    return'
  write(root, { 'app/store.py': FILES['app/store.py'].replace('    return', comment) })
  rmSync(join(root, '.svc/baseline.json'))
  expect(await scan(root)).toMatchObject([{ status: 'suppressed' }])
})

test('shards that are merged come to the same as one scan', async () => {
  const root = project(FILES)
  const [whole] = await scan(root, { cache: false })
  const { findings } = await merged(root, await shards(root, 2))
  expect(findings.map(({ fingerprint }) => fingerprint)).toContain(whole!.fingerprint)
})

test('a part of a repository is not followed to other files, and the run says so', async () => {
  const root = project(FILES)
  expect(await scan(root, { changed_files: ['app/store.py'] })).toEqual([])
  const notices = async (input: object) => {
    const { context } = surface(root, { env: { SVC_CACHE_KEY: 'k'.repeat(32) } })
    const { run } = await perform({ repo_path: '.', ...input }, context)
    return run.notices.filter(({ kind }) => kind === 'other_files_not_followed')
  }
  expect(await notices({ changed_files: ['app/store.py'] })).toMatchObject([{ file: '.' }])
  expect(await notices({ repo_path: 'app' })).toHaveLength(1)
  expect(await notices({})).toEqual([])
  // Of files that no rule follows nothing was left out.
  write(root, { 'note.md': 'x' })
  expect(await notices({ changed_files: ['note.md'] })).toEqual([])
})
