import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { HooksFolder } from '../../engine/hook/hooks-folder.ts'
import { installHook } from '../../engine/hook/install.ts'
import { folder } from '../made/folder.ts'
import { git } from '../made/git.ts'

/** A program that stands in for svc: it says that it ran, and refuses where a file `refuse` is there. */
export function program(): { node: string; svc: string } {
  const home = folder({
    "o'dd pläce/svc.js":
      "console.log('svc', process.argv[2]); process.exit(require('node:fs').existsSync('refuse') ? 1 : 0)",
  })
  return { node: process.execPath, svc: join(home, "o'dd pläce/svc.js") }
}

/** Commits a new file in a repository; what git and its hooks said. */
export function commit(root: string, env: Record<string, string> = {}) {
  writeFileSync(join(root, 'x'), String(Math.random()))
  git(root, 'add', '-A')
  const args = ['-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-m', 'work']
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', ...env },
    encoding: 'utf8',
  })
  return { status, said: stdout + stderr }
}

/** Writes a pre-commit hook by hand; its path. */
export function hook(root: string, text: string, mode = 0o755): string {
  const path = join(root, '.git/hooks/pre-commit')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

/** Installs with a program that stands in. */
export const install = (where: HooksFolder, svc = program(), force = false) => installHook(where, svc, { force })
