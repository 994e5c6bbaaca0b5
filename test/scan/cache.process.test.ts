import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeMetrics } from '../../engine/base/records/file-metrics.ts'
import { ScanCache } from '../../engine/scan/cache.ts'
import { CACHE_FOLDER } from '../../engine/scan/cache-folder.ts'
import { CacheTable } from '../../engine/scan/cache-table.ts'
import { perform } from '../../engine/scan/perform.ts'
import { openSeal } from '../../engine/sources/state/cache-seal.ts'
import { surface } from '../made/call.ts'
import { write } from '../made/folder.ts'
import { project } from '../made/project.ts'
import fc from '../made/property.ts'
import { OWN_RULES, wordRule } from '../made/rules.ts'
import { expectSame } from '../made/same.ts'

const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: root, stdio: 'pipe' })
const cacheFile = (root: string) => join(root, CACHE_FOLDER, 'scan.cache')

/** What a scan comes to, its id and times aside. */
async function result(root: string, cache: boolean) {
  const { run, findings, files } = await perform({ repo_path: '.', cache }, surface(root, { env: OWN_RULES }).context)
  return {
    findings,
    files: files.all(),
    skipped: run.skipped,
    not_evaluated: run.not_evaluated,
    score: run.score,
    // Of a cache that was not used, only the scan that would have used it speaks.
    notices: run.notices.filter(({ kind }) => kind !== 'cache_refused'),
  }
}
const hits = async (root: string) =>
  (await perform({ repo_path: '.' }, surface(root, { env: OWN_RULES }).context)).run.cache

/** Fails where what the cache gives differs from a scan without it. */
async function agrees(root: string) {
  expectSame(await result(root, true), await result(root, false))
}

const sources = {
  'a.txt': 'frobnicate\n',
  'b.py': 'x = 1  # frobnicate\n',
  'c.txt': 'clean\n',
  'd.bin': new Uint8Array([0, 1, 2, 0]),
}
const warm = async () => {
  const root = project({ ...wordRule('frobnicate'), ...sources })
  await result(root, true)
  return root
}

describe('a second scan', () => {
  test('takes every unchanged file from the cache and finds the same', async () => {
    const root = await warm()
    await agrees(root)
    expect(await hits(root)).toEqual({ hits: 5, misses: 0 })
  })

  test('does not look again at a file that is too large', async () => {
    const root = project({
      'big.txt': 'x'.repeat(200),
      'a.txt': 'ok\n',
      '.svc/config.yaml': 'scan: { max_file_bytes: 100 }\n',
    })
    await result(root, true)
    await agrees(root)
    expect(await hits(root)).toEqual({ hits: 3, misses: 0 })
  })

  test('looks again at a changed, an untracked and a new file, and at nothing else', async () => {
    const root = await warm()
    write(root, { 'c.txt': 'frobnicate now\n', 'new.txt': 'frobnicate\n' })
    await agrees(root)
    expect(await hits(root)).toEqual({ hits: 4, misses: 2 })
  })

  test('sees a change that keeps size and time of the file', async () => {
    const rules = { ...wordRule('frobnicate'), ...wordRule('wibblesome') }
    const root = project({ ...rules, ...sources, 'c.txt': 'frobnicate\n' })
    await result(root, true)
    const { atime, mtime } = statSync(join(root, 'c.txt'))
    write(root, { 'c.txt': 'wibblesome\n' })
    utimesSync(join(root, 'c.txt'), atime, mtime)
    const { findings } = await result(root, true)
    const found = findings.filter(({ file }) => file === 'c.txt')
    expect(found.map(({ rule_id }) => rule_id)).toEqual(['local-wibblesome'])
    await agrees(root)
  })

  test('sees a change in a file that git was told not to look at', async () => {
    const root = await warm()
    git(root, 'update-index', '--assume-unchanged', 'c.txt')
    write(root, { 'c.txt': 'frobnicate hidden\n' })
    await agrees(root)
    expect((await result(root, true)).findings.map(({ file }) => file)).toContain('c.txt')
  })

  test('sees everything else that decides a result', async () => {
    const changes: Record<string, (root: string) => void> = {
      'a rule': root => write(root, wordRule('frobnicate', 'severity: low')),
      'another rule': root => write(root, wordRule('clean')),
      'a rule that is gone': root => rmSync(join(root, '.svc/rules/local-frobnicate.yaml')),
      'the configuration': root => write(root, { '.svc/config.yaml': 'scan: { max_file_bytes: 8 }\n' }),
      'a pack switched off': root => write(root, { '.svc/config.yaml': 'packs: { disable: [local] }\n' }),
      'an excluded path': root => write(root, { '.svc/config.yaml': 'scan_exclude: [a.txt]\n' }),
      'a path': root => renameSync(join(root, 'a.txt'), join(root, 'tests_a.py')),
      'a suppression': root =>
        write(root, { '.svc/suppressions.yaml': '- rule: local-frobnicate\n  file: a.txt\n  reason: a brand\n' }),
      'the encoding': root => write(root, { '.gitattributes': 'a.txt working-tree-encoding=UTF-16LE\n' }),
      'a vendored mark': root => write(root, { '.gitattributes': 'a.txt linguist-vendored\n' }),
      'a file that is gone': root => rmSync(join(root, 'a.txt')),
    }
    for (const [what, change] of Object.entries(changes)) {
      const root = await warm()
      const before = await result(root, true)
      change(root)
      const after = await result(root, true)
      expect(after, what).not.toEqual(before)
      expectSame(after, await result(root, false), what)
    }
  })

  test('does as if there were no cache where the file is damaged, cut off or of another program', async () => {
    const damages: ((text: string) => string)[] = [
      text => text.slice(0, text.length / 2),
      text => text.replace('frobnicate', 'frobnicatx'),
      text => text.replace(/"program":"\w{4}/, '"program":"0000'),
      () => '',
      () => `garbage\n${'x'.repeat(40)}`,
    ]
    for (const damage of damages) {
      const root = await warm()
      writeFileSync(cacheFile(root), damage(readFileSync(cacheFile(root), 'latin1')), 'latin1')
      await agrees(root)
    }
  })

  test('keeps the results of other files when only a folder was scanned', async () => {
    const root = project({ ...wordRule('frobnicate'), 'x/a.txt': 'frobnicate\n', 'y/b.txt': 'frobnicate\n' })
    await result(root, true)
    write(root, { 'x/c.txt': 'frobnicate\n' })
    git(root, 'add', '-A')
    await perform({ repo_path: 'x' }, surface(root, { env: OWN_RULES }).context)
    expect(await hits(root)).toEqual({ hits: 4, misses: 0 })
  })

  test('never keeps what was read of a file that git does not name', async () => {
    const root = project({ ...wordRule('frobnicate'), 'a.txt': 'clean\r\n', '.gitattributes': '*.txt text\n' })
    await result(root, true)
    expect(readFileSync(cacheFile(root), 'latin1')).not.toContain('a.txt')
    await agrees(root)
  })

  test('reads and writes no cache with --no-cache', async () => {
    const root = project({ ...wordRule('frobnicate'), ...sources })
    await result(root, false)
    expect(existsSync(cacheFile(root))).toBe(false)
  })

  test('keeps the cache folder out of git from the first write', async () => {
    const root = await warm()
    expect(git(root, 'status', '--porcelain').toString()).toBe('')
  })
})

test('after any history of edits, a scan with the cache is a scan without', { timeout: 300_000 }, async () => {
  const path = fc.constantFrom('a.txt', 'b.py', 'dir/c.txt', 'dir/d.js', 'e')
  const text = fc.constantFrom(
    'frobnicate\n',
    'clean\n',
    '# frobnicate\n',
    'frobnicate\nfrobnicate\n',
    '#!/usr/bin/env python3\n# frobnicate\n',
    '',
  )
  const step = fc.oneof(
    fc.record({ do: fc.constant('write'), path, text }),
    fc.record({ do: fc.constant('remove'), path }),
    fc.record({ do: fc.constantFrom('add', 'commit', 'scan', 'stash') }),
  )
  const run = (root: string, one: { do: string; path?: string; text?: string }) => {
    if (one.do === 'write') write(root, { [one.path!]: one.text! })
    else if (one.do === 'remove') rmSync(join(root, one.path!), { force: true })
    else if (one.do === 'add') git(root, 'add', '-A')
    else if (one.do === 'commit') git(root, 'commit', '-qam', 'x', '--allow-empty')
    else if (one.do === 'stash') git(root, 'stash', '-u')
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async steps => {
      const root = project({ ...wordRule('frobnicate'), 'a.txt': 'frobnicate\n', 'keep.txt': 'x\n' })
      await result(root, true)
      for (const one of steps) {
        run(root, one)
        if (one.do === 'scan') await agrees(root)
      }
      await agrees(root)
    }),
    { numRuns: 15, interruptAfterTimeLimit: 280_000 },
  )
})

test('keeps the results of more files than a call takes arguments', () => {
  const cache = ScanCache.open(
    project({ 'a.txt': 'x\n' }),
    { limits: {}, rules: [] },
    CacheTable.none,
    openSeal(process.env),
  )
  for (let index = 0; index < 200_000; index++) {
    const file = { path: `f${index}.txt`, size: 2, language: 'text', in_test: false, oid: '0'.repeat(40) }
    const pass = makeMetrics(() => 1)
    cache.put({
      file,
      language: 'text',
      bytes: 2,
      verified: true,
      outcome: { matches: [], failures: [], ignores: [], parsed: false, pass },
    })
  }
  cache.save(() => true)
  expect(cache.saved?.unlisted).toEqual([])
})
