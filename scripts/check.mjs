// npm run check: everything that can be said about the sources without running the tests, one line each.
// Exit 0 when all is well. Generated files that were stale are left regenerated, so committing them fixes that check.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

const CHECKS = [
  ['generated files are up to date', generated],
  ['types', () => tool('typescript/bin/tsc', '-p', '.')],
  ['types of the dashboard', () => tool('typescript/bin/tsc', '-p', 'api/dashboard')],
  ["types of the dashboard's tests", () => tool('typescript/bin/tsc', '-p', 'test/surfaces/dashboard')],
  [
    'lint and format',
    () =>
      tool(
        '@biomejs/biome/bin/biome',
        'check',
        '--diagnostic-level=error',
        '--colors=off',
        '--max-diagnostics=20',
        '.',
      ),
  ],
  ['rooms import lower floors, and none in a circle', () => tool('tsx/dist/cli.mjs', 'scripts/rooms.ts')],
  ['rules hold their examples', () => tool('tsx/dist/cli.mjs', 'scripts/rules-test.ts')],
  ["texts that users read are in the field's words", () => tool('tsx/dist/cli.mjs', 'scripts/words.ts')],
  [
    'architecture and contract',
    () => tool('vitest/vitest.mjs', 'run', '--reporter=dot', 'test/architecture.test.ts', 'test/contract'),
  ],
  ['no conflict marker, no focused or skipped test', leftovers],
]

let failed = 0
for (const [name, check] of CHECKS) {
  const began = performance.now()
  const complaint = await check()
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${complaint === '' ? 'ok  ' : 'FAIL'}  ${name} (${seconds} s)`)
  if (complaint === '') continue
  failed++
  console.log(indented(complaint))
}
if (failed > 0) console.log(`${failed} of ${CHECKS.length} checks failed`)
process.exitCode = failed > 0 ? 1 : 0

/** Runs a tool of node_modules; its output where it fails, else nothing. */
function tool(path, ...args) {
  return run(process.execPath, [join(root, 'node_modules', path), ...args])
}

function run(command, args) {
  return new Promise(done => {
    execFile(
      command,
      args,
      { cwd: root, maxBuffer: 1 << 26, env: { ...process.env, NO_COLOR: '1' } },
      (error, stdout, stderr) => {
        done(error ? `${stdout}${stderr}`.trim() || String(error) : '')
      },
    )
  })
}

/** Regenerates, and names the files that came out different from what stood there. */
async function generated() {
  const before = await generatedFiles()
  const complaint = await tool('tsx/dist/cli.mjs', 'scripts/generate.ts')
  if (complaint) return complaint
  const after = await generatedFiles()
  const stale = [...after].filter(([path, digest]) => before.get(path) !== digest).map(([path]) => path)
  return stale.length === 0 ? '' : `regenerated just now, review and commit:\n${stale.join('\n')}`
}

/** Digest of each generated file, by path. */
async function generatedFiles() {
  const files = (await listed()).filter(path => /\.(gen|snap)\.\w+$|^docs\/reference\//.test(path))
  return new Map(
    files.map(path => [
      path,
      createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest('hex'),
    ]),
  )
}

async function leftovers() {
  const complaints = []
  for (const path of await listed()) {
    if (!/\.(ts|mjs|js|json|yaml|yml|md|css|html)$/.test(path)) continue
    for (const [index, line] of readFileSync(join(root, path), 'utf8').split('\n').entries()) {
      const conflict = /^(<{7}|>{7}) /.test(line)
      const unused = /\.test\.ts$/.test(path) && /^\s*(describe|it|test)\.(only|skip|todo)\(/.test(line)
      if (conflict || unused) complaints.push(`${path}:${index + 1}: ${line.trim()}`)
    }
  }
  return complaints.join('\n')
}

/** The project's own files: tracked, and new ones that are not ignored. */
async function listed() {
  const paths = await new Promise((done, fail) => {
    const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
    execFile('git', args, { cwd: root, maxBuffer: 1 << 26 }, (error, stdout) => (error ? fail(error) : done(stdout)))
  })
  return [...new Set(paths.split('\0'))].filter(path => path !== '' && existsSync(join(root, path))).sort()
}

function indented(text) {
  return text
    .split('\n')
    .map(line => `      ${line}`)
    .join('\n')
}
