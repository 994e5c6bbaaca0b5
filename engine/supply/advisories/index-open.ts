import { statSync } from 'node:fs'
import { EngineError } from '../../base/errors.ts'
import { type Advisory, normalizeName } from './advisory.ts'
import type { Epss, KnownExploited } from './exploits.ts'
import { INDEX_FORMAT, type IndexSummary } from './index-build.ts'

/** An indexed advisory database, opened for reading. The caller closes it. */
export interface AdvisoryIndex {
  summary: IndexSummary
  /** The stamp of the folder that it was made of. */
  stamp: string
  /** When it was made, ISO 8601. */
  built: string
  /** The advisories about a package, by its name as a component has it. */
  findAdvisories(ecosystem: string, name: string): Advisory[]
  /** The advisory of an id in any case, with what it says of each package. */
  findById(id: string): Advisory | undefined
  findEpss(cve: string): Epss | undefined
  findKnownExploited(cve: string): KnownExploited | undefined
  close(): void
}

/**
 * Opens an index; undefined where there is none, or one of another format, which is to be built anew. STORE_UNREADABLE where the file is no
 * index at all.
 */
export async function openIndex(path: string): Promise<AdvisoryIndex | undefined> {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined
  const { DatabaseSync } = await import('@photostructure/sqlite')
  try {
    const database = new DatabaseSync(path, { readOnly: true })
    const meta = (key: string) => {
      const row = database.prepare('SELECT value FROM meta WHERE key = ?').get(key) as { value: string } | undefined
      return row === undefined ? undefined : (JSON.parse(row.value) as unknown)
    }
    if (meta('format') !== INDEX_FORMAT) {
      database.close()
      return undefined
    }
    const byPackage = database.prepare('SELECT data FROM package WHERE ecosystem = ? AND name = ?')
    const epss = database.prepare('SELECT cve, score, percentile FROM epss WHERE cve = ?')
    const kev = database.prepare('SELECT data FROM kev WHERE cve = ?')
    return {
      summary: meta('summary') as IndexSummary,
      stamp: meta('stamp') as string,
      built: meta('built') as string,
      findAdvisories(ecosystem, name) {
        const wanted = normalizeName(ecosystem, name)
        const rows = byPackage.all(ecosystem, wanted) as { data: string }[]
        const at = ecosystem.indexOf(':')
        if (at > 0) rows.push(...(byPackage.all(ecosystem.slice(0, at), wanted) as { data: string }[]))
        return rows.map(({ data }) => JSON.parse(data) as Advisory)
      },
      findById(id) {
        const rows = database.prepare('SELECT data FROM package WHERE id = ? COLLATE NOCASE').all(id) as {
          data: string
        }[]
        const advisories = rows.map(({ data }) => JSON.parse(data) as Advisory)
        return advisories[0] && { ...advisories[0], affected: advisories.flatMap(({ affected }) => affected) }
      },
      findEpss: cve => epss.get(cve) as Epss | undefined,
      findKnownExploited(cve) {
        const row = kev.get(cve) as { data: string } | undefined
        return row && { cve, ...(JSON.parse(row.data) as Omit<KnownExploited, 'cve'>) }
      },
      close: () => database.close(),
    }
  } catch (error) {
    throw new EngineError('STORE_UNREADABLE', 'The advisory database index cannot be read.', {
      hint: 'Build it anew with `svc vulns --update-db`.',
      place: { file: path },
      cause: error,
    })
  }
}
