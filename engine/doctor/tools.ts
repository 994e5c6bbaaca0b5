import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Check, fail, passCheck, warn } from './check.ts'

/** Lowest Node that svc is tested on (package.json, engines). */
const NODE = [20, 19] as const
/** git before this does not know every option that discovery uses. */
const GIT = [2, 25] as const

export function checkNode(version = process.versions.node): Check {
  if (atLeast(version, NODE)) return passCheck('node', version)
  return fail('node', `${version} is too old`, `Install Node ${NODE.join('.')} or later.`)
}

/** git must be there where the folder is a repository; elsewhere a folder can be scanned without it. */
export async function checkGit(root: string): Promise<Check> {
  const { tryGit } = await import('../sources/repository/git.ts')
  let version: string
  try {
    const { stdout } = await tryGit(root, ['--version'])
    version = /\d+(\.\d+)+/.exec(stdout.toString('utf8'))?.[0] ?? '0'
  } catch {
    const next = 'Install git and see that it is on the PATH.'
    return existsSync(join(root, '.git'))
      ? fail('git', 'not found, and this is a git repository', next)
      : warn('git', 'not found; only directories without git can be scanned', next)
  }
  if (atLeast(version, GIT)) return passCheck('git', version)
  return warn('git', `${version} is old`, `Install git ${GIT.join('.')} or later.`)
}

/** DuckDB keeps the runs. */
export async function checkDuckdb(): Promise<Check> {
  const { connect, readRows } = await import('../sources/store/duckdb.ts')
  const connection = await connect()
  const [row] = await readRows<{ version: string }>(connection, 'SELECT version() AS version')
  return passCheck('duckdb', row?.version ?? 'loaded')
}

function atLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [a = 0, b = 0] = version.split('.').map(Number)
  return a > major || (a === major && b >= minor)
}
