import { createHash } from 'node:crypto'
import { ignoreUnreadable, readOwn } from '../base/disk/own-folder.ts'
import { decodeMetric, type FileMetrics, makeMetrics } from '../base/records/file-metrics.ts'
import type { KnownFile, PartlyScanned, SourceFile } from '../base/records/source-file.ts'
import type { Excluded, FileOutcome, Silence } from '../detect/rules/file-outcome.ts'
import type { ReleaseFacts } from '../detect/rules/release-facts.ts'
import type { Seal } from '../sources/state/cache-seal.ts'
import { type Columns, countColumnBytes, makeColumns, mapNamed, type NAMED } from './cache-columns.ts'
import { encodeReleases, ReleaseTable } from './releases/release-table.ts'

export const FORMAT = 10
export const DIGEST_BYTES = 32
/** The seal over the digest, in hexadecimal digits; the last thing in the file. */
export const SEAL_BYTES = 64
/** What the table is sealed as. */
export const PURPOSE = 'scan.cache'

/** Paths that are looked for one by one; beyond them it is cheaper to make all of them texts. */
const MANY_ASKED = 256

/** What most files do not have: a reason why they were not or only partly scanned, something found in them, or what other files need to know of them. Rules stand by id, since indexes change. */
export interface Extra {
  skip?: { reason: string; detail?: string }
  partly?: Omit<PartlyScanned, 'path'>
  matches?: (Omit<FileOutcome['matches'][number], 'rule'> & { rule: string })[]
  failures?: (Omit<FileOutcome['failures'][number], 'rule'> & { rule: string })[]
  ignores?: FileOutcome['ignores']
  silenced?: (Omit<Silence, 'rule'> & { rule: string })[]
  excluded?: (Omit<Excluded, 'rule'> & { rule: string })[]
  releases?: ReleaseFacts
}

/** What is kept of one file. */
export interface Kept extends FileMetrics {
  path: string
  /** git's name of the content. */
  oid: string
  size: number
  /** Declared encoding; '' for none. */
  encoding: string
  /** Class of the file by its attributes; '' for none. */
  class: string
  /** Language by the file's name alone; '' where it does not tell. */
  named: string
  in_test: boolean
  /** Language that the scan saw, which may come from the file's first line. */
  language: string
  /** Digest of the rules for the file's language. */
  rules: string
  extra?: Extra
}

/** What all rows of a file were made with. */
export interface Origin {
  /** Digest of the built program. */
  program: string
  /** Digest of the scan's limits. */
  limits: string
}

export interface Header extends Origin {
  format: number
  count: number
  oid_width: number
  names: Record<(typeof NAMED)[number], string[]>
  /** Bytes of the texts at the end: paths, oids, extras, what files free that have no other extra. */
  texts: [number, number, number, number]
}

type Texts = readonly [paths: Buffer, oids: Buffer, extras: Buffer, releases: Buffer]

const NO_TEXTS: Texts = [Buffer.alloc(0), Buffer.alloc(0), Buffer.from('[]'), Buffer.from(encodeReleases([]))]
const NO_ROWS: Header = {
  format: FORMAT,
  program: '',
  limits: '',
  count: 0,
  oid_width: 0,
  names: mapNamed(() => []),
  texts: [0, 0, 0, 0],
}

/**
 * The kept results of a repository as columns, sorted by path: a scan of a large tree asks for nearly all of them, and an
 * object for each that is only looked at would cost more than everything else it does. Texts are made of bytes when asked for.
 */
export class CacheTable {
  /** Digest of the limits under which the files were scanned. */
  readonly limits: string
  /** Of all that is in the table. */
  readonly digest: string
  readonly size: number
  /** Characters that each name of a content takes, filled up with spaces. */
  readonly oid_width: number
  readonly columns: Columns
  /** Of rows that have no extra beside it. */
  readonly releases: ReleaseTable
  readonly names: Header['names']
  readonly #pathBytes: Buffer
  readonly #oidBytes: Buffer
  readonly #extras: ReadonlyMap<number, Extra>
  #paths: readonly string[] | undefined
  #asked = 0
  /** Where the last path was found: whoever asks does so in nearly the same order. */
  #cursor = -1

  private constructor(header: Header, columns: Columns, texts: Texts, digest: string) {
    this.limits = header.limits
    this.digest = digest
    this.size = header.count
    this.oid_width = header.oid_width
    this.columns = columns
    this.names = header.names
    this.#pathBytes = texts[0]
    this.#oidBytes = texts[1]
    this.#extras = new Map(JSON.parse(texts[2].toString()) as [number, Extra][])
    this.releases = new ReleaseTable(texts[3])
  }

  static readonly none = new CacheTable(NO_ROWS, makeColumns(new ArrayBuffer(0), 0), NO_TEXTS, '')

  /** An empty table in the place of one that is not sealed, or was changed since. */
  static readonly refused = new CacheTable(NO_ROWS, makeColumns(new ArrayBuffer(0), 0), NO_TEXTS, '')

  /** The table of the file; `none` where there is no file or another program wrote it, `refused` where its seal does not hold. */
  static read(file: string, program: string, seal: Seal | undefined): CacheTable {
    const bytes = ignoreUnreadable(() => readOwn(file))
    if (!bytes) return CacheTable.none
    const body = bytes.subarray(0, Math.max(0, bytes.length - DIGEST_BYTES - SEAL_BYTES))
    const digest = computeDigest(body)
    const isWhole = digest.equals(bytes.subarray(body.length, body.length + DIGEST_BYTES))
    const signature = bytes.toString('latin1', body.length + DIGEST_BYTES)
    if (!isWhole || !seal?.verify(PURPOSE, digest.toString('hex'), signature)) return CacheTable.refused
    // What follows is as it was written, if perhaps by another program.
    const end = body.indexOf(0x0a)
    const header = JSON.parse(body.toString('utf8', 0, end)) as Header
    if (header.format !== FORMAT || header.program !== program) return CacheTable.none
    const start = end + 1
    const numbers = countColumnBytes(header.count)
    let at = start + numbers
    const texts = header.texts.map(length => {
      const text = body.subarray(at, at + length)
      at += length
      return text
    })
    // A file is read into a buffer of its own, at its beginning, so that the columns need no copy.
    const columns = makeColumns(bytes.buffer as ArrayBuffer, header.count, bytes.byteOffset + start)
    return new CacheTable(header, columns, texts as unknown as Texts, digest.toString('hex'))
  }

  /** The file's seal did not hold. */
  get isRefused(): boolean {
    return this === CacheTable.refused
  }

  /** Languages that names of files told. */
  get languages(): readonly string[] {
    return this.names.named.filter(name => name !== '')
  }

  /** Row of the path, -1 where there is none; for one who asks for nearly all, in nearly their order. */
  find(path: string): number {
    if (++this.#asked === MANY_ASKED) this.#makePaths()
    const next = this.#cursor + 1
    if (next < this.size && this.path(next) === path) {
      this.#cursor = next
      return next
    }
    const row = this.locate(path)
    if (row === -1) return -1
    this.#cursor = row
    return row
  }

  /** Row of the path, -1 where there is none. */
  locate(path: string): number {
    const row = this.rowFrom(path)
    return row < this.size && this.path(row) === path ? row : -1
  }

  /** The first row whose path is not before this one. */
  rowFrom(path: string): number {
    let [low, high] = [0, this.size]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.path(middle) < path) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The path of every row, for one who goes through all of them. */
  get paths(): readonly string[] {
    return this.#paths ?? this.#makePaths()
  }

  path(row: number): string {
    if (this.#paths) return this.#paths[row]!
    const { pathEnds } = this.columns
    return this.#pathBytes.toString('utf8', row === 0 ? 0 : pathEnds[row - 1]! + 1, pathEnds[row]!)
  }

  oid(row: number): string {
    const { oid_width: width } = this
    return this.#oidBytes.toString('latin1', row * width, (row + 1) * width).trimEnd()
  }

  /** The file at this row where its content is the one that git calls `oid`; not one that was too large, whose size is all that is known of it. */
  fileAt(row: number, oid: string): KnownFile | undefined {
    return row === -1 || this.oid(row) !== oid || this.isUnread(row) ? undefined : this.file(row)
  }

  /** Whether the file was too large to be read: only while it has that size it is what the row says. */
  isUnread(row: number): boolean {
    return this.#extras.get(row)?.skip?.reason === 'too_large'
  }

  /** What is known of the row's file by its path. */
  file(row: number): KnownFile {
    const { sizes, inTest } = this.columns
    return { size: sizes[row]!, language: this.#name('named', row) || null, in_test: inTest[row] === 1 }
  }

  /** Whether the row is of this content, read in the same encoding and as a file of the same class. */
  isOf(row: number, oid: string, { size, encoding = '', class: kind }: SourceFile): boolean {
    return (
      this.oid(row) === oid &&
      this.columns.sizes[row] === size &&
      this.encoding(row) === encoding &&
      this.class(row) === (kind ?? '')
    )
  }

  encoding(row: number): string {
    return this.#name('encoding', row)
  }

  class(row: number): string {
    return this.#name('class', row)
  }

  language(row: number): string {
    return this.#name('language', row)
  }

  /** Digest of the rules that gave the row. */
  rules(row: number): string {
    return this.#name('rules', row)
  }

  pass(row: number): FileOutcome['pass'] {
    return makeMetrics(name => decodeMetric(this.columns.counts[name][row]!))
  }

  /** What the row has beside its numbers; undefined where that is nothing, or what it frees and no more. */
  extra(row: number): Extra | undefined {
    return this.#extras.get(row)
  }

  /** Rows that have an extra. */
  get extraRows(): Iterable<number> {
    return this.#extras.keys()
  }

  /** Everything of the row, to be written again. */
  row(row: number): Kept {
    const { size, language, in_test } = this.file(row)
    const kept: Kept = {
      path: this.path(row),
      oid: this.oid(row),
      size,
      encoding: this.encoding(row),
      class: this.class(row),
      named: language ?? '',
      in_test,
      language: this.language(row),
      rules: this.rules(row),
      ...this.pass(row),
    }
    const extra = this.#extras.get(row)
    const releases = this.releases.facts(row)
    if (extra) kept.extra = extra
    else if (releases) kept.extra = { releases }
    return kept
  }

  #makePaths(): readonly string[] {
    this.#paths = this.size === 0 ? [] : this.#pathBytes.toString().slice(0, -1).split('\0')
    return this.#paths
  }

  #name(column: (typeof NAMED)[number], row: number): string {
    return this.names[column][this.columns.named[column][row]!]!
  }
}

/** Whether nothing was found in a file, and others need to know what it frees: it is a plain one but for that. */
export function hasReleasesOnly(extra: Extra): boolean {
  const [name, ...others] = Object.keys(extra)
  return name === 'releases' && others.length === 0
}

/** What stands at the end of a cache file, of all before it. */
export function computeDigest(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
