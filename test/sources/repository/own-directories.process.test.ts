import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { discover } from '../../../engine/sources/repository/discover.ts'

function folder(paths: readonly string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'svc-own-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), 'x\n')
  }
  return root
}

test('data of version control systems is listed as skipped, one entry a directory', async () => {
  const root = folder([
    'a.txt',
    '.hg/store/a',
    '.hg/store/b',
    'sub/CVS/Entries',
    '.svn/wc.db',
    '.jj/repo',
    '.bzr/branch',
  ])
  const { files, skipped } = await discover(root, { exclude: [] })
  expect(files.map(({ path }) => path)).toEqual(['a.txt'])
  expect(skipped).toEqual(
    [
      ['.bzr/', 'Bazaar'],
      ['.hg/', 'Mercurial'],
      ['.jj/', 'Jujutsu'],
      ['.svn/', 'Subversion'],
      ['sub/CVS/', 'CVS'],
    ].map(([path, system]) => ({ path, reason: 'version_control', detail: `data of ${system}` })),
  )
})

test('an output directory of svc that git does not ignore is listed as skipped, with and without git', async () => {
  const root = folder(['a.txt', 'out/.svc', 'out/run.json', 'out/report.html'])
  const own = { path: 'out/', reason: 'own_file', detail: 'a directory that svc writes' }
  expect((await discover(root, { exclude: [] })).skipped).toEqual([own])
  execFileSync('git', ['init', '-q'], { cwd: root })
  const { files, skipped } = await discover(root, { exclude: [] })
  expect([files.map(({ path }) => path), skipped]).toEqual([['a.txt'], [own]])
})
