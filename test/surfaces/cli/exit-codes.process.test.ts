import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { computeCommandDigest } from '../../../engine/external/trust.ts'
import { folder, PROGRAM } from '../../ci/project.ts'
import { runHere } from '../../made/command-line.ts'
import { write } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { wordRule } from '../../made/rules.ts'
import { textOf } from '../../root.ts'

const CLEAN = { 'app.py': 'print(1)\n' }
const HELD = { ...wordRule('frobnicate'), 'app.py': 'frobnicate()\n' }

/** The built program in a process of its own. */
function svc(cwd: string, args: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd,
    env: { PATH: process.env.PATH!, HOME: folder(), ...env },
    encoding: 'utf8',
    input: '',
  })
  return { status, stdout, stderr }
}

interface Case {
  what: string
  files?: Record<string, string>
  /** Done in the repository before. */
  before?: (root: string) => Promise<unknown>
  args: readonly string[]
  env?: Record<string, string>
  exit: number
  /** The error's code, where it is one. */
  code?: string
}

/** The same command line in this process. */
const here = (cwd: string, args: readonly string[], env: Record<string, string> = {}) =>
  runHere(args, { cwd, env: { PATH: process.env.PATH!, HOME: folder(), ...env } })

const shard = (root: string) => here(root, ['scan', '--shard', '1/2'])
const bothShards = async (root: string) => {
  await shard(root)
  await here(root, ['scan', '--shard', '2/2'])
}

const CASES: readonly Case[] = [
  { what: 'a scan without findings', args: ['scan'], exit: 0 },
  { what: 'a scan that finds something, which is no failure', files: HELD, args: ['scan'], exit: 0 },
  { what: 'a shard that finds something', files: HELD, args: ['scan', '--shard', '1/1'], exit: 0 },
  { what: 'a gate that passes', args: ['gate'], exit: 0 },
  { what: 'a merge at a gate that passes', before: bothShards, args: ['merge', 'out', '--gate'], exit: 0 },
  { what: 'a merge without the gate', files: HELD, before: bothShards, args: ['merge', 'out'], exit: 0 },
  { what: 'a report of a stored run', before: root => here(root, ['scan']), args: ['report', '-f', 'gitlab'], exit: 0 },

  { what: 'a gate that is held', files: HELD, args: ['gate'], exit: 1 },
  {
    what: 'a merge at a gate that is held',
    files: HELD,
    before: bothShards,
    args: ['merge', 'out', '--gate'],
    exit: 1,
  },
  {
    what: 'a gate where nothing was evaluated',
    args: ['gate'],
    files: { ...CLEAN, '.svc/config.yaml': 'packs: { detect: false }\n' },
    exit: 1,
  },

  { what: 'an unknown command', args: ['gaet'], exit: 64, code: 'USAGE' },
  { what: 'an unknown option', args: ['gate', '--strict'], exit: 64, code: 'USAGE' },
  { what: 'an option without its value', args: ['gate', '--git-range'], exit: 64, code: 'USAGE' },
  { what: 'a value that is not allowed', args: ['gate', '--jobs', '0'], exit: 64, code: 'INPUT_INVALID' },
  { what: 'two subjects at once', args: ['gate', '--staged', '--git-range', 'HEAD'], exit: 64, code: 'INPUT_INVALID' },
  { what: 'a part that is none', args: ['scan', '--shard', '3/2'], exit: 64, code: 'INPUT_INVALID' },
  {
    what: 'a configuration that is not valid',
    files: { ...CLEAN, '.svc/config.yaml': 'gate: { fail_on: [worst] }\n' },
    args: ['gate'],
    exit: 64,
    code: 'CONFIG_INVALID',
  },
  {
    what: 'the environment with a value that is not valid',
    args: ['gate'],
    env: { SVC_GATE_FAIL_ON: 'worst' },
    exit: 64,
    code: 'CONFIG_INVALID',
  },
  {
    what: 'a rule of the repository that is broken',
    files: { ...CLEAN, '.svc/rules/a.yaml': 'id: a\n' },
    args: ['gate'],
    exit: 64,
    code: 'PACK_INVALID',
  },
  {
    what: 'shards that are not all there',
    before: shard,
    args: ['merge', 'out', '--gate'],
    exit: 64,
    code: 'CONFLICT',
  },

  { what: 'a repository that is not there', args: ['gate', 'nowhere'], exit: 66, code: 'REPO_NOT_FOUND' },
  { what: 'a configuration file that is not there', args: ['gate', '-c', 'no.yaml'], exit: 66, code: 'NOT_FOUND' },
  { what: 'a branch that is not there', args: ['gate', '--git-range', 'no-such...HEAD'], exit: 66, code: 'NOT_FOUND' },
  { what: 'a run that is not there', args: ['report'], exit: 66, code: 'RUN_NOT_FOUND' },
  { what: 'a rule that is not there', args: ['explain', 'no-such-rule'], exit: 66, code: 'RULE_NOT_FOUND' },
  { what: 'a folder without shards', args: ['merge', '.'], exit: 66, code: 'NOT_FOUND' },
  {
    what: 'nothing to scan',
    files: { 'a.bin': '\0\0\0\0' },
    args: ['gate'],
    exit: 66,
    code: 'NOTHING_TO_SCAN',
  },

  {
    what: 'a git repository on a machine without git',
    args: ['gate'],
    env: { PATH: '/nonexistent' },
    exit: 69,
    code: 'TOOL_MISSING',
  },

  {
    what: 'a stored run that is damaged',
    before: async root => {
      await here(root, ['scan'])
      const history = join(root, 'out/history')
      writeFileSync(join(history, readdirSync(history)[0]!, 'findings.parquet'), 'no table')
    },
    args: ['report'],
    exit: 70,
    code: 'STORE_UNREADABLE',
  },
  {
    what: 'a shard that is damaged',
    before: async root => {
      await bothShards(root)
      write(root, { 'out/shard-2-of-2/files.jsonl': '{}\n' })
    },
    args: ['merge', 'out', '--gate'],
    exit: 70,
    code: 'STORE_UNREADABLE',
  },
]

describe('the built program ends with', () => {
  it.each(CASES.map(each => [each.exit, each.what, each] as const))(
    '%i for %s',
    async (exit, _, { files, before, args, env, code }) => {
      const root = project(files ?? CLEAN)
      await before?.(root)
      const plain = svc(root, args, env)
      expect(plain.status, plain.stdout + plain.stderr).toBe(exit)
      expect(plain.stderr).not.toMatch(/^\s+at .*\.js:\d+/m)
      if (code === undefined) {
        expect(plain.stdout).not.toBe('')
        return
      }
      // Nothing that could be taken for an answer, and what to do.
      expect(plain.stdout).toBe('')
      expect(plain.stderr).toMatch(/^svc: .+\n(.*\n)*? {2}\S/)
      const document = await here(root, [args[0]!, '--json', ...args.slice(1)], env)
      expect(document.code).toBe(exit)
      expect(JSON.parse(document.out).error.code).toBe(code)
    },
  )

  it('74 where nothing can be written to out/, and leaves no half run', () => {
    const root = project({ ...CLEAN, out: 'a file\n' })
    const { status, stdout, stderr } = svc(root, ['gate'])
    expect({ status, stdout }).toEqual({ status: 74, stdout: '' })
    expect(stderr).toContain('svc: ')
    expect(readFileSync(join(root, 'out'), 'utf8')).toBe('a file\n')
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'death by %s where that interrupts it, and stores nothing',
    async signal => {
      const marker = join(folder(), 'started')
      const command = `touch ${marker}; exec sleep 60`
      const scanner = `external_scanners:\n  slow: { command: [sh, -c, '${command}'] }\n`
      const root = project({ ...CLEAN, '.svc/config.yaml': scanner })
      const child = spawn(process.execPath, [PROGRAM, 'gate', '--json'], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, SVC_TRUST_EXTERNAL: computeCommandDigest(root, ['sh', '-c', command]) },
      })
      const ended = new Promise<{ code: number | null; by: string | null }>(done =>
        child.on('close', (code, by) => done({ code, by })),
      )
      let stdout = ''
      child.stdout.on('data', chunk => {
        stdout += chunk
      })
      while (!existsSync(marker) && child.exitCode === null) await new Promise(done => setTimeout(done, 20))
      child.kill(signal)
      expect(await ended).toEqual({ code: null, by: signal })
      expect(JSON.parse(stdout).error.code).toBe('INTERRUPTED')
      expect(existsSync(join(root, 'out/run.json'))).toBe(false)
    },
  )

  it('a code that is in the table of the documentation, for every error there is', () => {
    const documented = new Set(
      [...textOf('docs/exit-codes.md').matchAll(/^\| (\d+) /gm)].map(([, code]) => Number(code)),
    )
    const used = [...textOf('docs/reference/errors.md').matchAll(/^\| `\w+` \| \d+ \| (\d+) \|/gm)].map(([, code]) =>
      Number(code),
    )
    expect(used.length).toBeGreaterThan(15)
    expect(used.filter(code => !documented.has(code))).toEqual([])
  })
})
