import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { locateUserCache } from '../../base/disk/user-state.ts'
import { EngineError } from '../../base/errors.ts'
import { removeRun, runFiles, runFolders } from '../../sources/store/layout.ts'
import type { LatestRows } from './latest.ts'
import { runLimited } from './limited.ts'
import { openObjects, type StoreOptions } from './open.ts'
import { sweepPool } from './pool.ts'
import { createRunStore } from './run-store.ts'

/** Runs that are fetched at a time. */
const AT_ONCE = 8

/**
 * A copy on this machine of what was read from a run store, for DuckDB, which reads files only. What is stored never changes, so what is here
 * is never asked for again; files that are in several runs with the same bytes are fetched and kept once.
 */
export interface Mirror {
  /** The latest row of every project, from `latest.parquet`. */
  latest(): Promise<LatestRows>
  /** Fetches the newest runs of a project, and lets go of the others; answers an output directory that `openStore` opens. RUN_NOT_FOUND where it has none. */
  project(project: string, newest: number): Promise<string>
  /** Its directory, in the user's cache. */
  readonly folder: string
  close(): Promise<void>
}

/** Opens the mirror of a run store. The caller closes it. */
export async function openMirror(url: string, options: StoreOptions): Promise<Mirror> {
  const objects = await openObjects(url, options)
  const folder = join(locateUserCache(options.env), 'fleet', 'mirror', digest(objects.name))
  return {
    folder,
    async latest() {
      const { readLatest } = await import('./latest.ts')
      return readLatest(objects, folder)
    },
    async project(project, newest) {
      const pool = join(folder, 'files')
      const runs = createRunStore(objects)
      const at = project.length
      const keys = (await runs.list(`${project}/`)).filter(key => key.lastIndexOf('/') === at).slice(-newest)
      if (keys.length === 0) throw new EngineError('RUN_NOT_FOUND', `The run store has no run of ${project}.`)
      const out = join(folder, 'projects', digest(project))
      const newestIds = new Set(keys.map(key => key.slice(at + 1)))
      const old = (await runFolders(out)).filter(id => !newestIds.has(id))
      for (const id of old) await removeRun(out, id)
      if (old.length > 0) await sweepPool(pool)
      const fetchRun = async (key: string) => {
        const into = runFiles(out, key.slice(at + 1)).folder
        if (!existsSync(into)) await runs.fetch(key, into, pool)
      }
      // The newest one first and alone: the others then have what they share with it from the pool.
      await fetchRun(keys.at(-1)!)
      await runLimited(keys.slice(0, -1), AT_ONCE, fetchRun)
      return out
    },
    close: () => objects.close(),
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
