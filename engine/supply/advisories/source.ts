import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../base/context.ts'
import { locateUserCache } from '../../base/disk/user-state.ts'
import { EngineError } from '../../base/errors.ts'
import { redactCredentials } from '../../base/text/credentials.ts'
import type { Config } from '../../sources/config/load.ts'
import { computeFolderStamp } from './folder-stamp.ts'
import { type Gathered, gatherFromApi, gatherFromIndex } from './gather.ts'
import { buildIndex, type IndexSummary } from './index-build.ts'
import { type AdvisoryIndex, openIndex } from './index-open.ts'
import { locateDatabase, locateDownloads, locateIndex } from './locations.ts'
import type { PackageVersion } from './match.ts'
import { CACHE_FILE, type OsvCache, openOsvCache } from './osv-cache.ts'

/** Where advisories come from, as configured and as asked for; what is asked for comes first. */
export interface SourceOptions {
  /** A directory or an index, relative to the working directory. */
  database?: string
  offline?: boolean
  /** Ask the API even where the cache is young enough. */
  refresh?: boolean
}

const HOW_TO_GET_ONE =
  "Run `svc vulns --update-db` once with a network, or pass a directory of OSV's exports with --database or vulns.database."

/**
 * Looks packages up: in the named or configured database, or the downloaded one where no service may be called; else in the cache and with the
 * OSV API. TOOL_MISSING where no service may be called and there is no database.
 */
export async function gatherAdvisories(
  config: Config,
  packages: readonly PackageVersion[],
  options: SourceOptions,
  {
    cwd,
    env,
    signal,
    notice,
    onProgress,
  }: Pick<Context, 'cwd' | 'env' | 'signal' | 'notice'> & { onProgress: (done: number) => void },
): Promise<Gathered> {
  const named = locateDatabase(config, options, cwd)
  const offline = options.offline ?? config.vulns.offline
  const downloads = locateDownloads(env)
  const database = named ?? (offline && existsSync(downloads) ? downloads : undefined)
  if (database !== undefined) {
    const index = await openDatabase(database, { env, signal, notice, onProgress })
    return gatherFromIndex(index, database, packages)
  }
  if (offline)
    throw new EngineError('TOOL_MISSING', 'There is no advisory database, and no service may be called (offline).', {
      hint: HOW_TO_GET_ONE,
    })
  const base = config.vulns.api_url.replace(/\/+$/, '')
  const cache = await openCache(base, env, notice)
  try {
    return await gatherFromApi(base, packages, {
      env,
      signal,
      cache,
      mostAgeMs: options.refresh ? -1 : config.vulns.cache_hours * 3_600_000,
      onProgress,
    })
  } finally {
    cache?.close()
  }
}

/**
 * As `gatherAdvisories`, from the index of the configured database. Undefined where there is no such index yet, or the
 * directory has changed since. Nothing is written, indexed or
 * asked for: a scan must not wait for it.
 */
export async function gatherAtHand(
  config: Config,
  packages: readonly PackageVersion[],
  { cwd, env }: Pick<Context, 'cwd' | 'env'>,
): Promise<Gathered | undefined> {
  const database = locateDatabase(config, {}, cwd)
  const index = database === undefined ? undefined : await openIndex(locateIndex(database, env))
  if (!index) return undefined
  const isStale =
    statSync(database!, { throwIfNoEntry: false })?.isDirectory() && index.stamp !== computeFolderStamp(database!)
  if (!isStale) return gatherFromIndex(index, database!, packages)
  index.close()
  return undefined
}

/** Indexes a database anew; what `--update-db` ends with. */
export async function indexDatabase(
  database: string,
  { env, signal, onProgress }: Pick<Context, 'env' | 'signal'> & { onProgress: (records: number) => void },
): Promise<IndexSummary> {
  return await buildIndex(database, locateIndex(database, env), { signal, onProgress })
}

/** The index of a database, built first where there is none or the directory has changed. */
async function openDatabase(
  database: string,
  {
    env,
    signal,
    notice,
    onProgress,
  }: Pick<Context, 'env' | 'signal' | 'notice'> & { onProgress: (records: number) => void },
): Promise<AdvisoryIndex> {
  const there = statSync(database, { throwIfNoEntry: false })
  if (!there)
    throw new EngineError('TOOL_MISSING', `The advisory database ${database} does not exist.`, { hint: HOW_TO_GET_ONE })
  const path = locateIndex(database, env)
  const index = await openIndex(path)
  if (!there.isDirectory()) {
    if (index) return index
    throw new EngineError('INPUT_INVALID', `${database} is no index of this version of svc.`, {
      hint: 'Pass the directory of advisories itself.',
    })
  }
  if (index?.stamp === computeFolderStamp(database)) return index
  index?.close()
  notice(`Indexing the advisory database ${database} …`)
  await buildIndex(database, path, { signal, onProgress })
  return (await openIndex(path))!
}

/** The cache for writing; without one, every run asks the API anew. */
async function openCache(base: string, env: Context['env'], notice: Context['notice']): Promise<OsvCache | undefined> {
  try {
    return await openOsvCache(join(locateUserCache(env), 'advisories', CACHE_FILE), redactCredentials(base))
  } catch (error) {
    notice(`Answers of the vulnerability API cannot be kept: ${(error as Error).message}`)
    return undefined
  }
}
