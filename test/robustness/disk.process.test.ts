import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../bench/soak/program.ts'
import { write } from '../made/folder.ts'
import { project } from '../made/project.ts'

const PROGRAM = join(ROOT, 'dist/svc.js')
const IS_ROOT = process.getuid?.() === 0
/**
 * Permission bits do not bind root: its program runs without capabilities, or else as nobody, who may not be able to read a checkout in
 * root's own home.
 */
const WITHOUT_CAPABILITIES = ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--']
const CAN_DROP = IS_ROOT && spawnSync(WITHOUT_CAPABILITIES[0]!, [...WITHOUT_CAPABILITIES.slice(1), 'true']).status === 0
const NOBODY = IS_ROOT && !CAN_DROP ? { uid: 65534, gid: 65534 } : {}

const many = () =>
  Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`a${index}.py`, `yaml.load(input(), Loader=yaml.Loader)  # ${index}\n`]),
  )

/** Runs the program; `blocks` of 512 bytes are what a file may have, which is how a full disk looks from inside. */
function svc(
  root: string,
  args: string[],
  more: { blocks?: number; home?: string; as?: { uid?: number; gid?: number } } = {},
) {
  const limit = more.blocks === undefined ? '' : `ulimit -f ${more.blocks}; `
  const { status, stdout, stderr } = spawnSync(
    'sh',
    [
      ...['-c', `${limit}exec "$@"`, 'sh'],
      ...(more.as && CAN_DROP ? WITHOUT_CAPABILITIES : []),
      ...[process.execPath, PROGRAM, ...args],
    ],
    {
      cwd: root,
      env: { PATH: process.env.PATH, HOME: more.home ?? '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' },
      encoding: 'utf8',
      ...more.as,
    },
  )
  return { code: status, stdout, stderr }
}

/** Every file below a folder with a digest of its bytes. */
function content(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {}
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const of = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
  return Object.fromEntries(
    names.map(({ parentPath, name }) => [join(parentPath, name), of(join(parentPath, name))]).sort(),
  )
}

/** Gives the repository to nobody, where nobody is to work in it. */
function handOver(root: string): void {
  if (NOBODY.uid === undefined) return
  chmodSync(root, 0o755)
  for (const entry of ['', ...(readdirSync(root, { recursive: true }) as string[])])
    chownSync(join(root, entry), NOBODY.uid, NOBODY.gid)
}

const lastRun = (root: string) => JSON.parse(readFileSync(join(root, 'out/run.json'), 'utf8'))

describe('where the disk is full, a scan', () => {
  // The run's own file, the findings, the tables, the reports: at each step the disk may be full.
  test.each([2, 16, 100, 400])('leaves nothing of itself behind, says why, and ends with 74 (%i blocks)', blocks => {
    const root = project(many())
    const { code, stderr } = svc(root, ['scan', '--quiet'], { blocks })
    expect(code).toBe(74)
    expect(stderr).toMatch(/^svc: .* cannot be written: .+\n {2}Free some space/)
    expect(stderr).not.toContain(root)
    expect(Object.keys(content(join(root, 'out')))).toEqual([join(root, 'out/.gitignore'), join(root, 'out/.svc')])
  })

  test('leaves the run before it with all its reports as it was, and the next one works', () => {
    const root = project(many())
    expect(svc(root, ['scan', '--quiet']).code).toBe(0)
    const before = content(join(root, 'out'))
    write(root, { 'new.py': 'yaml.load(input(), Loader=yaml.Loader)\n' })
    expect(svc(root, ['scan', '--quiet'], { blocks: 300 }).code).toBe(74)
    expect(content(join(root, 'out'))).toEqual(before)
    expect(svc(root, ['scan', '--quiet']).code).toBe(0)
    expect(lastRun(root).counts.findings).toBe(61)
  })

  test('of what is staged, which is not stored, judges all the same', () => {
    const root = project(many())
    write(root, { 'new.py': 'yaml.load(input(), Loader=yaml.Loader)\n' })
    spawnSync('git', ['add', '-A'], { cwd: root })
    const { code, stdout } = svc(root, ['pre-commit-scan'], { blocks: 0 })
    expect(code).toBe(1)
    expect(stdout).toContain('new.py:1')
  })
})

describe('where it may not write, a scan', () => {
  test('answers all the same, says once what could not be kept, also with -q, and ends with 74 unless the gate fails', () => {
    const root = project({ ...many(), 'clean.py': 'x = 1\n' })
    handOver(root)
    chmodSync(root, 0o555)
    const plain = svc(root, ['scan', '--json'], { as: NOBODY })
    const quiet = svc(root, ['scan', '-q'], { as: NOBODY })
    const gate = svc(root, ['gate'], { as: NOBODY })
    const passed = svc(root, ['gate', '-q', 'clean.py'], { as: NOBODY })
    const dry = svc(root, ['scan', '-q', '--dry-run'], { as: NOBODY })
    const watched = svc(root, ['watch', '-q'], { as: NOBODY })
    const results = join(mkdtempSync(join(tmpdir(), 'svc-results-')), 'here')
    mkdirSync(results, { mode: 0o777 })
    chmodSync(join(results, '..'), 0o755)
    chmodSync(results, 0o777)
    const named = svc(root, ['gate', '--output-dir', results], { as: NOBODY })
    const refused = svc(root, ['scan', '--output-dir', join(root, 'named')], { as: NOBODY })
    chmodSync(root, 0o755)
    expect([plain.code, quiet.code, passed.code, watched.code, dry.code]).toEqual([74, 74, 74, 74, 0])
    // That it fails is the result; 74 would be an error of the step.
    expect([gate.code, named.code]).toEqual([1, 1])
    expect(gate.stdout).toContain('Gate failed')
    expect(passed.stdout).toContain('Gate passed')
    expect(quiet.stdout).toContain('60 open findings')
    const reason = 'out cannot be written: permission denied (EACCES). The run and its reports were not stored.'
    expect(JSON.parse(plain.stdout)).toMatchObject({ total: 60, truncated: false, not_stored: reason })
    for (const { stderr } of [plain, quiet, gate, passed, watched]) {
      expect(stderr.split(reason)).toHaveLength(2)
      expect(stderr).toContain('--output-dir')
    }
    expect(quiet.stderr).toContain('--dry-run')
    expect(dry.stderr).toBe('')
    expect(gate.stdout).not.toContain('out/')
    expect(existsSync(join(root, 'out'))).toBe(false)
    expect(existsSync(join(results, 'run.json'))).toBe(true)
    // A place that was asked for is another matter.
    expect(refused.code).toBe(74)
    expect(refused.stderr).toContain('named cannot be written: permission denied (EACCES).')
  })

  test('leaves the run before it, and says that it is an earlier one', () => {
    const root = project(many())
    expect(svc(root, ['scan', '-q']).code).toBe(0)
    const before = content(join(root, 'out'))
    handOver(root)
    for (const path of ['out/history', 'out']) chmodSync(join(root, path), 0o555)
    const { code, stderr } = svc(root, ['scan', '-q'], { as: NOBODY })
    for (const path of ['out', 'out/history']) chmodSync(join(root, path), 0o755)
    expect([code, content(join(root, 'out'))]).toEqual([74, before])
    expect(stderr).toContain('were not stored, and out still holds an earlier one.')
  })

  test('names the out folder where a file is in its place, and leaves the file alone', () => {
    const root = project({ ...many(), out: 'mine\n' })
    const { code, stderr } = svc(root, ['scan', '--quiet'])
    expect(code).toBe(74)
    expect(stderr).toMatch(/out cannot be written: a file exists where a directory is expected/)
    expect(readFileSync(join(root, 'out'), 'utf8')).toBe('mine\n')
  })

  test('does without the cache in a .svc that is read-only, and says what else cannot be kept there', () => {
    const root = project({ ...many(), '.svc/config.yaml': '' })
    handOver(root)
    chmodSync(join(root, '.svc'), 0o555)
    const plain = svc(root, ['scan', '--quiet'], { as: NOBODY })
    const baseline = svc(root, ['scan', '--quiet', '--update-baseline'], { as: NOBODY })
    chmodSync(join(root, '.svc'), 0o755)
    expect(plain.code).toBe(0)
    expect(baseline.code).toBe(74)
    expect(baseline.stderr).toContain('.svc/baseline.json cannot be written')
  })
})

describe('where it may not read, a scan', () => {
  test('lists each file and folder', () => {
    const root = project({
      'a.py': 'yaml.load(input(), Loader=yaml.Loader)\n',
      'closed.py': 'x = 1\n',
      'dark/b.py': 'x = 1\n',
    })
    write(root, { 'untracked/c.py': 'x = 1\n' })
    handOver(root)
    for (const path of ['closed.py', 'dark', 'untracked']) chmodSync(join(root, path), 0)
    const { code } = svc(root, ['scan', '--quiet'], { as: NOBODY })
    for (const path of ['closed.py', 'dark', 'untracked']) chmodSync(join(root, path), 0o755)
    expect(code).toBe(0)
    const { skipped, counts } = lastRun(root)
    expect(counts.files).toBe(1)
    const unreadable = skipped.map(({ path, reason }: { path: string; reason: string }) => `${path} ${reason}`)
    expect(unreadable).toEqual(
      expect.arrayContaining(['closed.py unreadable', 'dark/b.py unreadable', 'untracked/ unreadable']),
    )
  })

  test('does not go on without its configuration', () => {
    const root = project({ 'a.py': 'x = 1\n', '.svc/config.yaml': 'scan_exclude: [b]\n' })
    handOver(root)
    chmodSync(join(root, '.svc/config.yaml'), 0)
    const { code, stderr } = svc(root, ['scan', '--quiet'], { as: NOBODY })
    expect(code).toBe(64)
    expect(stderr).toContain('.svc/config.yaml cannot be read (EACCES)')
  })
})

describe('what a killed writer left of the cache', () => {
  test('is removed by the next one when it is old, and left alone while it is fresh', () => {
    const root = project(many())
    const home = mkdtempSync(join(tmpdir(), 'svc-home-'))
    const cache = join(root, '.svc/local/cache')
    mkdirSync(cache, { recursive: true })
    for (const name of ['scan.cache.111', 'scan.cache.222', 'scan.cache.333', 'listing.json.111', 'files.parquet.111'])
      writeFileSync(join(cache, name), 'half')
    const now = Date.now() / 1000
    for (const name of ['scan.cache.111', 'listing.json.111', 'files.parquet.111'])
      utimesSync(join(cache, name), now - 3600, now - 3600)
    utimesSync(join(cache, 'scan.cache.333'), now + 86_400, now + 86_400)
    expect(svc(root, ['scan', '--quiet'], { home }).code).toBe(0)
    const whole = [
      '.gitignore',
      'constants.cache',
      'cross-file.cache',
      'files.parquet',
      'listing.json',
      'rule-traces.kept',
      'sarif-rules.kept',
      'scan.cache',
    ]
    expect(readdirSync(cache).sort()).toEqual([...whole, 'scan.cache.222'])
  })
})
