import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { describe, expect, test } from 'vitest'
import { ask } from '../../made/ask.ts'
import { refusal } from '../../made/call.ts'
import { runHere } from '../../made/command-line.ts'
import { write } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { OWN_RULES } from '../../made/rules.ts'
import { makeOpaModule } from '../../quality/policies/opa-module.ts'

interface Output {
  passed: boolean
  path: string
  policies: { name: string; state: string }[]
  violations: { policy: string; file: string; line: number; message: string; severity: string }[]
  not_evaluated: { policy: string; file?: string; reason: string; detail: string }[]
}

/** The violations of one policy in a project, as `file:line message`, with what was not evaluated. */
async function judge(policy: string, files: Record<string, string | Uint8Array>) {
  const root = project({ ...files, 'policies.yaml': `policies:\n  - name: it\n${policy.replace(/^/gm, '    ')}\n` })
  const { output } = await ask<Output>('policies.check', {}, root)
  return {
    violations: output.violations.map(({ file, line, message }) => `${file}:${line} ${message}`),
    gaps: output.not_evaluated.map(({ file, reason, detail }) => [reason, file, detail].filter(Boolean).join(' ')),
    state: output.policies[0]!.state,
  }
}

describe('policies over paths', () => {
  test('a required file that is missing is reported at the policy, one that scans leave out is there', async () => {
    expect(await judge('required_files: [LICENSE, "docs/*.png"]', { 'docs/a.png': Uint8Array.of(0, 1) })).toEqual({
      violations: ['policies.yaml:2 No file matches LICENSE.'],
      gaps: [],
      state: 'violated',
    })
  })

  test('a forbidden file is reported, what except names is not', async () => {
    const files = { 'a/.env': '', 'test/.env': '', 'b.txt': '' }
    const { violations } = await judge('forbidden_files: ["**/.env"]\nexcept: ["test/**"]', files)
    expect(violations).toEqual(['a/.env:1 The file a/.env is forbidden.'])
  })

  test('names of files and directories have a style or match a pattern', async () => {
    const files = { 'src/user-card.test.ts': '', 'src/UserCard.ts': '', 'Big_Folder/a.ts': '' }
    expect((await judge('naming: { files: ["src/*.ts"], style: kebab-case }', files)).violations).toEqual([
      'src/UserCard.ts:1 The name UserCard is not kebab-case.',
    ])
    expect((await judge('naming: { folders: ["*"], pattern: "[a-z]+" }', files)).violations).toEqual([
      'Big_Folder/a.ts:1 The name Big_Folder is not one that matches [a-z]+.',
    ])
  })

  test('each directory has files, a test and an owner', async () => {
    const files = {
      'packages/a/README.md': '',
      'packages/a/a.test.ts': '',
      'packages/b/b.ts': '',
      '.github/CODEOWNERS': '/packages/a/ @team-a\n',
    }
    const policy = 'structure: { folders: ["packages/*"], contains: ["README*"], test: true, owner: true }'
    expect((await judge(policy, files)).violations).toEqual([
      'packages/b/b.ts:1 The directory packages/b has no README*.',
      'packages/b/b.ts:1 The directory packages/b has no test.',
      'packages/b/b.ts:1 CODEOWNERS names no owner of the directory packages/b.',
    ])
  })
})

describe('policies over content', () => {
  test('name each line that matches what must not be there, and files that lack what must', async () => {
    const files = { 'a.ts': '// Copyright\nx\nTODO 1\nTODO 2\n', 'b.ts': 'y\n' }
    const policy = "content: { files: ['*.ts'], must_contain: ['^// Copyright'], must_not_contain: ['\\bTODO\\b'] }"
    expect((await judge(policy, files)).violations).toEqual([
      'a.ts:3 \\bTODO\\b matches here.',
      'a.ts:4 \\bTODO\\b matches here.',
      'b.ts:1 Nothing matches ^// Copyright.',
    ])
  })

  test('read a source file with a NUL in it', async () => {
    const policy = "content: { files: ['*.ts'], must_not_contain: ['\\beval\\b'] }"
    const text = `// \0\nexport const a = 1\neval('2')\n${'export const b = 3\n'.repeat(100)}`
    expect(await judge(policy, { 'a.ts': text })).toMatchObject({
      violations: [expect.stringMatching(/^a\.ts:3 /)],
      gaps: [],
    })
  })

  test('a binary file is not evaluated, and neither obeyed nor violated', async () => {
    const answer = await judge('content: { files: ["*.bin"], must_contain: [x] }', { 'a.bin': Uint8Array.of(0, 1, 2) })
    expect(answer).toEqual({
      violations: [],
      gaps: ['no_data a.bin the file was not read (binary)'],
      state: 'not_evaluated',
    })
  })

  test('an expression that backtracks without end is given up, and the check does not pass', async () => {
    const root = project({
      '.svc/config.yaml': 'scan: { rule_deadline_ms: 50 }\n',
      'a.txt': `${'a'.repeat(40)}!\n`,
      'policies.yaml': "policies:\n  - name: slow\n    content: { files: ['*.txt'], must_not_contain: ['^(a+)+$'] }\n",
    })
    const { output } = await ask<Output>('policies.check', {}, root)
    expect(output.not_evaluated).toEqual([
      { policy: 'slow', file: 'a.txt', reason: 'timed_out', detail: 'a regular expression timed out' },
    ])
    expect(output.passed).toBe(false)
  })
})

describe('policies over dependencies', () => {
  test('name the line of what is forbidden or not pinned, and manifests that lack what is required', async () => {
    const files = {
      'package.json': '{\n"dependencies": {\n"left-pad": "1.0.0",\n"zod": "^3"\n}\n}\n',
      'go.mod': 'module x\n',
    }
    const policy =
      'dependencies: { manifests: ["package.json"], forbidden: ["left-*"], pinned: true, required: [react] }'
    expect((await judge(policy, files)).violations).toEqual([
      'package.json:3 The dependency left-pad is forbidden (left-*).',
      'package.json:4 The dependency zod is not pinned to one version: ^3.',
      'package.json:1 The dependency react is missing.',
    ])
  })

  test('compare names as the ecosystem does, however they are written', async () => {
    const files = { 'requirements.txt': 'PyYAML==6.0\nzope.interface==5.0\n' }
    const policy = 'dependencies: { forbidden: [pyyaml], required: [Zope_Interface] }'
    expect((await judge(policy, files)).violations).toEqual([
      'requirements.txt:1 The dependency PyYAML is forbidden (pyyaml).',
    ])
  })

  test('a manifest that cannot be read is not evaluated', async () => {
    const { gaps, state } = await judge('dependencies: { pinned: true }', { 'package.json': '{ "dependencies": ' })
    expect(state).toBe('not_evaluated')
    expect(gaps[0]).toMatch(/^no_data package\.json the manifest cannot be read/)
  })
})

describe('policies in CEL', () => {
  test('are evaluated for each file, with a message of their own', async () => {
    const policy = `cel:\n  for: file\n  files: ["src/**"]\n  check: file.size < 4\n  message: '"It has " + string(file.size) + " bytes."'`
    const { violations } = await judge(policy, { 'src/a.ts': '12345', 'src/b.ts': '1', 'c.ts': '123456' })
    expect(violations).toEqual(['src/a.ts:1 It has 5 bytes.'])
  })

  test('read git, and days by the clock that SOURCE_DATE_EPOCH sets', async () => {
    expect(await judge('cel: { check: "git.last_author == \\"t\\" && !git.signed" }', { a: '' })).toMatchObject({
      state: 'obeyed',
    })
    expect(await judge('cel: { for: file, check: "file.days_since_change < 1" }', { a: '' })).toMatchObject({
      violations: [],
      gaps: [],
    })
  })

  test('over metrics and findings are not evaluated without a run, and are with one', async () => {
    const root = project({
      'a.py': 'x = 1\ny = 2\n',
      'policies.yaml':
        'policies:\n  - name: short\n    cel: { for: file, files: ["*.py"], check: file.lines < 2 }\n  - name: none\n    cel: { check: size(findings) == 0 }\n',
    })
    const before = await ask<Output>('policies.check', {}, root)
    expect(before.output.policies.map(({ state }) => state)).toEqual(['not_evaluated', 'not_evaluated'])
    expect(before.output.not_evaluated[0]!.detail).toMatch(/run `svc scan` first/)
    expect(before.output.passed).toBe(true)
    const env = { ...process.env, ...OWN_RULES }
    // Its policies are violated there already: the scan has what a stored run lacks.
    const { out } = await runHere(['scan', '--json'], { cwd: root, env })
    expect((JSON.parse(out) as { findings: { rule_id: string }[] }).findings.map(({ rule_id }) => rule_id)).toEqual([
      'policies:short',
    ])
    const after = await ask<Output>('policies.check', {}, root)
    expect(after.output.violations).toEqual([
      { policy: 'short', file: 'a.py', line: 1, severity: 'medium', message: 'Not true here: file.lines < 2' },
    ])
    expect(after.output.policies.map(({ state }) => state)).toEqual(['violated', 'obeyed'])
  })
})

describe('policies that were compiled to WebAssembly', () => {
  const policy = 'opa: { module: p.wasm }'
  const made = {
    needle: '.env',
    found: [{ result: [{ msg: 'No .env files.', file: '.env' }, 'And no secrets.'] }],
    missing: [{ result: [] }],
  }

  test('read the repository as input, and answer violations with file and line', async () => {
    const files = { 'p.wasm': makeOpaModule(made), '.env': '' }
    expect((await judge(policy, files)).violations).toEqual([
      '.env:1 No .env files.',
      'policies.yaml:2 And no secrets.',
    ])
    expect(await judge(policy, { 'p.wasm': makeOpaModule(made) })).toEqual({
      violations: [],
      gaps: [],
      state: 'obeyed',
    })
  })

  test('cannot name a path outside of the repository, or have answers without end', async () => {
    const result = [
      ...['../../etc/passwd', '/etc/shadow', 'a/../../b', 'C:/x', 'a\nb'].map(file => ({
        msg: 'Here.',
        file,
        line: 3,
      })),
      { msg: 'x'.repeat(5000), file: 'src/new.ts', line: -1 },
    ]
    const { violations } = await judge(policy, { 'p.wasm': makeOpaModule({ ...made, missing: [{ result }] }) })
    expect(violations.slice(0, 2)).toEqual([
      'policies.yaml:2 Here. (../../etc/passwd)',
      'policies.yaml:2 Here. (/etc/shadow)',
    ])
    expect(violations.filter(each => each.startsWith('policies.yaml:2 '))).toHaveLength(5)
    expect(violations.find(each => each.startsWith('src/new.ts:1 x'))?.length).toBeLessThan(1100)
    const many = Array.from({ length: 1500 }, () => ({}))
    const { gaps } = await judge(policy, { 'p.wasm': makeOpaModule({ ...made, missing: [{ result: many }] }) })
    expect([gaps.length, gaps.at(-1)]).toEqual([1001, 'too_costly more than 1000 gaps: the others are not listed'])
  })

  test('come in bundles too', async () => {
    const archive = pack()
    archive.entry({ name: '/data.json' }, '{}')
    archive.entry({ name: '/policy.wasm' }, Buffer.from(makeOpaModule(made)))
    archive.finalize()
    const parts: Buffer[] = []
    for await (const part of archive) parts.push(part as Buffer)
    const files = { 'b.tar.gz': gzipSync(Buffer.concat(parts)), '.env': '' }
    expect((await judge('opa: { module: b.tar.gz, entrypoint: svc/violations }', files)).state).toBe('violated')
  })

  test.each([
    [
      'calls a function that is not there',
      { ...made, builtins: { 'http.send': 0 } },
      /built-in functions that are not available: http\.send/,
    ],
    ['answers something else', { ...made, missing: [{ result: 3 }] }, /answered neither a bool nor a list/],
    ['has a memory of its own', { ...made, memory: 65_536 }, /a memory of its own/],
    ['has a table that is too large', { ...made, table: 10_000_000 }, /more than 100000 entries/],
    ['leaves its entrypoint undefined', { ...made, missing: [] }, /left the entrypoint undefined/],
  ])('one that %s is not evaluated', async (_, module, detail) => {
    const { gaps, state } = await judge(policy, { 'p.wasm': makeOpaModule(module) })
    expect(state).toBe('not_evaluated')
    expect(gaps.join()).toMatch(detail)
  })

  test('one that never answers is ended', async () => {
    const files = {
      'p.wasm': makeOpaModule({ ...made, loops: true }),
      '.svc/config.yaml': 'scan: { rule_deadline_ms: 100 }\n',
    }
    expect((await judge(policy, files)).gaps.join()).toMatch(/timed_out p\.wasm timed out/)
  })

  test('one that is missing, or is no module, is not evaluated', async () => {
    expect((await judge(policy, {})).gaps.join()).toMatch(/there is no file p\.wasm/)
    expect((await judge(policy, { 'p.wasm': 'text' })).gaps.join()).toMatch(/neither a WebAssembly module nor a bundle/)
  })
})

describe('svc check-policies', () => {
  test('--init writes a file that passes, and replaces none', async () => {
    const root = project({ 'src/a.ts': 'x\n', 'key.pem': 'x\n' })
    const { output, text } = await ask<Output>('policies.check', { init: true }, root)
    expect(output.passed).toBe(true)
    expect(text).toMatch(/^created {2}policies\.yaml/)
    const written = readFileSync(join(root, 'policies.yaml'), 'utf8')
    // What the repository violates now is there as a comment.
    expect(written).toMatch(/^ {2}# - name: no-key-files/m)
    expect(written).toMatch(/^ {2}- name: no-merge-conflicts/m)
    expect((await refusal(() => ask('policies.check', { init: true }, root))).message).toMatch(
      /policies\.yaml exists already/,
    )
    expect(readFileSync(join(root, 'policies.yaml'), 'utf8')).toBe(written)
  })

  test('exits with 1 on violations, 64 with the place on a fault, 66 without a file; nothing is written', async () => {
    const root = project({ 'policies.yaml': 'policies:\n  - name: license\n    required_files: [LICENSE]\n' })
    const env = { ...process.env, ...OWN_RULES }
    const found = await runHere(['check-policies', '--json'], { cwd: root, env })
    expect(found.code).toBe(1)
    expect((JSON.parse(found.out) as Output).violations).toEqual([
      { policy: 'license', severity: 'medium', file: 'policies.yaml', line: 2, message: 'No file matches LICENSE.' },
    ])
    write(root, { 'policies.yaml': 'policies:\n  - name: license\n    requird_files: [LICENSE]\n' })
    for (const command of [['check-policies'], ['scan']]) {
      const broken = await runHere(command, { cwd: root, env })
      expect(broken.code).toBe(64)
      expect(broken.err).toMatch(
        /policies\.yaml:3:5[\s\S]*did you mean required_files\?|did you mean required_files\?[\s\S]*policies\.yaml:3:5/,
      )
    }
    expect(existsSync(join(root, 'out'))).toBe(false)
    expect((await runHere(['check-policies', '--config', 'other.yaml'], { cwd: root, env })).code).toBe(66)
  })
})

describe('violations in a scan', () => {
  test('are findings of the category policy, which a suppression and the baseline know', async () => {
    const files = {
      'a.env': '',
      'policies.yaml': 'policies:\n  - name: no-env\n    severity: high\n    forbidden_files: ["*.env"]\n',
    }
    const root = project(files)
    const env = { ...process.env, ...OWN_RULES }
    const scan = async () =>
      JSON.parse((await runHere(['scan', '--json'], { cwd: root, env })).out) as { findings: Record<string, unknown>[] }
    expect((await scan()).findings).toMatchObject([
      { rule_id: 'policies:no-env', category: 'policy', severity: 'high', file: 'a.env', line: 1, status: 'open' },
    ])
    expect(
      (await runHere(['suppress', '--rule', 'policies:no-env', '--reason', 'sample'], { cwd: root, env })).code,
    ).toBe(0)
    expect((await scan()).findings).toMatchObject([{ rule_id: 'policies:no-env', status: 'suppressed' }])
  })

  test('of a part of the repository are not evaluated, which the run says', async () => {
    const root = project({
      'src/a.env': '',
      'policies.yaml': 'policies:\n  - name: no-env\n    forbidden_files: ["**/*.env"]\n',
    })
    const env = { ...process.env, ...OWN_RULES }
    const { out } = await runHere(['scan', 'src', '--json'], { cwd: root, env })
    const { findings, run } = JSON.parse(out) as { findings: unknown[]; run: { notices: unknown[] } }
    expect(findings).toEqual([])
    expect(run.notices).toMatchObject([{ kind: 'policies_not_run', file: 'policies.yaml' }])
  })
})
