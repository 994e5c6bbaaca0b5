import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { Context } from '../../base/context.ts'
import { locateUserCache } from '../../base/disk/user-state.ts'
import type { Config } from '../../sources/config/load.ts'

/** VEX documents that hold for every run, beside those that are named. */
export const VEX_DIRECTORY = '.svc/vex'

/** Vulnerabilities that are accepted. */
export const IGNORES_PATH = '.svc/vuln-ignores.yaml'

/** The directory into which `svc vulns --update-db` downloads exports: the user's, for all repositories. */
export function locateDownloads(env: Context['env']): string {
  return join(locateUserCache(env), 'advisories', 'osv')
}

/** The index that belongs to a directory of advisories; `.db` files are indexes themselves. */
export function locateIndex(database: string, env: Context['env']): string {
  if (/\.db$/i.test(database)) return database
  const name = createHash('sha256').update(database).digest('hex').slice(0, 16)
  return join(locateUserCache(env), 'advisories', `${name}.db`)
}

/** The configured or named database, absolute; undefined where neither is. */
export function locateDatabase(config: Config, { database }: { database?: string }, cwd: string): string | undefined {
  if (database !== undefined) return resolve(cwd, database)
  return config.vulns.database === undefined ? undefined : resolve(config.root, config.vulns.database)
}
