import type { FileRecord } from '../base/records/run.ts'
import type { FileClass, SourceFile } from '../base/records/source-file.ts'
import { sortByPath } from '../sources/repository/gather.ts'
import type { KeptEntries, LooseEntry } from '../sources/repository/remembered.ts'
import type { FilesOnBase } from '../sources/store/files-on-base.ts'
import type { FileReport } from './batch.ts'
import type { CacheTable, Extra } from './cache-table.ts'
import type { ListingMemory, StoredRows } from './listing-memory.ts'
import { isOpenedArchive } from './merge.ts'
import { findRows, type PathSelections } from './path-selections.ts'

/** What is remembered of kept files all together, so that a scan need not look at each to know it. */
export interface Totals {
  count: number
  /** How many files of each language, as their names tell. */
  named: Record<string, number>
  /** Of those in which nothing was found. */
  plain: PlainTotals
}

export interface PlainTotals {
  count: number
  bytes: number
  lines: number
  /** How many of each language. */
  languages: Record<string, number>
}

/**
 * Files of a listing of which the cache has the result, as rows of its table and not as objects: what a scan needs to know of
 * all of them together was summed up when they were listed. Who needs them one by one gets them made.
 */
export class KeptFiles implements KeptEntries {
  readonly table: CacheTable
  readonly #totals: Totals
  readonly #unlisted: ReadonlySet<number>
  /** Rows that were of the listing at first and have been left out since. */
  readonly #dropped = new Set<number>()
  /** Rows that were in no part of the plain files at first, in order. */
  readonly #apart: readonly number[]
  readonly #stored: StoredRows
  readonly #selections: PathSelections | undefined
  #sources: readonly SourceFile[] | undefined

  /** `unlisted` are the rows of the table that are not of the listing. */
  constructor(
    table: CacheTable,
    { unlisted, totals, stored }: Pick<ListingMemory, 'unlisted' | 'totals' | 'stored'>,
    selections?: PathSelections,
  ) {
    this.table = table
    this.#selections = selections
    this.#totals = totals
    this.#stored = stored
    this.#unlisted = new Set(unlisted)
    this.#apart = [...new Set([...unlisted, ...table.extraRows])].sort((a, b) => a - b)
  }

  has(path: string): boolean {
    return this.#rowOf(path) !== -1
  }

  /** Whether the row is of a file of the listing. */
  isIn(row: number): boolean {
    return !this.#unlisted.has(row) && !this.#dropped.has(row)
  }

  holdsBelow(folder: string): boolean {
    for (let row = this.table.rowFrom(folder); row < this.table.size; row++) {
      if (!this.table.path(row).startsWith(folder)) return false
      if (this.isIn(row)) return true
    }
    return false
  }

  drop(path: string): void {
    const row = this.#rowOf(path)
    if (row !== -1) this.#dropped.add(row)
  }

  /** Leaves out the files that were not read because of their size, which has to be looked at each time; answers which. */
  dropUnread(): LooseEntry[] {
    const rows = this.extraRows().filter(row => this.table.isUnread(row))
    for (const row of rows) this.#dropped.add(row)
    return rows.map(row => ({ path: this.table.path(row), kind: 'file', sparse: false, oid: this.table.oid(row) }))
  }

  get dropped(): ReadonlySet<number> {
    return this.#dropped
  }

  get count(): number {
    return this.#totals.count - this.#dropped.size
  }

  /** Languages that names of the files tell. */
  namedLanguages(): string[] {
    const gone = new Map<string, number>()
    for (const row of this.#dropped) {
      const { language } = this.table.file(row)
      if (language !== null) gone.set(language, (gone.get(language) ?? 0) + 1)
    }
    return Object.entries(this.#totals.named).flatMap(([name, count]) => (count > (gone.get(name) ?? 0) ? name : []))
  }

  /** Rows with something besides counts, in the order of paths. */
  extraRows(): number[] {
    return [...this.table.extraRows].filter(row => this.isIn(row)).sort((a, b) => a - b)
  }

  /** The files in which nothing was found. */
  plain(): PlainFiles {
    const out = new Set([...this.#apart, ...this.#dropped])
    return new PlainFiles(this.table, out, this.#totals.plain, this.#droppedPlain())
  }

  /**
   * The scanned files as rows of the Parquet file that the scan has left which listed these: which are left out, and where others stand.
   * Undefined where it is not known what that has. `scanned` are the files that a record was made of.
   */
  onBase(scanned: readonly FileRecord[]): Pick<FilesOnBase, 'without' | 'own' | 'places'> | undefined {
    const { table } = this
    const { others, findings } = this.#stored
    const apart = [...table.extraRows].filter(row => !this.#unlisted.has(row)).sort((a, b) => a - b)
    const recorded = apart.filter(row => isRecorded(table.extra(row)!))
    if (recorded.length !== findings.length) return undefined
    const found = new Map(recorded.map((row, at) => [row, findings[at]!]))
    const missing = this.#apart.filter(row => !found.has(row))
    const isStored = (row: number) => row !== -1 && !this.#unlisted.has(row) && (!table.extra(row) || found.has(row))
    // The others stand between the kept ones, whose rows they move on.
    const placeOf = (row: number, isOwn: boolean) => moveOn(row - below(missing, row), others, isOwn)
    const own: FileRecord[] = []
    const places: number[] = []
    const gone = new Set([...this.#dropped].filter(isStored))
    for (const record of scanned) {
      const row = table.locate(record.path)
      if (isStored(row) && isSame(record, makeRecord(table, row, found.get(row) ?? 0))) {
        gone.delete(row)
        continue
      }
      if (isStored(row)) gone.add(row)
      own.push(record)
      places.push(isStored(row) ? placeOf(row, true) : placeOf(table.rowFrom(record.path), false))
    }
    const without = [...others, ...[...gone].map(row => placeOf(row, true))]
    return { without: without.sort((a, b) => a - b), own, places }
  }

  source(row: number): SourceFile {
    const { table } = this
    const file: SourceFile = { path: table.path(row), ...table.file(row), oid: table.oid(row) }
    const encoding = table.encoding(row)
    if (encoding !== '') file.encoding = encoding
    const kind = table.class(row)
    if (kind !== '') file.class = kind as FileClass
    return file
  }

  /** The files whose path is wanted, by path; with a name for what is wanted, where that follows from the path and the program alone. */
  select(wants: (path: string) => boolean, name?: string): SourceFile[] {
    const rows = name && this.#selections ? this.#selections.find(name, wants) : findRows(this.table, wants)
    return rows.filter(row => this.isIn(row)).map(row => this.source(row))
  }

  /** The files one by one, together with others, by path. */
  withOthers(others: readonly SourceFile[]): SourceFile[] {
    if (!this.#sources) {
      const sources: SourceFile[] = []
      for (let row = 0; row < this.table.size; row++) if (this.isIn(row)) sources.push(this.source(row))
      this.#sources = sources
    }
    const all = [...this.#sources, ...others]
    sortByPath(all)
    return all
  }

  #rowOf(path: string): number {
    const row = this.table.locate(path)
    return row !== -1 && this.isIn(row) ? row : -1
  }

  #droppedPlain(): number[] {
    return [...this.#dropped].filter(row => this.table.extra(row) === undefined)
  }
}

/** Scanned files in which nothing was found, by rows of the cache's table. */
export class PlainFiles {
  readonly count: number
  readonly bytes: number
  readonly lines: number
  /** How many of each language. */
  readonly languages: ReadonlyMap<string, number>
  readonly #table: CacheTable
  readonly #out: ReadonlySet<number>

  /** All rows of the table but those that are `out`; `totals` is of these and the ones that have `gone` since. */
  constructor(table: CacheTable, out: ReadonlySet<number>, totals: PlainTotals, gone: readonly number[]) {
    this.#table = table
    this.#out = out
    let { bytes, lines } = totals
    const languages = new Map(Object.entries(totals.languages))
    for (const row of gone) {
      bytes -= table.columns.sizes[row]!
      lines -= table.columns.counts.lines[row]!
      const left = languages.get(table.language(row))! - 1
      if (left === 0) languages.delete(table.language(row))
      else languages.set(table.language(row), left)
    }
    this.count = totals.count - gone.length
    this.bytes = bytes
    this.lines = lines
    this.languages = languages
  }

  get(path: string): FileRecord | undefined {
    const row = this.#table.locate(path)
    return row === -1 || this.#out.has(row) ? undefined : makeRecord(this.#table, row, 0)
  }

  all(): FileRecord[] {
    const records: FileRecord[] = []
    for (let row = 0; row < this.#table.size; row++)
      if (!this.#out.has(row)) records.push(makeRecord(this.#table, row, 0))
    return records
  }
}

function makeRecord(table: CacheTable, row: number, findings: number): FileRecord {
  return {
    path: table.path(row),
    language: table.language(row),
    bytes: table.columns.sizes[row]!,
    ...table.pass(row),
    findings,
  }
}

function isSame(a: FileRecord, b: FileRecord): boolean {
  return (Object.keys(b) as (keyof FileRecord)[]).every(key => a[key] === b[key])
}

/** Whether a run has a record of the file that the table has this of. */
function isRecorded({ skip, partly }: Extra): boolean {
  return skip === undefined && !isOpenedArchive(partly as FileReport['partly'])
}

/** What kept files come to all together; `isPlain` says in which nothing was found. */
export function countTotals(
  listed: readonly SourceFile[],
  scanned: readonly FileRecord[],
  isPlain: (path: string) => boolean,
): Totals {
  const named: Record<string, number> = {}
  for (const { language } of listed) if (language !== null) named[language] = (named[language] ?? 0) + 1
  const plain: PlainTotals = { count: 0, bytes: 0, lines: 0, languages: {} }
  for (const { path, language, bytes, lines } of scanned) {
    if (!isPlain(path)) continue
    plain.count++
    plain.bytes += bytes
    plain.lines += lines
    plain.languages[language] = (plain.languages[language] ?? 0) + 1
  }
  return { count: listed.length, named, plain }
}

/**
 * Where a row stands that would be at a place if the others, whose places ascend, did not stand between. One that `isOwn` is no other itself, and
 * stands behind the one at its place.
 */
export function moveOn(place: number, others: readonly number[], isOwn: boolean): number {
  let low = 0
  for (let high = others.length; low < high; ) {
    const middle = (low + high) >> 1
    const before = others[middle]! - middle
    if (before < place || (before === place && isOwn)) low = middle + 1
    else high = middle
  }
  return place + low
}

/** How many of the numbers, which are in order, are smaller. */
function below(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numbers[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}
