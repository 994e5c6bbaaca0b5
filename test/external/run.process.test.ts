import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Run } from '../../engine/base/records/run.ts'
import { runCommand } from '../../engine/external/command.ts'
import { runScanners } from '../../engine/external/run.ts'
import { computeCommandDigest } from '../../engine/external/trust.ts'
import gate from '../../engine/ops/gate/check.ts'
import scan from '../../engine/ops/scan/run.ts'
import { loadConfig } from '../../engine/sources/config/load.ts'
import { discover } from '../../engine/sources/repository/discover.ts'
import { surface } from '../made/call.ts'
import { folder, write } from '../made/folder.ts'
import { project } from '../made/project.ts'

const DEFAULTS = { repo_path: '.', staged: false, update_baseline: false, actionable_only: false }
type Input = Partial<Parameters<typeof scan.run>[0]>
/** Scans where the user trusts the commands as they are now: what runs without trust is in trust.test.ts. */
const run = async (root: string, input: Input = {}, more: Parameters<typeof surface>[1] = {}) => {
  const env = {
    ...PATH,
    ...more.env,
    ...(await trusting(typeof input.repo_path === 'string' ? input.repo_path : root)),
  }
  return scan.run({ ...DEFAULTS, ...input } as Parameters<typeof scan.run>[0], surface(root, { ...more, env }).context)
}
const trusting = async (root: string) => {
  const { external_scanners } = await loadConfig(root)
  const commands = Object.values(external_scanners).flatMap(({ command }) => (command ? [command] : []))
  return { SVC_TRUST_EXTERNAL: commands.map(command => computeCommandDigest(root, command)).join(',') }
}
const judge = (root: string) =>
  gate.run({ ...DEFAULTS } as unknown as Parameters<typeof gate.run>[0], surface(root, { env: PATH }).context)
const PATH = { PATH: process.env.PATH ?? '' }
const NODE = JSON.stringify(process.execPath)

const sarif = (...results: object[]) => log(results)
const log = (results: object[]) =>
  JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'T' } }, results }] })
const result = (uri: string, line: number, more: object = {}) => ({
  ruleId: 'weak',
  level: 'error',
  message: { text: 'It is weak.' },
  locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: line } } }],
  ...more,
})
const config = (yaml: string) => ({ '.svc/config.yaml': `external_scanners:\n${yaml}\n` })
const imported = (findings: readonly { pack_id: string }[]) =>
  findings.filter(({ pack_id }) => pack_id.startsWith('external:'))
const unheard = (output: { run: object }) =>
  (output.run as Run).not_evaluated.map(({ rule_id, reason, detail }) => ({ rule_id, reason, detail }))
const FILES = { 'a.py': 'x = 1\nweak(x)\n', '.gitignore': 'out/\nreports/\n' }

describe('the report of another scanner', () => {
  const files = { ...FILES, ...config('  other:\n    report: reports/other.sarif') }

  test('becomes findings of the run, judged by the gate and stored with the rest', async () => {
    const root = project({ ...files, 'reports/other.sarif': sarif(result('a.py', 2)) })
    const { findings, run_id } = await run(root)
    expect(imported(findings)).toMatchObject([{ rule_id: 'other:weak', severity: 'high', file: 'a.py', line: 2 }])
    expect(run_id).toBeTruthy()
    expect(readFileSync(join(root, 'out/findings.json'), 'utf8')).toContain('other:weak')
    expect(await judge(root)).toMatchObject({ passed: false, high: 1 })
  })

  test('is suppressed by rule, held by the baseline, and followed through a rename like any other', async () => {
    const long = `${'y = 2\n'.repeat(20)}weak(y)\n`
    const root = project({
      ...files,
      'b.py': long,
      'reports/other.sarif': sarif(result('a.py', 2), result('b.py', 21)),
    })
    write(root, { '.svc/suppressions.yaml': '- rule: other:weak\n  file: a.py\n  reason: ours\n' })
    await run(root, { update_baseline: true })
    execFileSync('git', ['mv', 'b.py', 'c.py'], { cwd: root })
    write(root, { 'reports/other.sarif': sarif(result('a.py', 2), result('c.py', 21)) })
    const output = await run(root)
    expect(imported(output.findings)).toMatchObject([
      { file: 'a.py', status: 'suppressed' },
      { file: 'c.py', status: 'baseline' },
    ])
    expect((output.run as Run).notices).toEqual([])
  })

  test('in UTF-16, as a redirection on Windows writes it, is read', async () => {
    const root = project(files)
    write(root, { 'reports/other.sarif': Buffer.from(`\ufeff${sarif(result('a.py', 2))}`, 'utf16le') })
    expect(imported((await run(root)).findings)).toHaveLength(1)
  })

  test('tells what is outside the repository, and what has no place', async () => {
    const root = project({ ...files, 'reports/other.sarif': sarif(result('/etc/hosts', 1), result('', 1)) })
    const { notices } = (await run(root)).run as Run
    expect(notices.map(({ kind, file }) => [kind, file])).toEqual([
      ['external_outside', 'reports/other.sarif'],
      ['external_unplaced', 'reports/other.sarif'],
    ])
  })

  test.each([
    ['is missing', () => {}, /is not there/],
    ['is empty', (root: string) => write(root, { 'reports/other.sarif': '' }), /it is empty/],
    ['is no SARIF', (root: string) => write(root, { 'reports/other.sarif': '{}' }), /no SARIF log/],
    ['is a link', (root: string) => symlinkSync('/etc/hosts', join(root, 'reports/other.sarif')), /symbolic link/],
    ['is a pipe', (root: string) => execFileSync('mkfifo', [join(root, 'reports/other.sarif')]), /named pipe/],
  ])('that %s is unknown, not clean: the gate is held and says why', async (_, make, why) => {
    const root = project(files)
    mkdirSync(join(root, 'reports'))
    make(root)
    const decision = await judge(root)
    const [entry] = unheard(decision)
    expect(entry).toMatchObject({ rule_id: 'other:*', reason: 'scanner_failed' })
    expect(entry!.detail).toMatch(why)
    expect(decision.passed).toBe(false)
    expect(decision.reasons).toEqual([`the scanner "other" gave no complete result (${entry!.detail})`])
  })

  test('that says in many lines and with signs for the terminal why it failed says so on one line, in letters', async () => {
    const text = 'no licence\n::error::gone\u001b[31m'
    const invocations = [{ executionSuccessful: false, toolExecutionNotifications: [{ message: { text } }] }]
    const failed = { version: '2.1.0', runs: [{ tool: { driver: { name: 'T' } }, results: [], invocations }] }
    const root = project({ ...files, 'reports/other.sarif': JSON.stringify(failed) })
    expect((await judge(root)).reasons).toEqual([
      'the scanner "other" gave no complete result (the tool reports that it failed: no licence\\n::error::gone\\x1b[31m)',
    ])
  })

  test('of more results than a call takes arguments is taken in whole', async () => {
    const results = Array.from({ length: 130_000 }, (_, at) => result('a.py', 2, { message: { text: `No. ${at}` } }))
    const root = project({ ...files, 'reports/other.sarif': log(results) })
    const { context } = surface(root)
    const listing = await discover(root, { exclude: [], signal: context.signal })
    const request = { config: await loadConfig(root), listing, refusal: 'this is a test' }
    expect((await runScanners(request, context)).findings).toHaveLength(results.length)
  })

  test('outside the repository is not read', async () => {
    const root = project({ ...FILES, ...config('  other:\n    report: ../elsewhere.sarif') })
    expect(unheard(await run(root))[0]!.detail).toContain('is outside the repository')
  })

  test('does not take findings for mended while it is missing', async () => {
    const root = project({ ...files, 'reports/other.sarif': sarif(result('a.py', 2)) })
    await run(root, { update_baseline: true })
    execFileSync('rm', [join(root, 'reports/other.sarif')])
    const { run: record } = await run(root)
    expect((record as Run).notices).toEqual([])
    expect((await run(root, { update_baseline: true })).baseline).toMatchObject({ entries: 1, kept: 1, pruned: 0 })
  })

  test('is left alone by a scanner that is switched off, and by a scan of a part, which says so', async () => {
    const off = project({ ...FILES, ...config('  other:\n    enabled: false\n    report: nowhere.sarif') })
    expect(unheard(await run(off))).toEqual([])
    const root = project({ ...files, 'reports/other.sarif': sarif(result('a.py', 2)) })
    const part = await run(root, { changed_files: ['a.py'] })
    expect(imported(part.findings)).toEqual([])
    expect((part.run as Run).notices.filter(({ kind }) => kind !== 'other_files_not_followed')).toMatchObject([
      { kind: 'external_not_run', detail: expect.stringContaining('other') },
    ])
  })
})

describe('the command of another scanner', () => {
  const script = (code: string) => ({ ...FILES, 'scanner.mjs': code })
  const command = (...args: string[]) =>
    config(`  tool:\n    command: [${[NODE, ...args.map(arg => JSON.stringify(arg))].join(', ')}]`)

  test('is run at the root, and what it prints is imported, whatever its exit code', async () => {
    const code = `import { existsSync } from 'node:fs'
      process.stdout.write(${JSON.stringify(sarif(result('a.py', 2)))}.replace('weak', existsSync('a.py') ? 'at-root' : 'elsewhere'))
      process.exitCode = 1`
    const root = project({ ...script(code), ...command('scanner.mjs') })
    expect(imported((await run(root)).findings)).toMatchObject([{ rule_id: 'tool:at-root' }])
  })

  test('gets no credential but those that the user names, and no shell looks at its arguments', async () => {
    const code = `process.stdout.write(JSON.stringify({ version: '2.1.0', runs: [{ results: [{ ruleId: 'r', message: { text:
      [process.env.SVC_AGENT_KEY, process.env.GITHUB_TOKEN, process.env.AWS_PROFILE, process.env.OWN, process.env.LANG,
        process.argv[2]].join('|') },
      locations: [{ physicalLocation: { artifactLocation: { uri: 'a.py' } } }] }] }] }))`
    const root = project({ ...script(code), ...command('scanner.mjs', '$HOME; touch made') })
    const secret = { SVC_AGENT_KEY: 'secret', GITHUB_TOKEN: 'secret', AWS_PROFILE: 'secret', OWN: 'named' }
    const env = { ...PATH, ...secret, LANG: 'C', SVC_EXTERNAL_ENV: 'OWN,SVC_AGENT_KEY' }
    const [finding] = imported((await run(root, {}, { env })).findings) as unknown as { message: string }[]
    expect(finding!.message).toBe('|||named|C|$HOME; touch made')
    expect(existsSync(join(root, 'made'))).toBe(false)
  })

  test.each([
    ['is not installed', 'no-such-program-here', [], /the program no-such-program-here was not found/],
    [
      'prints nothing',
      process.execPath,
      ['-e', 'console.error("no licence"); process.exit(3)'],
      /it is empty.*ended with 3 and said: no licence/,
    ],
    ['prints half a report', process.execPath, ['-e', 'process.stdout.write("{\\"runs\\":[")'], /not valid JSON/],
  ])('that %s fails that scanner alone, and says why', async (_, program, args, why) => {
    const root = project({
      ...FILES,
      ...config(`  bad:\n    command: ${JSON.stringify([program, ...args])}\n  good:\n    report: good.sarif`),
      'good.sarif': sarif(result('a.py', 2)),
    })
    const output = await run(root)
    expect(imported(output.findings)).toMatchObject([{ rule_id: 'good:weak' }])
    expect(unheard(output)).toHaveLength(1)
    expect(unheard(output)[0]!.detail).toMatch(why)
  })

  test('that prints a credential it was given does not have it repeated', async () => {
    const root = project({ ...script('console.error(`401 for ${process.env.SNYK_TOKEN}`)'), ...command('scanner.mjs') })
    const env = { ...PATH, SNYK_TOKEN: 'not-to-be-shown', SVC_EXTERNAL_ENV: 'SNYK_TOKEN' }
    const output = await run(root, {}, { env })
    expect(unheard(output)[0]!.detail).toMatch(/and said: 401 for \*\*\*$/)
    expect(JSON.stringify(output)).not.toContain('not-to-be-shown')
  })

  /** A command that starts another and ends no sooner than that, in an hour; and when each process that it was has gone. */
  function endless(): { argv: string; gone: Promise<unknown> } {
    const pipe = join(folder(), 'pipe')
    execFileSync('mkfifo', [pipe])
    // Who reads a pipe is told of its end when the last process that could write to it has gone.
    return { argv: JSON.stringify(['sh', '-c', `sleep 3600 > '${pipe}' & wait`]), gone: readFile(pipe) }
  }

  test('that does not end is ended, with what it has started', async () => {
    const { argv, gone } = endless()
    const root = project({ ...FILES, ...config(`  slow:\n    command: ${argv}\n    timeout_seconds: 1`) })
    const output = await run(root)
    expect(unheard(output)[0]!.detail).toBe('it timed out after 1 seconds')
    await gone
  })

  test('is ended by an interruption, which the scan answers with', async () => {
    const stop = new AbortController()
    const { argv, gone } = endless()
    const begun = join(folder(), 'begun')
    const both = argv.replace('sleep', `touch '${begun}'; sleep`)
    const root = project({ ...FILES, ...config(`  slow:\n    command: ${both}`) })
    const scanning = run(root, {}, { signal: stop.signal })
    const refused = expect(scanning).rejects.toThrow()
    await expect.poll(() => existsSync(begun)).toBe(true)
    stop.abort()
    await refused
    await gone
  })

  test('with a report of its own is read there, and an older report never stands for a failed run', async () => {
    const yaml = `  both:\n    command: [${NODE}, scanner.mjs]\n    report: reports/both.sarif`
    const write_it = `import { mkdirSync, writeFileSync } from 'node:fs'
      mkdirSync('reports', { recursive: true })
      writeFileSync('reports/both.sarif', ${JSON.stringify(sarif(result('a.py', 2)))})`
    const root = project({ ...script(write_it), ...config(yaml) })
    expect(imported((await run(root)).findings)).toHaveLength(1)
    write(root, { 'scanner.mjs': 'process.exit(2)' })
    const failed = await run(root)
    expect(imported(failed.findings)).toEqual([])
    expect(unheard(failed)[0]!.detail).toMatch(/no new report was written/)
  })

  test('is not run for a tool, a request, or somebody who stands elsewhere, and that is told', async () => {
    const code = `import { writeFileSync } from 'node:fs'; writeFileSync('ran', ''); process.stdout.write('{"version":"2.1.0","runs":[]}')`
    const root = project({ ...script(code), ...command('scanner.mjs') })
    const elsewhere = project({ 'x.txt': 'x' })
    const outputs = [
      await run(root, {}, { surface: 'mcp' }),
      await run(root, {}, { surface: 'rest' }),
      await run(elsewhere, { repo_path: root }),
    ]
    for (const output of outputs)
      expect(unheard(output)).toMatchObject([{ rule_id: 'tool:*', reason: 'scanner_not_run' }])
    expect(existsSync(join(root, 'ran'))).toBe(false)
    await run(root)
    expect(existsSync(join(root, 'ran'))).toBe(true)
  })
})

test('a command is given what it is told and nothing of a shell, and its output is whole', async () => {
  const options = { cwd: '/', env: PATH, timeout_ms: 40_000, signal: new AbortController().signal }
  const big = await runCommand([process.execPath, '-e', 'process.stdout.write("x".repeat(5e6))'], options)
  expect('stdout' in big && big.stdout.length).toBe(5e6)
  const denied = project({ 'tool.sh': '#!/bin/sh\n' })
  chmodSync(join(denied, 'tool.sh'), 0o644)
  expect(await runCommand([join(denied, 'tool.sh')], options)).toMatchObject({
    failure: expect.stringContaining('EACCES'),
  })
})
