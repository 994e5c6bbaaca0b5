import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { FileMetric } from '../../engine/base/records/file-metrics.ts'
import { perform } from '../../engine/scan/perform.ts'
import { persist } from '../../engine/scan/persist.ts'
import { runFiles } from '../../engine/sources/store/layout.ts'
import { openStore } from '../../engine/sources/store/open.ts'
import { surface } from '../made/call.ts'
import { project } from '../made/project.ts'
import { wordRule } from '../made/rules.ts'

const FILES = {
  ...wordRule('frobnicate'),
  'a.py': '# one\n\ndef f(a, b):\n    """Text.\n\n    More."""\n    return a\n',
  'b.go': '\ufeffpackage b // one\n\n/*\n\n*/\n\u00a0\n',
  'c.bin': '\0\0\0\0',
}

const LINES = ['lines', 'code_lines', 'comment_lines', 'blank_lines'] as const

/** Scans and answers the chosen metrics of each file of the stored run. */
async function scan(root: string, names: readonly FileMetric[], input = {}) {
  const told = surface(root)
  await persist(await perform({ repo_path: '.', ...input }, told.context), told.context)
  const store = await openStore(join(root, 'out'))
  try {
    const files = await store.files('latest')
    return Object.fromEntries(files.map(file => [file.path, names.map(name => file[name])]))
  } finally {
    store.close()
  }
}

describe('a stored scan', () => {
  test('has the lines of code, comment and blank ones of each file, and none of one that was skipped', async () => {
    const found = await scan(project(FILES), LINES)
    expect(found['a.py']).toEqual([7, 5, 1, 1])
    expect(found['b.go']).toEqual([6, 1, 3, 2])
    expect(found['c.bin']).toBeUndefined()
  })

  test('has the same metrics from the cache, and on threads', async () => {
    const root = project(FILES)
    const first = await scan(root, LINES)
    expect(await scan(root, LINES)).toEqual(first)
    expect(await scan(root, LINES, { cache: false, jobs: 2 })).toEqual(first)
  })

  test('of an older program reads as not measured', async () => {
    const root = project(FILES)
    await scan(root, LINES)
    const store = await openStore(join(root, 'out'))
    const { id } = (await store.latest())!
    const { connect } = await import('../../engine/sources/store/duckdb.ts')
    const database = await connect()
    const { files } = runFiles(join(root, 'out'), id)
    await database.run(
      `CREATE TABLE old AS SELECT path, language, bytes, lines, blank_lines, longest_line, findings FROM '${files}'`,
    )
    await database.run(`COPY old TO '${files}' (FORMAT parquet)`)
    database.closeSync()
    const read = (await store.files('latest')).find(({ path }) => path === 'a.py')!
    store.close()
    expect(read).toMatchObject({ lines: 7, code_lines: null, cyclomatic: null })
  })

  test.each([{ staged: true }, { metrics: false }])('with %o measures nothing', async input => {
    const root = project(FILES)
    execFileSync('git', ['add', '-A'], { cwd: root })
    const { files } = await perform({ repo_path: '.', ...input }, surface(root).context)
    expect(files.all().map(({ code_lines }) => code_lines)).toEqual(files.all().map(() => null))
  })
})
