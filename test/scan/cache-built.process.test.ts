import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DIST } from '../../engine/base/disk/assets.ts'
import { writeCacheFile } from '../../engine/scan/cache-file.ts'
import { CACHE_FOLDER } from '../../engine/scan/cache-folder.ts'
import { CacheTable } from '../../engine/scan/cache-table.ts'
import { openSeal } from '../../engine/sources/state/cache-seal.ts'
import { write } from '../made/folder.ts'
import { project } from '../made/project.ts'
import { wordRule } from '../made/rules.ts'

/** The built program a second time, as another version of it. */
let other: string

beforeAll(() => {
  other = mkdtempSync(join(tmpdir(), 'svc-other-'))
  const dist = fileURLToPath(DIST)
  cpSync(dist, join(other, 'dist'), { recursive: true })
  symlinkSync(join(dist, '../node_modules'), join(other, 'node_modules'))
  writeFileSync(join(other, 'dist/engine.digest'), '0'.repeat(64))
})
afterAll(() => rmSync(other, { recursive: true, force: true }))

/** What a scan by the built program took from the cache, and the files with findings. */
function scan(root: string, program = join(fileURLToPath(DIST), 'svc.js')) {
  const { status, stderr } = spawnSync(process.execPath, [program, 'scan', '--quiet'], { cwd: root, encoding: 'utf8' })
  expect(`${status} ${stderr}`).toBe('0 ')
  const { cache } = JSON.parse(readFileSync(join(root, 'out/run.json'), 'utf8'))
  const findings: { file: string }[] = JSON.parse(readFileSync(join(root, 'out/findings.json'), 'utf8'))
  return { ...cache, found: findings.map(({ file }) => file) }
}

const sources = () => project({ ...wordRule('frobnicate'), 'a.txt': 'frobnicate\n', 'b.txt': 'clean\n' })

test('the built program takes nothing from the cache of another version, and goes on with its own', () => {
  const root = sources()
  expect(scan(root)).toEqual({ hits: 0, misses: 3, found: ['a.txt'] })
  expect(scan(root)).toEqual({ hits: 3, misses: 0, found: ['a.txt'] })
  const updated = join(other, 'dist/svc.js')
  expect(scan(root, updated)).toEqual({ hits: 0, misses: 3, found: ['a.txt'] })
  expect(scan(root, updated)).toEqual({ hits: 3, misses: 0, found: ['a.txt'] })
  expect(scan(root)).toEqual({ hits: 0, misses: 3, found: ['a.txt'] })
}, 120_000)

test('the built program looks again at a file whose name or first line gives it another language', () => {
  const rule = wordRule('frobnicate')
  const [[path, text]] = Object.entries(rule) as [[string, string]]
  const root = project({ [path]: text.replace('[any]', '[python]'), 'a.txt': 'frobnicate\n', run: 'frobnicate\n' })
  expect(scan(root)).toEqual({ hits: 0, misses: 3, found: [] })
  execFileSync('git', ['mv', 'a.txt', 'a.py'], { cwd: root })
  expect(scan(root)).toEqual({ hits: 2, misses: 1, found: ['a.py'] })
  write(root, { run: '#!/usr/bin/env python3\nfrobnicate\n' })
  execFileSync('git', ['add', '-A'], { cwd: root })
  expect(scan(root)).toEqual({ hits: 2, misses: 1, found: ['a.py', 'run'] })
}, 120_000)

test('a cache that would be larger than its bound is not written, and the one before it stays and is used', () => {
  const root = sources()
  scan(root)
  const file = join(root, CACHE_FOLDER, 'scan.cache')
  const before = readFileSync(file)
  const { program, limits } = JSON.parse(before.toString('utf8', 0, before.indexOf(10)))
  const seal = openSeal(process.env)!
  const table = CacheTable.read(file, program, seal)
  const rows = Array.from({ length: table.size }, (_, row) => table.row(row))
  expect(writeCacheFile(file, { program, limits }, rows, seal, before.length - 97)).toBeUndefined()
  expect(readFileSync(file)).toEqual(before)
  expect(writeCacheFile(file, { program, limits }, rows, seal, before.length - 96)).toBe(table.digest)
  expect(scan(root)).toEqual({ hits: 3, misses: 0, found: ['a.txt'] })
}, 120_000)
