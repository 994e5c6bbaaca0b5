import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { DIST, getEngineDigest } from '../../base/disk/assets.ts'
import { isLinked, readOwn } from '../../base/disk/own-folder.ts'
import { EngineError } from '../../base/errors.ts'
import { makeScannerEnvironment } from '../../external/scanner-environment.ts'
import type { RepositoryLimits } from '../../organization/limits.ts'
import { READS_OBJECTS } from '../../scan/assign-shard.ts'
import { CACHE_FOLDER } from '../../scan/cache-folder.ts'
import { ENVIRONMENT } from '../../sources/config/environment.ts'
import { CACHE_KEY_VARIABLE } from '../../sources/state/cache-seal.ts'
import { makeOut } from '../../sources/store/layout.ts'
import type { Address } from '../source/address.ts'
import type { MirrorCache, WorkTree } from '../source/mirror.ts'
import { PULL_REQUESTS } from '../store/keys.ts'
import type { Standing } from '../store/latest.ts'
import type { ObjectStore } from '../store/objects.ts'
import { publishRun } from '../store/publish.ts'
import { createRunStore, type RunStore } from '../store/run-store.ts'
import { saveCache, warmCache } from '../store/travel.ts'
import { computeJobId, type FleetJob, isRunOf, type Outcome, saysHowItStands } from './job.ts'
import { checkJob, narrowLimits } from './job-check.ts'
import { type BranchState, JobFailure, type JobRunner } from './queue.ts'
import { runScan, type ScanEnd, type ScanLimits } from './scan-process.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface RunnerOptions {
  mirrors: MirrorCache
  objects: ObjectStore
  env: Environment
  limits: ScanLimits
  /** The largest mirror of a repository, in bytes. */
  mostBytes: number
  /** What the organization's policy gives a project, where that is less. */
  limitsFor: (project: string) => RepositoryLimits
  /** Threads of the next scan. */
  countThreads: () => number
  /** A repository with more bytes of files is divided, into shards of about so many. */
  shardBytes: number
  /** Runs of a project that the store keeps. */
  retention: number
  /** What is for the worker's log alone: it may quote the repository. */
  log: (text: string) => void
}

/** Shards that a repository is divided into by its size; `--shards` may ask for more. */
const MOST_SHARDS = 64
/** Exit codes of svc by which another attempt ends alike: settings that are wrong, nothing to scan. */
const FINAL = new Set([64, 66])

/** Digest of all that decides what a scan finds besides the repository: the program, and the packs that it comes with. */
export function computeBuild(): string {
  const packs = createHash('sha256').update(readFileSync(new URL('packs.json', DIST)))
  return createHash('sha256')
    .update(`${getEngineDigest()} ${packs.digest('hex')}`)
    .digest('hex')
    .slice(0, 16)
}

/** Does the jobs of the fleet: gets the commit, scans it in a process of its own, and puts the run into the store. */
export function makeFleetRunner(options: RunnerOptions): JobRunner {
  const build = computeBuild()
  return {
    async run(job, { signal, merge, branch }) {
      checkJob(job, merge)
      if (job.build !== build)
        throw new JobFailure(`this worker is build ${build} of svc, and the job is for ${job.build}`)
      const started = Date.now()
      try {
        const done = await work(job, { merge, branch, signal }, options)
        if ('divide' in done) return done
        return { ...done, seconds: Math.round((Date.now() - started) / 100) / 10 }
      } catch (error) {
        if (signal.aborted || error instanceof JobFailure) throw error
        options.log(`${job.project}: ${(error as Error).stack}`)
        // The table's title: the message may quote what was read.
        if (error instanceof EngineError) throw new JobFailure(`${error.row.title} (${error.code})`, { cause: error })
        throw new JobFailure(`internal error: ${(error as NodeJS.ErrnoException).code ?? (error as Error).name}`, {
          cause: error,
        })
      }
    },
  }
}

async function work(
  job: FleetJob,
  { merge, branch, signal }: { merge: number | undefined; branch: BranchState | undefined; signal: AbortSignal },
  options: RunnerOptions,
): Promise<Outcome | { divide: number }> {
  const { mirrors, objects, shardBytes, retention, limits } = options
  const store = createRunStore(objects)
  const isWhole = job.shard === undefined
  const address = addressOf(job)
  const compareWith = (other: string) => mirrors.compare({ address, ref: job.ref, commit: job.commit, other }, signal)
  const standing = branch && { isBranchAt: branch.isAt, compareWith }
  const key = isWhole ? `${placeOf(job)}/${job.run_id}` : shardKey(job, job.shard!)
  const there = isWhole ? await findRun(job, store) : (await store.has(key)) ? key : undefined
  if (there !== undefined) {
    // An attempt before may have been ended between the two.
    if (isWhole && there === key)
      await mirrors.withScratch(scratch => republish(job, there, scratch, store, { ...options, standing }))
    return { state: isWhole ? 'present' : 'shard', key: there }
  }
  const mayDivide = isWhole && merge === undefined
  for (const rival of mayDivide ? (branch?.rivals ?? []) : [])
    if ((await compareWith(rival)) === 'older') return { state: 'superseded' }
  if (mayDivide && job.shards !== undefined && job.shards > 1) return { divide: job.shards }
  const part = isWhole ? (mayDivide ? undefined : ('all' as const)) : { index: job.shard!, count: job.shards! }
  const { bytes, milliseconds = limits.milliseconds } = narrowLimits(job, options)
  const wanted = {
    ...{ address, commit: job.commit, ref: job.ref, part, limits: { ...(bytes && { bytes }), milliseconds } },
    ...(mayDivide && { most: shardBytes }),
  }
  const own = { ...options, limits: { ...limits, milliseconds } }
  return mirrors.withCommit(wanted, signal, async (tree, scratch) => {
    if (tree.bytes !== undefined) return { divide: Math.min(MOST_SHARDS, Math.ceil(tree.bytes / shardBytes)) }
    if (!isWhole) return scanShard(job, tree, scratch, signal, own, key)
    const folders = merge === undefined ? [] : await fetchShards(job, merge, scratch, store)
    await bringHistory(job, scratch, store)
    const args = merge === undefined ? ['scan', '--jobs', String(options.countThreads())] : ['merge', ...folders]
    const end = await scan(args, job, tree, scratch, signal, own)
    const folder = join(scratch, 'out/history', job.run_id)
    const run = JSON.parse(String(readOwn(join(folder, 'run.json')) ?? 'null')) as RunRecord | null
    if (run === null) throw new JobFailure('the scan ended without a run', { isFinal: true })
    const stored = await store.put(folder, key)
    await publishRun(objects, key, folder, { retention, isLatest: saysHowItStands(job), standing })
    if (merge !== undefined)
      for (let at = 1; at <= merge; at++) await store.remove(shardKey({ ...job, shards: merge }, at))
    const { by_severity } = run.counts
    return {
      state: stored,
      key,
      findings: Object.values(by_severity).reduce((sum, count) => sum + count, 0),
      peak_mb: Math.round(end.peak / 2 ** 20),
    }
  })
}

interface RunRecord {
  counts: { by_severity: Record<string, number> }
}

async function scanShard(
  job: FleetJob,
  tree: WorkTree,
  scratch: string,
  signal: AbortSignal,
  options: RunnerOptions,
  key: string,
): Promise<Outcome> {
  const part = `${job.shard}/${job.shards}`
  const end = await scan(
    ['scan', '--shard', part, '--jobs', String(options.countThreads())],
    job,
    tree,
    scratch,
    signal,
    options,
  )
  const folder = join(scratch, 'out', `shard-${job.shard}-of-${job.shards}`)
  // What the store takes for the sign that all of it is there.
  writeFileSync(join(folder, 'run.json'), `${JSON.stringify({ shard: part, commit: job.commit })}\n`)
  await createRunStore(options.objects).put(folder, key)
  return { state: 'shard', key, peak_mb: Math.round(end.peak / 2 ** 20) }
}

/** Runs svc in the checkout as a person would, with the run's id and a directory for what it writes. Answers where it succeeded. */
async function scan(
  args: readonly string[],
  job: FleetJob,
  tree: WorkTree,
  scratch: string,
  signal: AbortSignal,
  { env, limits, log, objects }: RunnerOptions,
): Promise<ScanEnd> {
  const own = {
    ...makeScanEnvironment(tree.folder, env),
    SVC_OUTPUT_DIR: join(scratch, 'out'),
    SVC_RUN_ID: job.run_id,
    ...(tree.isSparse && { [READS_OBJECTS]: '1' }),
  }
  const cache = join(tree.folder, CACHE_FOLDER)
  const isInside = () => !isLinked(tree.folder, CACHE_FOLDER)
  const part = job.shard === undefined ? job.project : `${job.project}/_shard-${job.shard}-of-${job.shards}`
  // Without the key another worker could not tell that it is unchanged. A merge looks into no file.
  const isScan = args[0] === 'scan'
  const travels = Boolean(env[CACHE_KEY_VARIABLE]) && isScan
  if (travels && isInside()) {
    mkdirSync(cache, { recursive: true })
    await warmCache(objects, part, cache).catch(error => log(`${job.project}: ${error.message}`))
  }
  const kept = isScan && !travels ? ['--no-cache'] : []
  const end = await runScan([...args, ...kept, '--json', '--quiet'], { cwd: tree.folder, env: own, signal, limits })
  if (end.code === 0) {
    // What it cost is not worth a failure: the next scan starts cold.
    // That of a pull request, which may be a stranger's, would take the place of the branch's.
    if (travels && isInside() && saysHowItStands(job))
      await saveCache(objects, part, job.run_id, cache).catch(error => log(`${job.project}: ${error.message}`))
    return end
  }
  if (end.stderr !== '') log(`${job.project}: ${end.stderr.replaceAll(`${scratch}/`, '').trim()}`)
  throw new JobFailure(`svc ${args[0]} failed: ${titleOf(end)} (exit ${end.code})`, { isFinal: FINAL.has(end.code) })
}

/** The title and the code of the error that svc printed: words of svc's own, without what it read. */
function titleOf({ stdout }: ScanEnd): string {
  try {
    const { error } = JSON.parse(stdout) as { error: { title: string; code: string } }
    return `${error.title}, ${error.code}`
  } catch {
    return 'it gave no reason'
  }
}

/** What a scan needs of the worker's environment: no token of a provider, a store or the queue. The cache's key is svc's own. */
function makeScanEnvironment(folder: string, env: Environment): Record<string, string> {
  const passed: Record<string, string> = { ...makeScannerEnvironment(folder, env) }
  const settings = ENVIRONMENT.map(({ name }) => name).filter(name => !/FLEET|GRC|LOGIN|NOTARY/.test(name))
  for (const name of [...settings, CACHE_KEY_VARIABLE, 'SVC_ORG_POLICY', 'SOURCE_DATE_EPOCH']) {
    const value = env[name]
    if (value !== undefined) passed[name] = value
  }
  return passed
}

/** The run of this repository, commit and build, if the store has it: of this job, or of one that was submitted before. */
async function findRun(job: FleetJob, store: RunStore): Promise<string | undefined> {
  const place = placeOf(job)
  const key = `${place}/${job.run_id}`
  if (await store.has(key)) return key
  return (await listRuns(place, store)).find(one => isRunOf(one.slice(place.length + 1), job))
}

async function listRuns(place: string, store: RunStore): Promise<string[]> {
  const below = `${place}/`
  return (await store.list(below)).filter(key => !key.slice(below.length).includes('/'))
}

/** The project's last run, so that findings keep the date when they were first seen. */
async function bringHistory(job: FleetJob, scratch: string, store: RunStore): Promise<void> {
  const out = join(scratch, 'out')
  const last = (await listRuns(job.project, store)).filter(key => key < `${job.project}/${job.run_id}`).pop()
  if (last === undefined) return
  makeOut(out)
  await store.fetch(last, join(out, 'history', last.slice(job.project.length + 1)))
}

async function fetchShards(job: FleetJob, count: number, scratch: string, store: RunStore): Promise<string[]> {
  const folders: string[] = []
  for (let at = 1; at <= count; at++) {
    const into = join(scratch, 'shards', `shard-${at}-of-${count}`)
    await store.fetch(shardKey({ ...job, shards: count }, at), into)
    folders.push(into)
  }
  return folders
}

function shardKey(job: FleetJob, shard: number): string {
  return `_shards/${computeJobId({ ...job, shard })}`
}

async function republish(
  job: FleetJob,
  key: string,
  scratch: string,
  store: RunStore,
  { objects, retention, standing }: RunnerOptions & { standing: Standing | undefined },
) {
  const folder = join(scratch, 'stored')
  await store.fetch(key, folder)
  await publishRun(objects, key, folder, { retention, isLatest: saysHowItStands(job), standing })
}

/** Where the runs of a job are: those of pull requests are no part of the project's history, and push none of it out. */
function placeOf(job: FleetJob): string {
  return saysHowItStands(job) ? job.project : `${job.project}/${PULL_REQUESTS}`
}

function addressOf({ repository, organization }: FleetJob): Address {
  if (isAbsolute(repository)) return { text: repository, name: repository, organization }
  const { host, pathname } = new URL(repository)
  return { text: repository, name: host + pathname, host, organization }
}
