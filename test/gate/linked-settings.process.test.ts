import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { perform } from '../../engine/scan/perform.ts'
import { surface } from '../made/call.ts'
import { write } from '../made/folder.ts'
import { project } from '../made/project.ts'
import { OWN_RULES, wordRule } from '../made/rules.ts'

const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], {
    cwd: root,
    stdio: 'pipe',
  }).toString()

const RULE = wordRule('bad', "regex: '(?<![-\\w])bad(?![-\\w])'\nmatch: ['bad']\nclean: ['local-bad']")
const STRICT = 'gate:\n  fail_on: [critical, high]\n'
const WEAK = 'gate:\n  fail_on: []\n'
const SUPPRESSED = '- rule: local-bad\n  reason: known\n  approved_by: Kim\n'

/** A link in the work tree, in the place of whatever stands there. */
function link(root: string, path: string, target: string): void {
  rmSync(join(root, path), { recursive: true, force: true })
  mkdirSync(dirname(join(root, path)), { recursive: true })
  symlinkSync(target, join(root, path))
}

/** A repository with these files and links, committed. */
function repository(files: Record<string, string>, links: Record<string, string> = {}): string {
  const root = project({ '.gitignore': 'out/\n.svc/local/\n', 'src/a.txt': 'fine\n', ...files })
  if (Object.keys(links).length === 0) return root
  for (const [path, target] of Object.entries(links)) link(root, path, target)
  git(root, 'add', '-A')
  git(root, 'commit', '-q', '--allow-empty', '-m', 'links')
  return root
}

const MODES = ['staged', 'git_range', 'branch', 'diff', 'tree'] as const
type Mode = (typeof MODES)[number]

/** What is open, by the way in which the work tree's change is judged. */
async function judge(root: string, mode: Mode, more: { reviewed_by?: string[] } = {}) {
  const base = git(root, 'rev-parse', 'HEAD').trim()
  if (mode === 'branch') git(root, 'branch', '-f', 'trunk', base)
  git(root, 'add', '-A')
  const diff = mode === 'diff' ? git(root, 'diff', '--cached', 'HEAD') : ''
  if (mode === 'git_range') git(root, 'commit', '-qm', 'change')
  const input = {
    staged: { staged: true },
    git_range: { git_range: `${base}..HEAD` },
    branch: { branch: 'trunk' },
    diff: { diff },
    tree: { is_gate: true },
  }
  try {
    const { findings, config } = await perform(
      { repo_path: '.', ...input[mode], ...more },
      surface(root, { env: OWN_RULES }).context,
    )
    const open = findings.filter(({ status }) => status === 'open')
    return {
      rules: [...new Set(open.map(({ rule_id }) => rule_id))].sort(),
      messages: open.map(({ message }) => message).join('\n'),
      config,
    }
  } finally {
    if (mode === 'git_range') git(root, 'reset', '-q', '--soft', base)
  }
}

/** Settings behind links in the base, and an edit of what they lead to. */
const BEHIND: [string, string, () => string, (root: string) => void][] = [
  [
    'a configuration',
    'gate-config-weakened',
    () => repository({ ...RULE, 'conf/svc.yaml': STRICT }, { '.svc/config.yaml': '../conf/svc.yaml' }),
    root => write(root, { 'conf/svc.yaml': WEAK }),
  ],
  [
    'suppressions',
    'gate-suppression-added',
    () =>
      repository(
        { ...RULE, '.svc/config.yaml': STRICT, 'conf/supp.yaml': '[]\n' },
        { '.svc/suppressions.yaml': '../conf/supp.yaml' },
      ),
    root => write(root, { 'conf/supp.yaml': SUPPRESSED }),
  ],
  [
    'the directory of svc',
    'gate-config-weakened',
    () =>
      repository(
        { 'conf/rules/local-bad.yaml': Object.values(RULE)[0]!, 'conf/config.yaml': STRICT },
        { '.svc': 'conf' },
      ),
    root => write(root, { 'conf/config.yaml': WEAK }),
  ],
  [
    'its own rules',
    'gate-pack-disabled',
    () =>
      repository(
        { 'rules/README.md': 'Ours.', 'rules/local-bad.yaml': Object.values(RULE)[0]!, '.svc/config.yaml': STRICT },
        { '.svc/rules': '../rules' },
      ),
    root => rmSync(join(root, 'rules/local-bad.yaml')),
  ],
  [
    'one rule',
    'gate-pack-disabled',
    () =>
      repository(
        { 'rules/bad.yaml': Object.values(RULE)[0]!, '.svc/config.yaml': STRICT },
        { '.svc/rules/local-bad.yaml': '../../rules/bad.yaml' },
      ),
    root => write(root, { 'rules/bad.yaml': Object.values(RULE)[0]!.replace(/\bbad\(/, 'good(') }),
  ],
  [
    'the settings of a directory, two links away',
    'gate-exclusion-added',
    () =>
      repository(
        { ...RULE, '.svc/config.yaml': STRICT, 'docs/cfg/config.yaml': '{}\n' },
        { 'src/.svc': '../docs/way', 'docs/way': 'cfg' },
      ),
    root => write(root, { 'docs/cfg/config.yaml': 'scan_exclude: ["*.txt"]\n' }),
  ],
]

describe.each(BEHIND)('a change of the target of a link behind which the base keeps %s', (_, rule, make, weaken) => {
  test.each(MODES)('is a change of settings, and is judged by the base (%s)', async mode => {
    const root = make()
    write(root, { 'src/a.txt': 'bad\n' })
    weaken(root)
    expect((await judge(root, mode)).rules).toEqual([rule, 'local-bad'].sort())
  })
})

/** Links that a change brings. */
const BROUGHT: [string, Record<string, string>, Record<string, string>][] = [
  ['a directory', { 'docs/cfg/config.yaml': 'scan_exclude: ["*.txt"]\n' }, { 'src/.svc': '../docs/cfg' }],
  ['the configuration', { 'docs/cfg.yaml': WEAK }, { '.svc/config.yaml': '../docs/cfg.yaml' }],
  ['suppressions', { 'docs/s.yaml': SUPPRESSED }, { '.svc/suppressions.yaml': '../docs/s.yaml' }],
  ['a configuration that is nowhere', {}, { '.svc/config.yaml': '../docs/none.yaml' }],
  ['a configuration outside', {}, { '.svc/config.yaml': '/etc/hostname' }],
  ['a configuration in a circle', {}, { '.svc/config.yaml': 'config.yaml' }],
]

describe.each(BROUGHT)('a change that brings a link in the place of %s', (_, files, links) => {
  test.each(MODES)('is a finding, and is judged by the base (%s)', async mode => {
    const root = repository({ ...RULE, '.svc/config.yaml': STRICT })
    write(root, { 'src/a.txt': 'bad\n', ...files })
    for (const [path, target] of Object.entries(links)) link(root, path, target)
    const { rules, messages } = await judge(root, mode)
    expect(rules).toEqual(expect.arrayContaining(['gate-config-weakened', 'local-bad']))
    expect(messages).toContain('became a symbolic link')
  })
})

describe('a repository that keeps its configuration behind a link', () => {
  const made = () => repository({ ...RULE, 'conf/svc.yaml': STRICT }, { '.svc/config.yaml': '../conf/svc.yaml' })

  test.each(MODES)('has no finding where a change leaves it alone (%s)', async mode => {
    const root = made()
    write(root, { 'src/a.txt': 'bad\n' })
    const { rules, config } = await judge(root, mode)
    expect([rules, config.gate.fail_on]).toEqual([['local-bad'], ['critical', 'high']])
  })

  test.each(MODES)('may make it stricter, and that counts (%s)', async mode => {
    const root = made()
    write(root, { 'conf/svc.yaml': 'gate:\n  fail_on: [critical, high, medium]\n' })
    const { rules, config } = await judge(root, mode)
    expect([rules, config.gate.fail_on]).toEqual([[], ['critical', 'high', 'medium']])
  })

  test('has a weaker one count once a reviewer agrees', async () => {
    const root = repository(
      { ...RULE, 'conf/svc.yaml': 'gate:\n  fail_on: [critical, high]\n  trusted: [kim]\n' },
      { '.svc/config.yaml': '../conf/svc.yaml' },
    )
    write(root, { 'conf/svc.yaml': 'gate:\n  fail_on: [critical]\n  trusted: [kim]\n' })
    const { rules, config } = await judge(root, 'git_range', { reviewed_by: ['kim'] })
    expect([rules, config.gate.fail_on]).toEqual([[], ['critical']])
  })
})

test.each(MODES)(
  'settings that the base itself reaches through a link that leads outside fail the gate (%s)',
  async mode => {
    const root = repository(RULE, { '.svc/config.yaml': '/etc/hostname' })
    write(root, { 'src/a.txt': 'bad\n' })
    const judged = await judge(root, mode).catch(error => ({
      rules: [] as string[],
      messages: `${error.message} ${error.hint}`,
    }))
    expect(judged.messages).toMatch(/\.svc\/config\.yaml is .*symbolic link to a target outside the repository/)
    expect(judged.messages).toMatch(/[Rr]eplace it with a regular file/)
  },
)

describe('.svc as a submodule', () => {
  /** Makes `.svc` a repository of its own in the place of what stands there. */
  const enclose = (root: string) => {
    rmSync(join(root, '.svc'), { recursive: true, force: true })
    git(root, 'rm', '-r', '-q', '--cached', '--ignore-unmatch', '.svc')
    write(root, { '.svc/config.yaml': WEAK })
    git(join(root, '.svc'), 'init', '-q')
    git(join(root, '.svc'), 'add', '-A')
    git(join(root, '.svc'), 'commit', '-qm', 'settings')
  }

  test.each(['staged', 'git_range', 'branch', 'tree'] as const)(
    'weakens the gate in the change that makes it one (%s)',
    async mode => {
      const root = repository({ ...RULE, '.svc/config.yaml': STRICT })
      enclose(root)
      write(root, { 'src/a.txt': 'bad\n' })
      const { rules, messages } = await judge(root, mode)
      expect(rules).toEqual(expect.arrayContaining(['gate-config-weakened', 'local-bad']))
      expect(messages).toContain('.svc became a submodule')
    },
  )

  test.each(['staged', 'git_range', 'branch', 'tree'] as const)(
    'does not count, and is told, where the base has it (%s)',
    async mode => {
      const root = repository({})
      enclose(root)
      git(root, 'add', '-A')
      git(root, 'commit', '-qm', 'submodule')
      write(root, { 'src/b.txt': 'fine\n' })
      const { rules, messages, config } = await judge(root, mode)
      expect([rules, config.gate.fail_on.length > 0]).toEqual([['gate-config-weakened'], true])
      expect(messages).toMatch(/\.svc is a submodule.*[Rr]eplace them with regular files/)
    },
  )

  test.each(['staged', 'git_range', 'branch', 'tree'] as const)('can be replaced by regular files (%s)', async mode => {
    const root = repository({})
    enclose(root)
    git(root, 'add', '-A')
    git(root, 'commit', '-qm', 'submodule')
    rmSync(join(root, '.svc'), { recursive: true })
    git(root, 'rm', '-q', '--cached', '.svc')
    write(root, { '.svc/config.yaml': 'gate:\n  fail_on: [critical, high, medium]\n' })
    const { rules, config } = await judge(root, mode)
    expect([rules, config.gate.fail_on]).toEqual([[], ['critical', 'high', 'medium']])
  })
})

test('a configuration that only left the index is still that of the base', async () => {
  const root = repository({ ...RULE, '.svc/config.yaml': STRICT })
  write(root, { 'src/a.txt': 'bad\n', '.svc/config.yaml': WEAK })
  git(root, 'rm', '-q', '-r', '--cached', '.svc')
  const { findings } = await perform({ repo_path: '.', branch: 'HEAD' }, surface(root, { env: OWN_RULES }).context)
  const open = findings.filter(({ status }) => status === 'open').map(({ rule_id }) => rule_id)
  expect(open.sort()).toEqual(['gate-config-weakened', 'local-bad'])
})
