import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import gate from '../../../engine/ops/gate/check.ts'
import scan from '../../../engine/ops/scan/run.ts'
import runs from '../../../engine/ops/store/runs.ts'
import { refusal, surface } from '../../made/call.ts'
import { write } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { OWN_RULES, wordRule } from '../../made/rules.ts'

const SCAN = { repo_path: '.', staged: false, update_baseline: false, actionable_only: false, cache: false }
const on = (root: string, env: Record<string, string> = {}) => surface(root, { env: { ...OWN_RULES, ...env } }).context
const scanned = (root: string, env?: Record<string, string>) =>
  scan.run(SCAN as unknown as Parameters<typeof scan.run>[0], on(root, env))
const listed = async (root: string, env?: Record<string, string>) =>
  ((await runs.run({ limit: 10 } as never, on(root, env))) as { runs: unknown[] }).runs.length
const sources = (more: Record<string, string> = {}) =>
  project({ ...wordRule('frobnicate'), 'a.txt': 'frobnicate\n', ...more })

function elsewhere(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-elsewhere-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe("a project's own out/", () => {
  test('is left as it is, with an error that names the setting and the option', async () => {
    const root = sources({ 'out/findings.json': '[1]\n', 'out/page.html': 'mine\n' })
    const error = await refusal(() => scanned(root))
    expect([error.code, error.row.exit]).toEqual(['CONFLICT', 64])
    expect(`${error.message} ${error.hint}`).toMatch(
      /out\/ contains files that svc did not write.*output_dir.*--output-dir/,
    )
    expect(readFileSync(join(root, 'out/findings.json'), 'utf8')).toBe('[1]\n')
    expect(readdirSync(join(root, 'out')).sort()).toEqual(['findings.json', 'page.html'])
  })

  test.each(['report.html', 'run.json', 'findings.json', 'history/run.json'])(
    'is left as it is where it holds %s alone',
    async name => {
      const root = sources({ [`out/${name}`]: '{"id": 1}\n' })
      expect((await refusal(() => scanned(root))).code).toBe('CONFLICT')
      expect(readFileSync(join(root, 'out', name), 'utf8')).toBe('{"id": 1}\n')
    },
  )

  test('is left as it is where it holds a directory of settings, which is no mark', async () => {
    const own = { 'pkg/findings.json': '[1]\n', 'pkg/.svc/config.yaml': 'gate: { fail_on: [low] }\n' }
    const root = sources(own)
    for (const more of [{ env: { SVC_OUTPUT_DIR: 'pkg' } }, { config: 'output_dir: pkg\n' }]) {
      if (more.config) write(root, { '.svc/config.yaml': more.config })
      expect((await refusal(() => scanned(root, more.env))).code).toBe('CONFLICT')
      expect(readFileSync(join(root, 'pkg/findings.json'), 'utf8')).toBe('[1]\n')
    }
  })

  test('is scanned like any other directory, untracked too', async () => {
    const root = sources({ '.svc/config.yaml': 'output_dir: reports/svc\n' })
    write(root, { 'out/mine.txt': 'frobnicate\n' })
    const { findings } = await scanned(root)
    expect(findings.map(({ file }) => file)).toEqual(['a.txt', 'out/mine.txt'])
  })
})

describe('the output directory', () => {
  test('is out/ where there is none, with a mark, and stays so', async () => {
    const root = sources()
    expect((await scanned(root)).output_dir).toBe('out')
    expect(readdirSync(join(root, 'out'))).toEqual(expect.arrayContaining(['.svc', '.gitignore', 'run.json']))
    // One from before there was the mark, and one brought as an artifact, without hidden files.
    for (const hidden of [['.svc'], ['.svc', '.gitignore']]) {
      for (const name of hidden) rmSync(join(root, 'out', name))
      await scanned(root)
      expect(existsSync(join(root, 'out/.svc'))).toBe(true)
      writeFileSync(join(root, 'out/.gitignore'), '*\n')
    }
  })

  test('is what the configuration says, for commands that write and that read', async () => {
    const root = sources({ '.svc/config.yaml': 'output_dir: build/svc\n' })
    expect((await scanned(root)).output_dir).toBe('build/svc')
    expect(await listed(root)).toBe(1)
    expect(existsSync(join(root, 'out'))).toBe(false)
    expect((await scanned(root)).findings.map(({ file }) => file)).toEqual(['a.txt'])
  })

  test('is what the variable says, wherever that is, before the configuration', async () => {
    const root = sources({ '.svc/config.yaml': 'output_dir: build/svc\n' })
    const env = { SVC_OUTPUT_DIR: join(elsewhere(), 'results') }
    expect((await scanned(root, env)).output_dir).toBe(env.SVC_OUTPUT_DIR)
    expect([await listed(root, env), await listed(root)]).toEqual([1, 0])
    expect(existsSync(join(root, 'build'))).toBe(false)
  })

  test.each(['.', '../x', '/tmp/x', '.git/x', '.svc', 'a/../../b', ''])(
    'is not %j where the configuration says so',
    async named => {
      const root = sources({ '.svc/config.yaml': `output_dir: ${JSON.stringify(named)}\n` })
      expect((await refusal(() => scanned(root))).message).toMatch(/^output_dir must be/)
    },
  )

  test.each(['.', '.git', '.git/svc', '.svc', '.svc/runs', 'self', 'self/.SVC'])(
    'is not %j where the variable says so',
    async named => {
      const root = sources({ 'report.md': 'of the project\n', 'run.json': '{"id": "20250101-000000-abcdef"}\n' })
      symlinkSync('.', join(root, 'self'))
      for (const given of [named, join(root, named)]) {
        const error = await refusal(() => scanned(root, { SVC_OUTPUT_DIR: given }))
        expect([error.code, error.row.exit, error.hint]).toEqual([
          'CONFLICT',
          64,
          expect.stringContaining('--output-dir'),
        ])
        expect(error.message).toMatch(/^(?:The repository's root|\.git|\.svc|\.SVC) is no output directory/)
      }
      expect(readdirSync(root).sort()).toEqual(['.git', '.svc', 'a.txt', 'report.md', 'run.json', 'self'])
      expect(readFileSync(join(root, 'run.json'), 'utf8')).toContain('20250101')
    },
  )

  test('may be reached by a link inside the repository', async () => {
    const root = sources()
    mkdirSync(join(root, 'build/results'), { recursive: true })
    symlinkSync('build/results', join(root, 'out'))
    expect((await scanned(root)).output_dir).toBe('build/results')
    expect(await listed(root)).toBe(1)
  })

  test.each([
    ['outside', (root: string) => symlinkSync(elsewhere(), join(root, 'out')), /to a target outside the repository/],
    ['nowhere', (root: string) => symlinkSync('gone', join(root, 'out')), /to a target that does not exist/],
    [
      'outside on the way',
      (root: string) => {
        write(root, { '.svc/config.yaml': 'output_dir: build/svc\n' })
        symlinkSync(elsewhere(), join(root, 'build'))
      },
      /to a target outside the repository/,
    ],
  ])('is no link that leads %s', async (_, link, says) => {
    const root = sources()
    link(root)
    const error = await refusal(() => scanned(root))
    expect([error.code, error.row.exit]).toEqual(['PATH_ESCAPES', 64])
    expect(error.message).toMatch(says)
  })

  test('of the gate is the same', async () => {
    const root = sources({ '.svc/config.yaml': 'output_dir: build/svc\n' })
    const answer = await gate.run(
      { repo_path: '.', cache: false, require_approval: false } as unknown as Parameters<typeof gate.run>[0],
      on(root),
    )
    expect([answer.passed, answer.output_dir]).toEqual([false, 'build/svc'])
  })
})
