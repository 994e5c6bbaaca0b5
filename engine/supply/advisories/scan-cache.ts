import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Context } from '../../base/context.ts'
import { getEngineDigest } from '../../base/disk/assets.ts'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { readSource } from '../../base/disk/read.ts'
import { locateUserCache } from '../../base/disk/user-state.ts'
import type { Listing, SourceFile } from '../../base/records/source-file.ts'
import type { Contribution } from '../../findings/contribution.ts'
import type { Config } from '../../sources/config/load.ts'
import { MOST_BYTES } from '../inventory/select.ts'
import { computeFolderStamp } from './folder-stamp.ts'
import { IGNORES_PATH, locateDatabase, locateIndex, VEX_DIRECTORY } from './locations.ts'

interface Kept {
  key: string
  /** Files that manifests name as a part of themselves, with the digest of their content; '' for one that is not there. */
  includes: Record<string, string>
  contribution: Contribution
}

/** What the answer of a scan follows from, but for the files that manifests name. */
export interface CacheRequest {
  config: Config
  listing: Listing
  manifests: readonly SourceFile[]
  selectFiles: (wants: (path: string) => boolean) => SourceFile[]
  context: Pick<Context, 'cwd' | 'env'>
}

/**
 * What the last scan of a repository said of its vulnerabilities, in the user's cache directory. It holds as long as nothing has changed that it
 * follows from: the content of manifests and of what they name, the database and its index, ignores, VEX documents, settings, the program, and the day.
 */
export class ScanCache {
  readonly #request: CacheRequest
  readonly #path: string
  readonly #key: string | undefined

  constructor(request: CacheRequest) {
    this.#request = request
    const name = createHash('sha256').update(request.listing.root).digest('hex').slice(0, 16)
    this.#path = join(locateUserCache(request.context.env), 'advisories', 'scans', `${name}.json`)
    this.#key = computeKey(request)
  }

  find(): Contribution | undefined {
    if (this.#key === undefined || !existsSync(this.#path)) return undefined
    try {
      const kept = JSON.parse(readFileSync(this.#path, 'utf8')) as Kept
      if (kept.key !== this.#key) return undefined
      const now = this.#digestIncludes(Object.keys(kept.includes))
      return Object.entries(kept.includes).every(([path, digest]) => now[path] === digest)
        ? kept.contribution
        : undefined
    } catch {
      // What cannot be read is computed again.
      return undefined
    }
  }

  /** Keeps what a scan says; where the disk refuses, the next one computes it again. */
  keep(contribution: Contribution, includes: readonly string[]): void {
    if (this.#key === undefined) return
    const kept: Kept = { key: this.#key, includes: this.#digestIncludes(includes), contribution }
    const temporary = `${this.#path}.${process.pid}.tmp`
    try {
      makeFolders(dirname(this.#path), { mode: 0o700 })
      writeFileSync(temporary, JSON.stringify(kept), { mode: 0o600 })
      renameSync(temporary, this.#path)
    } catch {
      rmSync(temporary, { force: true })
    }
  }

  #digestIncludes(paths: readonly string[]): Record<string, string> {
    const wanted = new Set(paths)
    if (wanted.size === 0) return {}
    const files = new Map(this.#request.selectFiles(path => wanted.has(path)).map(file => [file.path, file]))
    return Object.fromEntries(
      paths.map(path => {
        const file = files.get(path)
        return [path, file === undefined ? '' : (identify(this.#request.listing.root, file) ?? 'not read')]
      }),
    )
  }
}

/** Undefined where something of it cannot be told. */
function computeKey({ config, listing, manifests, context: { cwd, env } }: CacheRequest): string | undefined {
  const hash = createHash('sha256')
  const add = (...parts: unknown[]) => hash.update(`${JSON.stringify(parts)}\n`)
  const { vulns, supply_chain } = config
  // An ignore expires with its day.
  add(getEngineDigest(), new Date().toISOString().slice(0, 10), listing.root, config.root, vulns, supply_chain)
  const database = locateDatabase(config, {}, cwd)
  if (database !== undefined && vulns.in_scan) {
    const index = statSync(locateIndex(database, env), { throwIfNoEntry: false })
    const folder = statSync(database, { throwIfNoEntry: false })
    if (!index || !folder) return undefined
    add(database, folder.isDirectory() ? computeFolderStamp(database) : [folder.size, folder.mtimeMs])
    add(index.size, index.mtimeMs, index.ino)
  }
  for (const { path, reason, detail } of listing.skipped) add(path, reason, detail)
  for (const file of manifests) {
    const id = identify(listing.root, file)
    if (id === undefined) return undefined
    add(file.path, id, file.encoding)
  }
  for (const path of listSettings(listing.root, config.root, manifests)) {
    const content = readSetting(path)
    add(path, content === undefined ? '' : createHash('sha256').update(content).digest('hex'))
  }
  return hash.digest('hex')
}

/** git's name of the content where it is known, else a digest of what is on disk. */
function identify(root: string, file: SourceFile): string | undefined {
  const known = file.blob ?? file.oid
  if (known !== undefined) return known
  const content = readSource(root, file, MOST_BYTES)
  return content instanceof Uint8Array ? createHash('sha256').update(content).digest('hex') : undefined
}

/** Files that decide and are no manifests: registries of npm beside each manifest, ignores and VEX documents. */
function listSettings(work: string, root: string, manifests: readonly SourceFile[]): string[] {
  const directories = new Set(['', ...manifests.map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/'))))])
  const registries = [...directories].map(directory => join(work, directory, '.npmrc'))
  const directory = join(root, VEX_DIRECTORY)
  const names = existsSync(directory) ? readdirSync(directory).sort() : []
  return [...registries, join(root, IGNORES_PATH), ...names.map(name => join(directory, name))]
}

function readSetting(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}
