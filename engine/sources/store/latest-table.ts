import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTemporaryFolder, removeTemporary } from '../../base/disk/temporary.ts'
import { EngineError } from '../../base/errors.ts'
import type { SeverityCounts } from '../../base/records/finding.ts'
import type { StateCounts } from '../../base/records/framework.ts'
import { RATINGS, type Rating } from '../../base/records/rating.ts'
import { connect, copy, openWriter, quoteLiteral, quotePath, readRows } from './duckdb.ts'

/** A project's latest run of the whole repository in one row. */
export interface LatestRow {
  project: string
  run_id: string
  name: string
  /** ISO 8601, UTC. */
  scanned_at: string
  git_sha?: string
  branch?: string
  rating?: Rating
  gate?: boolean
  /** Posture score, 0 to 100; absent where no component has data. */
  posture?: number
  /** Findings that are not suppressed, those of the baseline included. */
  open: number
  /** Of `open`. */
  by_severity: SeverityCounts
  /** `open` minus that of the run before; absent where there is none. */
  change?: number
  not_evaluated: number
  files: number
  bytes: number
  frameworks: { id: string; name: string; coverage?: number; counts: StateCounts }[]
}

/** A row with the object that it was read from. */
export interface SourcedRow {
  source: string
  row: LatestRow
}

const COLUMNS = {
  ...{ source: 'VARCHAR', project: 'VARCHAR', run_id: 'VARCHAR', name: 'VARCHAR', scanned_at: 'VARCHAR' },
  ...{ git_sha: 'VARCHAR', branch: 'VARCHAR', rating: 'VARCHAR', gate: 'BOOLEAN', posture: 'DOUBLE' },
  ...{ open: 'INTEGER', critical: 'INTEGER', high: 'INTEGER', medium: 'INTEGER', low: 'INTEGER', info: 'INTEGER' },
  ...{ change: 'INTEGER', not_evaluated: 'INTEGER', files: 'INTEGER', bytes: 'DOUBLE' },
  // As JSON: a list of structures takes twenty times as long to read row by row.
  frameworks: 'VARCHAR',
} as const

type FlatRow = Record<keyof typeof COLUMNS, string | number | boolean | null>

/**
 * Writes `latest.parquet`, one row a project: the rows of the file that is there, but those whose source is not among `kept`, and the new ones.
 * It appears whole, by its rename.
 */
export async function writeLatestTable(
  path: string,
  kept: ReadonlySet<string>,
  fresh: readonly SourcedRow[],
): Promise<void> {
  const folder = makeTemporaryFolder('svc-latest-')
  const { connection, close } = await openWriter()
  try {
    const columns = Object.entries(COLUMNS).map(([name, type]) => `"${name}": ${quoteLiteral(type)}`)
    const relation = async (name: string, rows: readonly object[], of: string) => {
      const file = join(folder, name)
      await writeFile(file, JSON.stringify(rows))
      return `read_json(${quotePath(file)}, format = 'array', columns = {${of}}, maximum_object_size = 67108864)`
    }
    const rows = `SELECT * FROM ${await relation('fresh.json', fresh.map(flatten), columns.join(', '))}`
    const sources = [...kept].map(source => ({ source }))
    const old =
      kept.size === 0
        ? ''
        : ` UNION ALL SELECT * FROM ${readTable(path)} WHERE source IN (SELECT source FROM ${await relation('kept.json', sources, "source: 'VARCHAR'")})`
    const temporary = `${path}.${process.pid}.tmp`
    await connection.run(copy(`SELECT * FROM (${rows}${old}) ORDER BY project`, temporary))
    await rename(temporary, path)
  } finally {
    close()
    removeTemporary(folder)
  }
}

/** The rows of `latest.parquet`, by project. STORE_UNREADABLE where it is damaged or of another version. */
export async function readLatestTable(path: string): Promise<SourcedRow[]> {
  const connection = await connect()
  try {
    const names = Object.keys(COLUMNS).map(name => `"${name}"`)
    const rows = await readRows<FlatRow>(connection, `SELECT ${names.join(', ')} FROM ${readTable(path)}`)
    return rows.map(unflatten)
  } catch (error) {
    throw new EngineError('STORE_UNREADABLE', 'latest.parquet cannot be read.', {
      hint: 'Remove it: it is created again from the rows in the run store.',
      cause: error,
    })
  } finally {
    connection.closeSync()
  }
}

function readTable(path: string): string {
  return `read_parquet(${quotePath(path)}, hive_partitioning = false)`
}

function flatten({ source, row }: SourcedRow): FlatRow {
  const { by_severity, frameworks, ...plain } = row
  const nothing = { git_sha: null, branch: null, rating: null, gate: null, posture: null, change: null }
  return { ...nothing, ...plain, ...by_severity, source, frameworks: JSON.stringify(frameworks) }
}

function unflatten(flat: FlatRow): SourcedRow {
  const { source, critical, high, medium, low, info, frameworks, ...plain } = flat
  const known = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== null))
  return {
    source: String(source),
    row: {
      ...(known as unknown as LatestRow),
      by_severity: { critical, high, medium, low, info } as SeverityCounts,
      frameworks: JSON.parse(String(frameworks)) as LatestRow['frameworks'],
    },
  }
}

/**
 * A row as it was stored, by whatever version; undefined where it is none. Only known keys are read, and what has another type than it must
 * have is not.
 */
export function parseLatestRow(value: unknown): LatestRow | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const from = value as Record<string, unknown>
  const text = (key: string) => (typeof from[key] === 'string' ? from[key].slice(0, 1000) : undefined)
  const count = (key: string) => (Number.isFinite(from[key]) ? (from[key] as number) : undefined)
  const [project, run_id, scanned_at, open] = [text('project'), text('run_id'), text('scanned_at'), count('open')]
  if (project === undefined || run_id === undefined || open === undefined) return undefined
  if (scanned_at === undefined || Number.isNaN(Date.parse(scanned_at))) return undefined
  const rating = RATINGS.find(each => each === from.rating)
  const optional = {
    ...{ git_sha: text('git_sha'), branch: text('branch'), rating, change: count('change'), posture: count('posture') },
    gate: typeof from.gate === 'boolean' ? from.gate : undefined,
  }
  return {
    ...{ project, run_id, open, name: text('name') ?? project, scanned_at: new Date(scanned_at).toISOString() },
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    by_severity: countsFrom({ critical: 0, high: 0, medium: 0, low: 0, info: 0 }, from.by_severity),
    ...{ not_evaluated: count('not_evaluated') ?? 0, files: count('files') ?? 0, bytes: count('bytes') ?? 0 },
    frameworks: (Array.isArray(from.frameworks) ? from.frameworks.slice(0, 200) : []).flatMap(toFramework),
  }
}

function toFramework(value: unknown): LatestRow['frameworks'] {
  const { id, name, coverage, counts } = (value ?? {}) as Record<string, unknown>
  if (typeof id !== 'string') return []
  const zero: StateCounts = { violated: 0, met: 0, manual: 0, not_applicable: 0, not_evaluated: 0 }
  return [
    {
      ...{ id, name: typeof name === 'string' ? name : id, counts: countsFrom(zero, counts) },
      ...(typeof coverage === 'number' && { coverage }),
    },
  ]
}

function countsFrom<T extends object>(zero: T, value: unknown): T {
  const from = (value ?? {}) as Record<string, unknown>
  const counts = Object.keys(zero).map(key => [key, Number.isSafeInteger(from[key]) ? from[key] : 0])
  return Object.fromEntries(counts) as T
}
