import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { afterEach, expect, test } from 'vitest'
import { ROOT } from '../../bench/soak/program.ts'
import { project } from '../made/project.ts'

const PROGRAM = join(ROOT, 'dist/svc.js')

/** Processes of this test; each ends by itself after a minute, whatever becomes of the test. */
const busy: ChildProcess[] = []

afterEach(() => {
  for (const each of busy.splice(0)) each.kill('SIGKILL')
})

function startBusy(count: number): void {
  const work = 'const end = Date.now() + 60_000; while (Date.now() < end);'
  for (let i = 0; i < count; i++) busy.push(spawn(process.execPath, ['-e', work], { stdio: 'ignore' }))
}

/** A bundled script, as it is vendored: what stands in it is one scope, and its functions call each other. */
function bundled(): string {
  const entry = { contents: "import fast from 'fastify'; fast()", resolveDir: ROOT }
  const options = { bundle: true, platform: 'node', format: 'iife', target: 'es2017', write: false } as const
  const text = buildSync({ ...options, stdin: entry, logLevel: 'error' }).outputFiles[0]!.text
  return text.slice(0, text.lastIndexOf('\n  // ', 60_000))
}

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n')

/** Functions that call the next one so often that one request takes too many steps through all of them. */
function tangled(): string {
  const call = (at: number) => `    x = f${at}(x) + f${at}(x + "a") + f${at}(x + "b") + f${at}([x])\n`
  const functions = Array.from({ length: 9 }, (_, at) => `def f${at}(x):\n${call(at + 1).repeat(4)}    return x\n`)
  const view = '@app.route("/y")\ndef view():\n    f0([request.args["x"]])\n    os.system(request.args["z"])\n'
  return `import os\nfrom flask import request\n${functions.join('')}def f9(x):\n    return x\n${view}`
}

function hardFiles(): Record<string, string> {
  const hash = (i: number) => `const h${i} = crypto.createHash('md5').update(password${i}).digest('hex')`
  return {
    'bundle.js': bundled(),
    'candidates.js': lines(2200, hash),
    'nested.js': `${hash(0)}\nx = ${lines(100, () => '['.repeat(30))}${lines(100, () => ']'.repeat(30))}\n`,
    'line.sql': `INSERT INTO t VALUES ${lines(4000, i => `(${i}, 'password', NULL)`).replaceAll('\n', ', ')};\n`,
    'names.txt': 'password = token = secret = '.repeat(4000),
    'tangled.py': tangled(),
    'small.py': 'import yaml\nyaml.load(input(), Loader=yaml.Loader)\n',
  }
}

/** What a scan wrote, without ids and times. */
async function scan(root: string, ...more: string[]): Promise<{ run: string; findings: string }> {
  const child = spawn(process.execPath, [PROGRAM, 'scan', '--no-cache', ...more], { cwd: root, stdio: 'ignore' })
  await new Promise(done => child.on('exit', done))
  const read = (name: string) => readFileSync(join(root, 'out', name), 'utf8')
  const run = JSON.parse(read('run.json')) as Record<string, unknown>
  const own = String(run.id)
  for (const key of ['id', 'started_at', 'finished_at', 'duration_ms', 'follows']) delete run[key]
  return { run: JSON.stringify(run, null, 1), findings: read('findings.json').replaceAll(own, 'ID') }
}

test('a scan comes to the same alone, beside eight busy processes, on one thread and on eight', async () => {
  const root = project(hardFiles())
  const alone = await scan(root)
  startBusy(8)
  const others = [await scan(root, '--jobs', '1'), await scan(root, '--jobs', '8')]
  for (const other of others) {
    expect(other.run).toBe(alone.run)
    expect(other.findings).toBe(alone.findings)
  }
  const { not_evaluated, notices } = JSON.parse(alone.run) as {
    not_evaluated: { file: string; reason: string; detail?: string }[]
    notices: { kind: string; file: string }[]
  }
  // The hard files are hard: what is left out is left out by counts that are named, and nothing by the clock.
  const reasons = new Set(not_evaluated.map(({ file, reason }) => `${file} ${reason}`))
  expect(reasons).toContain('candidates.js too_costly')
  expect(reasons).toContain('nested.js too_deep')
  expect(not_evaluated.filter(({ reason }) => reason === 'timed_out')).toEqual([])
  expect(not_evaluated.filter(({ file }) => ['bundle.js', 'tangled.py'].includes(file))).toEqual([])
  expect(notices).toContainEqual(expect.objectContaining({ kind: 'calls_not_followed', file: 'tangled.py' }))
}, 300_000)
