import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeMetrics } from '../../../engine/base/records/file-metrics.ts'
import type { FileRecord } from '../../../engine/base/records/run.ts'
import { FILE_COLUMNS } from '../../../engine/sources/store/columns.ts'
import { copy, openWriter, ROW_GROUP, type Writer } from '../../../engine/sources/store/duckdb.ts'
import { type FilesOnBase, writeOnBase } from '../../../engine/sources/store/files-on-base.ts'
import { writeRelation } from '../../../engine/sources/store/json-relation.ts'
import { GroupedParquet } from '../../../engine/sources/store/parquet-groups.ts'
import { ground } from '../../made/folder.ts'

const root = ground()
/** Rows for three groups, of which the last is not full. */
const COUNT = 2 * ROW_GROUP + 600
const LANGUAGES = ['c', 'python', 'yaml', 'text']

const makeFile = (number: number, lines = number % 977): FileRecord => ({
  path: `dir/${String(number).padStart(6, '0')}.c`,
  language: LANGUAGES[number % LANGUAGES.length]!,
  bytes: number * 31,
  ...makeMetrics((_, index) => (index === 0 ? lines : index > 8 && number % 3 === 0 ? null : (number * index) % 91)),
  findings: number % 500 === 0 ? 2 : 0,
})

const files = Array.from({ length: COUNT }, (_, number) => makeFile(number * 2))
const base = join(root, 'base.parquet')
let writer: Writer

const makeFolder = () => mkdtempSync(join(root, 'made-'))

/** What the files come to where none was there before. */
async function writeAnew(all: readonly FileRecord[], target = join(root, 'anew.parquet')): Promise<Buffer> {
  const relation = writeRelation(makeFolder(), 'all', all, FILE_COLUMNS)
  await writer.connection.run(copy(`SELECT * FROM ${relation}`, target))
  return readFileSync(target)
}

/** What they come to on the base, and how many rows of it were written anew. */
async function writeChange(change: Omit<FilesOnBase, 'base'>) {
  const target = join(root, 'changed.parquet')
  await writeOnBase(writer.connection, { base, ...change }, makeFolder(), target)
  return readFileSync(target)
}

beforeAll(async () => {
  writer = await openWriter()
  await writeAnew(files, base)
})
afterAll(() => writer.close())

/** The files with other lines at these rows, and the change that this is. */
function change(rows: readonly number[]) {
  const own = rows.map(row => makeFile(row * 2, 4321))
  const all = files.map((file, row) => (rows.includes(row) ? makeFile(row * 2, 4321) : file))
  return { all, change: { without: rows, own, places: rows } }
}

test.each([
  ['none', []],
  ['one in the middle', [ROW_GROUP + 7]],
  ['two of one group', [ROW_GROUP, 2 * ROW_GROUP - 1]],
  ['the last one', [COUNT - 1]],
  ['one of each group', [0, ROW_GROUP, COUNT - 1]],
])('changed files give the bytes that all files written anew give: %s', async (_, rows) => {
  const { all, change: own } = change(rows)
  expect((await writeChange(own)).equals(await writeAnew(all))).toBe(true)
})

test('files that are gone, new or behind the last one give the bytes that all files written anew give', async () => {
  const added = makeFile(1001)
  const more = [...files.slice(0, 501), added, ...files.slice(501)]
  expect((await writeChange({ without: [], own: [added], places: [501] })).equals(await writeAnew(more))).toBe(true)
  const fewer = files.filter((_, row) => row !== 9)
  expect((await writeChange({ without: [9], own: [], places: [] })).equals(await writeAnew(fewer))).toBe(true)
  const last = makeFile(COUNT * 2 + 1)
  const longer = [...files, last]
  expect((await writeChange({ without: [], own: [last], places: [COUNT] })).equals(await writeAnew(longer))).toBe(true)
})

test('groups that no change is in are not read by the database', async () => {
  const said: string[] = []
  const connection = {
    run: (sql: string) => {
      said.push(sql)
      return writer.connection.run(sql)
    },
  }
  const { change: own } = change([ROW_GROUP + 7])
  await writeOnBase(connection as never, { base, ...own }, makeFolder(), join(root, 'changed.parquet'))
  expect(said).toHaveLength(1)
  expect(said[0]).toContain(`file_row_number BETWEEN ${ROW_GROUP} AND ${2 * ROW_GROUP - 1}`)
})

test('a file whose parts stand elsewhere than it says is not taken apart', () => {
  const bytes = readFileSync(base)
  expect(GroupedParquet.read(bytes)?.groups.map(({ rows }) => rows)).toEqual([ROW_GROUP, ROW_GROUP, 600])
  expect(GroupedParquet.read(bytes.subarray(0, -1))).toBeUndefined()
  expect(GroupedParquet.read(Buffer.concat([Buffer.from('PAR1'), bytes]))).toBeUndefined()
  expect(GroupedParquet.read(Buffer.from('PAR1'))).toBeUndefined()
})
