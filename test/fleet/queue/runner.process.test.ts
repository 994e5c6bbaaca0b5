import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { computeBuild, makeFleetRunner } from '../../../engine/fleet/queue/fleet-runner.ts'
import { type FleetJob, type JobClass, makeJobRunId } from '../../../engine/fleet/queue/job.ts'
import { narrowLimits } from '../../../engine/fleet/queue/job-check.ts'
import { MirrorCache } from '../../../engine/fleet/source/mirror.ts'
import { openFolderObjects } from '../../../engine/fleet/store/folder-objects.ts'
import type { RepositoryLimits } from '../../../engine/organization/limits.ts'
import { folder } from '../../made/folder.ts'
import { commit, git, repository } from '../../made/git.ts'

/** A worker's runner with a store, and a way to have it scan the head of a repository. */
function worker({ limitsFor = () => ({}) }: { limitsFor?: (project: string) => RepositoryLimits } = {}) {
  const store = join(folder(), 'store')
  const env = { PATH: process.env.PATH!, HOME: folder(), SVC_CACHE_KEY: 'k'.repeat(40) }
  const limits = { bytes: 1e9, milliseconds: 60_000 }
  const said: string[] = []
  const runner = makeFleetRunner({
    mirrors: new MirrorCache(folder(), { env, authorize: async () => undefined, limits, most: 1e9 }),
    objects: openFolderObjects(store),
    ...{
      env,
      limits: { memory: 4e9, milliseconds: 60_000 },
      countThreads: () => 1,
      shardBytes: 1e9,
      mostBytes: 1e9,
      limitsFor,
      retention: 5,
    },
    log: text => said.push(text),
  })
  const scan = (path: string, own: JobClass = 'push', more: Partial<FleetJob> = {}) => {
    const work = { repository: path, commit: git(path, 'rev-parse', 'HEAD'), build: computeBuild(), class: own }
    const job = { ...work, project: 'acme/shop', organization: 'acme', run_id: makeJobRunId(new Date(), work), ...more }
    return runner.run(job, { signal: new AbortController().signal })
  }
  const list = () => readdirSync(store, { recursive: true, encoding: 'utf8' })
  return { scan, list, store, said }
}

test('a repository that links the place of the cache gets nothing written or read elsewhere', async () => {
  const { scan, list, store } = worker()
  const [outside, secret] = [folder(), join(folder(), 'netrc')]
  writeFileSync(secret, 'what only the worker may read\n')
  const linking = repository(join(folder(), 'a'), { 'a.js': 'eval(x)\n' })
  symlinkSync(outside, join(linking, '.svc'))
  commit(linking)
  await scan(linking).catch(() => {})
  expect(readdirSync(outside)).toEqual([])

  const linked = repository(join(folder(), 'b'), { 'a.js': 'eval(x)\n' })
  mkdirSync(join(linked, '.svc/local/cache'), { recursive: true })
  symlinkSync(secret, join(linked, '.svc/local/cache/scan.cache'))
  git(linked, 'add', '-A', '-f')
  commit(linked)
  await scan(linked).catch(() => {})
  expect(readFileSync(secret, 'utf8')).toBe('what only the worker may read\n')
  for (const name of list().filter(one => /\.\w+$/.test(one)))
    expect(readFileSync(join(store, name), 'latin1')).not.toContain('what only the worker')
})

test('the run of a pull request is no run of the project, and leaves no cache for it', async () => {
  const { scan, list } = worker()
  const path = repository(join(folder(), 'shop'), { 'a.js': 'eval(x)\n' })
  const request = await scan(path, 'pull_request')
  expect(request).toMatchObject({ state: 'stored', key: expect.stringMatching(/^acme\/shop\/_pull-requests\/[^/]+$/) })
  expect(list().filter(name => /^_(?:cache|latest)/.test(name))).toEqual([])
  // The same commit, now that the branch has it.
  const push = await scan(path)
  expect(push).toMatchObject({ state: 'stored', key: expect.stringMatching(/^acme\/shop\/[^/]+$/) })
  expect(list().filter(name => /^_(?:cache|latest)\/.*\.\w+$/.test(name))).toHaveLength(2)
  expect(await scan(path)).toMatchObject({ state: 'present' })
})

test.each([
  ['a place outside of the project', { project: '../x' }],
  ['a name of svc’s own', { project: '_cache/x' }],
  ['an option in place of a reference', { ref: '--upload-pack=x' }],
  ['a class that there is not', { class: 'urgent' as JobClass }],
  ['a file in place of a repository', { repository: 'file:///etc' }],
  ['a program in place of a repository', { repository: 'ext::sh -c id' }],
])('a job that names %s is refused for good', async (_, more) => {
  const { scan } = worker()
  const path = repository(join(folder(), 'r'), { 'a.js': '1\n' })
  await expect(scan(path, 'push', more)).rejects.toMatchObject({ isFinal: true })
})

test('a repository may take less than the worker allows, by its job or the policy of the organization, and never more', async () => {
  const content = randomBytes(1_500_000)
  const path = repository(join(folder(), 'r'), { 'a.js': 'eval(x)\n', 'b.bin': content })
  const refused = { isFinal: true, message: expect.stringContaining('larger than 1 MB') }
  await expect(worker().scan(path, 'push', { limits: { repository_mb: 1 } })).rejects.toMatchObject(refused)
  const limitsFor = (project: string) => (project === 'acme/shop' ? { repository_mb: 1 } : {})
  await expect(worker({ limitsFor }).scan(path)).rejects.toMatchObject(refused)
  await expect(worker().scan(path, 'push', { limits: { minutes: 0 } })).rejects.toMatchObject({ isFinal: true })

  const allowed = { limits: { milliseconds: 60_000 }, mostBytes: 1e9, limitsFor: () => ({ minutes: 5 }) }
  const job = { project: 'acme/shop', limits: { minutes: 10, repository_mb: 10_000_000 } } as FleetJob
  expect(narrowLimits(job, allowed)).toEqual({ milliseconds: 60_000, bytes: 1e9 })
  expect(narrowLimits(job, { ...allowed, limits: { milliseconds: 3_600_000 } })).toMatchObject({
    milliseconds: 300_000,
  })
})
