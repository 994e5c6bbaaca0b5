import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { View } from '../../../engine/base/text/view.ts'
import gate from '../../../engine/ops/gate/check.ts'
import explain from '../../../engine/ops/rules/explain.ts'
import { perform } from '../../../engine/scan/perform.ts'
import { surface } from '../../made/call.ts'
import { write } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { OWN_RULES, wordRule } from '../../made/rules.ts'

const view: View = { verbose: false, quiet: false, width: 80, paint: (_style, text) => text }
const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], {
    cwd: root,
    stdio: 'pipe',
  }).toString()

const SETTINGS = {
  // Settings and comments name the rule, and are not to be found by it.
  ...wordRule('bad', "regex: '(?<![-\\w])bad(?![-\\w])'\nmatch: ['bad']\nclean: ['local-bad']"),
  '.gitignore': 'out/\n.svc/local/\n',
  '.svc/config.yaml': 'gate:\n  fail_on: [critical, high]\n',
  'src/a.txt': 'fine\n',
}

/** What a gate says of a change that is staged, committed, on a branch, and a patch. */
type Mode = 'staged' | 'git_range' | 'branch' | 'diff'

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
  }
  const { findings, run } = await perform(
    { repo_path: '.', ...input[mode], ...more },
    surface(root, { env: OWN_RULES }).context,
  )
  if (mode === 'git_range') git(root, 'reset', '-q', '--soft', base)
  const of = (wanted: string) => findings.filter(({ status }) => status === wanted).map(({ rule_id }) => rule_id)
  return { open: of('open'), suppressed: of('suppressed'), skipped: run.counts.skipped, findings }
}

const baseline = async (root: string) => {
  git(root, 'add', '-A')
  const { findings } = await perform({ repo_path: '.', staged: true }, surface(root, { env: OWN_RULES }).context)
  const entries = findings.map(({ fingerprint, rule_id, file }) => ({ fingerprint, rule_id, file }))
  return { '.svc/baseline.json': JSON.stringify({ version: 1, tool_version: '0', run_id: 'x', entries }) }
}

/** Ways of a change to let its own bad file pass; each with the rule that names it. */
const WAYS: [string, string, (root: string) => Record<string, string> | Promise<Record<string, string>>][] = [
  ['a baseline with its findings', 'gate-baseline-extended', baseline],
  [
    'a suppression of its findings',
    'gate-suppression-added',
    () => ({ '.svc/suppressions.yaml': '- rule: local-bad\n  reason: known\n  approved_by: Kim\n' }),
  ],
  ['an exclusion', 'gate-exclusion-added', () => ({ '.svc/config.yaml': 'scan_exclude: [src]\n' })],
  [
    'a gate that fails on less',
    'gate-config-weakened',
    () => ({ '.svc/config.yaml': 'gate: { fail_on: [critical] }\n' }),
  ],
  [
    'a rule switched off',
    'gate-pack-disabled',
    () => ({ '.svc/config.yaml': 'packs: { overrides: { local-bad: { enabled: false } } }\n' }),
  ],
  [
    'a severity lowered',
    'gate-config-weakened',
    () => ({ '.svc/config.yaml': 'packs: { overrides: { local-bad: { severity: low } } }\n' }),
  ],
  [
    'a configuration in its directory',
    'gate-exclusion-added',
    () => ({ 'src/.svc/config.yaml': 'scan_exclude: ["*.txt"]\n' }),
  ],
  [
    'evidence of its own',
    'gate-evidence-added',
    () => ({
      '.svc/evidence.yaml':
        '- { control: "soc2-tsc-2017:CC7.5", title: T, url: "https://example.org", owner: Kim, observed_at: 2026-01-01 }\n',
    }),
  ],
  ['attributes', 'gate-attributes-hide', () => ({ '.gitattributes': '* linguist-generated\n' })],
  ['its own rule deleted', 'gate-pack-disabled', deleteOwnRule],
]

function deleteOwnRule(root: string): Record<string, string> {
  rmSync(join(root, '.svc/rules/local-bad.yaml'))
  return {}
}

describe.each(WAYS)('a change that brings %s', (_, rule, way) => {
  test('is judged by its base in every mode, and the weakening is a finding', async () => {
    const root = project(SETTINGS)
    write(root, { 'src/a.txt': 'bad\n' })
    write(root, await way(root))
    for (const mode of ['staged', 'git_range', 'branch', 'diff'] as const) {
      const { open, skipped } = await judge(root, mode)
      // The baseline itself is not scanned.
      delete skipped.own_file
      expect([mode, open.toSorted(), skipped]).toEqual([mode, [rule, 'local-bad'].sort(), {}])
    }
  })
})

describe('a macro of attributes that the root of the base defines', () => {
  const macros = [
    '[attr]gen linguist-generated=true',
    '[attr]ours gen',
    '[attr] gap linguist-generated',
    '[attr]shown -linguist-generated',
    '',
  ].join('\n')
  const judged = async (line: string, base: Record<string, string> = {}) => {
    const root = project({ ...SETTINGS, '.gitattributes': macros, ...base })
    write(root, { 'src/.gitattributes': `${line}\n` })
    const modes = ['staged', 'git_range', 'branch', 'diff'] as const
    const open = new Set<string>()
    for (const mode of modes) for (const rule of (await judge(root, mode)).open) open.add(rule)
    return open
  }

  test.each(['*.txt gen', '*.txt ours', '*.txt text gen'])('hides files by %s in a directory', async line => {
    expect([...(await judged(line))]).toEqual(['gate-attributes-hide'])
  })

  // As git reads them: a space after the bracket makes it a pattern, and only a macro that is set is expanded.
  test.each(['*.txt gap', '*.txt -gen', '*.txt !gen', '*.txt gen=false', '*.txt text'])(
    'does not by %s',
    async line => {
      expect([...(await judged(line))]).toEqual([])
    },
  )

  test('keeps files in the scan, and its line is missed', async () => {
    const found = await judged('# nothing', { 'src/.gitattributes': '*.txt shown\n' })
    expect([...found]).toEqual(['gate-attributes-hide'])
  })
})

describe('policies and architecture rules of the base', () => {
  const POLICIES = [
    'policies:',
    '  - { name: no-env, forbidden_files: ["**/.env"], except: [docs/**, old/**], severity: high }',
    '  - { name: readme, required_files: [README.md], reason: People read it. }',
    '  - { name: rego, opa: { module: policy/rules.wasm, entrypoint: app/deny } }',
  ]
  const RULES = [
    'layers:',
    '  - { name: ui, paths: src/ui/** }',
    '  - { name: db, paths: src/db/** }',
    'forbidden:',
    '  - { name: no-old, from: src/**, to: old/** }',
    'cycles: { except: [old/**] }',
  ]
  const FILES = {
    ...{ 'policies.yaml': POLICIES.join('\n'), 'architecture.yaml': RULES.join('\n') },
    ...{ 'README.md': 'x\n', 'policy/rules.wasm': 'x\n', 'src/a.txt': 'fine\n' },
  }
  const without = (lines: readonly string[], part: string) => lines.filter(line => !line.includes(part)).join('\n')
  const replaced = (lines: readonly string[], part: string, by: string) => lines.join('\n').replace(part, by)

  test.each<[string, Record<string, string | null>, string[]]>([
    ['lose a policy', { 'policies.yaml': without(POLICIES, 'readme') }, ['policy readme was removed']],
    ['lose the file', { 'policies.yaml': null }, ['no-env was removed', 'readme was removed', 'rego was removed']],
    ['lose a severity', { 'policies.yaml': replaced(POLICIES, 'high', 'low') }, ['severity of policy no-env']],
    ['gain an exception', { 'policies.yaml': replaced(POLICIES, 'docs/**', 'src/**') }, ['except of policy no-env']],
    ['ask for less', { 'policies.yaml': replaced(POLICIES, '**/.env', 'a.env') }, ['forbidden_files of policy no-env']],
    ['have another module', { 'policy/rules.wasm': 'y\n' }, ['the module policy/rules.wasm of a policy changed']],
    [
      'lose an import rule',
      { 'architecture.yaml': without(RULES, 'no-old') },
      ['the rule of forbidden no-old was removed'],
    ],
    ['lose cycles', { 'architecture.yaml': without(RULES, 'cycles') }, ['the rule cycles was removed']],
    [
      'move a layer',
      { 'architecture.yaml': [RULES[0], RULES[2], RULES[1], ...RULES.slice(3)].join('\n') },
      ['ui was moved or removed', 'db was moved or removed'],
    ],
    ['leave files out', { 'architecture.yaml': `exclude: [src/**]\n${RULES.join('\n')}` }, ['exclude changed']],
    [
      'are hidden by another file',
      { '.svc/architecture.yaml': RULES.join('\n'), 'architecture.yaml': 'cycles: {}\n' },
      ['no-old was removed', 'ui was moved or removed', 'db was moved or removed'],
    ],
  ])('that %s are a finding in every mode', async (_, change, wanted) => {
    const root = project(FILES)
    for (const [path, text] of Object.entries(change)) {
      if (text === null) rmSync(join(root, path))
      else write(root, { [path]: text })
    }
    const modes =
      'policy/rules.wasm' in change
        ? (['git_range', 'branch', 'diff'] as const)
        : (['staged', 'git_range', 'branch', 'diff'] as const)
    for (const mode of modes) {
      const { findings } = await judge(root, mode)
      const own = findings.filter(({ rule_id }) => rule_id === 'gate-config-weakened')
      expect(own.map(({ status }) => status)).toEqual(wanted.map(() => 'open'))
      for (const what of wanted) expect(own.map(({ message }) => message).join('\n')).toContain(what)
    }
  })

  test.each<[string, Record<string, string | null>]>([
    ['gain a policy', { 'policies.yaml': [...POLICIES, '  - { name: more, required_files: [LICENSE] }'].join('\n') }],
    ['forbid more', { 'policies.yaml': replaced(POLICIES, '"**/.env"', '"**/.env", "**/*.pem"') }],
    ['lose an exception', { 'policies.yaml': replaced(POLICIES, ', old/**', '') }],
    [
      'gain a severity and another reason',
      { 'policies.yaml': replaced(POLICIES, 'high', 'critical').replace('People', 'Users') },
    ],
    ['move', { 'policies.yaml': null, '.svc/policies.yaml': POLICIES.join('\n') }],
    [
      'gain a rule and a layer at the end',
      {
        'architecture.yaml': replaced(RULES, 'forbidden:', '  - { name: end, paths: src/** }\norphans: {}\nforbidden:'),
      },
    ],
  ])('that %s are none', async (_, change) => {
    const root = project(FILES)
    for (const [path, text] of Object.entries(change)) {
      if (text === null) rmSync(join(root, path))
      else write(root, { [path]: text })
    }
    expect((await judge(root, 'git_range')).open.filter(rule => rule.startsWith('gate-'))).toEqual([])
  })
})

describe('a legacy configuration', () => {
  test('is read from the base too', async () => {
    const { '.svc/config.yaml': _, ...settings } = SETTINGS
    const root = project({ ...settings, '.guard.yaml': 'gate:\n  fail_on: [critical, high]\n' })
    write(root, { 'src/a.txt': 'bad\n', '.guard.yaml': 'scan_exclude: [src]\n' })
    expect((await judge(root, 'staged')).open.sort()).toEqual(['gate-exclusion-added', 'local-bad'])
  })
})

describe('a comment of the change that suppresses what fails the gate', () => {
  const ignored = { 'src/a.txt': '# svc-ignore: local-bad -- a word of ours\nbad\n' }

  test('stays visible, and fails the gate until a reviewer agrees', async () => {
    const root = project(SETTINGS)
    write(root, ignored)
    for (const mode of ['staged', 'git_range'] as const) {
      expect(await judge(root, mode)).toMatchObject({ open: ['gate-suppression-added'], suppressed: ['local-bad'] })
    }
  })

  test('is no finding where the base allows it, or where it was there before', async () => {
    const root = project({ ...SETTINGS, '.svc/config.yaml': 'gate:\n  inline_suppressions: allow\n' })
    write(root, ignored)
    expect((await judge(root, 'staged')).open).toEqual([])
    const old = project({ ...SETTINGS, ...ignored })
    write(old, { 'src/a.txt': `above\n${ignored['src/a.txt']}` })
    expect((await judge(old, 'staged')).open).toEqual([])
  })
})

describe('who agrees to weaker settings', () => {
  const suppression = { '.svc/suppressions.yaml': '- rule: local-bad\n  reason: known\n  approved_by: Kim\n' }

  test('is named by the base: its own list or CODEOWNERS, never the change', async () => {
    const root = project({
      ...SETTINGS,
      '.svc/config.yaml': 'gate:\n  trusted: [kim@example.com]\n',
      '.github/CODEOWNERS': '* @everybody\n/.svc/ @lee # settings\n',
    })
    write(root, { 'src/a.txt': 'bad\n', ...suppression })
    for (const name of ['kim@example.com', '@lee']) {
      const { open, suppressed } = await judge(root, 'git_range', { reviewed_by: [name] })
      expect([name, open, suppressed.sort()]).toEqual([name, [], ['gate-suppression-added', 'local-bad']])
    }
    expect((await judge(root, 'git_range', { reviewed_by: ['everybody'] })).open).toHaveLength(2)
    write(root, { '.svc/config.yaml': 'gate:\n  trusted: [mallory]\n' })
    expect((await judge(root, 'git_range', { reviewed_by: ['mallory'] })).open).toHaveLength(3)
  })

  test.each(['staged', 'git_range', 'branch', 'diff'] as const)(
    'is named by CODEOWNERS of the base for a comment that suppresses, too (%s)',
    async mode => {
      const root = project({ ...SETTINGS, CODEOWNERS: '* @kim\n' })
      write(root, { 'src/a.txt': '# svc-ignore: local-bad -- a word of ours\nbad\n' })
      const { open, suppressed } = await judge(root, mode, { reviewed_by: ['kim'] })
      expect([open, suppressed.sort()]).toEqual([[], ['gate-suppression-added', 'local-bad']])
      expect((await judge(root, mode, { reviewed_by: ['lee'] })).open).toEqual(['gate-suppression-added'])
    },
  )

  test('is named by no CODEOWNERS that the change itself brings', async () => {
    const root = project(SETTINGS)
    write(root, { CODEOWNERS: '* @kim\n', 'src/a.txt': '# svc-ignore: local-bad -- a word of ours\nbad\n' })
    for (const mode of ['staged', 'git_range'] as const)
      expect((await judge(root, mode, { reviewed_by: ['kim'] })).open).toEqual(['gate-suppression-added'])
  })

  test('is the forge where the base says that its branch is protected: then it is listed only', async () => {
    const root = project({ ...SETTINGS, '.svc/config.yaml': 'gate:\n  protected_branch: true\n' })
    write(root, { 'src/a.txt': 'bad\n', ...suppression })
    const { open, suppressed } = await judge(root, 'git_range')
    expect([open, suppressed.sort()]).toEqual([[], ['gate-suppression-added', 'local-bad']])
  })

  test('is not asked at the first adoption: the base has nothing of svc', async () => {
    const root = project({ 'src/a.txt': 'fine\n' })
    write(root, { '.svc/config.yaml': 'gate: { fail_on: [critical] }\n' })
    expect(await judge(root, 'git_range')).toMatchObject({ open: [], suppressed: ['gate-config-weakened'] })
  })
})

describe('no finding is made of', () => {
  test.each([
    ['stricter settings', { '.svc/config.yaml': 'gate: { fail_on: [critical, high, medium] }\n' }],
    ['comments and order', { '.svc/config.yaml': '# ours\ngate:\n  fail_on: [high, critical]\n' }],
    ['one more rule', wordRule('worse')],
    ['attributes that hide nothing', { '.gitattributes': '*.png filter=lfs diff=lfs -text\n' }],
  ])('%s, and they count', async (_, settings) => {
    const root = project(SETTINGS)
    write(root, settings)
    expect((await judge(root, 'staged')).findings).toEqual([])
  })
})

test('the gate names the file, what it is, and the ways out; explain knows the rule', async () => {
  const root = project(SETTINGS)
  write(root, { '.svc/config.yaml': 'gate:\n  fail_on: [critical]\n' })
  git(root, 'add', '-A')
  const { context } = surface(root, { env: OWN_RULES })
  const input = { repo_path: '.', staged: true } as Parameters<typeof gate.run>[0]
  const answer = await gate.run(input, context)
  expect(answer).toMatchObject({
    passed: false,
    failures: [{ kind: 'weakened', file: '.svc/config.yaml', rule: 'gate-config-weakened' }],
  })
  const said = gate.text(answer, view)
  expect(said).toContain('Gate failed')
  expect(said).toContain(
    '.svc/config.yaml:2 weakens the gate, and no reviewer has approved it (gate.fail_on lost high)',
  )
  for (const way of ['--reviewed-by', 'svc approve', 'gate.protected_branch']) expect(said).toContain(way)
  const explained = await explain.run({ rule_id: 'gate-config-weakened' }, context)
  expect(explain.text(explained, view)).toContain('Configuration weakened in the change that it judges')
})

test('many weakenings have one way out, in short sentences', async () => {
  const root = project({ ...SETTINGS, 'src/.svc/config.yaml': '{}\n' })
  const excluded = 'scan_exclude: [src]\n'
  const entries = [...Array(9).keys()].map(each => `- { rule: local-r${each}, reason: known }`)
  write(root, {
    '.svc/config.yaml': `gate:\n  fail_on: [critical]\n${excluded}`,
    '.svc/suppressions.yaml': `${entries.join('\n')}\n`,
    'src/.svc/config.yaml': excluded,
  })
  git(root, 'add', '-A')
  const { context } = surface(root, { env: OWN_RULES })
  const answer = await gate.run({ repo_path: '.', staged: true } as Parameters<typeof gate.run>[0], context)
  const said = gate.text(answer, view)
  expect(said).toMatch(/\d+ more settings weakened/)
  const ways = said.split('\n').filter(line => line.includes('svc gate --reviewed-by'))
  expect(ways).toHaveLength(1)
  for (const file of ['.svc/config.yaml', '.svc/suppressions.yaml', 'src/.svc/config.yaml'])
    expect(said).toContain(file)
  for (const sentence of ways[0]!.split('. ')) expect(sentence.split(/\s+/).length).toBeLessThan(25)
})
