import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { perform } from '../../../engine/scan/perform.ts'
import { PoolRunner } from '../../../engine/scan/pool.ts'
import { type Perform, performTask } from '../../../engine/scan/tasks.ts'
import { surface } from '../../made/call.ts'
import { write } from '../../made/folder.ts'
import { project } from '../../made/project.ts'

const FILES = {
  'app/views.py':
    'from flask import request\nfrom app.store import find\ndef show():\n    return find(request.args["q"])\n',
  'app/store.py':
    'import sqlite3\ndb = sqlite3.connect("x")\ndef find(q):\n    return db.execute("select * from u where name=\'%s\'" % q)\n',
  'app/settings.py': 'VERIFY = False\n',
  'app/client.py':
    'import requests\nfrom app.settings import VERIFY\nrequests.get("https://example.org", verify=VERIFY)\n',
}
/** Too large to be searched in the thread that scans. */
const LARGE = { 'app/large.py': '# a line of a comment\n'.repeat(8_000) }

async function scan(root: string, input: object = {}) {
  const { context } = surface(root, { env: { SVC_CACHE_KEY: 'k'.repeat(32) } })
  const { findings, run } = await perform({ repo_path: '.', ...input }, context)
  const across = findings.filter(({ flow }) => new Set(flow?.map(({ file }) => file)).size > 1)
  return { findings: across, notices: run.notices }
}

test('input and values are followed from file to file alike without threads, on one and on two', async () => {
  const here = await scan(project(FILES), { cache: false })
  expect(here.findings.map(({ file, line }) => `${file}:${line}`)).toEqual(['app/client.py:3', 'app/store.py:4'])
  const root = project({ ...FILES, ...LARGE })
  for (const jobs of [1, 2]) expect(await scan(root, { jobs, cache: false })).toEqual(here)
})

test('what threads follow is kept for the next scan, which asks only what has changed', async () => {
  const root = project({ ...FILES, ...LARGE })
  const cold = await scan(root)
  expect(cold.findings).toHaveLength(2)
  expect(await scan(root)).toEqual(cold)
  write(root, { 'app/views.py': FILES['app/views.py'].replace('request.args["q"]', 'int(request.args["q"])') })
  const changed = await scan(root)
  expect(changed.findings.map(({ file }) => file)).toEqual(['app/client.py'])
})

test('what a thread fails at is done without it', async () => {
  const root = mkdtempSync(join(tmpdir(), 'threads-'))
  const limits = { max_file_bytes: 1 << 20, max_parse_bytes: 1 << 20, rule_deadline_ms: 1000, file_deadline_ms: 1000 }
  const { signal } = new AbortController()
  // It knows batches only.
  const worker = new URL('../fixtures/worker.mjs', import.meta.url)
  const performHere: Perform = task => performTask(task, [])
  const pool = await PoolRunner.start({ rules: [], limits, root }, { jobs: 1, signal, worker, performHere })
  const followed = await pool.perform({ kind: 'follow', question: { root, limits, files: [] } })
  expect(followed).toMatchObject({ nodes: [], left: 0 })
  await pool.close()
})
