import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../engine/base/records/finding.ts'
import { decideOn } from '../../engine/gate/verdict.ts'
import { perform, type ScanInput } from '../../engine/scan/perform.ts'
import { surface } from '../made/call.ts'
import { write } from '../made/folder.ts'
import { project } from '../made/project.ts'
import { wordRule } from '../made/rules.ts'

const scanned = (root: string, input: Partial<ScanInput> = {}, told = surface(root)) =>
  perform({ repo_path: '.', ...input }, told.context)
const local = (findings: readonly Finding[]) => findings.filter(({ pack_id }) => pack_id === 'local')
const places = (findings: readonly Finding[]) =>
  local(findings).map(({ file, line, column }) => `${file}:${line}:${column}`)

describe('a scan', () => {
  test('finds what a rule describes, with place, context and identity', async () => {
    const root = project({
      ...wordRule('frobnicate'),
      'src/a.py': 'x = 1\nfrobnicate(x)  # frobnicate\ny = "frobnicate"\n',
      'src/clean.py': 'pass\n',
    })
    const { findings } = await scanned(root)
    expect(places(findings)).toEqual(['src/a.py:2:1', 'src/a.py:2:18', 'src/a.py:3:6'])
    expect(local(findings).map(({ confidence, deterministic }) => [confidence, deterministic])).toEqual([
      [1, true],
      [0.5, false],
      [0.4, false],
    ])
    expect(findings[0]).toMatchObject({
      rule_id: 'local-frobnicate',
      severity: 'high',
      status: 'open',
      language: 'python',
      in_test: false,
      end_column: 11,
      snippet: 'frobnicate(x)  # frobnicate',
    })
    expect(new Set(findings.map(({ fingerprint }) => fingerprint)).size).toBe(findings.length)
  })

  test('gives matches in test files the confidence of test code', async () => {
    const root = project({ ...wordRule('frobnicate'), 'tests/test_a.py': 'frobnicate()\n' })
    const { findings } = await scanned(root)
    expect(local(findings)).toMatchObject([{ in_test: true, confidence: 0.7, deterministic: false }])
  })

  test('finds the same on one thread, on several and in the main thread', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        `src/${i}.py`,
        `${'x = 1\n'.repeat(i)}frobnicate(${i})\nyaml.load(input(), Loader=yaml.Loader)\n`,
      ]),
    )
    const root = project({ ...wordRule('frobnicate'), ...files })
    const [here, one, four] = await Promise.all([scanned(root), scanned(root, { jobs: 1 }), scanned(root, { jobs: 4 })])
    expect(local(here.findings)).toHaveLength(60)
    expect(one.findings).toEqual(here.findings)
    expect(four.findings).toEqual(here.findings)
    expect(four.files).toEqual(here.files)
  })

  test('finds text in UTF-16 as well as in UTF-8', async () => {
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('frobnicate\n', 'utf16le')])
    const root = project({ ...wordRule('frobnicate'), 'a.txt': wide })
    expect(places((await scanned(root)).findings)).toEqual(['a.txt:1:1'])
  })

  test('lists each file that it did not scan with the reason', async () => {
    const root = project({
      ...wordRule('frobnicate'),
      'a.txt': 'ok\n',
      'b.bin': new Uint8Array([1, 0, 2, 0, 0, 0]),
      'big.txt': 'x'.repeat(200),
      'gone.txt': 'x',
      'vendor/v.txt': 'frobnicate\n',
    })
    write(root, { '.svc/config.yaml': "scan_exclude: ['vendor']\nscan: { max_file_bytes: 100 }\n" })
    rmSync(join(root, 'gone.txt'))
    const { run, findings } = await scanned(root)
    expect(places(findings)).toEqual([])
    expect(
      run.skipped.filter(({ path }) => !path.startsWith('.svc')).map(({ path, reason }) => [path, reason]),
    ).toEqual([
      ['b.bin', 'binary'],
      ['gone.txt', 'vanished'],
      ['vendor/v.txt', 'excluded'],
    ])
    expect(run.partly!.filter(({ path }) => !path.startsWith('.svc'))).toMatchObject([
      { path: 'big.txt', reason: 'too_large' },
    ])
    expect(run.counts.skipped).toMatchObject({ binary: 1, excluded: 1, vanished: 1 })
  })

  test('says why when there is no file to scan, with exit code 66', async () => {
    const root = project({ 'b.bin': new Uint8Array([0, 1, 0, 0, 2]) })
    await expect(scanned(root)).rejects.toMatchObject({
      code: 'NOTHING_TO_SCAN',
      message: expect.stringContaining('1 binary'),
      row: { exit: 66 },
    })
  })

  test('keeps a suppressed finding, with the reason', async () => {
    const root = project({
      ...wordRule('frobnicate'),
      'a.py': 'frobnicate()  # svc-ignore: local-frobnicate -- it is the brand name\nx()\nfrobnicate()\n',
    })
    const { findings, run } = await scanned(root)
    const found = local(findings)
    // The directive names the rule, so the word stands on its line twice.
    expect(found.map(({ line, status }) => [line, status])).toEqual([
      [1, 'suppressed'],
      [1, 'suppressed'],
      [3, 'open'],
    ])
    expect(found[0]).toMatchObject({ suppression: { kind: 'inline', reason: 'it is the brand name' } })
    expect(run.counts).toMatchObject({ suppressed: 2 })
  })

  test('stops a rule that backtracks without end, reports it, and loses nothing else', async () => {
    const slow = wordRule('backtrack', "regex: '^(?:a+)+$'\nmatch: ['aaa']\nclean: ['b']")
    const root = project({
      ...wordRule('frobnicate'),
      ...slow,
      'a.txt': `${'a'.repeat(60)}b\nfrobnicate\n`,
      'b.txt': 'aaaa\n',
      '.svc/config.yaml': 'scan: { rule_deadline_ms: 500 }\n',
    })
    const { findings, run } = await scanned(root)
    expect(local(findings).map(({ rule_id, file }) => [rule_id, file])).toEqual([
      ['local-frobnicate', 'a.txt'],
      ['local-backtrack', 'b.txt'],
    ])
    expect(run.not_evaluated).toContainEqual({ rule_id: 'local-backtrack', file: 'a.txt', reason: 'timed_out' })
  })

  test('gives a file no more than its time where many rules are slow on it, and names each that was left out', async () => {
    const slow = Array.from({ length: 300 }, (_, i) =>
      wordRule(`slow${i}`, "regex: '^(?:a+)+$'\nmatch: ['aaa']\nclean: ['b']"),
    )
    const root = project({
      ...Object.assign({}, ...slow),
      'a.txt': `${'a'.repeat(60)}b\n`,
      '.svc/config.yaml': 'scan: { rule_deadline_ms: 100, file_deadline_ms: 500 }\n',
    })
    const began = performance.now()
    const { run } = await scanned(root)
    // Each of them has a tenth of a second by itself: without the time of the file all would take half a minute.
    expect(performance.now() - began).toBeLessThan(20_000)
    expect(run.not_evaluated.filter(({ rule_id }) => rule_id.startsWith('local-slow'))).toHaveLength(300)
    expect(run.skipped).toEqual([])
  })

  test('scans a file of one line of 20 MB', async () => {
    const root = project({
      ...wordRule('frobnicate'),
      'a.txt': `${'x '.repeat(10_000_000)}frobnicate\n`,
      '.svc/config.yaml': 'scan: { max_file_bytes: 50000000, rule_deadline_ms: 5000 }\n',
    })
    const { findings, run } = await scanned(root)
    expect(run.skipped).toEqual([])
    expect(local(findings)).toMatchObject([{ rule_id: 'local-frobnicate', file: 'a.txt', column: 20_000_001 }])
  })

  test('goes on to its end where the rule that is stopped is the last one in the last file', async () => {
    const root = project({
      ...wordRule('backtrack', "regex: '^(?:a+)+$'\nmatch: ['aaa']\nclean: ['b']"),
      '.svc/config.yaml': 'scan: { rule_deadline_ms: 500 }\n',
      'z.txt': `${'a'.repeat(60)}b\n`,
    })
    const { run } = await scanned(root)
    expect(run.not_evaluated).toContainEqual({ rule_id: 'local-backtrack', file: 'z.txt', reason: 'timed_out' })
    expect(run.counts.files).toBe(3)
  })

  test('fails the gate, and gives no full score, where a rule that would fail it timed out', async () => {
    const slow = wordRule('backtrack', "regex: '^(?:a+)+$'\nmatch: ['aaa']\nclean: ['b']")
    const root = project({
      ...slow,
      'a.txt': `${'a'.repeat(60)}b\n`,
      '.svc/config.yaml': 'scan: { rule_deadline_ms: 500 }\npacks: { detect: false, enable: [local] }\n',
    })
    const performed = await scanned(root)
    expect(performed.run.score).toBeUndefined()
    expect(decideOn(performed)).toMatchObject({
      passed: false,
      reasons: [expect.stringContaining('local-backtrack not evaluated in a.txt')],
    })
  })

  test('may be asked for a folder outside the project only by a person', async () => {
    const root = project({ 'a.txt': 'x\n' })
    const other = project({ 'b.txt': 'x\n' })
    for (const asking of ['rest', 'mcp'] as const) {
      await expect(perform({ repo_path: other }, surface(root, { surface: asking }).context)).rejects.toMatchObject({
        code: 'PATH_ESCAPES',
      })
    }
    expect((await perform({ repo_path: other }, surface(root).context)).files.all().map(({ path }) => path)).toEqual([
      'b.txt',
    ])
  })

  test('lets a folder exclude files and switch packs off for itself', async () => {
    const root = project({
      ...wordRule('frobnicate'),
      'a/x.txt': 'frobnicate\n',
      'b/x.txt': 'frobnicate\n',
      'c/gen/x.txt': 'frobnicate\n',
      'b/.svc/config.yaml': 'packs: { disable: [local] }\n',
      'c/.svc/config.yaml': 'scan_exclude: [gen]\n',
    })
    const { findings, run } = await scanned(root)
    expect(places(findings)).toEqual(['a/x.txt:1:1'])
    expect(run.skipped).toContainEqual(expect.objectContaining({ path: 'c/gen/x.txt', reason: 'excluded' }))
  })

  test('looks only at the changed files that are named, and refuses names outside the repository', async () => {
    const root = project({ ...wordRule('frobnicate'), 'a.txt': 'frobnicate\n', 'b.txt': 'frobnicate\n' })
    expect(places((await scanned(root, { changed_files: ['b.txt'] })).findings)).toEqual(['b.txt:1:1'])
    await expect(scanned(root, { changed_files: ['../etc/passwd'] })).rejects.toMatchObject({ code: 'PATH_ESCAPES' })
    await expect(scanned(root, { changed_files: ['missing.txt'] })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('judges contents that are sent as if they stood at their paths, and is not stored', async () => {
    const root = project({ ...wordRule('frobnicate'), 'a.txt': 'clean\n' })
    const performed = await scanned(root, { files: { 'new/b.py': '# frobnicate\n' } })
    expect(local(performed.findings)).toMatchObject([{ file: 'new/b.py', language: 'python', confidence: 0.5 }])
    expect(performed.out).toBeUndefined()
    await expect(scanned(root, { files: { '../b.py': '' } })).rejects.toMatchObject({ code: 'PATH_ESCAPES' })
  })

  test('reads the head of a bare clone', async () => {
    const root = project({ 'a.py': 'yaml.load(input(), Loader=yaml.Loader)\n' })
    const bare = `${root}-bare`
    execFileSync('git', ['clone', '-q', '--bare', root, bare], { stdio: 'pipe' })
    try {
      const { run, files } = await perform({ repo_path: bare }, surface(root).context)
      expect(files.all().map(({ path }) => path)).toEqual(['a.py'])
      expect(run.git_sha).toMatch(/^[0-9a-f]{40}$/)
    } finally {
      rmSync(bare, { recursive: true })
    }
  })

  test('stops at once when it is told to', async () => {
    const root = project({ ...wordRule('frobnicate'), 'a.txt': 'frobnicate\n' })
    const controller = new AbortController()
    controller.abort()
    await expect(scanned(root, {}, surface(root, { signal: controller.signal }))).rejects.toMatchObject({
      name: 'AbortError',
    })
  })

  test('tells its progress up to the last file', async () => {
    const root = project({ ...wordRule('frobnicate'), 'a.txt': 'frobnicate\n', 'b.txt': 'x\n' })
    const told = surface(root)
    await scanned(root, {}, told)
    const last = told.events.filter(event => event.type === 'progress').at(-1)
    expect(last).toMatchObject({ progress: { phase: 'scan', done: 3, total: 3, findings: 1 } })
  })
})
