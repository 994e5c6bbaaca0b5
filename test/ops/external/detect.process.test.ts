import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { View } from '../../../engine/base/text/view.ts'
import { SCANNERS } from '../../../engine/external/scanners.ts'
import detect from '../../../engine/ops/external/detect.ts'
import scan from '../../../engine/ops/scan/run.ts'
import { loadConfig } from '../../../engine/sources/config/load.ts'
import { context, refusal, surface } from '../../made/call.ts'
import { write } from '../../made/folder.ts'
import { project } from '../../made/project.ts'

const view: View = { verbose: false, quiet: false, width: 80, paint: (_style, text) => text }
const run = (root: string, write = false, env: Record<string, string> = {}) =>
  detect.run({ write }, context(root, { env }))
const sarif = (driver: string) =>
  JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: driver } }, results: [] }] })
const config = (root: string) => readFileSync(join(root, '.svc/config.yaml'), 'utf8')

const USED = {
  '.semgrep.yml': 'rules: []\n',
  '.gitleaks.toml': '',
  'pyproject.toml': '[project]\nname = "x"\n\n[tool.ruff]\nline-length = 100\n',
  '.github/workflows/ci.yml':
    'jobs:\n  scan:\n    steps:\n      # - uses: bridgecrewio/checkov-action@v12\n      - uses: aquasecurity/trivy-action@0.20\n      - uses: github/codeql-action/analyze@v3\n',
  'web/package.json': '{\n  "devDependencies": {\n    "eslint": "9"\n  }\n}\n',
  'sonar-project.properties': 'sonar.projectKey=x\n',
  'src/main.py': 'print("bandit")\n',
}

describe('what is found', () => {
  test('comes with the evidence: configuration, a mention with its line, a report', async () => {
    const root = project({ ...USED, 'reports/snyk.sarif': sarif('Snyk Open Source') })
    const { scanners, written } = await run(root)
    expect(scanners.map(({ name }) => name)).toEqual([
      'codeql',
      'eslint',
      'gitleaks',
      'ruff',
      'semgrep',
      'snyk',
      'sonar',
      'trivy',
    ])
    const of = (name: string) => scanners.find(scanner => scanner.name === name)!
    expect(of('semgrep').evidence).toEqual([{ file: '.semgrep.yml', what: 'its configuration' }])
    expect(of('semgrep').command).toEqual(['semgrep', 'scan', '--sarif', '--quiet', '--config', '.semgrep.yml'])
    expect(of('trivy').evidence).toEqual([{ file: '.github/workflows/ci.yml', line: 5, what: 'a mention of it' }])
    expect(of('eslint').evidence).toMatchObject([{ file: 'web/package.json', line: 3 }])
    expect(of('ruff').evidence).toMatchObject([{ file: 'pyproject.toml', line: 4 }])
    expect(of('snyk')).toMatchObject({ report: 'reports/snyk.sarif', ready: true })
    expect(of('sonar')).toMatchObject({ note: expect.stringContaining('does not write SARIF') })
    expect(written).toEqual([])
    expect(existsSync(join(root, '.svc'))).toBe(false)
  })

  test('does not repeat the credential that stands beside a mention', async () => {
    const root = project({ Makefile: 'check:\n\tSNYK_TOKEN=not-to-be-shown snyk test\n' })
    const output = await run(root)
    expect(output.scanners.map(({ evidence }) => evidence)).toEqual([
      [{ file: 'Makefile', line: 2, what: 'a mention of it' }],
    ])
    expect(JSON.stringify(output)).not.toContain('not-to-be-shown')
  })

  test('is nothing where only code, comments and tests speak of a scanner', async () => {
    const root = project({
      'src/main.py': '# run bandit and semgrep\n',
      'README.md': 'We use trivy.\n',
      '.github/workflows/ci.yml': '# trivy comes later\njobs: {}\n',
      'tests/fixtures/.semgrep.yml': 'rules: []\n',
    })
    const output = await run(root)
    expect(output.scanners).toEqual([])
    expect(detect.text(output, view)).toBe('No other scanner was detected.')
  })

  test('includes reports that git ignores, of tools that nobody has heard of too, but not those of svc', async () => {
    const root = project({ '.gitignore': '*.sarif\nout/\n', 'a.txt': 'a' })
    writeFileSync(join(root, 'x.sarif'), sarif('My Own Checker'))
    writeFileSync(join(root, 'broken.sarif'), '{')
    mkdirSync(join(root, 'out'))
    writeFileSync(join(root, 'out/report.sarif'), sarif('svc'))
    expect((await run(root)).scanners).toMatchObject([{ name: 'my-own-checker', report: 'x.sarif' }])
  })

  test('says whether a program is installed, without starting it', async () => {
    const program = { 'bin/gitleaks': '#!/bin/sh\ntouch started\n' }
    const [root, machine] = [project({ ...USED, ...program }), project(program)]
    for (const folder of [root, machine]) chmodSync(join(folder, 'bin/gitleaks'), 0o755)
    // A program that the repository brings is not one that is installed.
    expect((await run(root, false, { PATH: join(root, 'bin') })).scanners.some(({ ready }) => ready)).toBe(false)
    const { scanners } = await run(root, false, { PATH: join(machine, 'bin') })
    expect(scanners.filter(({ ready }) => ready).map(({ name }) => name)).toEqual(['gitleaks'])
    expect(existsSync(join(root, 'started'))).toBe(false)
  })
})

describe('with --write', () => {
  const OURS =
    '# ours\nscan_exclude: [dist]\n\nexternal_scanners:\n  # only nightly\n  semgrep:\n    report: nightly.sarif # kept\n'

  test('adds what can be asked, leaves what is there with its comments, and the result is valid', async () => {
    const root = project({ ...USED, '.svc/config.yaml': OURS, 'snyk.sarif': sarif('Snyk Code') })
    const output = await run(root, true, { PATH: '' })
    expect(output).toMatchObject({ file: '.svc/config.yaml', written: ['eslint', 'gitleaks', 'ruff', 'snyk', 'trivy'] })
    expect(config(root).startsWith(OURS)).toBe(true)
    const { external_scanners } = parse(config(root))
    expect(external_scanners.snyk).toEqual({ report: 'snyk.sarif' })
    expect(external_scanners.gitleaks).toMatchObject({
      enabled: false,
      command: expect.arrayContaining(['gitleaks', 'sarif']),
    })
    expect((await loadConfig(root)).external_scanners.semgrep).toMatchObject({ report: 'nightly.sarif', enabled: true })
    const again = await run(root, true, { PATH: '' })
    expect(again.written).toEqual([])
  })

  test('shows afterwards what scans do with a scanner, not what would be suggested, and whether they ask it', async () => {
    const root = project({ ...USED, '.svc/config.yaml': OURS })
    await run(root, true, { PATH: '' })
    const output = await run(root)
    const of = (name: string) => output.scanners.find(scanner => scanner.name === name)
    expect(of('semgrep')).toMatchObject({ enabled: true, report: 'nightly.sarif', ready: false })
    expect(of('semgrep')).not.toHaveProperty('command')
    expect(of('gitleaks')).toMatchObject({ enabled: false })
    const text = detect.text(output, view)
    expect(text).toContain('(gitleaks, configured, but not enabled)')
    expect(text).toMatch(/\(semgrep, configured\)[\s\S]*?read nightly\.sarif/)
  })

  test('knows a configured program by its whole path as well as by one from the root', async () => {
    const own = (program: string) => `external_scanners: { gitleaks: { command: [${program}] } }\n`
    const root = project({ ...USED, 'bin/gitleaks': '#!/bin/sh\n' })
    for (const program of [join(root, 'bin/gitleaks'), './bin/gitleaks']) {
      write(root, { '.svc/config.yaml': own(program) })
      expect((await run(root, false, { PATH: '' })).scanners).toContainEqual(
        expect.objectContaining({ name: 'gitleaks', ready: true }),
      )
    }
  })

  test('makes the file where there is none, and the next scan takes the reports in', async () => {
    const root = project({ 'a.py': 'x = 1\n', 'other.sarif': '' })
    const result = {
      ruleId: 'r',
      message: { text: 'm' },
      locations: [{ physicalLocation: { artifactLocation: { uri: 'a.py' } } }],
    }
    writeFileSync(
      join(root, 'other.sarif'),
      JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'Trivy' } }, results: [result] }] }),
    )
    await run(root, true)
    expect(parse(config(root))).toEqual({ external_scanners: { trivy: { report: 'other.sarif' } } })
    const input = { repo_path: '.', staged: false, update_baseline: false, actionable_only: false }
    const { findings } = await scan.run(input as Parameters<typeof scan.run>[0], surface(root).context)
    expect(findings.map(({ rule_id }) => rule_id)).toContain('trivy:r')
  })

  test('a scanner that writes a file writes it below the output directory of the configuration', async () => {
    const root = project({ '.checkov.yaml': '', '.svc/config.yaml': 'output_dir: build/svc\n' })
    await run(root, true)
    const { checkov } = parse(config(root)).external_scanners
    expect(checkov.report).toBe('build/svc/external/checkov/results_sarif.sarif')
    expect(checkov.command).toContain('build/svc/external/checkov')
  })

  test('writes nothing into a configuration that is not valid', async () => {
    const root = project({ ...USED, '.svc/config.yaml': 'scan: [\n' })
    expect((await refusal(() => run(root, true))).code).toBe('CONFIG_INVALID')
    expect(config(root)).toBe('scan: [\n')
  })
})

test('the table of scanners is in the order of the names, and its commands ask for SARIF', () => {
  const names = SCANNERS.map(({ name }) => name)
  expect(names).toEqual([...names].sort())
  for (const { command, report } of SCANNERS) {
    if (command) expect(`${command([], 'out').join(' ')} ${report?.('out') ?? ''}`).toMatch(/sarif/)
  }
})
