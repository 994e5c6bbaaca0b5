import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DIST } from '../engine/base/disk/assets.ts'
import { openObjects } from '../engine/fleet/store/open.ts'
import { createRunStore } from '../engine/fleet/store/run-store.ts'
import { type Failure, startBucket } from '../scripts/bucket/server.ts'
import { type OwnRedis, startRedis } from '../test/fleet/redis.ts'
import { git } from '../test/made/git.ts'
import { readClock } from './fleet/clock.ts'
import { listDifferent } from './fleet/compare.ts'
import { type Fleet, listOrphans, readRun, scanLocally, svc, work, writeList } from './fleet/experiment.ts'
import { benchManyJobs } from './fleet/many-jobs.ts'
import { measureParts } from './fleet/parts.ts'
import type { Row } from './process.ts'
import { TREES, type Tree, tracked, treeFolder } from './trees.ts'

const ROOT = join(import.meta.dirname, '..')
const REPOSITORIES = 500
/** Of the largest package that a repository is made of. */
const KILOBYTES = 3000
const MONOREPO_FILES = 100_000
/** The tree of real code that is divided, too. */
const REAL = 'go'
/** In each of its files, which have 600 bytes then. */
const FUNCTIONS = 5
const JOBS = 1_000_000
/** Of requests to the bucket, in percent. */
const FAILING = 5
const KILL_EVERY_MS = 4000
const FAILURES: readonly Failure[] = ['error', 'cut', 'lost', 'slow']

/**
 * The whole experiment of a fleet: `npm run bench fleet`. With a number, that many repositories, and the rest in proportion; `kills` is the killed workers alone,
 * `kills-<repositories>x<kilobytes>` with so many, of packages below that size; `division` is the large repository alone, and one of real code; `division-<files>x<functions>` one of so many files with so many functions each, `division-<tree>` one of bench/trees.ts.
 */
export async function bench(only?: string): Promise<Row[]> {
  const [, repositories, kilobytes] = /^kills(?:-(\d+)x(\d+))?$/.exec(only ?? '') ?? []
  if (only?.startsWith('kills')) return benchKills(Number(repositories ?? REPOSITORIES), Number(kilobytes ?? KILOBYTES))
  const tree = TREES.find(({ name }) => only === `division-${name}`)
  if (tree) return benchTree(tree)
  const [, files, functions] = /^division(?:-(\d+)x(\d+))?$/.exec(only ?? '') ?? []
  if (files !== undefined) return benchMonorepo(Number(files), Number(functions))
  if (only === 'division')
    return [...(await benchMonorepo(MONOREPO_FILES)), ...(await benchTree(TREES.find(({ name }) => name === REAL)!))]
  if (only?.startsWith('division')) throw new Error(`There is no ${only}`)
  const size = only === undefined ? REPOSITORIES : Number(only)
  const scale = size / REPOSITORIES
  return [
    ...(await benchKills(size)),
    ...(await benchMonorepo(Math.round(MONOREPO_FILES * scale))),
    ...(await benchManyJobs(Math.round(JOBS * scale))),
  ]
}

/** Repositories made of npm packages; workers are killed, Redis is restarted twice, and the bucket fails. */
export async function benchKills(count: number, kilobytes = KILOBYTES): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-fleet-'))
  const redis = await startRedis({ keeps: true })
  const random = makeRandom(11)
  const [id, key] = ['bench', 'b'.repeat(40)]
  const bucket = await startBucket({
    ...{ keys: new Map([[id, key]]), buckets: ['runs'], slowMs: 500 },
    fail: () => (random(100) < FAILING ? FAILURES[random(FAILURES.length)] : undefined),
  })
  const own = { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: key, AWS_ENDPOINT_URL_S3: bucket.url }
  const fleet = makeFleet(folder, redis, 's3://runs/fleet', own, ['--concurrency', '1', '--lock-seconds', '4'])
  try {
    const repositories = makePackages(folder, count, kilobytes * 1000)
    tell(`${count} repositories are made`)
    svc(fleet, 'fleet', 'submit', writeList(join(folder, 'list.yaml'), repositories))
    tell('all are queued')
    let restarts = 0
    fleet.onProgress = ({ seconds, finished, kills }) =>
      tell(`${seconds} s: ${finished} of ${count} done, ${kills} kills, ${restarts} restarts of Redis`)
    const happened = await work(fleet, {
      pick: random,
      // On a machine that is busy with other work no job would end.
      isDue: ({ sinceKillMs, finished, kills }) => sinceKillMs >= KILL_EVERY_MS && finished >= 2 * kills,
      async meanwhile(elapsed) {
        const finished = Number(redis.ask('zcard', '{svc}:fleet:completed'))
        if (finished < ((restarts + 1) * count) / 3 || restarts === 2 || elapsed < 1000) return
        restarts++
        tell(`restart ${restarts} of Redis`)
        await redis.restart(2000)
      },
    })
    const objects = await openObjects('s3://runs/fleet', { env: fleet.env, signal: new AbortController().signal })
    const store = createRunStore(objects)
    const keys = await store.list('local/')
    const dead = happened.status.dead_letters
    const began = performance.now()
    const own = (path: string) => keys.filter(one => one.startsWith(`local${path}/`))
    const unequal = repositories.flatMap(path => {
      const { length } = own(path)
      return length === 1 ? [] : [`${basename(path)} has ${length} runs`]
    })
    const pairs = repositories
      .filter(path => own(path).length > 0)
      .map(path => ({
        ...{ fleet: { ...fleet, onProgress: undefined }, repository: path, name: basename(path) },
        folder: join(folder, 'fetched', basename(path)),
      }))
    const different = await listDifferent(
      pairs,
      ({ repository, folder: into }) => store.fetch(own(repository)[0]!, into),
      done => {
        if (done % 20 === 0) tell(`${done} of ${pairs.length} runs compared with a local scan`)
      },
    )
    const comparing = (performance.now() - began) / 1000
    for (const line of [
      ...unequal,
      ...different.map(one => `Different: ${one}`),
      ...dead.map(one => JSON.stringify(one)),
    ])
      console.error(line)
    await objects.close()
    const failed = [...bucket.counts].filter(([name]) => / (?:cut|5..)$/.test(name)).reduce((sum, [, n]) => sum + n, 0)
    const orphans = listOrphans(folder)
    return [
      {
        name: `${count} repositories over 4 workers; ${happened.kills} kills -9, ${restarts} restarts of Redis, ${failed} failed requests to the bucket`,
        figure: `${happened.seconds.toFixed(0)} s; ${keys.length} runs, all compared in ${comparing.toFixed(0)} s, ${different.length} differ from a local scan, ${dead.length} dead letters, ${orphans.length} orphans`,
        target: 'one equal run each',
        ok:
          keys.length === count &&
          unequal.length + different.length === 0 &&
          dead.length === 0 &&
          restarts === 2 &&
          orphans.length === 0,
      },
    ]
  } finally {
    await bucket.close()
    await redis.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One large repository of files that are all alike, divided, against one scan of it. */
async function benchMonorepo(files: number, functions = FUNCTIONS): Promise<Row[]> {
  return benchDivision(`${files.toLocaleString('en')} files`, folder => makeMonorepo(folder, files, functions))
}

/** The same of real code; nothing where its package is not installed. */
async function benchTree(tree: Tree): Promise<Row[]> {
  const source = treeFolder(tree)
  if (source === undefined) return []
  return benchDivision(`the ${tracked(source).length.toLocaleString('en')} files of ${tree.name}`, folder => {
    const path = join(folder, tree.name)
    git(folder, 'clone', '-q', '--bare', `file://${source}`, path)
    return path
  })
}

async function benchDivision(what: string, makeRepository: (folder: string) => string): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-fleet-'))
  const redis = await startRedis()
  const fleet = makeFleet(folder, redis, `file://${join(folder, 'store')}`, {}, ['--concurrency', '1'])
  try {
    const path = makeRepository(folder)
    svc(fleet, 'fleet', 'submit', path, '--shards', '4')
    const { seconds, cpu, status } = await work(fleet, { pick: () => 0 })
    const stored = await readRun(
      join(folder, 'store', status.finished.find(({ shard }) => shard === undefined)!.outcome.key!),
    )
    // Over git's protocol, as workers fetch: a clone of a directory links its packs instead.
    const { children } = readClock()
    const local = await scanLocally(fleet, `file://${path}`, basename(path))
    const one = readClock().children - children
    const overhead = cpu / one - 1
    return [
      {
        name: `a repository of ${what} over 4 workers of one machine`,
        figure: `${seconds.toFixed(0)} s, ${stored === local ? 'equal to' : 'different from'} one scan`,
        target: 'equal',
        ok: stored === local,
      },
      {
        name: 'processor time of all workers, checkouts included, against one clone and scan',
        figure: `${cpu.toFixed(1)} s, ${one.toFixed(1)} s: ${(100 * overhead).toFixed(0)} % more`,
        target: '≤ 15 %',
        ok: overhead <= 0.15,
      },
      ...(await measureParts({ program: fleet.program, folder: join(folder, 'parts'), repository: path, shards: 4 })),
    ]
  } finally {
    await redis.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** How far the experiment is, for whoever waits for it. */
function tell(text: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)
}

function makeFleet(
  folder: string,
  redis: OwnRedis,
  store: string,
  more: Record<string, string>,
  options: readonly string[],
): Fleet {
  mkdirSync(join(folder, 'home'))
  const env = {
    ...{ PATH: process.env.PATH!, HOME: join(folder, 'home'), SVC_CACHE_KEY: 'k'.repeat(40) },
    ...{ SVC_FLEET_REDIS_URL: redis.url, SVC_FLEET_STORE: store },
    ...more,
  }
  return { program: new URL('svc.js', DIST).pathname, folder, env, workers: 4, options }
}

/** Repositories with one commit, of the packages that this project has installed. */
function makePackages(folder: string, count: number, most: number): string[] {
  const modules = join(ROOT, 'node_modules')
  const names = readdirSync(modules)
    .filter(name => !name.startsWith('.'))
    .flatMap(name => (name.startsWith('@') ? readdirSync(join(modules, name)).map(one => `${name}/${one}`) : [name]))
    .filter(name => statSync(join(modules, name)).isDirectory() && countBytes(join(modules, name)) < most)
    .slice(0, count)
  if (names.length < count) throw new Error(`Only ${names.length} packages are installed`)
  return names.map(name => {
    const path = join(folder, 'repositories', name.replace('@', '').replace('/', '-'))
    cpSync(join(modules, name), path, {
      recursive: true,
      filter: from => !from.slice(modules.length + name.length + 2).includes('node_modules'),
    })
    commit(path)
    return path
  })
}

function countBytes(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size
  return bytes
}

function makeMonorepo(folder: string, files: number, functions: number): string {
  const path = join(folder, 'mono')
  for (let at = 0; at < files; at++) {
    const below = join(path, `packages/p${at % 100}/src/d${at % 7}`)
    if (at < 700) mkdirSync(below, { recursive: true })
    const body = (one: string) =>
      `export function f${one}(input) {\n  const value = input.trim()\n  return value.length > ${at} ? value : String(${at})\n}\n`
    const all = Array.from({ length: functions }, (_, one) => body(`${at}_${one}`)).join('')
    writeFileSync(
      join(below, `f${at}.js`),
      at % 50 === 0 ? `${body(`${at}`)}export const run = input => eval(input + ${at})\n` : all,
    )
  }
  commit(path)
  // As it is on any server; a clone of loose objects links each of them.
  git(path, 'repack', '-adq')
  return path
}

function commit(path: string): void {
  git(path, 'init', '-q', '-b', 'main')
  git(path, 'add', '-A', '-f')
  git(path, '-c', 'maintenance.auto=false', 'commit', '-q', '-m', 'all')
}

/** Numbers below a limit, the same in each run (Park and Miller). */
function makeRandom(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state * 48271) % 2147483647
    return state % below
  }
}
