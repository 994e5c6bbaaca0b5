import { renameSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { EngineError } from '../../base/errors.ts'
import { type Advisory, normalizeName } from './advisory.ts'
import { listDatabaseFiles, type RawRecord, readRecords } from './database-files.ts'
import { classifyExploitFile, readEpss, readKnownExploited } from './exploits.ts'
import { computeFolderStamp } from './folder-stamp.ts'
import { readAdvisory } from './read-compact.ts'
import { AdvisoryFault } from './read-osv.ts'

/** Raised with every change of what an index contains: an older one is built anew. */
export const INDEX_FORMAT = 2

const TABLES = `
  CREATE TABLE package (ecosystem TEXT, name TEXT, id TEXT, data TEXT, PRIMARY KEY (ecosystem, name, id)) WITHOUT ROWID;
  CREATE TABLE epss (cve TEXT PRIMARY KEY, score REAL, percentile REAL) WITHOUT ROWID;
  CREATE TABLE kev (cve TEXT PRIMARY KEY, data TEXT) WITHOUT ROWID;
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;`

/** What went into an index. */
export interface IndexSummary {
  /** Records that were read; those that name no package among them. */
  advisories: number
  /** Rows of the index: an advisory about three packages has three. */
  entries: number
  ecosystems: string[]
  /** The newest `modified` of all records: how old the data is, whatever the files' times. */
  newest: string
  epss: number
  kev: number
  /** Records that could not be read: the packages that they are about may be vulnerable all the same. */
  faults: string[]
}

/** Faults that are kept by their text; all are counted. */
const MOST_FAULTS = 100

/**
 * Indexes a folder of advisories into one SQLite file, written under a temporary name first. NOT_FOUND where the folder has no advisory at
 * all, DISK and INTERRUPTED as usual; a record that cannot be read is a fault of the summary.
 */
export async function buildIndex(
  folder: string,
  target: string,
  { signal, onProgress = () => {} }: { signal: AbortSignal; onProgress?: (records: number) => void },
): Promise<IndexSummary> {
  const { DatabaseSync } = await import('@photostructure/sqlite')
  makeFolders(dirname(target))
  const stamp = computeFolderStamp(folder)
  const temporary = `${target}.${process.pid}.tmp`
  rmSync(temporary, { force: true })
  const database = new DatabaseSync(temporary)
  try {
    // Nobody else reads the temporary file, and one that is left half-written is never used.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 8192;')
    database.exec(`${TABLES} BEGIN`)
    const summary = await fill(database, folder, signal, onProgress)
    const meta = database.prepare('INSERT INTO meta VALUES (?, ?)')
    for (const [key, value] of Object.entries({
      format: INDEX_FORMAT,
      summary,
      stamp,
      built: new Date().toISOString(),
    }))
      meta.run(key, JSON.stringify(value))
    database.exec('COMMIT')
    database.close()
    renameSync(temporary, target)
    return summary
  } finally {
    if (database.isOpen) database.close()
    rmSync(temporary, { force: true })
  }
}

async function fill(
  database: DatabaseSyncInstance,
  folder: string,
  signal: AbortSignal,
  onProgress: (records: number) => void,
): Promise<IndexSummary> {
  // Of two records of one advisory the one that was modified last holds, in whatever order the files come.
  const insert = database.prepare(
    `INSERT INTO package VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET data = excluded.data
     WHERE json_extract(excluded.data, '$.modified') >= json_extract(data, '$.modified')`,
  )
  const ecosystems = new Set<string>()
  const summary: IndexSummary = { advisories: 0, entries: 0, ecosystems: [], newest: '', epss: 0, kev: 0, faults: [] }
  let faults = 0
  const report = (fault: string) => {
    if (++faults <= MOST_FAULTS) summary.faults.push(fault)
  }
  for (const file of await listDatabaseFiles(folder)) {
    const exploit = classifyExploitFile(basename(file))
    if (exploit === 'epss') summary.epss += await fillEpss(database, join(folder, file))
    if (exploit === 'kev') summary.kev += await fillKnownExploited(database, join(folder, file))
    if (exploit || /\.csv(\.gz)?$/i.test(file)) continue
    try {
      for await (const record of readRecords(folder, file)) {
        signal.throwIfAborted()
        const advisory = readOne(record, report)
        if (!advisory) continue
        summary.advisories++
        if (advisory.modified > summary.newest) summary.newest = advisory.modified
        for (const ecosystem of listCovered(file, advisory)) ecosystems.add(ecosystem)
        summary.entries += insertAdvisory(insert, advisory)
        if (summary.advisories % 1000 === 0) onProgress(summary.advisories)
      }
    } catch (error) {
      if (signal.aborted) throw error
      // A damaged archive: what was read before the damage stays, and the file is named.
      report(`${file}: ${(error as Error).message}`)
    }
  }
  if (faults > MOST_FAULTS) summary.faults.push(`and ${faults - MOST_FAULTS} more`)
  if (summary.advisories === 0)
    throw new EngineError('NOT_FOUND', `The advisory database ${folder} has no advisory.`, {
      hint: "Put OSV's exports (npm/all.zip …) or JSON files of advisories there, or run `svc vulns --update-db`.",
      faults: summary.faults.map(message => ({ message })),
    })
  return { ...summary, ecosystems: [...ecosystems].sort() }
}

function readOne({ place, text }: RawRecord, report: (fault: string) => void): Advisory | undefined {
  try {
    return readAdvisory(JSON.parse(text))
  } catch (error) {
    report(`${place}: ${error instanceof AdvisoryFault ? error.message : text === '' ? 'too large' : 'no JSON'}`)
    return undefined
  }
}

/**
 * The ecosystems that a record shows to be in the database: the one that its file is named after (OSV's exports: `npm/all.zip`), else that of the
 * first package. An advisory of PyPI that mentions a package of npm says nothing of all the others there.
 */
function listCovered(file: string, { affected }: Advisory): string[] {
  const names = new Set(
    file
      .toLowerCase()
      .split('/')
      .flatMap(part => [part, part.replace(/\.[^.]+$/, '')]),
  )
  const all = affected.map(({ ecosystem }) => ecosystem)
  const named = all.filter(
    ecosystem => names.has(ecosystem.toLowerCase()) || names.has(ecosystem.split(':', 1)[0]!.toLowerCase()),
  )
  return named.length > 0 ? named : all.slice(0, 1)
}

/** One row for each package, with what the advisory says of that package alone. */
function insertAdvisory(insert: ReturnType<DatabaseSyncInstance['prepare']>, advisory: Advisory): number {
  const rows = new Map<string, Advisory['affected']>()
  for (const affected of advisory.affected) {
    const key = JSON.stringify([affected.ecosystem, normalizeName(affected.ecosystem, affected.name)])
    rows.set(key, [...(rows.get(key) ?? []), affected])
  }
  for (const [key, affected] of rows) {
    const [ecosystem, name] = JSON.parse(key) as [string, string]
    insert.run(ecosystem, name, advisory.id, JSON.stringify({ ...advisory, affected }))
  }
  return rows.size
}

async function fillEpss(database: DatabaseSyncInstance, path: string): Promise<number> {
  const insert = database.prepare('INSERT OR REPLACE INTO epss VALUES (?, ?, ?)')
  let count = 0
  for await (const { cve, score, percentile } of readEpss(path)) {
    insert.run(cve, score, percentile)
    count++
  }
  return count
}

async function fillKnownExploited(database: DatabaseSyncInstance, path: string): Promise<number> {
  const insert = database.prepare('INSERT OR REPLACE INTO kev VALUES (?, ?)')
  const listed = readKnownExploited(await readFile(path, 'utf8'), path)
  for (const { cve, ...rest } of listed) insert.run(cve, JSON.stringify(rest))
  return listed.length
}
