import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { AST_LANGUAGES, COPIED, PACKAGED } from '../../engine/detect/syntax/grammar.ts'
import { listPackageFiles, own, type Packed, writeTarball } from '../../scripts/pack/tarball.mjs'
import { ROOT } from '../root.ts'

/** An empty home and prefix: what somebody has who has never seen svc, npm's cache included. */
const base = mkdtempSync(join(tmpdir(), 'svc-install-'))
const [home, prefix, project] = ['home', 'prefix', 'project'].map(name => join(base, name)) as [string, string, string]
const env = { PATH: `${join(prefix, 'bin')}:${process.env.PATH}`, HOME: home, npm_config_prefix: prefix, NO_COLOR: '1' }
let tarball: string

/** Runs svc as it was installed, in the project. */
function svc(...args: string[]) {
  return spawnSync('svc', args, { cwd: project, env, encoding: 'utf8' })
}

function npm(...args: string[]): string {
  return execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd: base, env, encoding: 'utf8' })
}

function pack(): string {
  const printed = execFileSync(process.execPath, [join(ROOT, 'scripts/pack.mjs')], { cwd: ROOT, encoding: 'utf8' })
  return printed.split('\n')[0]!
}

function sizeBelow(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

beforeAll(() => {
  for (const folder of [home, prefix, project]) mkdirSync(folder)
  tarball = pack()
  npm('install', '--global', '--ignore-scripts', tarball)
  execFileSync('git', ['init', '-q'], { cwd: project, env })
})

describe('the tarball of this platform', () => {
  it('has at most 50 MB, and 170 MB once it is installed', () => {
    expect(statSync(tarball).size).toBeLessThanOrEqual(50e6)
    expect(sizeBelow(prefix)).toBeLessThanOrEqual(170e6)
  })

  it('has the same files when it is made again from the same commit, and the same bytes', async () => {
    const name = `${process.platform}-${process.arch}`
    const list = (): Packed[] => listPackageFiles(name, { bin: own.bin })
    const digest = ({ to, content, mode }: Packed) =>
      `${to} ${mode} ${createHash('sha256').update(content).digest('hex')}`
    const files = list()
    expect(list().map(digest)).toEqual(files.map(digest))
    // How a file becomes bytes does not depend on its size: compressing all 170 MB twice takes half a minute.
    const small = files.filter(({ content }) => content.length < 20_000)
    expect(small.length).toBeGreaterThan(100)
    const once = await writeTarball(join(base, 'once.tgz'), small)
    const again = await writeTarball(join(base, 'again.tgz'), [...small].reverse())
    expect(again).toEqual(once)
  })

  it('names the licence of every package in it', () => {
    const notices = readFileSync(join(prefix, 'lib/node_modules/svc-scan/THIRD-PARTY-NOTICES'), 'utf8')
    expect(notices).toMatch(/^@duckdb\/node-bindings \S+ \(MIT\)$/m)
    expect(notices).not.toContain('(unknown)')
    // Of code that is bundled into the program.
    for (const name of ['yaml', 'openid-client', 'redoc', 'tree-sitter-solidity'])
      expect(notices).toMatch(new RegExp(`^${name} \\S+ \\(`, 'm'))
  })

  it('scans, and finds by patterns, by taint analysis and secrets', () => {
    writeFileSync(join(project, 'app.py'), 'import requests\nrequests.get("https://x.example", verify=False)\n')
    writeFileSync(
      join(project, 'app.js'),
      "const app = require('express')()\napp.get('/', (req, res) => require('child_process').exec(`ls ${req.query.d}`))\n",
    )
    const { status, stdout, stderr } = svc('scan')
    expect(stderr).toBe('')
    expect(status).toBe(0)
    expect(stdout).toContain('[python-requests-verify-off]')
    expect(stdout).toContain('[command-injection]')
    expect(svc('gate').status).toBe(1)
  })

  it('has a parser for each language that has one on this platform', () => {
    const parsers = join(prefix, 'lib/node_modules/svc-scan/dist/node_modules/@ast-grep')
    const packed = readdirSync(parsers).flatMap(name => name.match(/^lang-(.+)/)?.[1] ?? [])
    expect(packed.sort()).toEqual(Object.keys(PACKAGED).sort())
    // Those without a package of ast-grep: of this platform alone.
    const copied = join(prefix, 'lib/node_modules/svc-scan/dist/grammars')
    expect(readdirSync(copied).sort()).toEqual(Object.keys(COPIED).sort())
    for (const language of Object.keys(COPIED))
      expect(readdirSync(join(copied, language))).toEqual([`${process.platform}-${process.arch}.node`])
    // The wrong symbol in any of them ends the process.
    const { healthy, checks } = JSON.parse(svc('install-check', '--json').stdout)
    expect(healthy).toBe(true)
    expect(checks).toContainEqual({
      name: 'grammars',
      state: 'ok',
      detail: `all ${AST_LANGUAGES.length} load and parse`,
    })
  })

  it('reads specifications and checks rules, which takes packages that few commands load', () => {
    const responses = { 200: { description: 'ok', content: { 'text/plain': { schema: { type: 'string' } } } } }
    const spec = { openapi: '3.0.3', info: { title: 'rest', version: '1' }, paths: { '/a': { get: { responses } } } }
    const events = 'asyncapi: 2.6.0\ninfo: { title: events, version: "1" }\nchannels: { c: { publish: {} } }\n'
    const proto = 'syntax = "proto3";\nmessage A { string password = 1; }\n'
    const files = { 'api.json': JSON.stringify(spec), 'events.yaml': events, 'a.proto': proto }
    for (const [file, text] of Object.entries(files)) {
      writeFileSync(join(project, file), text)
      const { status, stdout, stderr } = svc('import-spec', file)
      expect(`${status} ${stdout}${stderr}`).toMatch(/^0 imported/)
    }
    // Whether an expression can take exponential time is told by a package of its own.
    expect(svc('lint-pack', 'bash').status).toBe(0)
  })

  it('serves the dashboard and the API', async () => {
    const server = spawn('svc', ['dashboard', '--port', '0'], { cwd: project, env })
    onTestFinished(() => void server.kill())
    let said = ''
    for (const stream of [server.stdout, server.stderr]) stream.on('data', chunk => (said += chunk))
    await expect.poll(() => said).toMatch(/http:\/\/127\.0\.0\.1:\d+/)
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said)!
    expect((await fetch(`${address}/health`)).status).toBe(200)
    expect(await (await fetch(address)).text()).toContain('<html')
  })

  it('serves a coding agent', async () => {
    const transport = new StdioClientTransport({ command: 'svc', args: ['mcp-server'], cwd: project, env })
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport)
    onTestFinished(() => client.close())
    expect((await client.listTools()).tools.length).toBeGreaterThan(10)
  })

  it('runs without being installed', () => {
    const printed = execFileSync('npx', ['--offline', '--yes', '--package', tarball, 'svc', 'version'], {
      cwd: project,
      env: { ...env, PATH: process.env.PATH },
      encoding: 'utf8',
    })
    expect(printed.trim()).toBe(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version)
  })

  it('leaves nothing when it is uninstalled', () => {
    npm('uninstall', '--global', 'svc-scan')
    const left = readdirSync(prefix, { withFileTypes: true, recursive: true }).filter(entry => !entry.isDirectory())
    expect(left.map(({ name }) => name)).toEqual([])
  })
})
