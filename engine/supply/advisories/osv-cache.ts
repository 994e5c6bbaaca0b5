import { dirname } from 'node:path'
import { makeFolders } from '../../base/disk/make-folders.ts'
import type { Advisory } from './advisory.ts'
import type { PackageVersion } from './match.ts'

/** What the API said earlier, kept for all repositories of the user. The caller closes it. */
export interface OsvCache {
  /** Ids of the advisories about a package, and when the API said so. */
  findQuery(one: PackageVersion): { ids: string[]; fetched: number } | undefined
  keepQuery(one: PackageVersion, ids: readonly string[], fetched: number): void
  /** An advisory; in that state alone where `modified` is given. */
  findAdvisory(id: string, modified?: string): Advisory | undefined
  keepAdvisory(advisory: Advisory): void
  /** Runs writes as one. */
  write(work: () => void): void
  close(): void
}

/** The tables of another version of svc are left alone: each has a file of its own. */
export const CACHE_FILE = 'osv-1.db'

/**
 * Opens the cache of an API address, making the file where there is none. A file that is no cache is an error of SQLite: it holds nothing that
 * could not be asked again, so the caller may go on without.
 */
export async function openOsvCache(path: string, baseUrl: string): Promise<OsvCache> {
  const { DatabaseSync } = await import('@photostructure/sqlite')
  makeFolders(dirname(path))
  const database = new DatabaseSync(path, { timeout: 5000 })
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      CREATE TABLE IF NOT EXISTS query (base TEXT, ecosystem TEXT, name TEXT, version TEXT, ids TEXT, fetched INTEGER,
        PRIMARY KEY (base, ecosystem, name, version)) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS advisory (base TEXT, id TEXT, modified TEXT, data TEXT, PRIMARY KEY (base, id)) WITHOUT ROWID;`)
  const query = database.prepare(
    'SELECT ids, fetched FROM query WHERE base = ? AND ecosystem = ? AND name = ? AND version = ?',
  )
  const advisory = database.prepare('SELECT modified, data FROM advisory WHERE base = ? AND id = ?')
  return {
    findQuery({ ecosystem, name, version }) {
      const row = query.get(baseUrl, ecosystem, name, version) as { ids: string; fetched: number } | undefined
      return row && { ids: JSON.parse(row.ids) as string[], fetched: row.fetched }
    },
    keepQuery({ ecosystem, name, version }, ids, fetched) {
      database
        .prepare('INSERT OR REPLACE INTO query VALUES (?, ?, ?, ?, ?, ?)')
        .run(baseUrl, ecosystem, name, version, JSON.stringify(ids), fetched)
    },
    findAdvisory(id, modified) {
      const row = advisory.get(baseUrl, id) as { modified: string; data: string } | undefined
      if (!row || (modified !== undefined && modified !== row.modified)) return undefined
      return JSON.parse(row.data) as Advisory
    },
    keepAdvisory(one) {
      database
        .prepare('INSERT OR REPLACE INTO advisory VALUES (?, ?, ?, ?)')
        .run(baseUrl, one.id, one.modified, JSON.stringify(one))
    },
    write(work) {
      database.exec('BEGIN IMMEDIATE')
      try {
        work()
        database.exec('COMMIT')
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    },
    close: () => database.close(),
  }
}
