import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { KnownFile } from '../repository/source-file.ts'
import type { FileOutcome } from '../rules/file-outcome.ts'

const FORMAT = 3
/** A cache file past this is not written: it would cost more to read than it saves. */
const MOST_BYTES = 512 << 20
const DIGEST_BYTES = 32
/** Writing takes seconds; a temporary file that nobody has written to for this long belongs to a process that was killed. */
const ABANDONED_AFTER_MS = 300_000

/** What most files do not have: a reason why they were not scanned, or something found in them. Rules stand by id, since indexes change. */
export interface Extra {
  skip?: { reason: string; detail?: string }
  matches?: (Omit<FileOutcome['matches'][number], 'rule'> & { rule: string })[]
  failures?: (Omit<FileOutcome['failures'][number], 'rule'> & { rule: string })[]
  ignores?: FileOutcome['ignores']
}

/** What is kept of one file. */
export interface Kept {
  path: string
  /** git's name of the content. */
  oid: string
  size: number
  /** Declared encoding; '' for none. */
  encoding: string
  /** Language by the file's name alone; '' where it does not tell. */
  named: string
  in_test: boolean
  /** Language that the scan saw, which may come from the file's first line. */
  language: string
  /** Digest of the rules for the file's language. */
  rules: string
  lines: number
  blank_lines: number
  longest_line: number
  extra?: Extra
}

/** Columns that hold few different texts, each as a number into its list. */
const NAMED = ['encoding', 'named', 'language', 'rules'] as const
const COUNTS = ['lines', 'blank_lines', 'longest_line'] as const

/** What all rows of a file were made with. */
export interface Origin {
  /** Digest of the built program. */
  program: string
  /** Digest of the scan's limits. */
  limits: string
}

interface Header extends Origin {
  format: number
  count: number
  names: Record<(typeof NAMED)[number], string[]>
  /** Bytes of the texts at the end: paths, oids, extras. */
  texts: [number, number, number]
}

/**
 * The kept results of a repository as columns, sorted by path: a scan of a large tree asks for nearly all of them, and an
 * object for each that is only looked at would cost more than everything else it does.
 */
export class CacheTable {
  /** Digest of the limits under which the files were scanned. */
  readonly limits: string
  readonly #paths: readonly string[]
  readonly #oids: readonly string[]
  readonly #sizes: Float64Array
  readonly #inTest: Uint8Array
  readonly #named: Record<(typeof NAMED)[number], { at: Uint16Array; names: readonly string[] }>
  readonly #counts: Record<(typeof COUNTS)[number], Uint32Array>
  readonly #extras: ReadonlyMap<number, Extra>
  /** Where the last path was found: whoever asks does so in nearly the same order. */
  #cursor = -1

  private constructor(header: Header, columns: Columns, texts: readonly [string, string, string]) {
    this.limits = header.limits
    this.#paths = header.count === 0 ? [] : texts[0].split('\0')
    this.#oids = header.count === 0 ? [] : texts[1].split('\n')
    this.#sizes = columns.sizes
    this.#counts = columns.counts
    this.#inTest = columns.inTest
    this.#named = forEachNamed(name => ({ at: columns.named[name], names: header.names[name] }))
    this.#extras = new Map(JSON.parse(texts[2]) as [number, Extra][])
  }

  static readonly none = new CacheTable(
    { format: FORMAT, program: '', limits: '', count: 0, names: forEachNamed(() => []), texts: [0, 0, 0] },
    columnsOf(new ArrayBuffer(0), 0),
    ['', '', '[]'],
  )

  /** The table of the file; an empty one where there is none, or it is damaged or was written by another program. */
  static read(file: string, program: string): CacheTable {
    let bytes: Buffer
    try {
      bytes = readFileSync(file)
    } catch {
      return CacheTable.none
    }
    const body = bytes.subarray(0, Math.max(0, bytes.length - DIGEST_BYTES))
    if (!digest(body).equals(bytes.subarray(body.length))) return CacheTable.none
    // What follows is as it was written, if perhaps by another program.
    const end = body.indexOf(0x0a)
    const header = JSON.parse(body.toString('utf8', 0, end)) as Header
    if (header.format !== FORMAT || header.program !== program) return CacheTable.none
    const start = end + 1
    const numbers = columnBytes(header.count)
    const copy = body.buffer.slice(body.byteOffset + start, body.byteOffset + start + numbers) as ArrayBuffer
    let at = start + numbers
    const texts = header.texts.map(length => {
      const text = body.toString('utf8', at, at + length)
      at += length
      return text
    })
    return new CacheTable(header, columnsOf(copy, header.count), texts as [string, string, string])
  }

  get size(): number {
    return this.#paths.length
  }

  /** Languages that names of files told. */
  get languages(): readonly string[] {
    return this.#named.named.names.filter(name => name !== '')
  }

  /** Row of the path, -1 where there is none. */
  find(path: string): number {
    const next = this.#cursor + 1
    if (this.#paths[next] === path) {
      this.#cursor = next
      return next
    }
    let [low, high] = [0, this.#paths.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#paths[middle]! < path) low = middle + 1
      else high = middle
    }
    if (this.#paths[low] !== path) return -1
    this.#cursor = low
    return low
  }

  path(row: number): string {
    return this.#paths[row]!
  }

  /** The file at this row where its content is the one that git calls `oid`. */
  fileAt(row: number, oid: string): KnownFile | undefined {
    if (this.#oids[row] !== oid) return undefined
    return { size: this.#sizes[row]!, language: this.#name('named', row) || null, in_test: this.#inTest[row] === 1 }
  }

  /** Whether the row is of this content, read in this encoding. */
  isOf(row: number, oid: string, size: number, encoding: string): boolean {
    return this.#oids[row] === oid && this.#sizes[row] === size && this.#name('encoding', row) === encoding
  }

  language(row: number): string {
    return this.#name('language', row)
  }

  /** Digest of the rules that gave the row. */
  rules(row: number): string {
    return this.#name('rules', row)
  }

  pass(row: number): FileOutcome['pass'] {
    return {
      lines: this.#counts.lines[row]!,
      blank_lines: this.#counts.blank_lines[row]!,
      longest_line: this.#counts.longest_line[row]!,
    }
  }

  extra(row: number): Extra | undefined {
    return this.#extras.get(row)
  }

  /** Everything of the row, to be written again. */
  row(row: number): Kept {
    const kept: Kept = {
      path: this.#paths[row]!,
      oid: this.#oids[row]!,
      size: this.#sizes[row]!,
      encoding: this.#name('encoding', row),
      named: this.#name('named', row),
      in_test: this.#inTest[row] === 1,
      language: this.language(row),
      rules: this.rules(row),
      ...this.pass(row),
    }
    const extra = this.#extras.get(row)
    if (extra) kept.extra = extra
    return kept
  }

  #name(column: (typeof NAMED)[number], row: number): string {
    const { at, names } = this.#named[column]
    return names[at[row]!]!
  }
}

/** Writes the rows, in any order, by way of a temporary name. A file that would be too large is not written. Throws what the disk refuses with. */
export function writeCacheFile(file: string, { program, limits }: Origin, rows: Kept[]): void {
  rows.sort((a, b) => (a.path < b.path ? -1 : 1))
  const numbers = new ArrayBuffer(columnBytes(rows.length))
  const columns = columnsOf(numbers, rows.length)
  const names = forEachNamed(() => new Map<string, number>())
  const extras: [number, Extra][] = []
  rows.forEach((row, index) => {
    columns.sizes[index] = row.size
    columns.inTest[index] = row.in_test ? 1 : 0
    for (const count of COUNTS) columns.counts[count][index] = row[count]
    for (const name of NAMED) {
      let number = names[name].get(row[name])
      if (number === undefined) {
        number = names[name].size
        names[name].set(row[name], number)
      }
      columns.named[name][index] = number
    }
    if (row.extra) extras.push([index, row.extra])
  })
  const texts = [
    rows.map(({ path }) => path).join('\0'),
    rows.map(({ oid }) => oid).join('\n'),
    JSON.stringify(extras),
  ].map(text => Buffer.from(text))
  const header: Header = {
    format: FORMAT,
    program,
    limits,
    count: rows.length,
    names: forEachNamed(name => [...names[name].keys()]),
    texts: texts.map(({ length }) => length) as Header['texts'],
  }
  const body = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), Buffer.from(numbers), ...texts])
  if (body.length > MOST_BYTES) return
  const temporary = `${file}.${process.pid}`
  removeAbandoned(file)
  try {
    writeFileSync(temporary, Buffer.concat([body, digest(body)]))
    renameSync(temporary, file)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Removes what killed processes have left of their writing. One that is only slow loses nothing but the cache of its scan. */
function removeAbandoned(file: string): void {
  const begin = `${basename(file)}.`
  for (const name of readdirSync(dirname(file))) {
    if (!name.startsWith(begin) || !/^\d+$/.test(name.slice(begin.length))) continue
    const path = join(dirname(file), name)
    const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Math.abs(Date.now() - written) > ABANDONED_AFTER_MS) rmSync(path, { force: true })
  }
}

interface Columns {
  sizes: Float64Array
  counts: Record<(typeof COUNTS)[number], Uint32Array>
  named: Record<(typeof NAMED)[number], Uint16Array>
  inTest: Uint8Array
}

const columnBytes = (count: number) => count * (8 + 4 * COUNTS.length + 2 * NAMED.length + 1)

function forEachNamed<T>(make: (name: (typeof NAMED)[number]) => T): Record<(typeof NAMED)[number], T> {
  return { encoding: make('encoding'), named: make('named'), language: make('language'), rules: make('rules') }
}

/** Views of the numbers, widest first, so that each is aligned. */
function columnsOf(numbers: ArrayBuffer, count: number): Columns {
  const wide = (index: number) => new Uint32Array(numbers, count * (8 + 4 * index), count)
  const narrow = (index: number) => new Uint16Array(numbers, count * (8 + 4 * COUNTS.length + 2 * index), count)
  return {
    sizes: new Float64Array(numbers, 0, count),
    counts: { lines: wide(0), blank_lines: wide(1), longest_line: wide(2) },
    named: { encoding: narrow(0), named: narrow(1), language: narrow(2), rules: narrow(3) },
    inTest: new Uint8Array(numbers, count * (8 + 4 * COUNTS.length + 2 * NAMED.length), count),
  }
}

function digest(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
