import { lstatSync } from 'node:fs'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { SeverityCounts } from '../../base/records/finding.ts'
import type { StateCounts } from '../../base/records/framework.ts'
import { RATINGS, type Rating } from '../../base/records/rating.ts'
import { countUnsuppressed } from '../../base/records/run.ts'
import { quoteLiteral, quotePath, readRows } from './duckdb.ts'

/** What is compared of a run with those of other repositories. */
export interface ProjectRun {
  /** Its run.json. */
  file: string
  id: string
  name: string
  started_at: string
  finished_at: string
  scope: string
  git_sha?: string
  branch?: string
  files: number
  open: number
  baseline: number
  suppressed: number
  /** Findings that are not suppressed; those of the baseline are missing where the run did not count them. */
  by_severity: SeverityCounts
  not_evaluated: number
  rating?: Rating
  gate?: boolean
  /** The run that the gate ran in, where that is another one. */
  gate_run_id?: string
  tool_version?: string
  bytes?: number
  frameworks: { id: string; name: string; coverage?: number; counts: StateCounts }[]
}

/** Larger records are not read: a repository may bring one only to slow the reader down. */
const MOST_BYTES = 64 << 20

const SEVERITIES = { critical: 'INTEGER', high: 'INTEGER', medium: 'INTEGER', low: 'INTEGER', info: 'INTEGER' }
const STATES = {
  ...{ violated: 'INTEGER', met: 'INTEGER', manual: 'INTEGER' },
  ...{ not_applicable: 'INTEGER', not_evaluated: 'INTEGER' },
}

/** The parts of run.json that are compared; all else is passed over, and what has another type is null. */
const SHAPE = {
  ...{ id: 'VARCHAR', root_name: 'VARCHAR', started_at: 'VARCHAR', finished_at: 'VARCHAR', scope: 'VARCHAR' },
  ...{ git_sha: 'VARCHAR', tool_version: 'VARCHAR', branch: 'VARCHAR', rating: 'VARCHAR', gate: { passed: 'BOOLEAN' } },
  counts: {
    files: 'INTEGER',
    bytes: 'BIGINT',
    open: 'INTEGER',
    baseline: 'INTEGER',
    suppressed: 'INTEGER',
    by_severity: SEVERITIES,
    baseline_by_severity: SEVERITIES,
  },
  not_evaluated: [{ rule_id: 'VARCHAR' }],
  frameworks: [{ id: 'VARCHAR', name: 'VARCHAR', coverage: 'DOUBLE', counts: STATES }],
}

const NONE: SeverityCounts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 }

type Nullable<T> = { [K in keyof T]: T[K] | null }

interface Row extends Nullable<Omit<ProjectRun, 'file' | 'frameworks' | 'by_severity' | 'gate' | 'files'>> {
  file: string
  gate: boolean | null
  files: number | null
  by_severity: Nullable<SeverityCounts> | null
  baseline_by_severity: Nullable<SeverityCounts> | null
  frameworks: (Nullable<{ id: string; name: string; coverage: number; counts: Nullable<StateCounts> }> | null)[] | null
}

/**
 * The records of many runs, of whatever repositories, by one query. Files that are no record of a run are left out: whoever asked compares
 * what came back with what was asked. A symbolic link is not followed.
 */
export async function readProjectRuns(connection: DuckDBConnection, files: readonly string[]): Promise<ProjectRun[]> {
  const there = files.filter(isReadable)
  if (there.length === 0) return []
  const rows = await readRows<Row>(
    connection,
    `WITH records AS (SELECT filename, json_transform(TRY_CAST(content AS JSON), ${quoteLiteral(JSON.stringify(SHAPE))}) AS r
       FROM read_text([${there.map(quotePath).join(', ')}]))
     SELECT filename AS file, r.id, r.root_name AS name, r.started_at, r.finished_at, r.scope, r.git_sha, r.tool_version, r.counts.bytes::DOUBLE AS bytes, r.branch, r.rating,
       r.gate.passed AS gate, r.counts.files, r.counts.open, r.counts.baseline, r.counts.suppressed, r.counts.by_severity, r.counts.baseline_by_severity,
       len(list_distinct(list_transform(r.not_evaluated, x -> x.rule_id)))::INTEGER AS not_evaluated, r.frameworks
     FROM records`,
  )
  return rows.flatMap(row => toRun(row) ?? [])
}

function toRun(row: Row): ProjectRun | undefined {
  const { file, id, name, started_at, finished_at, scope, git_sha, branch, rating, gate, files, open } = row
  if (id === null || scope === null || files === null || open === null) return undefined
  if (started_at === null || Number.isNaN(Date.parse(started_at))) return undefined
  return {
    ...{ file, id, scope, files, open, name: name ?? '', started_at: new Date(started_at).toISOString() },
    finished_at: finished_at ?? started_at,
    baseline: row.baseline ?? 0,
    suppressed: row.suppressed ?? 0,
    by_severity: countUnsuppressed({
      by_severity: withoutNull(NONE, row.by_severity),
      baseline_by_severity: withoutNull(NONE, row.baseline_by_severity),
    }),
    not_evaluated: row.not_evaluated ?? 0,
    ...(git_sha !== null && { git_sha }),
    ...(row.tool_version !== null && { tool_version: row.tool_version }),
    ...(row.bytes !== null && { bytes: row.bytes }),
    ...(branch !== null && { branch }),
    ...(rating && RATINGS.includes(rating) && { rating }),
    ...(gate !== null && { gate }),
    frameworks: (row.frameworks ?? []).flatMap(framework => {
      if (framework === null || framework.id === null) return []
      const { id, name, coverage, counts } = framework
      const zero: StateCounts = { violated: 0, met: 0, manual: 0, not_applicable: 0, not_evaluated: 0 }
      return { id, name: name ?? id, counts: withoutNull(zero, counts), ...(coverage !== null && { coverage }) }
    }),
  }
}

function withoutNull<T extends object>(zero: T, counts: Nullable<T> | null): T {
  const entries = Object.keys(zero).map(key => [key, counts?.[key as keyof T] ?? 0])
  return Object.fromEntries(entries) as T
}

function isReadable(file: string): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  return stats?.isFile() === true && stats.size <= MOST_BYTES
}
