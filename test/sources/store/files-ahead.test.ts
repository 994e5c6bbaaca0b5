import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { FilesAhead } from '../../../engine/sources/store/files-ahead.ts'
import { writeRun } from '../../../engine/sources/store/write.ts'
import { file, finding, outFolder, run } from './make.ts'

afterEach(() => vi.unstubAllEnvs())

/** A run of three files, which are left as a base, what a run after a change of the second rests on it, and a folder for temporary files. */
async function makeBase() {
  const out = await outFolder()
  const temporary = join(dirname(out), 'temporary')
  mkdirSync(temporary, { recursive: true })
  vi.stubEnv('TMPDIR', temporary)
  const base = join(dirname(out), 'base.parquet')
  const all = ['a.py', 'b.py', 'c.py'].map(path => file(path))
  await writeRun(out, run('r-01', []), [], { all, path: base })
  const onBase = { base: readFileSync(base), without: [1], own: [{ ...file('b.py'), bytes: 77 }], places: [1] }
  return { out, onBase, listTemporary: () => readdirSync(temporary).map(name => join(temporary, name)) }
}

const tableOf = (out: string, id: string) => readFileSync(join(out, 'history', id, 'files.parquet'))

test('a table of files that is written ahead has the bytes of one that is written with the run', async () => {
  const { out, onBase } = await makeBase()
  const findings = [finding(1)]
  await writeRun(out, run('r-02', findings), findings, onBase)
  const ahead = new FilesAhead(onBase)
  try {
    await writeRun(out, run('r-03', findings), findings, ahead)
  } finally {
    await ahead.remove()
  }
  expect(tableOf(out, 'r-03').equals(tableOf(out, 'r-02'))).toBe(true)
  expect(tableOf(out, 'r-03').equals(tableOf(out, 'r-01'))).toBe(false)
})

test('a table that could not be written ahead is written with the run, and what makes that fail fails the run', async () => {
  const { out, onBase, listTemporary } = await makeBase()
  const ahead = new FilesAhead(onBase)
  for (const place of listTemporary()) rmSync(place, { recursive: true })
  await writeRun(out, run('r-02', []), [], ahead)
  await ahead.remove()
  expect(tableOf(out, 'r-02').length).toBeGreaterThan(0)
  const gone = new FilesAhead({ ...onBase, base: Buffer.from('no table') })
  await expect(writeRun(out, run('r-03', []), [], gone)).rejects.toThrow()
  await gone.remove()
  expect(existsSync(join(out, 'history', 'r-03'))).toBe(false)
})

test('a table that was cleared away while the run waited is written with the run', async () => {
  const { out, onBase, listTemporary } = await makeBase()
  const ahead = new FilesAhead(onBase)
  await (await ahead.writer).connection.run('SELECT 1')
  await vi.waitUntil(() => listTemporary().some(place => existsSync(join(place, 'files.parquet'))))
  for (const place of listTemporary()) rmSync(place, { recursive: true })
  await writeRun(out, run('r-02', []), [], ahead)
  await ahead.remove()
  expect(tableOf(out, 'r-02').length).toBeGreaterThan(0)
})

test('a base is written beside a link that stands under its name, and not through it', async () => {
  const out = await outFolder()
  const [path, outside] = [join(dirname(out), 'base.parquet'), join(dirname(out), 'outside.txt')]
  mkdirSync(dirname(out), { recursive: true })
  writeFileSync(outside, 'not ours')
  symlinkSync(outside, path)
  const files = { all: [file('a.py')], path, checksum: '' }
  await writeRun(out, run('r-01', []), [], files)
  expect(readFileSync(outside, 'utf8')).toBe('not ours')
  expect(lstatSync(path).isSymbolicLink()).toBe(false)
  expect(files.checksum).toBe(createHash('sha256').update(tableOf(out, 'r-01')).digest('hex'))
})

test('nothing is left of a table for which no run was stored', async () => {
  const { onBase, listTemporary } = await makeBase()
  const ahead = new FilesAhead(onBase)
  expect(listTemporary()).toHaveLength(1)
  await ahead.remove()
  expect(listTemporary()).toEqual([])
})
