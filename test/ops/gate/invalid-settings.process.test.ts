import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import gate from '../../../engine/ops/gate/check.ts'
import { refusal, surface } from '../../made/call.ts'
import { write } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { OWN_RULES, wordRule } from '../../made/rules.ts'

const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: root, stdio: 'pipe' })
    .toString()
    .trim()

function commit(root: string): void {
  git(root, 'add', '-A')
  git(root, 'commit', '-qm', 'change')
}

const FILES: Record<string, string> = {
  ...wordRule('bad', "regex: '(?<![-\\w])bad(?![-\\w])'\nmatch: ['bad']\nclean: ['local-bad']"),
  '.gitignore': 'out/\n.svc/local/\n',
  'src/a.txt': 'fine\n',
}
const CONFIG = '.svc/config.yaml'
const TYPO = 'gate:\n  trusted: [kim]\n  fail_onn: [critical, high, low]\n'
const CORRECT = 'gate:\n  trusted: [kim]\n  fail_on: [critical, high, low]\n'
const SUPPRESSION = { '.svc/suppressions.yaml': '- { rule: local-bad, reason: known }\n' }
const RULE = '.svc/rules/local-bad.yaml'

async function judge(root: string, input: object = {}) {
  const { context } = surface(root, { env: OWN_RULES })
  const { passed, failures, blocking_findings } = await gate.run({ repo_path: '.', ...input } as never, context)
  return { passed, failures, rules: blocking_findings.map(({ rule_id }) => rule_id).sort() }
}
const refused = (root: string, input: object = {}) => refusal(() => judge(root, input))

/** Files with a fault, each with the line of it and the same file without. */
const INVALID: [path: string, line: number, invalid: string, valid: string][] = [
  [CONFIG, 3, TYPO, CORRECT],
  [CONFIG, 2, 'gate:\n\tfail_on: [high]\n', CORRECT],
  [CONFIG, 1, 'packs: { enable: [go], disable: [go] }\n', CORRECT],
  ['src/.svc/config.yaml', 1, 'scan_exclud: [x]\n', 'scan_exclude: []\n'],
  ['.svc/suppressions.yaml', 1, '- { rule: local-bad, reson: known }\n', '[]\n'],
  ['.svc/baseline.json', 1, '{"version":1\n', '{"version":1,"entries":[]}\n'],
  ['policies.yaml', 2, 'policies:\n\t- { name: a }\n', 'policies: []\n'],
  ['architecture.yaml', 2, 'layers:\n\t- { name: a }\n', 'cycles: {}\n'],
  ['.svc/libraries/own.yaml', 2, 'library: own\n\tlanguages: [go]\n', 'library: own\nlanguages: [go]\nsinks: []\n'],
  [RULE, 2, `id: local-bad\n\ttype: regex\n`, FILES[RULE]!],
]

describe.each(INVALID)('%s that is invalid at line %i', (path, line, invalid, valid) => {
  test('in the change is an error that names every place, though the change weakens something else', async () => {
    const root = project({ ...FILES, ...(path !== '.svc/libraries/own.yaml' && { [path]: valid }), 'b.txt': 'x\n' })
    const more = path === '.svc/suppressions.yaml' ? { [CONFIG]: 'scan_exclude: [src]\n' } : SUPPRESSION
    write(root, { [path]: invalid, ...more })
    const error = await refused(root)
    expect([error.code, error.place?.file, error.place?.line]).toEqual(['CONFIG_INVALID', path, line])
    expect((await refused(root, { branch: 'HEAD' })).code).toBe('CONFIG_INVALID')
    commit(root)
    // What is on disk has no part in it.
    write(root, { [path]: valid })
    const ranged = await refused(root, { git_range: 'HEAD~1..HEAD' })
    expect([ranged.code, ranged.place?.file, ranged.place?.line]).toEqual(['CONFIG_INVALID', path, line])
    expect(ranged.hint).toContain('as they are committed')
  })

  test('in the base alone fails the gate once, names the commit and the line, and is judged by the change', async () => {
    const root = project({ ...FILES, [path]: invalid })
    const base = git(root, 'rev-parse', 'HEAD')
    write(root, { [path]: valid })
    if (path === '.svc/libraries/own.yaml') execFileSync('rm', [path], { cwd: root })
    const whole = await judge(root)
    expect(whole).toMatchObject({ passed: false, rules: ['gate-base-invalid'] })
    expect(whole.failures).toMatchObject([{ kind: 'weakened', file: path, resolve: expect.stringContaining('Commit') }])
    expect(whole.failures[0]!.message).toContain(`invalid in HEAD, line ${line}: `)
    git(root, 'add', '-A')
    expect(await judge(root, { staged: true })).toMatchObject({ rules: ['gate-base-invalid'] })
    commit(root)
    expect(await judge(root)).toMatchObject({ passed: true })
    const ranged = await judge(root, { git_range: 'HEAD~1..HEAD' })
    expect(ranged).toMatchObject({ passed: false, rules: ['gate-base-invalid'] })
    expect(ranged.failures[0]!.message).toContain(`invalid in ${base.slice(0, 12)}, line ${line}: `)
    expect(ranged.failures[0]!.resolve).toContain('--reviewed-by')
  })
})

describe('a change that corrects the configuration of its base', () => {
  const corrected = (more: Record<string, string> = {}, config = CORRECT) => {
    const root = project({ ...FILES, [CONFIG]: TYPO })
    write(root, { [CONFIG]: config, ...more })
    commit(root)
    return root
  }
  const range = { git_range: 'HEAD~1..HEAD' }

  test('passes as soon as a reviewer whom the base names approves it, and nobody else', async () => {
    const root = corrected()
    expect(await judge(root, { ...range, reviewed_by: ['mallory'] })).toMatchObject({ passed: false })
    expect(await judge(root, { ...range, reviewed_by: ['kim'] })).toMatchObject({ passed: true })
  })

  test('names no reviewer of its own', async () => {
    const root = corrected({}, CORRECT.replace('kim', 'kim, mallory'))
    expect(await judge(root, { ...range, reviewed_by: ['mallory'] })).toMatchObject({ passed: false })
  })

  test('fails where it hides findings by settings that cannot be compared', async () => {
    const root = corrected({ 'src/a.txt': 'bad\n' }, 'scan_exclude: [src]\n')
    expect(await judge(root, range)).toMatchObject({ passed: false, rules: ['gate-base-invalid'] })
  })

  test('fails on its findings and on what else it weakens, by its own settings', async () => {
    const root = corrected({ 'src/a.txt': 'bad\n', ...SUPPRESSION, 'b.txt': 'bad\n' })
    const { rules } = await judge(root, range)
    expect(rules).toEqual(['gate-base-invalid', 'gate-suppression-added'])
  })

  test('is told from another correction by its content', async () => {
    const print = async (config: string) => {
      const root = corrected({}, config)
      const { context } = surface(root, { env: OWN_RULES })
      const { blocking_findings } = await gate.run({ repo_path: '.', ...range } as never, context)
      return blocking_findings[0]!.snippet.replace(/[0-9a-f]{12},/, '')
    }
    expect(await print(CORRECT)).not.toBe(await print('scan_exclude: [src]\n'))
  })
})

test('a legacy file that another one takes the place of may be invalid', async () => {
  const root = project({ ...FILES, [CONFIG]: CORRECT, '.guard.yaml': 'nonsense: 1\n' })
  write(root, { '.guard.yaml': 'nonsense: 2\n' })
  expect(await judge(root)).toMatchObject({ passed: true })
})

test('the configuration of a directory that was invalid and is deleted holds up no change', async () => {
  const vendored = 'third_party/lib/.svc/config.yaml'
  const root = project({ ...FILES, [CONFIG]: 'scan_exclude: [third_party]\n', [vendored]: 'output_dir: build/svc\n' })
  git(root, 'rm', '-qr', 'third_party')
  commit(root)
  expect(await judge(root, { git_range: 'HEAD~1..HEAD' })).toMatchObject({ passed: true, rules: [] })
})
