import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openQueue } from '../../engine/fleet/queue/bull.ts'
import { parseRedis } from '../../engine/fleet/queue/connection.ts'
import type { FleetStatus } from '../../engine/fleet/queue/queue.ts'
import { perform } from '../../engine/scan/perform.ts'
import { persist } from '../../engine/scan/persist.ts'
import { DuckDBInstance } from '../../engine/sources/store/duckdb-api.ts'
import { surface } from '../../test/made/call.ts'
import { git } from '../../test/made/git.ts'
import { readClock } from './clock.ts'

/** A fleet on this machine: a Redis, a store and workers that are killed. */
export interface Fleet {
  /** The built program. */
  program: string
  /** For everything that the experiment writes. */
  folder: string
  env: Record<string, string>
  workers: number
  /** Options of each worker. */
  options: readonly string[]
  /** Hears every few seconds how it stands. */
  onProgress?: (now: { seconds: number; finished: number; kills: number }) => void
}

/** An experiment in which no job has finished for so long has got stuck. */
const STUCK_MS = 5 * 60_000
const LOOK_EVERY_MS = 250
const TELL_EVERY_MS = 10_000

/** What happened while the queue was emptied. */
export interface Happened {
  seconds: number
  kills: number
  /** Seconds of processor time that the workers and all that they started took; killed ones are not in it. */
  cpu: number
  status: FleetStatus
}

/** Runs a command of svc and answers its output. */
export function svc({ program, env, folder }: Fleet, ...args: string[]): string {
  return execFileSync(process.execPath, [program, ...args], { cwd: folder, env, encoding: 'utf8', maxBuffer: 1 << 28 })
}

export function readStatus(fleet: Fleet): FleetStatus {
  return JSON.parse(svc(fleet, 'fleet', 'status', '--json', '--last', '1000')) as FleetStatus
}

/**
 * Starts the workers and waits until the queue is empty. Meanwhile one of them, which `pick` chooses, is killed by SIGKILL whenever that `isDue`,
 * and replaced; `meanwhile` may do more harm.
 */
export async function work(
  fleet: Fleet,
  {
    isDue = () => false,
    pick,
    meanwhile = async () => {},
  }: {
    isDue?: (now: { finished: number; kills: number; sinceKillMs: number }) => boolean
    pick: (below: number) => number
    meanwhile?: (elapsedMs: number) => Promise<void>
  },
): Promise<Happened> {
  const started = Date.now()
  const workers: ChildProcess[] = Array.from({ length: fleet.workers }, (_, at) => startWorker(fleet, at))
  let kills = 0
  let lastKill = started
  let lastTold = started
  let last = { finished: 0, at: started }
  try {
    for (;;) {
      await pause(LOOK_EVERY_MS)
      const now = Date.now()
      await meanwhile(now - started)
      const status = await tryStatus(fleet, 1)
      const finished = status === undefined ? undefined : countFinished(fleet)
      if (finished !== undefined && finished !== last.finished) last = { finished, at: now }
      if (now - last.at > STUCK_MS) throw new Error(`no job has finished for 5 minutes: ${JSON.stringify(status)}`)
      if (now - lastTold >= TELL_EVERY_MS) {
        lastTold = now
        fleet.onProgress?.({ seconds: Math.round((now - started) / 1000), finished: last.finished, kills })
      }
      if (finished !== undefined && status?.running && isDue({ finished, kills, sinceKillMs: now - lastKill })) {
        const at = pick(workers.length)
        await kill(workers[at]!)
        workers[at] = startWorker(fleet, at)
        kills++
        lastKill = Date.now()
      }
      if (status && isEmpty(status)) {
        const whole = await tryStatus(fleet, 1000)
        if (!whole || !isEmpty(whole)) continue
        const seconds = (Date.now() - started) / 1000
        const cpu = workers.reduce((sum, worker) => sum + readCpu(worker.pid!), 0)
        return { seconds, kills, cpu, status: whole }
      }
      for (const [at, worker] of workers.entries()) {
        if (worker.exitCode === null) continue
        // As a supervisor does where the worker found no Redis.
        if (worker.exitCode === 69) workers[at] = startWorker(fleet, at)
        else
          throw new Error(
            `worker ${at} ended with ${worker.exitCode}: ${readFileSync(logOf(fleet, at), 'utf8').slice(-LOG_END)}`,
          )
      }
    }
  } finally {
    await Promise.all(workers.map(worker => stop(worker)))
  }
}

function startWorker(fleet: Fleet, at: number): ChildProcess {
  const log = `${fleet.folder}/worker-${at}.log`
  const { program, env, folder, options } = fleet
  mkdirSync(join(folder, 'caches'), { recursive: true })
  return spawn(
    'sh',
    [
      '-c',
      'log=$1; shift; exec "$@" >>"$log" 2>&1',
      'sh',
      log,
      process.execPath,
      program,
      'fleet',
      'worker',
      '--cache-dir',
      join(folder, 'caches'),
      ...options,
    ],
    { cwd: folder, env, stdio: 'ignore' },
  )
}

/** Characters of a log that tell why its worker ended; its folder is removed with the rest. */
const LOG_END = 2000
const logOf = ({ folder }: Fleet, at: number) => `${folder}/worker-${at}.log`

async function kill(worker: ChildProcess): Promise<void> {
  const ended = new Promise(resolve => worker.once('exit', resolve))
  worker.kill('SIGKILL')
  await ended
}

async function stop(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return
  const ended = new Promise(resolve => worker.once('exit', resolve))
  worker.kill('SIGTERM')
  await ended
}

/** Jobs that have ended well, shards included; undefined while Redis is away. */
function countFinished({ env }: Fleet): number | undefined {
  const socket = new URL(env.SVC_FLEET_REDIS_URL!).pathname
  const { status, stdout } = spawnSync('redis-cli', ['-s', socket, 'zcard', '{svc}:fleet:completed'], {
    encoding: 'utf8',
  })
  return status === 0 && /^\d+\s*$/.test(stdout) ? Number(stdout) : undefined
}

/** Undefined while Redis is away. */
async function tryStatus({ env }: Fleet, last: number): Promise<FleetStatus | undefined> {
  try {
    const queue = await openQueue(parseRedis(env.SVC_FLEET_REDIS_URL!))
    try {
      return await queue.status({ last })
    } finally {
      await queue.close()
    }
  } catch {
    return undefined
  }
}

export function isEmpty({ waiting, delayed, divided, running }: FleetStatus): boolean {
  return Object.values(waiting).every(count => count === 0) && delayed + divided + running === 0
}

/** Processor seconds of a process and of its children that have ended (Linux, 100 ticks a second). */
function readCpu(pid: number): number {
  try {
    const { user, system } = readClock(pid)
    return user + system
  } catch {
    return 0
  }
}

/** Processes whose working directory is below the folder: scans that outlived their worker. */
export function listOrphans(folder: string): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(pid => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}/caches/`)
      } catch {
        return false
      }
    })
}

/** A run as text, without what differs between two scans of one commit: its id and its times. */
export async function readRun(folder: string): Promise<string> {
  const names = readdirSync(folder)
  const find = (name: string) =>
    join(folder, names.find(one => new RegExp(`^${name}(?:-[0-9a-f]{64})?\\.parquet$`).test(one))!)
  const {
    id: _,
    started_at: _s,
    finished_at: _f,
    duration_ms: _d,
    follows: _o,
    ...run
  } = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'))
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    const rows = async (name: string, less: string) => {
      const reader = await connection.runAndReadAll(`SELECT * ${less} FROM read_parquet('${find(name)}')`)
      return reader.getRowObjectsJson()
    }
    return JSON.stringify(
      [withoutCache(run), await rows('findings', 'EXCLUDE (first_seen)'), await rows('files', '')],
      null,
      1,
    )
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

interface Skips {
  skipped: { path: string }[]
  counts: { skipped: Record<string, number> }
  ledger: { scope: number; skipped: Record<string, number> }
  cache: object
}

/** The run without what a kept cache changes in it: an attempt that was ended after it had saved its cache leaves the next one warm. */
function withoutCache({ cache: _, skipped, ...run }: Skips): object {
  const others = skipped.filter(({ path }) => path !== '.svc/local/')
  const gone = skipped.length - others.length
  if (gone > 0) {
    run.ledger.scope -= gone
    for (const counts of [run.counts.skipped, run.ledger.skipped]) {
      counts.own_file! -= gone
      if (counts.own_file === 0) delete counts.own_file
    }
  }
  return { ...run, skipped: others }
}

const run = promisify(execFile)

/** Scans a clone of the repository as a person would, and answers the run. */
export async function scanLocally({ program, env, folder }: Fleet, repository: string, name: string): Promise<string> {
  const clone = join(folder, 'local', name)
  mkdirSync(join(folder, 'local'), { recursive: true })
  git(folder, 'clone', '-q', repository, clone)
  const out = join(folder, 'local-out', name)
  mkdirSync(join(folder, 'local-out'), { recursive: true })
  await run(process.execPath, [program, 'scan', '--quiet'], { cwd: clone, env: { ...env, SVC_OUTPUT_DIR: out } })
  return readRun(join(out, 'history', readdirSync(join(out, 'history')).find(one => !one.startsWith('.'))!))
}

/** The same in this process, from the sources that the program was built of: hundreds of scans without as many starts. */
export async function scanHere({ env, folder }: Fleet, repository: string, name: string): Promise<string> {
  const clone = join(folder, 'local', name)
  mkdirSync(join(folder, 'local'), { recursive: true })
  git(folder, 'clone', '-q', repository, clone)
  const out = join(folder, 'local-out', name)
  const { context } = surface(clone, { env: { ...env, SVC_OUTPUT_DIR: out } })
  await persist(await perform({ repo_path: '.', cache: false }, context), context)
  return readRun(join(out, 'history', readdirSync(join(out, 'history')).find(one => !one.startsWith('.'))!))
}

/** Writes the list that `fleet submit` takes. */
export function writeList(path: string, repositories: readonly string[]): string {
  writeFileSync(path, `repositories:\n${repositories.map(one => `  - ${one}\n`).join('')}`)
  return path
}
