import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../../engine/base/records/finding.ts'
import type { Run } from '../../../engine/base/records/run.ts'
import type { View } from '../../../engine/base/text/view.ts'
import gate from '../../../engine/ops/gate/check.ts'
import scan from '../../../engine/ops/scan/run.ts'
import { BASELINE_PATH } from '../../../engine/sources/config/paths.ts'
import { refusal, surface } from '../../made/call.ts'
import { write } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { wordRule } from '../../made/rules.ts'

const view: View = { verbose: false, quiet: false, width: 80, paint: (_style, text) => text }
const DEFAULTS = { repo_path: '.', staged: false, update_baseline: false, actionable_only: false }
type Input = Partial<Parameters<typeof scan.run>[0]>
const run = (root: string, input: Input = {}) =>
  scan.run({ ...DEFAULTS, ...input } as Parameters<typeof scan.run>[0], surface(root).context)
const judge = (root: string) =>
  gate.run({ ...DEFAULTS } as unknown as Parameters<typeof gate.run>[0], surface(root).context)
const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: root, stdio: 'pipe' })
const commit = (root: string, message = 'more') => {
  git(root, 'add', '-A')
  git(root, 'commit', '-qm', message)
}
const baselineOf = (root: string) => JSON.parse(readFileSync(join(root, BASELINE_PATH), 'utf8'))
const statuses = (findings: readonly Finding[]) => findings.map(({ file, status }) => `${file} ${status}`)
const kinds = (output: { run: object }) => (output.run as Run).notices.map(({ kind }) => kind)

/** The rule local-sad finds the word bad, which its own name does not hold. */
const RULE = wordRule('sad', "regex: '\\bbad\\b'\nmatch: ['bad']\nclean: ['good']")
const OLD = { ...RULE, 'a.txt': 'bad\nbad\n', 'src/b.txt': 'one\nbad here\n', '.gitignore': 'out/\n' }

describe('an old repository', () => {
  test('learns how many findings the baseline covers, also where several share an entry', async () => {
    const secret = ['hunter', 'two', 'Plus7'].join('')
    const root = project({
      'a.py': `password = "${secret}"\n`,
      'b.py': `password = "${secret}"\n`,
      '.gitignore': 'out/\n',
    })
    const made = await run(root, { update_baseline: true })
    expect(made.findings.filter(({ status }) => status === 'baseline')).toHaveLength(2)
    expect(made.baseline).toMatchObject({ entries: 1, findings: 2 })
    expect(scan.text(made, view)).toContain('Baseline updated: 2 findings in 1 entry')
  })

  test('passes the gate once its findings are in the baseline, fails on a new one, and says how many are held back', async () => {
    const root = project(OLD)
    expect((await judge(root)).passed).toBe(false)
    const made = await run(root, { update_baseline: true })
    expect(made.baseline).toEqual({
      file: BASELINE_PATH,
      entries: 3,
      findings: 3,
      added: 3,
      pruned: 0,
      kept: 0,
      gaps: 0,
      written: true,
    })
    expect(statuses(made.findings)).toEqual(['a.txt baseline', 'a.txt baseline', 'src/b.txt baseline'])
    // The rule of this project is in HEAD, so that a baseline counts for the gate once it is committed.
    execFileSync('git', ['add', '-A'], { cwd: root })
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-qm', 'baseline'], {
      cwd: root,
    })
    expect(await judge(root)).toMatchObject({ passed: true, baseline_findings: 3, new_findings: 0, total_findings: 0 })

    write(root, { 'c.txt': 'this is bad\n', 'a.txt': 'something above\nbad\n   bad\n' })
    const held = await judge(root)
    expect(held).toMatchObject({
      passed: false,
      baseline_findings: 3,
      new_findings: 1,
      reasons: ['1 new high finding'],
    })
    expect(gate.text(held, view)).toContain('(3 in the baseline)')
    expect(held.blocking_findings.map(({ file }) => file)).toEqual(['c.txt'])
  })

  test('writes the same baseline twice: the second time the file is not touched', async () => {
    const root = project(OLD)
    await run(root, { update_baseline: true })
    const before = readFileSync(join(root, BASELINE_PATH))
    expect((await run(root, { update_baseline: true })).baseline).toMatchObject({ added: 0, written: false })
    expect(readFileSync(join(root, BASELINE_PATH))).toEqual(before)
    expect(baselineOf(root).entries.map((entry: { file: string; line: number }) => [entry.file, entry.line])).toEqual(
      expect.arrayContaining([
        ['a.txt', 1],
        ['a.txt', 2],
        ['src/b.txt', 2],
      ]),
    )
  })

  test('has the same baseline at another commit and another time, so that branches merge', async () => {
    const root = project({ ...OLD, '0.txt': 'bad\n', 'm.txt': 'fine\n' })
    await run(root, { update_baseline: true })
    commit(root)
    git(root, 'checkout', '-qb', 'one')
    write(root, { 'm.txt': 'bad\n' })
    await run(root, { update_baseline: true })
    commit(root)
    git(root, 'checkout', '-q', '-')
    write(root, { '0.txt': 'good\n' })
    await run(root, { update_baseline: true })
    commit(root)
    git(root, '-c', 'user.name=t', '-c', 'user.email=t@localhost', 'merge', '-q', 'one')
    const merged = readFileSync(join(root, BASELINE_PATH))
    expect((await run(root, { update_baseline: true })).baseline).toMatchObject({ added: 0, pruned: 0 })
    rmSync(join(root, BASELINE_PATH))
    await run(root, { update_baseline: true })
    expect(readFileSync(join(root, BASELINE_PATH))).toEqual(merged)
  })

  test('is told of what is mended, and an update prunes it', async () => {
    const root = project(OLD)
    await run(root, { update_baseline: true })
    write(root, { 'src/b.txt': 'good\n' })
    const later = await run(root)
    expect(kinds(later)).toEqual(['baseline_stale'])
    expect(scan.text(later, view)).toContain('1 entry is resolved')
    expect((await run(root, { update_baseline: true })).baseline).toMatchObject({ entries: 2, pruned: 1 })
    expect(kinds(await run(root))).toEqual([])
  })

  test('keeps its baseline where a file is renamed, moved and edited, committed or only staged', async () => {
    const filler = Array.from({ length: 30 }, (_, n) => `line ${n}\n`).join('')
    const root = project({ ...OLD, 'deep/long.txt': `${filler}bad\nbad\nvery bad\n` })
    await run(root, { update_baseline: true })
    git(root, 'mv', 'a.txt', 'renamed.txt')
    mkdirSync(join(root, 'other'))
    git(root, 'mv', 'deep/long.txt', 'other/place.txt')
    commit(root)
    write(root, { 'other/place.txt': `new\n${filler}bad\n\tbad\nvery bad\nbad, and new\n` })
    git(root, 'mv', 'src/b.txt', 'src/staged.txt')
    const { findings, run: record } = await run(root)
    expect(statuses(findings)).toEqual([
      'other/place.txt baseline',
      'other/place.txt baseline',
      'other/place.txt baseline',
      'other/place.txt open',
      'renamed.txt baseline',
      'renamed.txt baseline',
      'src/staged.txt baseline',
    ])
    expect((record as Run).notices).toEqual([])
    const updated = await run(root, { update_baseline: true })
    expect(updated.baseline).toMatchObject({ entries: 7, added: 1, pruned: 0 })
    expect(new Set(baselineOf(root).entries.map(({ file }: { file: string }) => file))).toEqual(
      new Set(['other/place.txt', 'renamed.txt', 'src/staged.txt']),
    )
  })

  test('does not hold a finding that is only moved by hand, which git does not see as a rename, and says nothing false', async () => {
    const root = project(OLD)
    await run(root, { update_baseline: true })
    renameSync(join(root, 'src/b.txt'), join(root, 'elsewhere.txt'))
    const { findings } = await run(root)
    expect(statuses(findings)).toContain('elsewhere.txt open')
    git(root, 'add', '-A')
    expect(statuses((await run(root)).findings)).toContain('elsewhere.txt baseline')
  })

  test('holds nothing for a copy of a file: the copy is new', async () => {
    const root = project(OLD)
    await run(root, { update_baseline: true })
    write(root, { 'copy.txt': 'bad\nbad\n' })
    commit(root)
    expect(statuses((await run(root)).findings).filter(status => status.startsWith('copy'))).toEqual([
      'copy.txt open',
      'copy.txt open',
    ])
  })

  test('is told in a shallow clone that renames cannot be looked up, and the findings count as new', async () => {
    const root = project(OLD)
    await run(root, { update_baseline: true })
    commit(root)
    git(root, 'mv', 'a.txt', 'z.txt')
    commit(root)
    const clone = project({ 'to-be-replaced.txt': '' })
    rmSync(clone, { recursive: true })
    git(root, 'clone', '-q', '--depth', '1', `file://${root}`, clone)
    const { findings, run: record } = await run(clone)
    expect(statuses(findings)).toEqual(['src/b.txt baseline', 'z.txt open', 'z.txt open'])
    const [notice] = (record as Run).notices
    expect(notice).toMatchObject({ kind: 'baseline_renames', detail: expect.stringContaining('git fetch --unshallow') })
  })

  test('does not take a finding for mended whose file could not be read, and an update keeps its entry', async () => {
    const root = project(OLD)
    await run(root, { update_baseline: true })
    const large = { ...DEFAULTS, config_overrides: { scan: { max_file_bytes: 9 } } }
    const partial = await run(root, large)
    expect(kinds(partial)).toEqual([])
    expect((await run(root, { ...large, update_baseline: true })).baseline).toMatchObject({ entries: 3, kept: 1 })
  })

  test('updates only the part that was scanned', async () => {
    const root = project(OLD)
    await run(root, { update_baseline: true })
    write(root, { 'a.txt': 'good\n', 'src/b.txt': 'bad\nbad worse\n' })
    const part = await run(root, { repo_path: 'src', update_baseline: true })
    expect(part.baseline).toMatchObject({ entries: 4, added: 1, pruned: 0, kept: 2 })
  })

  test('does not pass with a broken baseline, nor is it overwritten', async () => {
    const root = project(OLD)
    await run(root, { update_baseline: true })
    const broken = readFileSync(join(root, BASELINE_PATH), 'utf8').slice(0, -10)
    writeFileSync(join(root, BASELINE_PATH), broken)
    for (const act of [() => judge(root), () => run(root), () => run(root, { update_baseline: true })])
      expect(await refusal(act)).toMatchObject({ code: 'CONFIG_INVALID' })
    expect(readFileSync(join(root, BASELINE_PATH), 'utf8')).toBe(broken)
  })

  test('is told of entries that somebody has written by hand', async () => {
    const root = project(OLD)
    await run(root, { update_baseline: true })
    const file = baselineOf(root)
    file.entries[0].rule_id = 'local-mild'
    file.entries.push({ fingerprint: '0'.repeat(32), rule_id: 'no-such-rule', file: 'x.txt' })
    writeFileSync(join(root, BASELINE_PATH), JSON.stringify(file))
    const output = await run(root)
    expect(statuses(output.findings).filter(status => status.endsWith('open'))).toHaveLength(1)
    expect(kinds(output).sort()).toEqual(['baseline_mismatch', 'baseline_unknown'])
  })

  test('leaves suppressed findings to the suppression: they are open again when it expires', async () => {
    const root = project({ ...OLD, '.svc/suppressions.yaml': '- rule: local-sad\n  file: src\n  reason: ours\n' })
    const made = await run(root, { update_baseline: true })
    expect(made.baseline).toMatchObject({ entries: 2 })
    write(root, { '.svc/suppressions.yaml': '- rule: local-sad\n  file: src\n  reason: ours\n  expires: 2020-01-01\n' })
    const later = await run(root)
    expect(statuses(later.findings)).toEqual(['a.txt baseline', 'a.txt baseline', 'src/b.txt open'])
    expect(kinds(later)).toEqual(['suppression_expired'])
    expect(scan.text(later, view)).toContain('expired on 2020-01-01 and no longer holds')
  })

  test('is not given a baseline by a tool or over HTTP, nor from anything but the files on disk', async () => {
    const root = project(OLD)
    for (const on of ['mcp', 'rest'] as const) {
      const { context } = surface(root, { surface: on })
      const act = () => scan.run({ ...DEFAULTS, update_baseline: true } as Parameters<typeof scan.run>[0], context)
      expect(await refusal(act)).toMatchObject({ code: 'FORBIDDEN' })
    }
    for (const input of [{ staged: true }, { git_range: 'HEAD..HEAD' }, { files: { 'a.txt': 'bad' } }])
      expect(await refusal(() => run(root, { ...input, update_baseline: true }))).toMatchObject({
        code: 'INPUT_INVALID',
      })
    expect(existsSync(join(root, BASELINE_PATH))).toBe(false)
  })

  test('says so where a link that leads nowhere stands as the baseline, and stores no run that claims it', async () => {
    const root = project(OLD)
    symlinkSync('/no/such/folder/baseline.json', join(root, BASELINE_PATH))
    expect(await refusal(() => run(root, { update_baseline: true }))).toMatchObject({ code: 'CONFIG_INVALID' })
    expect(existsSync(join(root, 'out'))).toBe(false)
  })

  test('needs no git: a plain folder has a baseline too', async () => {
    const root = project(OLD)
    rmSync(join(root, '.git'), { recursive: true })
    await run(root, { update_baseline: true })
    expect(statuses((await run(root)).findings).every(status => status.endsWith('baseline'))).toBe(true)
  })
})

describe('what one can act on', () => {
  const rules = {
    ...RULE,
    ...wordRule('even', "regex: '\\bodd\\b'\nmatch: ['odd']\nclean: ['good']"),
  }

  test('is listed alone with --actionable-only, and what is not listed is counted', async () => {
    const root = project({
      ...rules,
      'a.py': 'bad\n# bad\n',
      'b.py': '# svc-ignore: local-even -- ours\nodd\n',
      '.gitignore': 'out/\n',
    })
    const output = await run(root, { actionable_only: true })
    expect(output.findings.map(({ file, line }) => `${file}:${line}`)).toEqual(['a.py:1'])
    expect(output).toMatchObject({
      total: 3,
      truncated: true,
      held_back: { suppressed: 1, baseline: 0, without_remedy: 0, unsure: 1 },
    })
    expect(scan.text(output, view)).toContain('Not listed: 1 suppressed, 1 with a confidence below 0.7.')
    const stored = JSON.parse(readFileSync(join(root, 'out/findings.json'), 'utf8'))
    expect(stored).toHaveLength(3)
  })
})

test('severities are weighed anew where the configuration says so, the rule’s own is kept, and the gate goes by the new one', async () => {
  const files = {
    ...wordRule('bad', 'cwe: [CWE-89]\nseverity: medium'),
    'src/auth/login.py': 'x = 1\nbad\n',
    'src/plain.py': 'x = 1\nbad\n',
    '.gitignore': 'out/\n',
  }
  const root = project(files)
  expect((await judge(root)).passed).toBe(true)
  write(root, { '.svc/config.yaml': 'severity_rescoring_enabled: true\n' })
  const { findings, by_severity } = await run(root)
  expect(findings.map(({ file, severity, base_severity }) => [file, severity, base_severity])).toEqual([
    ['src/auth/login.py', 'high', 'medium'],
    ['src/plain.py', 'medium', 'medium'],
  ])
  expect(by_severity).toMatchObject({ high: 1, medium: 1 })
  expect((await judge(root)).passed).toBe(false)
})
