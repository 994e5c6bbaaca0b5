import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAddress } from '../../../engine/fleet/source/address.ts'
import { MirrorCache } from '../../../engine/fleet/source/mirror.ts'
import { folder } from '../../made/folder.ts'
import { git, repository } from '../../made/git.ts'

const { signal } = new AbortController()
const head = (path: string) => git(path, 'rev-parse', 'HEAD')

describe('the mirrors that workers of a machine share', () => {
  /** Workers with directories of their own, and what they share. */
  function share(most = 1e10) {
    const root = folder()
    const folders = ['worker-1', 'worker-2'].map(name => join(root, name))
    const options = {
      ...{ env: { PATH: process.env.PATH }, authorize: async () => undefined },
      limits: { bytes: 1e9, milliseconds: 60_000 },
    }
    const shared = { folder: join(root, 'mirrors'), listWorkers: () => folders }
    const list = () => readdirSync(shared.folder)
    return {
      workers: folders.map(one => new MirrorCache(one, { ...options, most, shared })) as [MirrorCache, MirrorCache],
      list,
    }
  }

  it('are fetched once, also by workers that ask at the same time', async () => {
    const path = repository(join(folder(), 'r'), { 'a.txt': 'one\n', 'b.txt': 'two\n' })
    const { workers, list } = share()
    const wanted = { address: parseAddress(path, '/'), commit: head(path), ref: 'refs/heads/main' }
    const use = (worker: MirrorCache) => worker.withCommit(wanted, signal, async ({ files }) => files)
    expect(await Promise.all(workers.map(use))).toEqual([2, 2])
    expect(list()).toHaveLength(1)
    rmSync(path, { recursive: true })
    // What is there needs no server.
    expect(await Promise.all(workers.map(use))).toEqual([2, 2])
  })

  it('stay while another worker has a checkout of them, and go then', async () => {
    const { workers, list } = share(1)
    const [one, other] = ['a', 'b'].map(name => repository(join(folder(), name), { 'a.txt': name })) as [string, string]
    const use = (worker: MirrorCache, path: string, meanwhile = async () => {}) =>
      worker.withCommit({ address: parseAddress(path, '/'), commit: head(path) }, signal, meanwhile)
    await use(workers[0], one, async () => {
      await use(workers[1], other)
      expect(list()).toHaveLength(2)
    })
    await use(workers[1], other)
    expect(list()).toHaveLength(1)
  })
})
