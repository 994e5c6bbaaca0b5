import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import gate from '../../../engine/ops/gate/check.ts'
import scanRun from '../../../engine/ops/scan/run.ts'
import { surface } from '../../made/call.ts'
import { write } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { OWN_RULES, wordRule } from '../../made/rules.ts'

const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: root, stdio: 'pipe' })

const commit = (root: string) => {
  git(root, 'add', '-A')
  git(root, 'commit', '-qm', 'change')
}

const FILES = {
  ...wordRule('bad', "regex: '(?<![-\\w])bad(?![-\\w])'\nmatch: ['bad']\nclean: ['local-bad']"),
  '.gitignore': 'out/\n.svc/local/\n',
  '.svc/config.yaml': 'gate:\n  fail_on: [critical, high]\n',
  'src/a.txt': 'bad\n',
}

async function judge(root: string, input: object = {}) {
  const { context, notices } = surface(root, { env: OWN_RULES })
  const answer = await gate.run({ repo_path: '.', ...input } as Parameters<typeof gate.run>[0], context)
  return { passed: answer.passed, rules: answer.blocking_findings.map(({ rule_id }) => rule_id).sort(), notices }
}

/** What the working tree does to the settings of HEAD, each with the rule that names it. */
const WAYS: [string, string, (root: string) => void][] = [
  ['no severity that fails', 'gate-config-weakened', r => write(r, { '.svc/config.yaml': 'gate: { fail_on: [] }\n' })],
  ['an exclusion', 'gate-exclusion-added', r => write(r, { '.svc/config.yaml': 'scan_exclude: [src]\n' })],
  [
    'a suppression',
    'gate-suppression-added',
    r => write(r, { '.svc/suppressions.yaml': '- rule: local-bad\n  reason: known\n  approved_by: Kim\n' }),
  ],
  ['a deleted rule', 'gate-pack-disabled', r => rmSync(join(r, '.svc/rules/local-bad.yaml'))],
  [
    'a directory with a configuration',
    'gate-exclusion-added',
    r => write(r, { 'src/.svc/config.yaml': 'scan_exclude: ["*.txt"]\n' }),
  ],
  [
    'a configuration that git is told to take for unchanged',
    'gate-exclusion-added',
    r => {
      git(r, 'update-index', '--assume-unchanged', '.svc/config.yaml')
      write(r, { '.svc/config.yaml': 'scan_exclude: [src]\n' })
    },
  ],
]

describe.each(WAYS)('the working tree has %s that HEAD does not have', (_, rule, weaken) => {
  test('and the gate over the whole tree fails on it, and judges by HEAD', async () => {
    const root = project(FILES)
    weaken(root)
    expect(await judge(root)).toMatchObject({ passed: false, rules: [rule, 'local-bad'].sort() })
  })
})

test('settings of a directory in HEAD stay in force where the root weakens its own', async () => {
  const root = project({ ...FILES, 'src/.svc/config.yaml': 'gate: { fail_on: [critical, high, low] }\n' })
  write(root, { '.svc/config.yaml': 'gate: { fail_on: [critical] }\n' })
  expect((await judge(root)).rules).toEqual(['gate-config-weakened', 'local-bad'])
})

test('the first adoption, stricter settings and committed ones are no weakening', async () => {
  const fresh = project({ 'src/a.txt': 'fine\n' })
  write(fresh, { '.svc/config.yaml': 'gate: { fail_on: [critical] }\n', ...wordRule('other') })
  expect(await judge(fresh)).toMatchObject({ passed: true, rules: [] })
  const root = project({ ...FILES, 'src/a.txt': 'fine\n' })
  write(root, { '.svc/config.yaml': 'gate: { fail_on: [critical, high, medium] }\n' })
  expect(await judge(root)).toMatchObject({ passed: true, rules: [] })
  write(root, { '.svc/config.yaml': 'gate: { fail_on: [critical] }\n' })
  commit(root)
  expect(await judge(root)).toMatchObject({ passed: true, rules: [] })
})

describe('a range of commits, beside a working tree that is weaker', () => {
  test.each(WAYS.slice(0, 5))('is judged by its base: %s', async (_, _rule, weaken) => {
    const root = project({ ...FILES, 'src/a.txt': 'fine\n' })
    write(root, { 'src/a.txt': 'bad\n' })
    commit(root)
    weaken(root)
    const { rules, notices } = await judge(root, { git_range: 'HEAD~1..HEAD' })
    expect(rules).toEqual(['local-bad'])
    expect(notices.join('\n')).toMatch(/on disk differs? and is ignored/)
  })

  test('and attributes on disk hide nothing of it', async () => {
    const root = project({ ...FILES, 'src/a.txt': 'fine\n' })
    write(root, { 'src/a.txt': 'bad\n' })
    commit(root)
    write(root, { '.gitattributes': '* linguist-generated\n' })
    expect((await judge(root, { git_range: 'HEAD~1..HEAD' })).rules).toEqual(['local-bad'])
  })

  test('counts what it makes stricter itself, though the disk has something else', async () => {
    const root = project({ ...FILES, '.svc/config.yaml': 'gate: { fail_on: [critical] }\n', 'src/a.txt': 'fine\n' })
    write(root, { 'src/a.txt': 'bad\n', '.svc/config.yaml': 'gate: { fail_on: [critical, high] }\n' })
    commit(root)
    write(root, { '.svc/config.yaml': 'gate: { fail_on: [critical] }\n' })
    expect((await judge(root, { git_range: 'HEAD~1..HEAD' })).rules).toEqual(['local-bad'])
  })
})

describe('a configuration that --config names in the repository', () => {
  const named = { ...FILES, 'ci/svc.yaml': 'gate:\n  fail_on: [critical, high]\n', 'src/a.txt': 'fine\n' }

  test.each([
    ['git_range', { git_range: 'HEAD~1..HEAD' }],
    ['staged', { staged: true }],
    ['the whole tree', {}],
  ])('is that of the base where the change weakens it: %s', async (_, mode) => {
    const root = project(named)
    write(root, { 'src/a.txt': 'bad\n', 'ci/svc.yaml': 'gate:\n  fail_on: []\n' })
    git(root, 'add', '-A')
    if ('git_range' in mode) commit(root)
    const { rules } = await judge(root, { ...mode, config: 'ci/svc.yaml' })
    expect(rules).toEqual(['gate-config-weakened', 'local-bad'])
  })

  test('and counts nothing where only the change brings it', async () => {
    const root = project({ ...FILES, 'src/a.txt': 'fine\n' })
    write(root, { 'src/a.txt': 'bad\n', 'ci/svc.yaml': 'gate:\n  fail_on: []\n' })
    commit(root)
    const { rules } = await judge(root, { git_range: 'HEAD~1..HEAD', config: 'ci/svc.yaml' })
    expect(rules).toEqual(['gate-config-weakened', 'local-bad'])
  })

  test('is an error where it is nowhere', async () => {
    const root = project(named)
    await expect(judge(root, { config: 'ci/none.yaml' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('a baseline of a file that the change moves', () => {
  const update = async (root: string) => {
    const input = { repo_path: '.', update_baseline: true, dry_run: false } as Parameters<typeof scanRun.run>[0]
    await scanRun.run(input, surface(root, { env: OWN_RULES }).context)
  }

  async function moved(more: Record<string, string>) {
    const root = project({ ...FILES, 'src/a.txt': 'bad\n' })
    await update(root)
    commit(root)
    git(root, 'mv', 'src/a.txt', 'src/b.txt')
    write(root, more)
    await update(root)
    commit(root)
    return judge(root, { git_range: 'HEAD~1..HEAD' })
  }

  test('is not extended by the same findings at the new path', async () => {
    expect((await moved({})).rules).toEqual([])
  })

  test('is extended by a finding that the moved file, or another, gains', async () => {
    expect((await moved({ 'src/b.txt': 'bad\n  bad\n' })).rules).toContain('gate-baseline-extended')
    expect((await moved({ 'src/c.txt': 'a bad one\n' })).rules).toContain('gate-baseline-extended')
  })
})
