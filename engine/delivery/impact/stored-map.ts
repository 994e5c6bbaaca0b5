import { createHash } from 'node:crypto'
import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { writeTemporary } from '../../base/disk/own-folder.ts'
import { locateUserCache } from '../../base/disk/user-state.ts'
import { VERSION } from '../../base/version.ts'
import type { RequirementSet } from '../requirements/model.ts'
import type { CodeMap, FileEntry } from './code-map.ts'

/** What is kept between two runs, in the user's cache directory, where no repository writes. */
export interface StoredMap {
  map: CodeMap
  /** Digest of the files of requirements, and what was read from them. */
  requirements?: { digest: string; set: Omit<RequirementSet, 'byId'> }
}

interface Written {
  version: string
  root: string
  map: [string, FileEntry][]
  requirements?: StoredMap['requirements']
}

/** The map of a repository that was kept; undefined where there is none of this version, or it cannot be read. */
export function readStoredMap(root: string, env: Readonly<Record<string, string | undefined>>): StoredMap | undefined {
  try {
    const read = JSON.parse(readFileSync(locate(root, env), 'utf8')) as Written
    if (read.version !== VERSION || read.root !== root || !Array.isArray(read.map)) return undefined
    return { map: new Map(read.map), ...(read.requirements && { requirements: read.requirements }) }
  } catch {
    return undefined
  }
}

/** Keeps a map in one step. Where the cache cannot be written, the next run reads everything again. */
export function storeMap(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
  { map, requirements }: StoredMap,
): void {
  const path = locate(root, env)
  const temporary = `${path}.${process.pid}.tmp`
  const written: Written = { version: VERSION, root, map: [...map], ...(requirements && { requirements }) }
  try {
    makeFolders(join(path, '..'), { mode: 0o700 })
    writeTemporary(temporary, JSON.stringify(written))
    renameSync(temporary, path)
  } catch {
    rmSync(temporary, { force: true })
  }
}

function locate(root: string, env: Readonly<Record<string, string | undefined>>): string {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 32)
  return join(locateUserCache(env), 'code-maps', `${name}.json`)
}
