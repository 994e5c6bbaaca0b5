import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openFolderObjects } from '../../../engine/fleet/store/folder-objects.ts'
import { saveCache, warmCache } from '../../../engine/fleet/store/travel.ts'
import { CACHE_FOLDER } from '../../../engine/scan/cache-folder.ts'
import { perform } from '../../../engine/scan/perform.ts'
import { persist } from '../../../engine/scan/persist.ts'
import { surface } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { OWN_RULES, wordRule } from '../../made/rules.ts'

/** A checkout of the same commit on a machine with a home of its own; scans give what came from the cache and what was found. */
function worker(key: string) {
  const root = project({ ...wordRule('frobnicate'), 'a.txt': 'frobnicate\n', 'b.txt': 'clean\n' })
  const env = { ...OWN_RULES, HOME: folder(), SVC_CACHE_KEY: key }
  const cache = join(root, CACHE_FOLDER)
  mkdirSync(cache, { recursive: true })
  const scan = async () => {
    const { context } = surface(root, { env })
    const performed = await perform({ repo_path: '.' }, context)
    await persist(performed, context)
    return { hits: performed.run.cache.hits, found: performed.findings.map(({ file }) => file) }
  }
  return { root, cache, scan }
}

test('a new worker that has the key starts with the results of the one before, and finds the same', async () => {
  const objects = openFolderObjects(join(folder(), 'store'))
  const key = 'k'.repeat(32)
  const [first, second, stranger] = [worker(key), worker(key), worker('z'.repeat(32))]
  expect(await warmCache(objects, 'acme/a', first.cache)).toBe(false)
  const cold = await first.scan()
  expect(cold.hits).toBe(0)
  expect(await saveCache(objects, 'acme/a', 'run-01', first.cache)).toBe(true)
  expect(await saveCache(objects, 'acme/a', 'run-02', first.cache)).toBe(false)

  expect(await warmCache(objects, 'acme/a', second.cache)).toBe(true)
  const warm = await second.scan()
  expect(warm.found).toEqual(cold.found)
  expect(warm.hits).toBeGreaterThan(0)
  expect(await warmCache(objects, 'acme/a', second.cache)).toBe(false)

  expect(await warmCache(objects, 'acme/a', stranger.cache)).toBe(true)
  expect(await stranger.scan()).toEqual(cold)
})

test('a cache that was changed in the store is not used, and the newest two stay', async () => {
  const objects = openFolderObjects(join(folder(), 'store'))
  const from = folder()
  for (const id of ['run-01', 'run-03', 'run-02', 'run-04']) {
    writeFileSync(join(from, 'scan.cache'), id)
    await saveCache(objects, 'acme/a', id, from)
  }
  const keys: string[] = []
  for await (const { key } of objects.list('_cache/')) keys.push(key)
  expect(keys.map(key => /run-\d+/.exec(key)![0])).toEqual(['run-03', 'run-04'])
  await objects.put(keys[1]!, Buffer.from('changed'))
  expect(await warmCache(objects, 'acme/a', folder())).toBe(false)
})
