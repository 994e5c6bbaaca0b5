import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { takeCacheFolder } from '../../../engine/fleet/source/cache-folder.ts'
import { folder } from '../../made/folder.ts'

const GONE = 2 ** 22 + 1

/** Takes one and tells its number. */
const take = (root: string, host: string, pid: number) => {
  const { folder, leave } = takeCacheFolder(root, { host, pid })
  return { number: Number(folder.slice(folder.lastIndexOf('-') + 1)), leave }
}

test('workers of one machine have a directory each, and that of one that ended is taken again', () => {
  const root = folder()
  const first = take(root, 'here', process.pid)
  expect(take(root, 'here', GONE).number).toBe(2)
  expect(take(root, 'here', GONE + 1).number).toBe(2)
  first.leave()
  expect(take(root, 'here', process.pid).number).toBe(1)
  expect(readdirSync(root).filter(name => !/^worker-\d+(?:\.pid)?$/.test(name))).toEqual([])
})

test('containers that share a directory have one each though their processes have the same number', () => {
  const root = folder()
  const [one, other] = [take(root, 'container-a', 1), take(root, 'container-b', 1)]
  expect([one.number, other.number]).toEqual([1, 2])
  // Of the same name, too: only its age tells that it is gone.
  expect(take(root, 'container-a', 1).number).toBe(3)
  const old = new Date(Date.now() - 600_000)
  utimesSync(join(root, 'worker-2.pid'), old, old)
  expect(take(root, 'container-c', 1).number).toBe(2)
})

test('a worker that leaves takes no mark of another away', () => {
  const root = folder()
  const { leave } = take(root, 'here', GONE)
  writeFileSync(join(root, 'worker-1.pid'), '1 elsewhere x')
  leave()
  expect(existsSync(join(root, 'worker-1.pid'))).toBe(true)
})
