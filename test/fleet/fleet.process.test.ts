import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Fleet,
  listOrphans,
  readRun,
  readStatus,
  scanLocally,
  svc,
  work,
  writeList,
} from '../../bench/fleet/experiment.ts'
import { PROGRAM } from '../ci/project.ts'
import { ground } from '../made/folder.ts'
import { repository } from '../made/git.ts'
import { HAS_REDIS, type OwnRedis, startRedis } from './redis.ts'

const REPOSITORIES = 8
/** What no key of Redis may have: a token of the worker's environment, and a line of the code. */
const TOKEN = ['worker', 'token', 'of', 'nobody'].join('-')
const LINE = 'nameThatStandsInNoOtherPlace'

describe.skipIf(!HAS_REDIS)('a fleet of four workers', () => {
  const top = ground()
  const store = join(top, 'store')
  let redis: OwnRedis
  let fleet: Fleet
  beforeAll(async () => {
    redis = await startRedis()
    fleet = {
      program: PROGRAM,
      folder: top,
      env: {
        ...{
          PATH: process.env.PATH!,
          HOME: join(top, 'home'),
          GUARD_GITHUB_TOKEN: TOKEN,
          SVC_CACHE_KEY: 'k'.repeat(40),
        },
        ...{ SVC_FLEET_REDIS_URL: redis.url, SVC_FLEET_STORE: `file://${store}` },
      },
      workers: 4,
      options: ['--concurrency', '1', '--lock-seconds', '2'],
    }
    mkdirSync(join(top, 'home'))
  })
  afterAll(() => redis.stop())

  it('stores exactly one right run of each repository, though workers are killed all the time', {
    timeout: 120_000,
  }, async () => {
    const paths = Array.from({ length: REPOSITORIES }, (_, at) =>
      repository(join(top, 'repositories', `r${at}`), {
        'a.js': `module.exports = ${at}\n`,
        'b.py': `import yaml\n${`${LINE} = yaml.load(open("${at}"))\n`.repeat((at % 3) + 1)}`,
      }),
    )
    const poison = repository(join(top, 'repositories/poison'), { 'a.js': '1\n', '.svc/config.yaml': 'gate: 3\n' })
    const queued = JSON.parse(
      svc(fleet, 'fleet', 'submit', writeList(join(top, 'list.yaml'), [...paths, poison]), '--json'),
    )
    expect(queued).toEqual({ queued: REPOSITORIES + 1, known: 0, dead: 0, unresolved: [] })
    let seed = 7
    const pick = (below: number) => {
      seed = (seed * 16807) % 2147483647
      return seed % below
    }
    const keys: string[] = []
    const happened = await work(fleet, {
      // By what was done, and not by time: on a slow machine no job would ever end.
      isDue: ({ finished, kills }) => finished >= 2 * kills + 1 && kills < 3,
      pick,
      meanwhile: async () => void keys.push(...readKeys(redis)),
    })
    expect(happened.kills).toBe(3)
    expect(readStatus(fleet).dead_letters.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('CONFIG_INVALID'),
    ])

    const projects = join(store, 'local', top, 'repositories')
    const stored = readdirSync(projects).map(name => [name, readdirSync(join(projects, name))] as const)
    expect(stored.map(([name, runs]) => `${name} ${runs.length}`).sort()).toEqual(
      paths.map((_, at) => `r${at} 1`).sort(),
    )
    for (const name of ['r0', 'r1']) {
      const [run] = readdirSync(join(projects, name))
      const here = await scanLocally(fleet, join(top, 'repositories', name), name)
      expect(await readRun(join(projects, name, run!)), name).toBe(here)
      expect(here).toContain(LINE)
    }
    const { dead_letters } = readStatus(fleet)
    expect(
      dead_letters.map(({ project, reason, attempts }) => ({ project: project.split('/').pop(), reason, attempts })),
    ).toEqual([
      {
        ...{ project: 'poison', attempts: expect.any(Number) },
        reason: 'svc scan failed: The configuration is not valid, CONFIG_INVALID (exit 64)',
      },
    ])

    // No key had code, findings or a credential at any time, and none of what is left has.
    const all = [...keys, ...readKeys(redis)].join('\n')
    expect(all).toContain('repositories/r1')
    for (const secret of [TOKEN, LINE, 'eval(', 'yaml.load', 'k'.repeat(40)]) expect(all).not.toContain(secret)
    expect(listOrphans(top), 'scans that outlived their worker').toEqual([])
  })

  it('divides a repository between workers, and the run is that of one scan', { timeout: 120_000 }, async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `d${at % 5}/f${at}.js`,
        `module.exports = x => eval(x + ${at})\n${`// ${'of what is large '.repeat(6)}${at}\n`.repeat(600)}`,
      ]),
    )
    const path = repository(join(top, 'repositories/mono'), files)
    svc(fleet, 'fleet', 'submit', path, '--class', 'nightly')
    const { status } = await work({ ...fleet, options: [...fleet.options, '--shard-mb', '1'] }, { pick: () => 0 })
    const [last, ...before] = status.finished
    expect(last).toMatchObject({ outcome: { state: 'stored' } })
    expect(before.flatMap(({ shard }) => shard ?? []).sort()).toEqual(['1/3', '2/3', '3/3'])
    const key = last!.outcome.key!
    expect(await readRun(join(store, key))).toBe(await scanLocally(fleet, path, 'mono'))
    // The shards are gone once the run is there.
    expect(readdirSync(store)).not.toContain('_shards')
  })

  it('exits with 1 and names what it could not queue, and queues the rest', () => {
    const path = repository(join(top, 'repositories/more'), { 'a.js': '1\n' })
    writeFileSync(join(top, 'half.yaml'), `repositories: [${path}, {url: ${path}, ref: gone, project: other}]\n`)
    const failing = () => svc(fleet, 'fleet', 'submit', 'half.yaml', '--json')
    expect(failing).toThrowError(
      expect.objectContaining({ status: 1, stdout: expect.stringContaining('it has no branch or tag gone') }),
    )
    expect(readStatus(fleet).waiting.push).toBe(1)
    expect(svc(fleet, 'fleet', 'drain', '--force')).toContain('1 waiting job')
  })
})

/** Every key of Redis with what is in it. */
function readKeys(redis: OwnRedis): string[] {
  const script = `
    local found = {}
    for _, key in ipairs(redis.call('KEYS', '*')) do
      local kind = redis.call('TYPE', key).ok
      found[#found + 1] = key
      local value = {}
      if kind == 'string' then value = { redis.call('GET', key) }
      elseif kind == 'hash' then value = redis.call('HGETALL', key)
      elseif kind == 'list' then value = redis.call('LRANGE', key, 0, -1)
      elseif kind == 'set' then value = redis.call('SMEMBERS', key)
      elseif kind == 'zset' then value = redis.call('ZRANGE', key, 0, -1)
      elseif kind == 'stream' then
        for _, entry in ipairs(redis.call('XRANGE', key, '-', '+')) do
          for _, text in ipairs(entry[2]) do value[#value + 1] = text end
        end
      else error('unknown kind ' .. kind) end
      for _, text in ipairs(value) do found[#found + 1] = text end
    end
    return found`
  return redis.ask('eval', script, '0').split('\n')
}
