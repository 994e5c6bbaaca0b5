// From `npm install --global` of the tarball to the first finding, in an empty home without a network: npm run pack && npx tsx bench/install.ts
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const packed = resolve(import.meta.dirname, '../packed')
const name = readdirSync(packed).find(file => file.endsWith(`-${process.platform}-${process.arch}.tgz`))
if (!name) throw new Error('packed/ has no tarball of this platform: run `npm run pack` first')
const tarball = join(packed, name)
for (let round = 1; round <= 3; round++) measure()

/** One installation, scan and removal. */
function measure(): void {
  const home = mkdtempSync(join(tmpdir(), 'svc-install-'))
  const project = join(home, 'project')
  mkdirSync(project)
  const env = {
    PATH: `${join(home, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    npm_config_prefix: home,
  }
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: project, env, encoding: 'utf8' })
  run('git', 'init', '-q')
  const handler = "app.get('/', (req, res) => require('child_process').exec(`ls ${req.query.d}`))"
  writeFileSync(join(project, 'app.js'), `const app = require('express')()\n${handler}\n`)
  const start = performance.now()
  run('npm', 'install', '--global', '--offline', '--no-audit', '--no-fund', tarball)
  const installed = performance.now()
  if (!run('svc', 'scan').includes('[command-injection]')) throw new Error('the scan found nothing')
  const found = performance.now()
  const seconds = (ms: number) => (ms / 1000).toFixed(1)
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0)
  console.log(
    `installed in ${seconds(installed - start)} s, first finding after ${seconds(found - start)} s; ${megabytes(statSync(tarball).size)} MB packed, ${megabytes(sizeBelow(join(home, 'lib')))} MB installed`,
  )
  rmSync(home, { recursive: true })
}

function sizeBelow(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
