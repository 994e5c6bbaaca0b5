import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { DIST } from '../../engine/base/disk/assets.ts'
import { folder, write } from '../made/folder.ts'
import { git } from '../made/git.ts'
import { project } from '../made/project.ts'

const SVC = fileURLToPath(new URL('svc.js', DIST))

/** A parser that ends the process with the signal of a crash, as native code does, or comes to no end for half an hour, where a text says so. */
const PARSER = `
const napi = require('@ast-grep/napi')
const { parse } = napi
napi.parse = (language, text) => {
  if (text.includes('end of the' + ' process')) process.kill(process.pid, 'SIGSEGV'), Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5000)
  if (text.includes('no end of' + ' it')) parse('bash', 'if (a) {'.repeat(200000))
  return parse(language, text)
}
`

/** svc with that parser, in a repository. */
function svc(root: string, ...args: string[]): SpawnSyncReturns<string> {
  const hook = join(folder({ 'parser.cjs': PARSER }), 'parser.cjs')
  const NODE_PATH = fileURLToPath(new URL('../node_modules', DIST))
  const env = { ...process.env, NODE_PATH, NODE_OPTIONS: `--require ${hook}` }
  const patience = { timeout: 100_000, killSignal: 'SIGKILL' } as const
  return spawnSync(process.execPath, [SVC, ...args], { cwd: root, env, encoding: 'utf8', ...patience })
}

const run = (root: string) => JSON.parse(readFileSync(join(root, 'out/run.json'), 'utf8'))
const findings = (root: string): { file: string }[] => JSON.parse(readFileSync(join(root, 'out/findings.json'), 'utf8'))
const notes = (root: string) => readdirSync(join(root, '.svc/local/cache')).filter(name => name.startsWith('at-work-'))
const note = (root: string, name: string, path: string) => {
  mkdirSync(join(root, '.svc/local/cache'), { recursive: true })
  writeFileSync(join(root, '.svc/local/cache', name), `${JSON.stringify(path)}\n`)
}

const EVIL = 'import yaml\n# end of the process\nyaml.load(input(), Loader=yaml.Loader)\n'
const FINE = 'import yaml\nyaml.load(input(), Loader=yaml.Loader)\n'
/** Only rules about memory have it parsed: its function by itself. */
const EVIL_C = 'void f(void) { char *b = get(); free(b); b[0] = 1; log("end of the process"); }\n'

describe('a parser that ends the process', () => {
  test.each([
    ['in the main thread', []],
    ['on a thread', ['--jobs', '2']],
  ])('%s: the next scan names the file, leaves it out, and holds the gate', (_, jobs) => {
    const root = project({ 'a.py': FINE, 'b.py': EVIL, 'c.py': FINE })
    expect(svc(root, 'scan', ...jobs).signal).toBe('SIGSEGV')
    expect(existsSync(join(root, 'out/run.json'))).toBe(false)

    const next = svc(root, 'gate', ...jobs)
    expect(next.stdout).toContain('svc failed on b.py: it crashes the process that scans it (SIGSEGV)')
    expect(next.status).toBe(1)
    expect(run(root).skipped).toEqual([
      { path: 'b.py', reason: 'crashed', detail: 'it crashes the process that scans it (SIGSEGV)' },
    ])
    expect([...new Set(findings(root).map(({ file }) => file))]).toEqual(['a.py', 'c.py'])
    // It stays known, so that no scan ends there again, until it is mended.
    expect(svc(root, 'scan', ...jobs).status).toBe(0)
    write(root, { 'b.py': FINE })
    expect(svc(root, 'scan', ...jobs).status).toBe(0)
    expect([run(root).counts.files, run(root).skipped, notes(root)]).toEqual([3, [], []])
  })

  test('in a function that is looked into by itself: the next scan names the file', () => {
    const root = project({ 'a.py': FINE, 'b.c': EVIL_C, 'c.py': FINE })
    expect(svc(root, 'scan').signal).toBe('SIGSEGV')
    expect(svc(root, 'scan').status).toBe(0)
    expect(run(root).skipped).toMatchObject([{ path: 'b.c', reason: 'crashed' }])
  })

  test('in a commit hook: the next commit is told which file it is', () => {
    const root = project({ 'a.py': '' })
    write(root, { 'a.py': FINE, 'b.py': EVIL })
    git(root, 'add', '.')
    expect(svc(root, 'pre-commit-scan').signal).toBe('SIGSEGV')
    const next = svc(root, 'pre-commit-scan')
    expect(next.stdout).toContain('b.py was not scanned: it crashes the process that scans it (SIGSEGV).')
  })

  test('does not make a file suspect that is only there when a scan is killed: it is scanned like any other', () => {
    const root = project({ 'a.py': FINE })
    expect(svc(root, 'scan', '--no-cache').status).toBe(0)
    const before = readFileSync(join(root, 'out/findings.json'))
    note(root, 'at-work-999999999-0123abcd-0', 'a.py')
    expect(svc(root, 'scan', '--no-cache').status).toBe(0)
    expect(readFileSync(join(root, 'out/findings.json'))).toEqual(before)
    expect(notes(root)).toEqual([])
  })

  test('leaves alone what another scan that still runs has noted, and what makes no sense', () => {
    const root = project({ 'a.py': FINE })
    note(root, `at-work-${process.pid}-0123abcd-0`, 'a.py')
    writeFileSync(join(root, '.svc/local/cache/at-work-999999999-0123abcd-0'), '"half a pa')
    expect(svc(root, 'scan', '--no-cache').status).toBe(0)
    const skipped = run(root).skipped.filter(({ reason }: { reason: string }) => reason !== 'own_file')
    expect([skipped, notes(root)]).toEqual([[], [`at-work-${process.pid}-0123abcd-0`]])
  })

  test('is remembered by a scan of something else, and forgotten with the file', () => {
    const root = project({ 'a/a.py': FINE, 'b/b.py': EVIL })
    expect(svc(root, 'scan').signal).toBe('SIGSEGV')
    expect(svc(root, 'scan', 'a').status).toBe(0)
    expect(notes(root)).toHaveLength(1)
    rmSync(join(root, 'b/b.py'))
    expect(svc(root, 'scan', '--no-cache').status).toBe(0)
    expect(notes(root)).toEqual([])
  })

  test('is not noted by a dry run, which writes nothing', () => {
    const root = project({ 'a.py': EVIL })
    expect(svc(root, 'scan', '--dry-run').signal).toBe('SIGSEGV')
    expect(existsSync(join(root, '.svc'))).toBe(false)
  })
})

test('a parser that comes to no end is left behind, and the program ends without it', () => {
  const settings = 'scan: { file_deadline_ms: 500, rule_deadline_ms: 100 }\n'
  const root = project({
    'a.py': FINE,
    'b.sh': `# no end of it\neval "$1"\ncurl $1 | sh\n`,
    '.svc/config.yaml': settings,
  })
  const { status, stdout } = svc(root, 'gate', '--jobs', '2')
  expect(stdout).toContain('b.sh not scanned (timed out)')
  expect([status, run(root).skipped[0].detail]).toEqual([1, 'no headway for 6 s'])
})
