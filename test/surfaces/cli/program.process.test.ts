import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runHere } from '../../made/command-line.ts'
import { ROOT } from '../../root.ts'

const PROGRAM = join(ROOT, 'dist/svc.js')
const VERSION = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version

let folder: string

beforeAll(() => {
  expect(existsSync(PROGRAM), 'dist/svc.js is there: run npm run build').toBe(true)
  folder = mkdtempSync(join(tmpdir(), 'svc-program-'))
})

afterAll(() => rmSync(folder, { recursive: true }))

function svc(args: string[], env: Record<string, string> = {}) {
  const plain = { PATH: process.env.PATH!, HOME: folder }
  const { status, stdout, stderr } = spawnSync(PROGRAM, args, {
    cwd: folder,
    env: { ...plain, ...env },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

describe('the built program', () => {
  it('starts by its own first line, as npm links it', () => {
    expect(readFileSync(PROGRAM, 'utf8').split('\n')[0]).toBe('#!/usr/bin/env node')
    expect(svc(['--version'])).toEqual({ status: 0, stdout: `${VERSION}\n`, stderr: '' })
  })

  it('scans on threads, stores the run and reads it again', () => {
    const project = join(folder, 'threads')
    execFileSync('git', ['init', '-q', project])
    writeFileSync(
      join(project, 'a.py'),
      'import yaml\n\ndef read(text):\n    return yaml.load(text, Loader=yaml.Loader)\n',
    )
    const { status, stderr } = svc(['scan', 'threads', '--jobs', '2', '--quiet'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const history = JSON.parse(
      spawnSync(PROGRAM, ['history-report', '--list', '--json'], { cwd: project }).stdout.toString(),
    )
    expect(history.runs).toMatchObject([{ files: 1, open: 1 }])
  })

  it.each(['program.js', 'quick.js', 'agent.js'])('%s is ASCII, since it is read as Latin-1', name => {
    expect(readFileSync(join(dirname(PROGRAM), name), 'latin1').search(/[^\x00-\x7f]/)).toBe(-1)
  })

  it('loads no analysis of code for what an agent waits for before each tool call', () => {
    const modules = readFileSync(join(dirname(PROGRAM), 'agent.js'), 'latin1').match(/"engine\/[\w/.-]+"\(\)/g)!
    expect(modules).toContain('"engine/governance/decide.ts"()')
    expect(modules.filter(name => /"engine\/(?:scan|gate|findings|detect\/(?!syntax\/))/.test(name))).toEqual([])
  })

  it('reads a dash of typography in the commit hook as its source does', () => {
    const project = join(folder, 'dash')
    execFileSync('git', ['init', '-q', project])
    writeFileSync(
      join(project, 'a.py'),
      'import yaml\n\ndef read(text):\n    # svc-ignore: python-yaml-unsafe-load — our own file\n    return yaml.load(text, Loader=yaml.Loader)\n',
    )
    execFileSync('git', ['add', '.'], { cwd: project })
    expect(spawnSync(PROGRAM, ['pre-commit-scan'], { cwd: project }).status).toBe(0)
  })

  it('starts from its text where the compiled form of it is from another version of Node or gone', () => {
    const copy = join(folder, 'copy')
    cpSync(dirname(PROGRAM), copy, { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    const version = () =>
      spawnSync(process.execPath, [join(copy, 'svc.js'), '--version'])
        .stdout.toString()
        .trim()
    writeFileSync(join(copy, 'program.js.compiled'), 'from another version')
    expect(version()).toBe(VERSION)
    rmSync(join(copy, 'program.js.compiled'))
    expect(version()).toBe(VERSION)
  })

  it('prints the tool version as a command too', () => {
    const { status, stdout } = svc(['version'])
    expect(status).toBe(0)
    expect(stdout).toContain(VERSION)
    expect(JSON.stringify(JSON.parse(svc(['version', '--json']).stdout))).toContain(VERSION)
  })

  it('lists the commands with no word at all', () => {
    const { status, stdout, stderr } = svc([])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^ {2}scan\b/m)
    expect(stdout).toMatch(/^ {2}gate\b/m)
  })

  it('gives help for every command that it lists', async () => {
    const { OPERATIONS } = await import('../../../engine/door/operations.gen.ts')
    const names = OPERATIONS.flatMap(row => (row.cli ? [row.cli.split(/ [<[]/)[0]!] : []))
    // All programs that are built, with each command that has one of its own; the other commands are in the same list.
    const quick = ['pre-commit-scan', 'agent-check', 'agent-hook', 'agent-resident', 'blast-check']
    for (const name of [...quick, 'gate', 'history-report'])
      expect(svc([name, '--help'])).toEqual({ status: 0, stdout: expect.stringContaining(`svc ${name}`), stderr: '' })
    for (const name of names) {
      const ran = await runHere([...name.split(' '), '--help'], { cwd: folder, env: process.env })
      expect(ran).toEqual({ code: 0, out: expect.stringContaining(`svc ${name}`), err: '' })
    }
  })

  it('refuses an unknown command with 64 and the command meant', () => {
    const { status, stdout, stderr } = svc(['sacn'])
    expect({ status, stdout }).toEqual({ status: 64, stdout: '' })
    expect(stderr).toContain('There is no command sacn; did you mean scan?')
  })

  it('ends quietly when the reader of its output has gone', async () => {
    const child = spawn('bash', [
      '-o',
      'pipefail',
      '-c',
      `"${PROGRAM}" completion bash | head -c 1 >/dev/null; "${PROGRAM}" --help | true`,
    ])
    let stderr = ''
    child.stderr.on('data', chunk => {
      stderr += chunk
    })
    const code = await new Promise(done => child.on('close', done))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it.runIf(existsSync('/dev/full'))('fails when its answer cannot be written', () => {
    const { status, stderr } = spawnSync('sh', ['-c', `"${PROGRAM}" --help > /dev/full`], { encoding: 'utf8' })
    expect(status).toBe(74)
    expect(stderr).toContain('ENOSPC')
  })

  it('colours by FORCE_COLOR and NO_COLOR', () => {
    expect(svc(['--help'], { FORCE_COLOR: '1' }).stdout).toContain('\x1b[1m')
    expect(svc(['--help'], { FORCE_COLOR: '1', NO_COLOR: '1' }).stdout).not.toContain('\x1b')
    expect(svc(['nope'], { FORCE_COLOR: '1' }).stderr).toContain('\x1b[31m')
  })

  it('prints a completion script that completes its own commands', () => {
    writeFileSync(join(folder, 'svc.bash'), svc(['completion', 'bash']).stdout)
    const script = 'source ./svc.bash; COMP_WORDS=(svc scan --conf); COMP_CWORD=2; _svc; echo "${COMPREPLY[*]}"'
    expect(execFileSync('bash', ['--norc', '-c', script], { cwd: folder, encoding: 'utf8' })).toBe('--config\n')
  })

  it('loads neither the database nor a server, a YAML reader or a parser to say its version', () => {
    const loaded = modulesLoadedBy(['version'])
    expect(loaded.filter(file => /node_modules/.test(file))).toEqual([])
    expect(loaded.length).toBeLessThan(12)
  })
})

/** The files that a command loads, as Node's own loader reports them. */
function modulesLoadedBy(args: string[]): string[] {
  const hook = `data:text/javascript,${encodeURIComponent(`
    import { writeSync } from 'node:fs'
    export async function load(url, context, next) { writeSync(2, 'loaded ' + url + '\\n'); return next(url, context) }`)}`
  const register = `data:text/javascript,${encodeURIComponent(`import { register } from 'node:module'; register(${JSON.stringify(hook)})`)}`
  const { stderr } = spawnSync(process.execPath, ['--import', register, PROGRAM, ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
  return stderr.split('\n').flatMap(line => (line.startsWith('loaded file:') ? [line.slice(7)] : []))
}
