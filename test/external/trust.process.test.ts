import { chmodSync, closeSync, existsSync, openSync, readFileSync, statSync, symlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Run } from '../../engine/base/records/run.ts'
import { runCommand } from '../../engine/external/command.ts'
import { makeScannerEnvironment } from '../../engine/external/scanner-environment.ts'
import { computeCommandDigest } from '../../engine/external/trust.ts'
import trust from '../../engine/ops/external/trust.ts'
import gate from '../../engine/ops/gate/check.ts'
import scan from '../../engine/ops/scan/run.ts'
import { refusal, surface } from '../made/call.ts'
import { folder, write } from '../made/folder.ts'
import { project } from '../made/project.ts'

const DEFAULTS = { repo_path: '.', staged: false, update_baseline: false, actionable_only: false }
const CODE = `require('node:fs').writeFileSync('ran', process.env.GITHUB_TOKEN ?? ''); process.stdout.write('{"version":"2.1.0","runs":[]}')`
const COMMAND = [process.execPath, 'scanner.cjs']
const yaml = (command: readonly string[]) => `external_scanners:\n  tool:\n    command: ${JSON.stringify(command)}\n`
const FILES = { 'a.py': 'x = 1\n', 'scanner.cjs': CODE, '.svc/config.yaml': yaml(COMMAND), '.gitignore': 'out/\nran\n' }

/** An environment of a user with an empty state directory of their own. */
function user(more: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? '', XDG_STATE_HOME: folder(), HOME: folder(), ...more }
}
const run = (root: string, env: Record<string, string>, input: object = {}) =>
  scan.run({ ...DEFAULTS, ...input } as Parameters<typeof scan.run>[0], surface(root, { env }).context)
const judge = (root: string, env: Record<string, string>) =>
  gate.run({ ...DEFAULTS } as unknown as Parameters<typeof gate.run>[0], surface(root, { env }).context)
const answer = (root: string, env: Record<string, string>, input: object = {}, choice?: string) =>
  trust.run(
    { withdraw: false, ...input },
    {
      ...surface(root, { env }).context,
      ...(choice !== undefined && { choose: async () => choice }),
    },
  )
const unheard = ({ run: record }: { run: object }) => (record as Run).not_evaluated
const hasRun = (root: string) => existsSync(join(root, 'ran'))

describe('a command that the repository names', () => {
  test('is not run before a user has trusted it: it is listed as not run, and the gate fails with what to do', async () => {
    const [root, env] = [project(FILES), user()]
    expect(unheard(await run(root, env))).toMatchObject([
      { rule_id: 'tool:*', reason: 'scanner_not_run', detail: expect.stringContaining('svc external-trust tool') },
    ])
    const decision = await judge(root, env)
    expect(decision.passed).toBe(false)
    expect(JSON.stringify(decision)).toContain('svc external-trust tool')
    expect(hasRun(root)).toBe(false)
  })

  test('is run once it is trusted at a terminal, and not after the answer no', async () => {
    const [root, env] = [project(FILES), user()]
    expect(await answer(root, env, { name: 'tool' }, 'no')).toMatchObject({ trusted: [] })
    await run(root, env)
    expect(hasRun(root)).toBe(false)
    expect(await answer(root, env, { name: 'tool' }, 'yes')).toMatchObject({ trusted: ['tool'] })
    expect(unheard(await run(root, env))).toEqual([])
    expect(hasRun(root)).toBe(true)
  })

  test.each([
    ['another argument', { '.svc/config.yaml': yaml([...COMMAND, '--more']) }],
    ['another program', { '.svc/config.yaml': yaml(['env', ...COMMAND]) }],
    ['other content of the file that it names', { 'scanner.cjs': `${CODE}// changed` }],
  ])('with %s is another command, which nobody has trusted', async (_, files) => {
    const [root, env] = [project(FILES), user()]
    await answer(root, env, { name: 'tool' }, 'yes')
    write(root, files)
    expect(unheard(await run(root, env))).toMatchObject([{ reason: 'scanner_not_run' }])
    expect(hasRun(root)).toBe(false)
  })

  test('with other content behind the first 64 MB of a file that it names is another command', () => {
    const root = project({ 'a.py': 'x = 1\n' })
    const program = join(root, 'scanner.bin')
    const put = (text: string, at: number) => {
      const descriptor = openSync(program, existsSync(program) ? 'r+' : 'w')
      writeSync(descriptor, text, at)
      closeSync(descriptor)
    }
    put('first', 0)
    put('end', 70 << 20)
    const digest = computeCommandDigest(root, ['./scanner.bin'])
    expect(computeCommandDigest(root, ['./scanner.bin'])).toBe(digest)
    for (const at of [0, 66 << 20]) {
      put('other', at)
      expect(computeCommandDigest(root, ['./scanner.bin'])).not.toBe(digest)
    }
  })

  test('of the same words in another checkout is not trusted with it', async () => {
    const [root, other, env] = [project(FILES), project(FILES), user()]
    await answer(root, env, { name: 'tool' }, 'yes')
    await run(other, env)
    expect(hasRun(other)).toBe(false)
  })

  test('is run in CI only by its digest in the environment, whatever the state directory says', async () => {
    const [root, env] = [project(FILES), user()]
    await answer(root, env, { name: 'tool' }, 'yes')
    const digest = computeCommandDigest(root, COMMAND)
    const ci = { ...env, CI: 'true' }
    expect(unheard(await run(root, ci))).toMatchObject([
      { reason: 'scanner_not_run', detail: expect.stringContaining(`SVC_TRUST_EXTERNAL=${digest}`) },
    ])
    expect(hasRun(root)).toBe(false)
    expect(unheard(await run(root, { ...ci, SVC_TRUST_EXTERNAL: digest }))).toEqual([])
    expect(hasRun(root)).toBe(true)
  })

  test('is not run by a dry run, trusted or not', async () => {
    const [root, env] = [project(FILES), user()]
    await answer(root, env, { name: 'tool' }, 'yes')
    expect(unheard(await run(root, env, { dry_run: true }))).toMatchObject([
      { reason: 'scanner_not_run', detail: expect.stringContaining('dry run') },
    ])
    expect(hasRun(root)).toBe(false)
  })

  test('gets no token of the environment', async () => {
    const [root, env] = [project(FILES), user({ GITHUB_TOKEN: 'secret' })]
    await answer(root, env, { name: 'tool' }, 'yes')
    await run(root, env)
    expect(readFileSync(join(root, 'ran'), 'utf8')).toBe('')
  })
})

describe('trusting a command', () => {
  test('lists what there is, and changes nothing where nobody can be asked', async () => {
    const [root, env] = [project(FILES), user()]
    const listed = await answer(root, env)
    expect(listed.commands).toMatchObject([{ name: 'tool', command: COMMAND, trusted: false }])
    expect((await answer(root, env, { name: 'tool' })).trusted).toEqual([])
    expect((await answer(root, env)).commands).toMatchObject([{ trusted: false }])
  })

  test('takes the digest where there is no terminal, and refuses one of an earlier command', async () => {
    const [root, env] = [project(FILES), user()]
    const digest = computeCommandDigest(root, COMMAND)
    expect((await answer(root, env, { name: 'tool', digest })).trusted).toEqual(['tool'])
    write(root, { 'scanner.cjs': `${CODE}// changed` })
    expect(await refusal(() => answer(root, env, { name: 'tool', digest }))).toMatchObject({ code: 'CONFLICT' })
  })

  test('is refused to an agent, at the terminal and with the digest', async () => {
    const [root, env] = [project(FILES), user({ CLAUDECODE: '1' })]
    const digest = computeCommandDigest(root, COMMAND)
    for (const input of [{ name: 'tool' }, { name: 'tool', digest }])
      expect(await refusal(() => answer(root, env, input, 'yes'))).toMatchObject({ code: 'FORBIDDEN' })
    expect((await answer(root, env)).commands).toMatchObject([{ trusted: false }])
  })

  test('can be withdrawn', async () => {
    const [root, env] = [project(FILES), user()]
    await answer(root, env, { name: 'tool' }, 'yes')
    expect(await answer(root, env, { name: 'tool', withdraw: true })).toMatchObject({ withdrawn: ['tool'] })
    await run(root, env)
    expect(hasRun(root)).toBe(false)
  })

  test('is kept outside of the repository in a file that only the user can read, and a damaged one trusts nothing', async () => {
    const [root, env] = [project(FILES), user()]
    await answer(root, env, { name: 'tool' }, 'yes')
    const file = join(env.XDG_STATE_HOME!, 'svc/trusted-commands.json')
    expect(statSync(file).mode & 0o077).toBe(0)
    write(env.XDG_STATE_HOME!, { 'svc/trusted-commands.json': '[{' })
    await run(root, env)
    expect(hasRun(root)).toBe(false)
  })

  test('of a scanner that is not there says so', async () => {
    const root = project(FILES)
    expect(await refusal(() => answer(root, user(), { name: 'other' }))).toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('the environment of a command', () => {
  test('holds what it needs to run and nothing that signs anybody in', () => {
    const kept = {
      HOME: '/h',
      LANG: 'C',
      LC_ALL: 'C',
      TMPDIR: '/t',
      XDG_CACHE_HOME: '/c',
      HTTPS_PROXY: 'http://proxy:80',
    }
    const credentials = [
      ...['GITHUB_TOKEN', 'CI_JOB_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'NPM_TOKEN', 'SONAR_LOGIN'],
      ...['SVC_AGENT_KEY', 'GUARD_API_KEY', 'SSH_AUTH_SOCK', 'GIT_ASKPASS', 'NODE_OPTIONS', 'DATABASE_URL'],
    ]
    const secrets = Object.fromEntries(credentials.map(name => [name, 'secret']))
    const password = { HTTP_PROXY: `http://user:${'pass'}word@proxy:80` }
    const env = makeScannerEnvironment('/nowhere', { ...kept, ...secrets, ...password, PATH: '/usr/bin' })
    expect(env).toEqual({ ...kept, PATH: '/usr/bin' })
  })

  test('looks for programs outside of the repository only', async () => {
    const root = project({ 'bin/tool-of-nobody': '#!/bin/sh\ntouch ran\n', 'tool-of-nobody': '#!/bin/sh\ntouch ran\n' })
    for (const file of ['bin/tool-of-nobody', 'tool-of-nobody']) chmodSync(join(root, file), 0o755)
    symlinkSync('bin', join(root, 'linked'))
    const PATH = [':.', 'bin', join(root, 'bin'), join(root, 'linked'), root, process.env.PATH].join(':')
    const options = { cwd: root, env: { PATH }, timeout_ms: 40_000, signal: new AbortController().signal }
    expect(await runCommand(['tool-of-nobody'], options)).toEqual({
      failure: 'the program tool-of-nobody was not found',
    })
    expect(hasRun(root)).toBe(false)
  })
})
