import type { DuckDBConnection } from '@duckdb/node-api'
import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import type { Finding } from '../../base/records/finding.ts'
import { countToReview, type Run } from '../../base/records/run.ts'
import { type RuleCounts, readRuleCounts } from './by-rule.ts'
import { parseFinding } from './columns.ts'
import { type Comparison, compareRuns } from './compare.ts'
import { countForGate, type GateCounts, type Summary, summarize } from './counts.ts'
import { findFault, queryOver } from './damage.ts'
import { connect } from './duckdb.ts'
import { countFalsePositives, type FalsePositives } from './false-positives.ts'
import { countByFile, type FindingCount, readFiles, type StoredFile } from './files.ts'
import { type FindingFacts, readFindingFacts } from './finding-facts.ts'
import { type FindingFilter, type FindingPage, readFindingPage } from './findings.ts'
import { copyFindings, readFindingsDigest } from './findings-export.ts'
import type { FirstSeen } from './first-seen.ts'
import { type FixableFindings, readFixableFindings } from './fixable.ts'
import { type FrameworkPoint, readFrameworkTrend } from './framework-trend.ts'
import { findGateRun } from './gate-run.ts'
import { runFolders } from './layout.ts'
import { type NextAction, type NextOptions, readNextActions } from './next.ts'
import { resolveOutputDirectory } from './output-directory.ts'
import { type Pruned, pruneRuns } from './prune.ts'
import { type FindingAnswer, type FindingQuery, type OwnersOf, queryFindings, readFinding } from './query.ts'
import {
  type Damaged,
  listRuns,
  type RunList,
  type RunSummary,
  readRun,
  refuseNeverScanned,
  refuseWithoutRun,
  selectWholeRuns,
  type WholeRuns,
} from './runs.ts'
import { readTrend, type TrendPoint } from './trend.ts'

/** A finding, and when it was first seen; left out where that is not known. */
export type DatedFinding = Finding & { first_seen?: FirstSeen }

/**
 * The stored runs of a repository. Where a method takes a run it takes an id, the beginning of one that no other run has, or
 * `latest`. RUN_NOT_FOUND where there is no such run; STORE_UNREADABLE, with the run's name, where it is damaged.
 */
export interface Store {
  /** Every run, newest first, and what in the history cannot be read. */
  runs(): Promise<RunList>
  latest(): Promise<RunSummary | undefined>
  /** Those of the whole repository, newest first, and the damaged ones that are newer. */
  wholeRuns(): Promise<WholeRuns>
  /**
   * The run that says what the repository is like: the newest one of all of it, whatever part was scanned since; where there is none, the
   * newest of all.
   */
  standing(): Promise<Run>
  run(ref: string): Promise<Run>
  /** The same; where no gate ran in it, with the decision of the newest earlier run of the same tree (`gate.run_id`). */
  runWithGate(ref: string): Promise<Run>
  findings(ref: string, filter?: FindingFilter): Promise<FindingPage>
  /** Findings with facets, groups and a page of them; `ownersOf` says whose a path is, where the query asks for owners. */
  query(ref: string, query: FindingQuery, ownersOf?: OwnersOf): Promise<FindingAnswer & { to_review: number }>
  /** A finding by its id or fingerprint; undefined where the run has none. */
  finding(ref: string, id: string): Promise<{ run_id: string; finding: DatedFinding } | undefined>
  /** Every finding in its order, without code and fixes. */
  facts(ref: string): Promise<FindingFacts[]>
  /** The scanned files with their metrics, by path. */
  files(ref: string): Promise<StoredFile[]>
  gateCounts(ref: string): Promise<GateCounts>
  /** Lists of at most `limit`, 10 where left out. */
  summary(ref: string, limit?: number): Promise<Summary>
  /** What to mend first: urgent ones, then the worst, one a rule, at most `limit`. */
  next(ref: string, limit: number, options?: NextOptions): Promise<NextAction[]>
  /** Findings that are not suppressed, by file and severity. */
  findingCounts(ref: string): Promise<FindingCount[]>
  /** The open findings that carry a fix, with the sizes of their files. */
  fixable(ref: string): Promise<FixableFindings>
  /** `newer` (latest where left out) against `older`: where left out, the last run of the same scope before it. Lists of at most `limit`, 1000 where left out. */
  compare(newer?: string, older?: string, limit?: number): Promise<Comparison>
  falsePositives(ref: string): Promise<FalsePositives>
  /** The last `limit` runs that started at `since` (ISO 8601) or later, of this scope where one is given, oldest first, without those that cannot be read. */
  trend(limit: number, since?: string, scope?: string): Promise<{ points: TrendPoint[]; damaged: Damaged[] }>
  /** Findings by rule, most severe first, at most `limit` rules. */
  ruleCounts(ref: string, limit: number): Promise<RuleCounts[]>
  /** SHA-256 of the findings: a line each with fingerprint, status, severity and rule id, sorted. */
  findingsDigest(ref: string): Promise<string>
  /** Writes the findings as JSON lines to a path, and returns the run's id. */
  copyFindings(ref: string, target: string): Promise<string>
  /** What each framework came to in the last `limit` runs of the whole repository, oldest first. */
  frameworkTrend(limit: number): Promise<{ points: FrameworkPoint[]; damaged: Damaged[] }>
  prune(keep: number, options?: { dryRun?: boolean }): Promise<Pruned>
  close(): void
}

/**
 * Opens the runs below an out folder, which need not exist. DuckDB is loaded by the first query that needs it. `notice` is
 * told once of each damaged run where the latest is asked for, since a damaged run may have been it.
 */
export async function openStore(out: string, notice?: (text: string) => void): Promise<Store> {
  const told = new Set<string>()
  const tell = (damaged: readonly Damaged[]) => {
    for (const { id, reason } of damaged) if (!told.has(id)) notice?.(`${reason} It is omitted.`)
    for (const { id } of damaged) told.add(id)
  }
  let opened: Promise<DuckDBConnection> | undefined
  const connection = () => {
    opened ??= connect()
    return opened
  }
  const over = async <T>(ids: readonly string[], query: (connection: DuckDBConnection) => Promise<T>): Promise<T> => {
    const database = await connection()
    return queryOver(database, out, ids, () => query(database))
  }
  const resolve = async (ref: string): Promise<Run> => readRun(out, await idOf(out, ref, tell))

  return {
    runs: () => listRuns(out),
    latest: async () => (await listRuns(out)).runs[0],
    async wholeRuns() {
      const whole = selectWholeRuns(await listRuns(out))
      tell(whole.damaged)
      return whole
    },
    async standing() {
      const whole = selectWholeRuns(await listRuns(out))
      const [newest] = whole.runs
      if (!newest) return resolve('latest')
      tell(whole.damaged)
      return readRun(out, newest.id)
    },
    run: resolve,
    async runWithGate(ref) {
      const run = await resolve(ref)
      if (run.gate !== undefined) return run
      const { runs } = await listRuns(out)
      const { gate, id } =
        findGateRun<RunSummary>(run, runs.slice(runs.findIndex(each => each.id === run.id) + 1)) ?? run
      return gate === undefined ? run : { ...run, gate: { ...gate, run_id: id } }
    },
    async findings(ref, filter = {}) {
      const { id } = await resolve(ref)
      return over([id], database => readFindingPage(database, out, id, filter))
    },
    async query(ref, query, ownersOf) {
      const { id, to_review } = await resolve(ref)
      const answer = await over([id], database => queryFindings(database, out, id, query, ownersOf))
      return { ...answer, to_review: countToReview(to_review) }
    },
    async finding(ref, wanted) {
      const { id } = await resolve(ref)
      const found = await over([id], database => readFinding(database, out, id, wanted))
      return found && { run_id: id, finding: parseFinding(found.json) as DatedFinding }
    },
    async facts(ref) {
      const { id } = await resolve(ref)
      return over([id], database => readFindingFacts(database, out, id))
    },
    async files(ref) {
      const { id } = await resolve(ref)
      return over([id], database => readFiles(database, out, id))
    },
    async gateCounts(ref) {
      const { id } = await resolve(ref)
      return over([id], database => countForGate(database, out, id))
    },
    async summary(ref, limit = 10) {
      const { id } = await resolve(ref)
      return over([id], database => summarize(database, out, id, limit))
    },
    async next(ref, limit, options = {}) {
      const { id } = await resolve(ref)
      return over([id], database => readNextActions(database, out, id, limit, options))
    },
    async findingCounts(ref) {
      const { id } = await resolve(ref)
      return over([id], database => countByFile(database, out, id))
    },
    async fixable(ref) {
      const { id } = await resolve(ref)
      return over([id], database => readFixableFindings(database, out, id))
    },
    async compare(newerRef = 'latest', olderRef, limit = 1000) {
      const newer = await resolve(newerRef)
      const older = olderRef === undefined ? await before(out, newer) : await resolve(olderRef)
      return over([newer.id, older.id], database => compareRuns(database, out, newer, older, limit))
    },
    async falsePositives(ref) {
      const { id } = await resolve(ref)
      return over([id], database => countFalsePositives(database, out, id))
    },
    async trend(limit, since = '', scope) {
      const { runs, damaged } = await listRuns(out)
      const series = runs
        .filter(run => run.started_at >= since && (scope === undefined || run.scope === scope))
        .slice(0, limit)
        .reverse()
      const database = await connection()
      try {
        return { points: await readTrend(database, out, series), damaged }
      } catch (error) {
        const bad = await damagedAmong(database, out, series)
        if (bad.length === 0) throw error
        const whole = series.filter(({ id }) => !bad.some(run => run.id === id))
        return { points: await readTrend(database, out, whole), damaged: [...damaged, ...bad] }
      }
    },
    async ruleCounts(ref, limit) {
      const { id } = await resolve(ref)
      return over([id], database => readRuleCounts(database, out, id, limit))
    },
    async findingsDigest(ref) {
      const { id } = await resolve(ref)
      return over([id], database => readFindingsDigest(database, out, id))
    },
    async copyFindings(ref, target) {
      const { id } = await resolve(ref)
      const database = await connection()
      await queryOver(database, out, [id], () => copyFindings(out, id, target))
      return id
    },
    async frameworkTrend(limit) {
      const { runs, damaged } = await listRuns(out)
      const whole = runs.filter(({ scope }) => scope === 'everything').slice(0, limit)
      return { points: await readFrameworkTrend(await connection(), out, whole.reverse()), damaged }
    },
    prune: (keep, options = {}) => pruneRuns(out, keep, options.dryRun ?? false),
    close() {
      void opened?.then(
        database => database.closeSync(),
        () => {}, // whoever asked for it has seen the error
      )
      opened = undefined
    },
  }
}

/** Opens the store of the repository that a folder is in for as long as `work` takes. */
export async function runWithStore<T>(
  context: Pick<Context, 'cwd' | 'env' | 'notice'>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore(await resolveOutputDirectory(context), context.notice)
  try {
    return await work(store)
  } finally {
    store.close()
  }
}

/** The id that a reference means. */
async function idOf(out: string, ref: string, tell: (damaged: readonly Damaged[]) => void): Promise<string> {
  if (ref === 'latest') {
    const { runs, damaged } = await listRuns(out)
    if (!runs[0]) throw refuseWithoutRun(damaged)
    tell(damaged)
    return runs[0].id
  }
  const ids = await runFolders(out)
  if (ids.includes(ref)) return ref
  const begun = ids.filter(id => id.startsWith(ref))
  if (begun.length > 1)
    throw new EngineError(
      'INPUT_INVALID',
      `${JSON.stringify(ref)} is the prefix of ${begun.length} run ids: ${begun.sort().slice(0, 5).join(', ')}.`,
    )
  if (ids.length === 0) throw refuseNeverScanned()
  return begun[0] ?? ref
}

/** The last run before `run` that looked at the same: a staged scan against a whole one would call all else resolved. */
async function before(out: string, run: Run): Promise<RunSummary> {
  const { runs } = await listRuns(out)
  const at = runs.findIndex(({ id }) => id === run.id)
  const found = runs.slice(at + 1).find(({ scope }) => scope === run.scope)
  if (found) return found
  throw new EngineError('RUN_NOT_FOUND', `No run before ${run.id} to compare it with.`, {
    hint: 'Run `svc scan` again after a change; each scan is stored for comparison.',
  })
}

async function damagedAmong(database: DuckDBConnection, out: string, runs: readonly RunSummary[]): Promise<Damaged[]> {
  const damaged: Damaged[] = []
  for (const { id } of runs) {
    const fault = await findFault(database, out, id)
    if (fault) damaged.push({ id, reason: fault.message })
  }
  return damaged
}
