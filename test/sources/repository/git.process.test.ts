import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import gate from '../../../engine/ops/gate/check.ts'
import scan from '../../../engine/ops/scan/run.ts'
import { discover } from '../../../engine/sources/repository/discover.ts'
import { runGit, tryGit } from '../../../engine/sources/repository/git.ts'
import { hardenArguments, mayFilter } from '../../../engine/sources/repository/git-hardening.ts'
import { runGitSync, startGit } from '../../../engine/sources/repository/git-process.ts'
import { transferProfile } from '../../../engine/sources/repository/git-transfer.ts'
import { findProgram, makeTrustedPath } from '../../../engine/sources/repository/program-path.ts'
import { refusal, surface } from '../../made/call.ts'
import { folder, write } from '../../made/folder.ts'
import { project } from '../../made/project.ts'

const DEFAULTS = { repo_path: '.', staged: false, update_baseline: false, actionable_only: false }
const plainGit = (root: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: root, stdio: 'pipe' })

describe('core.bare and core.worktree in the configuration', () => {
  const BAD = 'import os\nfrom flask import request\n\nos.system("ls " + request.args["d"])\n'

  test.each(['true', 'yes', '1', '"true"', ''])('core.bare=%s does not change which files are listed', async value => {
    const root = project({ 'a.py': 'x = 1\n', 'b/c.py': 'y = 1\n' })
    write(root, { 'new.py': 'z = 1\n', 'a.py': 'x = 2\n' })
    const before = await discover(root, { exclude: [] })
    const config = join(root, '.git/config')
    writeFileSync(config, `${readFileSync(config, 'utf8')}[core]\n\tbare${value === '' ? '' : ` = ${value}`}\n`)
    expect(await discover(root, { exclude: [] })).toEqual(before)
    expect(await discover(join(root, 'b'), { exclude: [] })).toMatchObject({ root: before.root, kind: 'git' })
  })

  test('core.bare=true does not change what is found by a scan, of what is staged, and by a gate over a range', async () => {
    const root = project({ 'a.py': 'x = 1\n' })
    write(root, { 'a.py': BAD })
    plainGit(root, 'commit', '-qam', 'bad')
    write(root, { 'b.py': BAD })
    plainGit(root, 'add', 'b.py')
    const look = async () => {
      const { context } = surface(root)
      const all = await scan.run(DEFAULTS as unknown as Parameters<typeof scan.run>[0], context)
      const staged = await scan.run({ ...DEFAULTS, staged: true } as Parameters<typeof scan.run>[0], context)
      const range = { ...DEFAULTS, git_range: 'HEAD~1..HEAD' } as unknown as Parameters<typeof gate.run>[0]
      const { passed, high, critical } = await gate.run(range, context)
      const places = [all, staged].map(({ findings }) =>
        findings.map(({ rule_id, file, line }) => ({ rule_id, file, line })),
      )
      return { places, passed, high, critical }
    }
    const before = await look()
    expect(before.places.every(({ length }) => length > 0)).toBe(true)
    plainGit(root, 'config', 'core.bare', 'true')
    expect(await look()).toEqual(before)
  })

  test('a bare repository stays one', async () => {
    const root = project({ 'a.py': 'x = 1\n' })
    const bare = join(folder(), 'bare.git')
    execFileSync('git', ['clone', '-q', '--bare', root, bare], { stdio: 'pipe' })
    expect(await discover(bare, { exclude: [] })).toMatchObject({ kind: 'bare' })
  })

  test('core.worktree that leads elsewhere is named', async () => {
    const root = project({ 'a.py': 'x = 1\n' })
    for (const elsewhere of ['/', join(root, '..', '..'), folder()]) {
      plainGit(root, 'config', 'core.worktree', elsewhere)
      expect(await refusal(() => discover(root, { exclude: [] }))).toMatchObject({ code: 'REPO_NOT_FOUND' })
      expect((await runGit(root, ['rev-parse', '--show-toplevel'])).toString().trim()).toBe(realpathSync(root))
    }
  })
})

describe('a file of the repository that git would wait for', () => {
  test.each(['config', 'HEAD', 'info/exclude', 'packed-refs', 'index'])(
    'as a named pipe: .git/%s is named',
    async name => {
      const root = project({ 'a.py': 'x = 1\n' })
      mkdirSync(join(root, '.git/info'), { recursive: true })
      execFileSync('rm', ['-f', join(root, '.git', name)])
      execFileSync('mkfifo', [join(root, '.git', name)])
      const error = await refusal(() => tryGit(root, ['status', '--porcelain']))
      expect(error).toMatchObject({ code: 'REPO_UNREADABLE', message: expect.stringContaining('named pipe') })
    },
  )

  test.each(['[include]\n\tpath = pipe\n', '[core]\n\texcludesFile = ../.git/pipe\n'])(
    'as a pipe or device that its configuration names: %j',
    async text => {
      const root = project({ 'a.py': 'x = 1\n' })
      execFileSync('mkfifo', [join(root, '.git/pipe')])
      for (const settings of [text, text.replace(/\S*pipe/, '/dev/zero')]) {
        const other = project({ 'a.py': 'x = 1\n' })
        execFileSync('mkfifo', [join(other, '.git/pipe')])
        writeFileSync(join(other, '.git/config'), `${readFileSync(join(other, '.git/config'), 'utf8')}${settings}`)
        const error = await refusal(() => tryGit(other, ['status', '--porcelain']))
        expect(error).toMatchObject({ code: 'REPO_UNREADABLE' })
      }
    },
  )
})

describe('the program git', () => {
  test('is never one of the repository, by an empty, relative or absolute entry of the PATH, or by a link', () => {
    const root = project({ 'bin/git': '#!/bin/sh\ntouch ran\n', git: '#!/bin/sh\ntouch ran\n' })
    for (const file of ['bin/git', 'git']) chmodSync(join(root, file), 0o755)
    symlinkSync('bin', join(root, 'linked'))
    const entries = ['', '.', 'bin', '../x', root, join(root, 'bin'), join(root, 'linked'), join(root, 'bin/../bin')]
    expect(makeTrustedPath(root, { PATH: [...entries, '/usr/bin'].join(':') })).toBe('/usr/bin')
    expect(makeTrustedPath(join(root, 'bin'), { PATH: [...entries, '/usr/bin'].join(':') })).toBe('/usr/bin')
    expect(findProgram('git', makeTrustedPath(root, { PATH: entries.join(':') }))).toBeUndefined()
  })

  test('that is nowhere but in the repository is missing', async () => {
    const root = project({ git: '#!/bin/sh\ntouch ran\n' })
    chmodSync(join(root, 'git'), 0o755)
    const { PATH } = process.env
    try {
      process.env.PATH = `:.:${root}`
      expect(await refusal(() => tryGit(root, ['--version']))).toMatchObject({ code: 'TOOL_MISSING' })
    } finally {
      process.env.PATH = PATH
    }
  })

  test('is started alike in all three ways', async () => {
    const root = project({ 'a.py': 'x = 1\n' })
    const asked = ['config', '--get', 'protocol.allow']
    const streamed = startGit(root, asked, { stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    for await (const chunk of streamed.stdout!) chunks.push(chunk as Buffer)
    const answers = [await runGit(root, asked), runGitSync(root, asked).stdout, Buffer.concat(chunks)]
    expect(answers.map(String)).toEqual(['never\n', 'never\n', 'never\n'])
  })

  test('is told behind a comparison to start nothing and to enter no submodule', () => {
    expect(hardenArguments(['-c', 'a.b=c', '--literal-pathspecs', 'diff', 'HEAD']).slice(-7)).toEqual([
      ...[
        '--literal-pathspecs',
        'diff',
        '--no-ext-diff',
        '--no-textconv',
        '--ignore-submodules=dirty',
        '--submodule=short',
      ],
      'HEAD',
    ])
  })

  test.each([
    [['status'], true],
    [['diff', 'HEAD'], true],
    [['diff', '--cached'], false],
    [['hash-object', '--stdin-paths'], true],
    [['hash-object', '--no-filters', '--stdin-paths'], false],
    [['hash-object', '--stdin', '--path=a'], true],
    [['checkout-index', '--stdin'], true],
    [['cat-file', '--filters', 'HEAD:a'], true],
    [['cat-file', '--batch'], false],
    [['ls-files', '-m'], true],
    [['any-command-of-tomorrow'], true],
  ] as [string[], boolean][])('%j may start a filter: %s', (args, may) => {
    expect(mayFilter(['-c', 'x.y=z', ...args])).toBe(may)
  })
})

describe('the profile of a transfer', () => {
  const at = {
    url: 'https://host.example/a/b.git',
    host: 'host.example',
    directory: '/fresh.git',
    objects: '/r/.git/objects',
  }
  const caller = {
    ...{ PATH: '/usr/bin', HOME: '/h', GIT_SSH_COMMAND: 'planted', GIT_ASKPASS: 'planted', GIT_CONFIG_COUNT: '9' },
    ...{ GITHUB_TOKEN: 'token', GIT_PROXY_COMMAND: 'planted', https_proxy: 'http://proxy' },
  }

  test('reads no configuration but its own, and allows the one protocol', () => {
    const { env } = transferProfile(at, caller)
    expect(env).toMatchObject({
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_DIR: '/fresh.git',
      GIT_ALLOW_PROTOCOL: 'https',
    })
    expect(JSON.stringify(env)).not.toContain('planted')
    expect(env).not.toHaveProperty('GITHUB_TOKEN')
    expect(env.https_proxy).toBe('http://proxy')
  })

  test('gives the credential in the environment, for its host alone, and in no argument', () => {
    const authorization = `Basic ${'x'.repeat(8)}`
    const { args, env } = transferProfile({ ...at, authorization }, caller)
    const key = Object.keys(env).find(name => env[name] === 'http.https://host.example/.extraHeader')!
    expect(env[key.replace('KEY', 'VALUE')]).toBe(`Authorization: ${authorization}`)
    expect(args.join(' ')).not.toContain(authorization)
  })

  test.each([
    'https://other.example/a',
    'http://host.example/a',
    'git://host.example/a',
    'ext::planted',
    'file:///a',
    'host.example:a',
    '--upload-pack=x',
  ])('refuses %s', async url => {
    expect(await refusal(() => transferProfile({ ...at, url }, caller))).toMatchObject({ code: 'INPUT_INVALID' })
  })

  test('is configuration that git understands', () => {
    const directory = join(folder(), 'fresh.git')
    execFileSync('git', ['init', '-q', '--bare', '--template=', directory])
    const { args, env } = transferProfile({ ...at, directory, objects: join(directory, 'objects') }, process.env)
    const shown = execFileSync('git', [...args, 'config', '--get', 'protocol.https.allow'], { cwd: directory, env })
    expect(shown.toString()).toBe('always\n')
  })
})

test.each([
  ['a NUL character', 'a\0b'],
  ['a name longer than an argument may be', 'x'.repeat(200_000)],
])('%s in an argument is refused as input', async (_, name) => {
  const root = project({ 'a.py': 'x = 1\n' })
  await expect(tryGit(root, ['rev-parse', name])).rejects.toMatchObject({ code: 'INPUT_INVALID' })
})
