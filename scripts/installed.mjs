// Before the tests: installs what package-lock.json names where that has not been done, so that `npm test` works in a fresh clone.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const done = join(root, 'node_modules/.package-lock.json')
if (!existsSync(done) || statSync(done).mtimeMs < statSync(join(root, 'package-lock.json')).mtimeMs) {
  const { status } = spawnSync('npm', ['install', '--no-fund', '--no-audit'], { cwd: root, stdio: 'inherit' })
  process.exitCode = status ?? 1
}
