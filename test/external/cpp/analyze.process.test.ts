import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../../engine/base/records/finding.ts'
import analyze from '../../../engine/ops/external/analyze-cpp.ts'
import gate from '../../../engine/ops/gate/check.ts'
import scan from '../../../engine/ops/scan/run.ts'
import { refusal, surface } from '../../made/call.ts'
import { folder, write } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { OWN_RULES, wordRule } from '../../made/rules.ts'

const isThere = (program: string) =>
  (process.env.PATH ?? '').split(':').some(directory => existsSync(join(directory, program)))
const TIDY = isThere('clang-tidy')
const CPPCHECK = isThere('cppcheck')
const GCC = isThere('gcc')
for (const [name, there] of Object.entries({ 'clang-tidy': TIDY, cppcheck: CPPCHECK, gcc: GCC }))
  if (!there) console.warn(`test/external/cpp: tests with ${name} were skipped, since it is not installed.`)

const ENV = { ...OWN_RULES, PATH: process.env.PATH ?? '' }
type Input = Partial<Parameters<typeof analyze.run>[0]>
const run = async (root: string, input: Input = {}, env: Record<string, string> = ENV) => {
  const { context, notices } = surface(root, { env })
  return { ...(await analyze.run({ tool: 'auto', ...input } as never, context)), notices }
}
const SCAN = { repo_path: '.', staged: false, update_baseline: false, actionable_only: false }
const scanned = async (root: string) =>
  scan.run({ ...SCAN, dry_run: false } as never, surface(root, { env: ENV }).context)
const judged = async (root: string) => gate.run(SCAN as never, surface(root, { env: ENV }).context)
const lines = (findings: readonly Finding[]) => findings.map(({ rule_id, file, line }) => `${rule_id} ${file}:${line}`)

const HEADER = 'static inline int first(int *p) {\n  if (!p) {\n    return *p;\n  }\n  return p[0];\n}\n'
const FILES = {
  'include/list.h': HEADER,
  'src/a.c': '#include "list.h"\nint a(void) { return first(0); }\n',
  'src/b.c': '#include "list.h"\nint b(void) { int x; return x; }\n',
  '.gitignore': 'out/\n',
}

describe('without an analyzer', () => {
  test.each(['auto', 'both', 'cppcheck', 'clang-tidy'] as const)('%s ends with 69 and how to install', async tool => {
    const error = await refusal(() => run(project(FILES), { tool }, { PATH: folder() }))
    expect(error.row.exit).toBe(69)
    expect(error.hint).toContain('apt-get install cppcheck clang-tidy')
  })

  test('a repository without C or C++ ends with 66', async () => {
    expect((await refusal(() => run(project({ 'a.py': 'x = 1\n' })))).row.exit).toBe(66)
  })

  test('a program of the repository is not taken for one', async () => {
    const root = project(FILES)
    write(root, { 'bin/cppcheck': '#!/bin/sh\ntouch ran\n' })
    execFileSync('chmod', ['+x', join(root, 'bin/cppcheck')])
    const error = await refusal(() => run(root, { tool: 'cppcheck' }, { PATH: join(root, 'bin') }))
    expect(error.code).toBe('TOOL_MISSING')
    expect(existsSync(join(root, 'ran'))).toBe(false)
  })
})

describe.runIf(CPPCHECK)('cppcheck', () => {
  test('reports with its CWE, once for a header of two sources', async () => {
    const { findings, tools, files } = await run(project(FILES), { tool: 'cppcheck' })
    expect(tools.map(({ name }) => name)).toEqual(['cppcheck'])
    expect(files).toBe(2)
    expect(lines(findings)).toContain('cppcheck:uninitvar src/b.c:2')
    expect(findings.find(({ rule_id }) => rule_id === 'cppcheck:uninitvar')!.cwe).toEqual(['CWE-457'])
    expect(lines(findings).filter(line => line.endsWith('include/list.h:3'))).toHaveLength(1)
  })

  test('that cannot parse a file leaves it not evaluated, and the others are', async () => {
    const output = await run(project({ ...FILES, 'src/bad.c': 'int main( { #if\n' }), { tool: 'cppcheck' })
    expect(output.not_evaluated).toMatchObject([{ rule_id: 'cppcheck:*', file: 'src/bad.c', reason: 'not_understood' }])
    expect(output.files_not_evaluated).toBe(1)
    expect(lines(output.findings)).toContain('cppcheck:uninitvar src/b.c:2')
  })

  test('runs the checks that are named, and a name that none has ends with 64', async () => {
    const root = project(FILES)
    const { findings } = await run(root, { tool: 'cppcheck', checks: 'uninitvar' })
    expect(lines(findings)).toEqual(['cppcheck:uninitvar src/b.c:2'])
    expect((await run(root, { tool: 'cppcheck', checks: '-uninit*' })).findings.length).toBeGreaterThan(0)
    const error = await refusal(() => run(root, { tool: 'cppcheck', checks: 'uninitvra' }))
    expect(error.row.exit).toBe(64)
    expect(error.hint).toContain('uninitvar')
  })

  test('analyzes the files that are named; others end with 66', async () => {
    const root = project(FILES)
    expect((await run(root, { tool: 'cppcheck', files: ['src/a.c'] })).files).toBe(1)
    expect((await run(root, { tool: 'cppcheck', files: ['src'] })).files).toBe(2)
    expect((await refusal(() => run(root, { files: ['lib'] }))).row.exit).toBe(66)
  })
})

describe.runIf(CPPCHECK)('the findings in scans', () => {
  test('are in the run, fail the gate, and are suppressed by their rule', async () => {
    const root = project(FILES)
    const { file } = await run(root, { tool: 'cppcheck', files: ['src/b.c'] })
    expect(file).toBe('out/cpp_findings.json')
    expect(JSON.parse(readFileSync(join(root, file), 'utf8'))).toMatchObject({ version: 1, scope: 'files' })
    const { findings } = await scanned(root)
    const own = findings.filter(({ rule_id }) => rule_id === 'cppcheck:uninitvar')
    expect(own).toMatchObject([{ file: 'src/b.c', line: 2, status: 'open', pack_id: 'external:cppcheck' }])
    expect(await judged(root)).toMatchObject({ passed: false })
    write(root, { '.svc/suppressions.yaml': '- rule: cppcheck:uninitvar\n  reason: known\n' })
    const again = (await scanned(root)).findings.filter(({ rule_id }) => rule_id === 'cppcheck:uninitvar')
    expect(again.map(({ status }) => status)).toEqual(['suppressed'])
  })

  test('have the fingerprints that the analysis gave them', async () => {
    const root = project(FILES)
    const { findings } = await run(root, { tool: 'cppcheck' })
    const joined = (await scanned(root)).findings.filter(({ rule_id }) => rule_id.startsWith('cppcheck:'))
    expect(joined.map(({ fingerprint }) => fingerprint)).toEqual(findings.map(({ fingerprint }) => fingerprint))
  })

  test('of a file that has changed or was added since are unknown: the gate fails and says what to do', async () => {
    const root = project({
      ...FILES,
      ...wordRule('unwanted'),
      'src/b.c': 'int b(void) { return 1; }\n',
      'include/list.h': 'int first(int *);\n',
    })
    await run(root, { tool: 'cppcheck' })
    expect(await judged(root)).toMatchObject({ passed: true })
    write(root, { 'src/a.c': 'int a(void) { return 2; }\n', 'src/c.c': 'int c;\n' })
    const { passed, reasons } = await judged(root)
    expect(passed).toBe(false)
    expect(reasons.join()).toContain('run `svc analyze-cpp` again')
    write(root, { '.svc/config.yaml': 'external_scanners:\n  cppcheck:\n    enabled: false\n' })
    expect((await scanned(root)).findings.filter(({ rule_id }) => rule_id.startsWith('cppcheck:'))).toEqual([])
  })

  test.each([
    ['no JSON', '{'],
    ['of another version', '{"version":9}'],
  ])('from a record that is %s are unknown', async (_, text) => {
    const root = project(FILES)
    mkdirSync(join(root, 'out'))
    writeFileSync(join(root, 'out/cpp_findings.json'), text)
    writeFileSync(join(root, 'out/.svc'), '')
    const output = await scanned(root)
    expect((output.run as { not_evaluated: object[] }).not_evaluated).toMatchObject([{ reason: 'scanner_failed' }])
  })
})

describe.runIf(TIDY)('clang-tidy', () => {
  test('reports with the CWE of its documentation, once for a header of two sources', async () => {
    const { findings, compile_commands, notices } = await run(project(FILES), { tool: 'clang-tidy' })
    expect(compile_commands).toBeNull()
    expect(notices[0]).toContain('No compile_commands.json was found')
    expect(lines(findings)).toEqual([
      'clang-tidy:clang-analyzer-core.NullDereference include/list.h:3',
      'clang-tidy:clang-analyzer-core.uninitialized.UndefReturn src/b.c:2',
    ])
    expect(findings.map(({ cwe }) => cwe)).toEqual([['CWE-476'], ['CWE-457']])
  })

  test('that cannot compile a file leaves it not evaluated', async () => {
    const root = project({ ...FILES, 'src/bad.c': '#include "gone.h"\nint bad;\n' })
    expect((await run(root, { tool: 'clang-tidy' })).not_evaluated).toMatchObject([
      { rule_id: 'clang-tidy:*', file: 'src/bad.c', reason: 'not_understood', detail: /'gone.h' file not found/ },
    ])
  })

  test('counts what NOLINT comments suppress', async () => {
    const root = project({ 'a.c': 'int a(void) { int x; return x; } // NOLINT\n' })
    expect(await run(root, { tool: 'clang-tidy' })).toMatchObject({ findings: [], nolint: 1 })
  })

  test('compiles with the flags of build/compile_commands.json', async () => {
    const command = 'cc -I../gen -DWANTED -c ../a.c'
    const root = project({
      'gen/made.h': 'int made;\n',
      'a.c': '#include "made.h"\n#ifdef WANTED\nint a(void) { int x; return x; }\n#endif\n',
      'build/compile_commands.json': JSON.stringify([{ directory: '.', file: '../a.c', command }]),
    })
    const { findings, compile_commands, not_evaluated } = await run(root, { tool: 'clang-tidy' })
    expect(compile_commands).toBe('build/compile_commands.json')
    expect(not_evaluated).toEqual([])
    expect(findings.map(({ line }) => line)).toEqual([3])
  })

  test.runIf(GCC)('loads no library of the repository, whatever its settings and flags say', async () => {
    const root = project({ 'a.c': 'int a;\n' })
    const ran = join(folder(), 'ran')
    const source = `#include <stdio.h>\n__attribute__((constructor)) static void go(void) { fclose(fopen(${JSON.stringify(ran)}, "w")); }\n`
    write(root, { 'evil.c': source })
    execFileSync('gcc', ['-shared', '-fPIC', '-o', join(root, 'evil.so'), join(root, 'evil.c')])
    const library = join(root, 'evil.so')
    const command = `cc -fplugin=${library} -Xclang -load -Xclang ${library} -c a.c`
    const file = join(root, 'a.c')
    write(root, {
      '.clang-tidy': `Checks: '*'\nExtraArgs: ['-fplugin=${library}']\n`,
      'compile_commands.json': JSON.stringify([{ directory: root, file, command }]),
    })
    // The settings are as dangerous as they look: clang-tidy by itself loads the library.
    execFileSync('clang-tidy', [file, '--', `-fplugin=${library}`], { stdio: 'ignore' })
    expect(existsSync(ran)).toBe(true)
    execFileSync('rm', [ran])
    const { notices } = await run(root, { tool: 'clang-tidy', files: ['a.c'] })
    expect(existsSync(ran)).toBe(false)
    expect(notices.join()).toContain('-Xclang, -fplugin')
  })
})

test.runIf(TIDY && CPPCHECK)(
  'both analyzers report a weakness once, in the same bytes however many run at a time',
  async () => {
    const root = project(FILES)
    const one = await run(root, { jobs: 1 })
    const text = readFileSync(join(root, 'out/cpp_findings.json'), 'utf8')
    await run(root, { jobs: 4 })
    expect(readFileSync(join(root, 'out/cpp_findings.json'), 'utf8')).toBe(text)
    expect(lines(one.findings).filter(line => line.endsWith('include/list.h:3'))).toHaveLength(1)
    expect(one.findings.filter(({ also }) => also)).toHaveLength(2)
  },
)
