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
let base: Buffer
let writer: Writer

const makeFolder = () => mkdtempSync(join(root, 'made-'))

/** What the files come to where none was there before. */
async function writeAnew(all: readonly FileRecord[], target = join(root, 'anew.parquet')): Promise<Buffer> {
  const relation = writeRelation(makeFolder(), 'all', all, FILE_COLUMNS)
  await writer.connection.run(copy(`SELECT * FROM ${relation}`, target))
  return readFileSync(target)
}

/** What they come to on the base, and what the database was asked for it. */
async function writeChange(change: Omit<FilesOnBase, 'base'>) {
  const target = join(root, 'changed.parquet')
  const asked: string[] = []
  const connection = {
    run: (sql: string) => {
      asked.push(sql)
      return writer.connection.run(sql)
    },
  }
  await writeOnBase(connection as never, { base, ...change }, makeFolder(), target)
  return { bytes: readFileSync(target), asked }
}

beforeAll(async () => {
  writer = await openWriter()
  base = await writeAnew(files)
})
afterAll(() => writer.close())

/** The files with other lines at these rows, and the change that this is. */
function change(rows: readonly number[]) {
  const own = rows.map(row => makeFile(row * 2, 4321))
  const all = files.map((file, row) => (rows.includes(row) ? makeFile(row * 2, 4321) : file))
  return { all, change: { without: rows, own, places: rows } }
}

test.each([
  ['none', [], 0],
  ['one in the middle', [ROW_GROUP + 7], 1],
  ['two of one group', [ROW_GROUP, 2 * ROW_GROUP - 1], 1],
  ['the last one', [COUNT - 1], 1],
])(
  'the groups of changed files alone are made anew, with the bytes that all files would have: %s',
  async (_, rows, groups) => {
    const { all, change: own } = change(rows)
    const { bytes, asked } = await writeChange(own)
    expect(bytes.equals(await writeAnew(all))).toBe(true)
    expect(asked.filter(sql => sql.includes('file_row_number BETWEEN'))).toHaveLength(groups)
    expect(asked).toHaveLength(groups)
  },
)

test('where each group has a changed file, all are written anew', async () => {
  const { all, change: own } = change([0, ROW_GROUP, COUNT - 1])
  const { bytes, asked } = await writeChange(own)
  expect(bytes.equals(await writeAnew(all))).toBe(true)
  expect(asked.some(sql => sql.includes('file_row_number BETWEEN'))).toBe(false)
})

test('files that are gone, new or behind the last one give the bytes that all files written anew give', async () => {
  const write = async (change: Omit<FilesOnBase, 'base'>) => (await writeChange(change)).bytes
  const added = makeFile(1001)
  const more = [...files.slice(0, 501), added, ...files.slice(501)]
  expect((await write({ without: [], own: [added], places: [501] })).equals(await writeAnew(more))).toBe(true)
  const fewer = files.filter((_, row) => row !== 9)
  expect((await write({ without: [9], own: [], places: [] })).equals(await writeAnew(fewer))).toBe(true)
  const last = makeFile(COUNT * 2 + 1)
  const longer = [...files, last]
  expect((await write({ without: [], own: [last], places: [COUNT] })).equals(await writeAnew(longer))).toBe(true)
  // One goes and one comes within a group.
  const other = files.flatMap((file, row) => (row === 9 ? [] : row === 500 ? [file, added] : [file]))
  expect((await write({ without: [9], own: [added], places: [501] })).equals(await writeAnew(other))).toBe(true)
})

test('a file whose parts stand elsewhere than it says is not taken apart', () => {
  const bytes = base
  expect(GroupedParquet.read(bytes)?.groups.map(({ rows }) => rows)).toEqual([ROW_GROUP, ROW_GROUP, 600])
  expect(GroupedParquet.read(bytes.subarray(0, -1))).toBeUndefined()
  expect(GroupedParquet.read(Buffer.concat([Buffer.from('PAR1'), bytes]))).toBeUndefined()
  expect(GroupedParquet.read(Buffer.from('PAR1'))).toBeUndefined()
})
