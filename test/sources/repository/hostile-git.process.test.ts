import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../../root.ts'
import { type HostileRepository, isPlanted, plantRepository, runControl } from './hostile-repository.ts'
import { PLANTS } from './plants.ts'

const SVC = join(ROOT, 'dist/svc.js')
let hostile: HostileRepository

beforeAll(() => {
  hostile = plantRepository(realpathSync(mkdtempSync(join(tmpdir(), 'svc-hostile-'))))
  hostile.takeMarkers()
})
afterAll(() => rmSync(hostile.base, { recursive: true, force: true }))

/** The caller's environment, with every variable set that names a program for git. */
function environment(): Record<string, string> {
  const plants = join(hostile.base, 'plants')
  const named = [
    'GIT_EXTERNAL_DIFF',
    'GIT_SSH_COMMAND',
    'GIT_EDITOR',
    'GIT_ASKPASS',
    'GIT_PAGER',
    'SSH_ASKPASS',
    'GIT_PROXY_COMMAND',
  ]
  const variables = Object.fromEntries(named.map(name => [name, join(plants, `env.${name}`)]))
  return { ...hostile.env, ...variables, GIT_CONFIG_NOSYSTEM: '1' }
}

/** Runs svc in the hostile repository. */
function svc(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SVC, ...args], {
    cwd: hostile.root,
    env: environment(),
    input,
    encoding: 'utf8',
    timeout: 100_000,
  })
  return { status, output: stdout + stderr }
}

describe('a program that the repository names', () => {
  test('is planted in more than 40 ways', () => {
    expect(PLANTS.length).toBeGreaterThan(40)
    expect(PLANTS.filter(({ marker }) => !isPlanted(hostile, marker))).toEqual([])
  })

  test.each(PLANTS.filter(({ control }) => control !== undefined))('is run by plain git: $marker', plant => {
    expect(runControl(hostile, plant)).toBe(true)
  })

  test.each([
    [['scan', '--no-cache']],
    [['scan', '--staged']],
    [['scan', '--dry-run']],
    [['scan', 'nest']],
    [['scan', 'far']],
    [['scan', '../far-git']],
    [['scan', '../tree', '--dry-run']],
    [['scan', '--branch', 'other']],
    [
      ['scan', '--diff', '-'],
      'diff --git a/k.txt b/k.txt\nnew file mode 100644\n--- /dev/null\n+++ b/k.txt\n@@ -0,0 +1 @@\n+k\n',
    ],
    [['gate']],
    [['gate', '--staged']],
    [['gate', '--git-range', 'HEAD~1..HEAD']],
    [['secrets']],
    [['secrets', '--staged']],
    [['secrets', '--history']],
    [['secrets', '--git-range', 'HEAD~1..HEAD']],
    [['blast-check']],
    [['blast-check', '--staged']],
    [['anomaly-scan']],
    [['harness-report']],
    [['agent-check', 'run_scan']],
    [['hook', 'status']],
    [['hook', 'install']],
    [['pre-commit-scan']],
    [['fix-hook']],
    [['suggest-excludes']],
    [['suggest-packs']],
    [['external-detect']],
    [['install-check']],
    [['check-inline', 'new.py']],
    [['apply-patches', '--dry-run']],
    [['context']],
    [['compare']],
  ] as [string[], string?][])('is not run by svc %j', (args, input) => {
    const { status, output } = svc(args, input)
    expect(hostile.takeMarkers()).toEqual([])
    expect([0, 1, 64, 66], output).toContain(status)
  })

  test('is not run by a task from its binding to its rollback', () => {
    const bound = svc(['task-bind', 'change a file', '--path', '**', '--json'])
    const id = /TS-[0-9a-f]+/.exec(bound.output)?.[0] ?? ''
    writeFileSync(join(hostile.root, 'c.proc'), 'ten c.proc\nend\n')
    for (const args of [
      ['scan', '--no-cache'],
      ['gate', '--git-range', 'HEAD~1..HEAD'],
      ['anomaly-scan'],
      ['task-rollback', id, '--apply', '--force'],
      ['task-rollback', id, '--undo'],
      ['task-complete', id],
      ['harness-report'],
    ])
      svc(args)
    expect(id, bound.output).not.toBe('')
    expect(hostile.takeMarkers()).toEqual([])
  })

  test('is not run by the tools of the MCP server', async () => {
    const call = (id: number, name: string, args: object) => ({
      ...{ jsonrpc: '2.0', id, method: 'tools/call' },
      params: { name, arguments: args },
    })
    const clientInfo = { name: 't', version: '1' }
    const answers = await serve(['mcp-server'], '"id":4', [
      {
        ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
      },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      call(2, 'run_scan', { repo_path: '.' }),
      call(3, 'run_scan', { git_range: 'HEAD~1..HEAD' }),
      call(4, 'check_blast_radius', { files: ['a.py'] }),
    ])
    expect(answers).toContain('"id":2')
    expect(answers).toContain('"id":3')
    expect(hostile.takeMarkers()).toEqual([])
  })
})

/** Writes messages to a server and collects what it answers, until it has given the last answer. */
async function serve(args: readonly string[], last: string, messages: readonly object[]): Promise<string> {
  const child = spawn(process.execPath, [SVC, ...args], { cwd: hostile.root, env: environment() })
  child.stdin.write(messages.map(message => `${JSON.stringify(message)}\n`).join(''))
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    if ([last, '"id":2', '"id":3'].every(id => output.includes(id))) child.stdin.end()
  }
  return output
}

describe('a content that a partial clone does not have', () => {
  test('is counted and listed by the search of the history', () => {
    const { status, output } = svc(['secrets', '--history'])
    expect(output).toContain('1 version of a file could not be read')
    expect(status).toBe(1)
    expect(svc(['secrets', '--history', '--json']).output).toContain('the repository has no such object')
  })

  test('fails the gate over a range that brings it, which names the file', () => {
    const { status, output } = svc(['gate', '--git-range', 'HEAD..HEAD~1'])
    expect(status).toBe(1)
    expect(output).toContain('b.py not scanned')
  })
})
