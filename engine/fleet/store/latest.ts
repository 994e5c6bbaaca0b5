import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolders } from '../../base/disk/make-folders.ts'
import type { SeverityCounts } from '../../base/records/finding.ts'
import { countUnsuppressed, type Run } from '../../base/records/run.ts'
import { computePosture, GATE_RUNS, TREND_RUNS } from '../../quality/posture/posture.ts'
import {
  type LatestRow,
  parseLatestRow,
  readLatestTable,
  type SourcedRow,
  writeLatestTable,
} from '../../sources/store/latest-table.ts'
import type { Age } from '../queue/job.ts'
import { runLimited } from './limited.ts'
import type { ObjectStore } from './objects.ts'

/** Where the latest rows are: `_latest/<project>/<run-id>-<digest>.json`. No project's name begins so. */
const PREFIX = '_latest/'
const NAME = /^([A-Za-z0-9][A-Za-z0-9._-]{0,99})-([0-9a-f]{64})\.json$/
const MOST_BYTES = 4 << 20
/** Rows of a project that stay: a reader who has listed an older one still finds it. */
const KEPT = 2
/** Objects that are fetched at a time. */
const AT_ONCE = 32
const WHOLE = 'everything'

/** A run that trends are computed from. */
interface Past {
  run_id: string
  open: number
  by_severity: SeverityCounts
  gate?: boolean
}

interface Stored {
  format: 1
  row: LatestRow
  /** This run and those before it, newest first. */
  history: Past[]
}

/** How the commit of a run stands to others of its branch. Runs are named by the time when they were submitted, and pushes are delivered in any order. */
export interface Standing {
  /** How the run's commit stands to another one. */
  compareWith(commit: string): Promise<Age>
  /** Whether the branch is known to be at a commit. */
  isBranchAt(commit: string): Promise<boolean>
}

/**
 * Stores the row of a run that was just stored, unless it is of a part of the repository or a newer run has one: that was submitted later, or, with a
 * `standing`, that is of the same branch and newer by that. Rows are never replaced: each run has an object of its own, and the newest counts,
 * whoever wrote last; rows of runs that were submitted later and are older all the same are removed.
 */
export async function putLatest(objects: ObjectStore, project: string, run: Run, standing?: Standing): Promise<void> {
  if (run.scope !== WHOLE) return
  const rows = await listProject(objects, project)
  const later = rows.filter(({ run_id }) => run_id > run.id)
  for (const { key } of later) {
    const row = await readRowOf(objects, key, run)
    if (!standing || !row || !(await displaces(standing, run.git_sha!, row))) return
  }
  const newest = rows.findLast(({ run_id }) => run_id <= run.id)
  if (newest?.run_id !== run.id) {
    const row = standing && newest && (await readRowOf(objects, newest.key, run))
    if (row && (await yields(standing, run.git_sha!, row))) return
    await putRow(objects, project, run, newest && (await readStored(objects, newest.key)))
  }
  for (const { key } of [...rows.filter(({ run_id }) => run_id < run.id).slice(0, -(KEPT - 1)), ...later])
    await objects.remove(key)
}

/** The commit of a row; undefined where it is of another branch than the run, or either has no commit. */
async function readRowOf(objects: ObjectStore, key: string, run: Run): Promise<string | undefined> {
  const row = (await readStored(objects, key))?.row
  return run.git_sha !== undefined && row?.branch === run.branch ? row?.git_sha : undefined
}

/** Whether the run's commit takes the place of one that was submitted later. */
async function displaces({ compareWith, isBranchAt }: Standing, own: string, other: string): Promise<boolean> {
  if (await isBranchAt(own)) return (await compareWith(other)) !== 'older'
  return !(await isBranchAt(other)) && (await compareWith(other)) === 'newer'
}

/** Whether the run's commit leaves its place to one that was submitted before. */
async function yields({ compareWith, isBranchAt }: Standing, own: string, other: string): Promise<boolean> {
  if (own === other || (await isBranchAt(own))) return false
  return (await isBranchAt(other)) ? (await compareWith(other)) !== 'newer' : (await compareWith(other)) === 'older'
}

async function putRow(objects: ObjectStore, project: string, run: Run, before: Stored | undefined): Promise<void> {
  const stored = makeStored(project, run, before)
  const text = `${JSON.stringify(stored)}\n`
  const digest = createHash('sha256').update(text).digest('hex')
  await objects.put(`${PREFIX}${project}/${run.id}-${digest}.json`, Buffer.from(text), true)
}

function makeStored(project: string, run: Run, before: Stored | undefined): Stored {
  const { counts, frameworks = [], id, git_sha, branch, rating, gate } = run
  const open = counts.open + counts.baseline
  const earlier = (before?.history ?? []).filter(({ run_id }) => run_id < id)
  const history: Past[] = [
    { run_id: id, open, by_severity: counts.by_severity, ...(gate && { gate: gate.passed }) },
    ...earlier,
  ].slice(0, GATE_RUNS)
  const { overall } = computePosture({
    ...(run.score !== undefined && { compliance: run.score }),
    ...(counts.rules > 0 && { open: counts.by_severity }),
    series: history
      .slice(0, TREND_RUNS)
      .map(each => each.by_severity)
      .reverse(),
    gates: history.flatMap(each => each.gate ?? []),
  })
  const row: LatestRow = {
    ...{ project, run_id: id, name: run.root_name, scanned_at: new Date(run.started_at).toISOString(), open },
    ...(git_sha !== undefined && { git_sha }),
    ...(branch !== undefined && { branch }),
    ...(rating !== undefined && { rating }),
    ...(gate && { gate: gate.passed }),
    ...(overall !== null && { posture: overall }),
    ...(earlier[0] && { change: open - earlier[0].open }),
    by_severity: countUnsuppressed(counts),
    not_evaluated: new Set(run.not_evaluated.map(({ rule_id }) => rule_id)).size,
    ...{ files: counts.files, bytes: counts.bytes },
    frameworks: frameworks.map(({ id, name, coverage, counts }) => ({
      ...{ id, name, counts },
      ...(coverage !== undefined && { coverage }),
    })),
  }
  return { format: 1, row, history }
}

/** The latest rows of all projects, with what could not be read, each in a sentence. */
export interface LatestRows {
  rows: LatestRow[]
  omitted: string[]
}

/**
 * The latest row of every project: by the store's listing, of which what is new is fetched and kept in `latest.parquet` of the mirror's folder, by the
 * digests in the names.
 */
export async function readLatest(objects: ObjectStore, mirror: string): Promise<LatestRows> {
  const newest = new Map<string, string>()
  for await (const { key } of objects.list(PREFIX)) {
    const parsed = parseKey(key)
    if (!parsed) continue
    const known = newest.get(parsed.project)
    if (known === undefined || parseKey(known)!.run_id < parsed.run_id) newest.set(parsed.project, key)
  }
  makeFolders(mirror)
  const path = join(mirror, 'latest.parquet')
  const known = existsSync(path) ? await readLatestTable(path).catch(() => []) : []
  const wanted = new Set(newest.values())
  const kept = known.filter(({ source }) => wanted.has(source))
  const have = new Set(kept.map(({ source }) => source))
  const fresh: SourcedRow[] = []
  const omitted: string[] = []
  await runLimited(
    [...wanted].filter(key => !have.has(key)),
    AT_ONCE,
    async source => {
      const stored = await readStored(objects, source)
      if (stored) fresh.push({ source, row: stored.row })
      else omitted.push(`The latest row of ${parseKey(source)!.project} cannot be read.`)
    },
  )
  if (fresh.length > 0 || kept.length < known.length) await writeLatestTable(path, have, fresh)
  const rows = [...kept, ...fresh].map(({ row }) => row)
  return { rows: rows.sort((a, b) => (a.project < b.project ? -1 : 1)), omitted: omitted.sort() }
}

async function listProject(objects: ObjectStore, project: string): Promise<{ key: string; run_id: string }[]> {
  const found: { key: string; run_id: string }[] = []
  for await (const { key } of objects.list(`${PREFIX}${project}/`)) {
    const parsed = parseKey(key)
    // A project's name can be the beginning of another's.
    if (parsed?.project === project) found.push({ key, run_id: parsed.run_id })
  }
  return found
}

function parseKey(key: string): { project: string; run_id: string; digest: string } | undefined {
  const at = key.lastIndexOf('/')
  const [, run_id, digest] = NAME.exec(key.slice(at + 1)) ?? []
  const project = key.slice(PREFIX.length, at)
  return run_id !== undefined && digest !== undefined && project !== '' ? { project, run_id, digest } : undefined
}

/** Undefined where it is gone, or is not what its name says. */
async function readStored(objects: ObjectStore, key: string): Promise<Stored | undefined> {
  const content = await objects.read(key, MOST_BYTES)
  const parsed = parseKey(key)
  if (!content || createHash('sha256').update(content).digest('hex') !== parsed?.digest) return undefined
  const value = parse(content.toString('utf8'))
  const row = parseLatestRow(value?.row)
  if (row?.project !== parsed.project) return undefined
  const history = Array.isArray(value?.history) ? value.history.filter(isPast).slice(0, GATE_RUNS) : []
  return { format: 1, row, history }
}

/** Undefined for what is no JSON: whoever writes to the store can give it the digest in its name. */
function parse(text: string): Partial<Stored> | null | undefined {
  try {
    return JSON.parse(text) as Partial<Stored> | null
  } catch {
    return undefined
  }
}

function isPast(value: Partial<Past> | null): value is Past {
  const counts = Object.values(value?.by_severity ?? {})
  return (
    typeof value?.run_id === 'string' &&
    Number.isFinite(value.open) &&
    counts.length === 5 &&
    counts.every(count => Number.isSafeInteger(count)) &&
    (value.gate === undefined || typeof value.gate === 'boolean')
  )
}
