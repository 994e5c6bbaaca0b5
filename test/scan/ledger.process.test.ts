import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { countStates, findLost, type Ledger } from '../../engine/base/records/ledger.ts'
import type { Run } from '../../engine/base/records/run.ts'
import type { View } from '../../engine/base/text/view.ts'
import { sample } from '../../engine/detect/secrets/sample.ts'
import { decideOn } from '../../engine/gate/verdict.ts'
import { perform, type ScanInput } from '../../engine/scan/perform.ts'
import { formatSummary } from '../../engine/scan/summary.ts'
import { surface } from '../made/call.ts'
import { write } from '../made/folder.ts'
import { git } from '../made/git.ts'
import { project } from '../made/project.ts'
import fc from '../made/property.ts'
import { wordRule } from '../made/rules.ts'

const TOKEN = sample('ghp_{base62:30}{crc32}', 'ledger')
const LINE = `const token = "${TOKEN}"\n`
const view: View = { verbose: false, quiet: false, width: 80, paint: (_style, text) => text }
/** What a minifier leaves. */
const MINIFIED = 'function t(e,n){return e.map(r=>r.id===n?{...r,x:1}:r)}'.repeat(120)

const scanned = (root: string, more: Partial<ScanInput> = {}) =>
  perform({ repo_path: '.', ...more }, surface(root).context)

async function found(root: string, more: Partial<ScanInput> = {}) {
  const performed = await scanned(root, more)
  const open = performed.findings.filter(({ status }) => status === 'open')
  return { ...performed, open: open.map(({ rule_id, file, line }) => `${rule_id} ${file}:${line}`) }
}

const sum = (counts: Readonly<Record<string, number | undefined>>) =>
  Object.values(counts).reduce((total: number, count) => total + (count ?? 0), 0)
const total = ({ scanned, partly, skipped }: Ledger) => scanned + sum(partly) + sum(skipped)

describe('attributes shift the weight and hide nothing severe', () => {
  const rules = { ...wordRule('grave'), ...wordRule('mild', 'severity: medium') }
  const code = `${LINE}grave\nmild\n`

  test.each(['linguist-generated', 'linguist-vendored'])(
    'of a file with %s a secret and a high finding are found',
    async name => {
      const kind = name.slice('linguist-'.length)
      const root = project({ ...rules, '.gitattributes': `* ${name}\n`, 'src/app.js': code })
      const { open, findings, run } = await found(root)
      expect(open).toEqual(['secret-github-token src/app.js:1', 'local-grave src/app.js:2'])
      expect(findings.map(({ file_class, confidence }) => [file_class, confidence < 1])).toEqual([
        [kind, false],
        [kind, true],
      ])
      expect(run.ledger!.partly).toEqual({ [kind]: run.ledger!.scope })
      expect(run.partly).toContainEqual({
        path: 'src/app.js',
        reason: kind,
        detail: 'searched for secrets and by rules of severity critical, high',
      })
    },
  )

  test('a severity that fails the gate anywhere counts as severe', async () => {
    const root = project({
      ...rules,
      '.gitattributes': 'src/** linguist-generated\n',
      '.svc/config.yaml': 'gate: { fail_on: [medium] }\n',
      'src/app.js': code,
    })
    expect((await found(root)).open).toContain('local-mild src/app.js:3')
  })

  test.each(['UTF-16LE', 'UTF-16', 'no-such-encoding', 'shift_jis', 'utf-7', 'iso-2022-jp'])(
    'a file declared to be %s is searched as its bytes stand',
    async encoding => {
      const text = `${LINE}grave # \0 größe\n`
      const root = project({ ...rules, 'src/app.js': text })
      write(root, { '.gitattributes': `* working-tree-encoding=${encoding}\n` })
      expect((await found(root)).open).toEqual(['secret-github-token src/app.js:1', 'local-grave src/app.js:2'])
    },
  )

  test('a pointer of git LFS is searched, and said to be one', async () => {
    const root = project({
      'model.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n',
      'a.js': '1\n',
    })
    expect((await scanned(root)).run.partly).toMatchObject([{ path: 'model.bin', reason: 'lfs_pointer' }])
  })
})

/** Each way to make a file that was hidden once, staged: its path and bytes. */
const HIDING: Record<string, [path: string, content: string | Uint8Array, attributes?: string]> = {
  'a generated file': ['gen/app.js', LINE, 'gen/** linguist-generated\n'],
  'a vendored file': ['third/app.js', LINE, 'third/** linguist-vendored\n'],
  'a minified file': ['dist/app.js', `${MINIFIED};${LINE}`],
  'a file with a name of minified ones': ['dist/app-4b8c97f9.min.js', `${'let a = 1\n'.repeat(90)}${LINE}`],
  'a file with one long comment': ['src/long.js', `/* ${'x'.repeat(6000)} */\n${LINE}`],
  'a source file with a NUL in a comment': ['src/nul.js', `/* \0 */\n${LINE}`],
  'a text file with a NUL': ['notes/deploy', `remember \0\n${LINE}`],
  'a file in UTF-16 without a mark': ['src/wide.cs', Buffer.from(`// größe\n// mehr\n${LINE}`, 'utf16le')],
  'a file in UTF-32': [
    'src/wide.js',
    Buffer.from(Uint32Array.from(LINE, character => character.codePointAt(0)!).buffer),
  ],
  'a file with a wrong mark of UTF-16': ['src/mark.php', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(LINE)])],
  'a file over the size limit': ['src/large.sql', `${'-- a line of a dump\n'.repeat(300_000)}${LINE}`],
}

describe('a secret is found in every text file', () => {
  test.each(Object.keys(HIDING))('in %s, on disk, staged and in a range', async name => {
    const [path, content, attributes] = HIDING[name]!
    const root = project({ 'README.md': 'x\n', ...(attributes && { '.gitattributes': attributes }) })
    write(root, { [path]: content })
    git(root, 'add', '-A')
    const isToken = (each: string) => each.startsWith(`secret-github-token ${path}:`)
    const staged = await found(root, { staged: true })
    expect(staged.open.filter(isToken)).toHaveLength(1)
    expect(total(staged.run.ledger!)).toBe(staged.run.ledger!.scope)
    git(root, 'commit', '-qm', 'second')
    expect((await found(root, { git_range: 'HEAD~1..HEAD' })).open.filter(isToken)).toHaveLength(1)
    const first = await found(root)
    expect(first.open.filter(isToken)).toHaveLength(1)
    expect(total(first.run.ledger!)).toBe(first.run.ledger!.scope)
  })
})

describe('what a change has of source that cannot be searched', () => {
  const noise = Buffer.from(Array.from({ length: 9000 }, (_, at) => (at * 7919 + (at >> 3) * 104729) & 255))
  const staged = async (files: Record<string, string | Uint8Array>, config = '') => {
    const root = project({ 'README.md': 'x\n', '.svc/config.yaml': config })
    write(root, files)
    git(root, 'add', '-A')
    const performed = await scanned(root, { staged: true })
    return { ...performed, gate: decideOn(performed) }
  }

  const unread = ({ notices }: Run) => notices.filter(({ kind }) => kind !== 'other_files_not_followed')

  test('fails its gate, with the file, the reason and the way out', async () => {
    const { gate, run } = await staged({ 'src/app.js': noise })
    expect(gate).toMatchObject({ passed: false, failures: [{ kind: 'not_scanned', file: 'src/app.js' }] })
    expect(gate.reasons[0]).toMatch(/^src\/app\.js not searched as source code \(binary: a NUL at byte \d+\)$/)
    expect(gate.failures[0]!.resolve).toContain('gate.unread')
    expect(unread(run)).toMatchObject([{ kind: 'unread_file', file: 'src/app.js' }])
  })

  test('a source file over the size limit does too, and data or a picture does not', async () => {
    const large = { 'src/app.js': 'let a = 1\n'.repeat(600_000) }
    expect((await staged(large)).gate.passed).toBe(false)
    const others = { 'a.png': noise, 'data.json': `[${'1,'.repeat(3_000_000)}1]`, 'notes.txt': noise }
    expect((await staged(others)).gate).toMatchObject({ passed: true, reasons: [] })
  })

  test('is only said under gate.unread: warn, and only listed under ignore', async () => {
    const warned = await staged({ 'src/app.js': noise }, 'gate: { unread: warn }\n')
    expect(warned.gate.passed).toBe(true)
    expect(unread(warned.run)).toMatchObject([{ kind: 'unread_file' }])
    const ignored = await staged({ 'src/app.js': noise }, 'gate: { unread: ignore }\n')
    expect([ignored.gate.passed, unread(ignored.run)]).toEqual([true, []])
    expect(ignored.run.skipped).toMatchObject([{ path: 'src/app.js', reason: 'binary' }])
  })

  test('a gate on the whole repository reports it and passes', async () => {
    const performed = await scanned(project({ 'src/app.js': noise, 'a.js': '1\n' }))
    expect(decideOn(performed).passed).toBe(true)
    expect(performed.run.ledger!.skipped).toEqual({ binary: 1 })
  })
})

test('what a rule finds where its exclude_files apply is set aside, counted and listed, as from the cache', async () => {
  const root = project({
    ...wordRule('grave', "exclude_files: ['**/tests/**']"),
    'src/a.txt': 'grave\n',
    'tests/a.txt': 'one\ngrave\ngrave\n',
    'tests/b.txt': 'grave\n',
  })
  for (const cache of [false, true, true]) {
    const { open, run } = await found(root, { cache })
    expect(open).toEqual(['local-grave src/a.txt:1'])
    expect(run.excluded_by_rule).toEqual([
      {
        rule_id: 'local-grave',
        findings: 3,
        files: 2,
        places: [
          { file: 'tests/a.txt', line: 2 },
          { file: 'tests/a.txt', line: 3 },
          { file: 'tests/b.txt', line: 1 },
        ],
      },
    ])
    const text = formatSummary(run, [], { ...view, verbose: true })
    expect(text).toContain('3 findings excluded by 1 rule (exclude_files, or code that a rule file quotes)')
    expect(text).toContain('excluded       local-grave: tests/a.txt:2')
  }
})

test('the summary says in one line how many files are in which state, and -v which', async () => {
  const root = project({
    '.gitattributes': 'gen/* linguist-generated\n',
    'gen/a.js': '1\n',
    'gen/b.js': '1\n',
    'dist/a.js': MINIFIED,
    'a.png': new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 1]),
    'a.js': '1\n',
  })
  const { run } = await scanned(root)
  expect(formatSummary(run, [], view)).toMatch(
    /^Scanned 5 files, 3 partly \(2 generated, 1 minified\), 1 skipped \(1 binary\) \(/,
  )
  const verbose = formatSummary(run, [], { ...view, verbose: true })
  expect(verbose).toContain('  partly         gen/a.js: generated (searched for secrets')
  expect(verbose).toContain('  not scanned    a.png: binary')
})

describe('the sum of the states is the scope', () => {
  test('of any outcome, and a file of which nothing came back is found', () => {
    const path = fc.stringMatching(/^[a-z]{1,6}$/)
    fc.assert(
      fc.property(
        fc.uniqueArray(path, { maxLength: 30 }),
        fc.array(fc.nat(3), { minLength: 30, maxLength: 30 }),
        (paths, states) => {
          const of = (state: number) => paths.filter((_, at) => states[at] === state)
          const partly = of(1).map(path => ({ path, reason: 'minified' as const }))
          const skipped = of(2).map(path => ({ path, reason: 'binary' as const }))
          const isScanned = new Set([...of(0), ...of(1)])
          const lost = findLost(
            paths.map(path => ({ path })),
            path => isScanned.has(path),
            { partly, skipped },
          )
          expect(lost.map(({ path }) => path)).toEqual(of(3))
          const ledger = countStates({ scope: paths.length, partly, skipped: [...skipped, ...lost] })
          expect(ledger.scanned).toBe(of(0).length)
          expect(total(ledger)).toBe(ledger.scope)
        },
      ),
    )
  })

  test('of random repositories, and the cache gives the same to the byte', async () => {
    const content = fc.constantFrom<string | Uint8Array>(
      'let a = 1\n',
      LINE,
      MINIFIED,
      '',
      '/* \0 */ let a\n',
      new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 1]),
      'a = 1 # 日本\n',
    )
    const name = fc.constantFrom(
      'a.js',
      'b.min.js',
      'c.py',
      'd',
      'e.png',
      'sub/f.ts',
      'sub/tests/g.js',
      'Ü n.js',
      'ü n.js',
      'A.js',
    )
    const attributes = fc.constantFrom('', '* linguist-generated\n', 'sub/** linguist-vendored\n', '*.js -text\n')
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, content, { minKeys: 1 }), attributes, async (files, marks) => {
        const root = project({ ...files, 'keep.txt': 'x\n', '.gitattributes': marks })
        writeFileSync(join(root, 'untracked.js'), LINE)
        const states = async (cache: boolean) => {
          const { run } = await scanned(root, { cache })
          expect(total(run.ledger!)).toBe(run.ledger!.scope)
          expect(run.ledger!.scope).toBe(Object.keys(files).length + 3)
          const paths = [...run.partly!, ...run.skipped].map(({ path }) => path)
          expect(new Set(paths).size).toBe(paths.length)
          return JSON.stringify([run.ledger, run.partly, run.skipped, run.counts.files])
        }
        const first = await states(false)
        expect(await states(true)).toBe(first)
        expect(await states(true)).toBe(first)
      }),
      { numRuns: 5 },
    )
  })
})

test('a file that git ignores and tracks, and one below a directory named almost like .git, is counted', async () => {
  const root = project({ '.gitignore': '*.log\n', 'a.js': '1\n', '.github/x.yml': 'a: 1\n', '.gitx/y.js': LINE })
  write(root, { 'kept.log': LINE })
  git(root, 'add', '-f', 'kept.log')
  const { open, run } = await found(root)
  expect(open).toEqual(['secret-github-token .gitx/y.js:1', 'secret-github-token kept.log:1'])
  expect(run.ledger).toMatchObject({ scope: 5, scanned: 5 })
  expect(existsSync(join(root, 'kept.log'))).toBe(true)
})
