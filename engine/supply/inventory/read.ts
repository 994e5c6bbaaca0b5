import { readSource } from '../../base/disk/read.ts'
import type { Listing, SourceFile } from '../../base/records/source-file.ts'
import { decode } from '../../base/text/decode.ts'
import { BlobReader } from '../../sources/repository/blobs.ts'
import { buildInventory, type ReadFile } from './build.ts'
import type { Inventory, Manifest } from './component.ts'
import { findLockDirectory } from './coverage.ts'
import { FORMATS, type Format } from './formats.ts'
import { type Include, ManifestFault, type Parsed, type Parser } from './parsed.ts'
import { directoryOf } from './paths.ts'
import { compileFormats, MOST_BYTES } from './select.ts'
import { normalizeText, refuseUnusable } from './syntax/whole.ts'

/** Files that manifests name as a part of themselves, one from the other. */
const MOST_INCLUDES = 1000

export interface ReadOptions {
  signal?: AbortSignal
  maxBytes?: number
  /** Is given each file that was read, with what the parser made of it, before files complete each other. */
  onRead?: (read: { file: string; format: Format; text: string; parsed: Parsed }) => void
  /** Told of each file that a manifest names as a part of itself, whether it is there or not. */
  onInclude?: (path: string) => void
}

/**
 * Reads all manifests and lock files of a listing. A file that cannot be read whole is listed as `failed` with the reason, and what
 * could be read of it counts; those that the configuration excludes are listed as `excluded`.
 */
export async function readInventory(listing: Listing, options: ReadOptions = {}): Promise<Inventory> {
  const formatOf = compileFormats()
  const chosen = listing.files.flatMap(file => {
    const format = formatOf(file.path)
    return format === undefined ? [] : [{ file, format }]
  })
  const reader = new Reader(listing, options)
  try {
    for (const { file, format } of chosen) {
      options.signal?.throwIfAborted()
      await reader.read(file, format)
    }
    await reader.readIncludes(formatOf)
  } finally {
    reader.close()
  }
  for (const { path, reason, detail } of listing.skipped) {
    const format = formatOf(path)
    if (format === undefined || reason === 'own_file') continue
    const state = reason === 'excluded' || reason === 'vendored' ? 'excluded' : 'failed'
    reader.manifests.push({ file: path, format: format.id, state, detail: detail ?? reason, packages: 0 })
  }
  return reader.finish()
}

class Reader {
  readonly manifests: Manifest[] = []
  readonly #listing: Listing
  readonly #options: ReadOptions
  readonly #blobs: BlobReader
  readonly #read: ReadFile[] = []
  readonly #parsers = new Map<string, Parser>()
  readonly #files: ReadonlyMap<string, SourceFile>
  readonly #unread: { file: string; format: Format }[] = []

  constructor(listing: Listing, options: ReadOptions) {
    this.#listing = listing
    this.#options = options
    this.#blobs = new BlobReader(listing.root)
    this.#files = new Map(listing.files.map(file => [file.path, file]))
  }

  close(): void {
    this.#blobs.close()
  }

  async read(file: SourceFile, format: Format): Promise<void> {
    const { path } = file
    if (format.load === undefined) {
      this.#unread.push({ file: path, format })
      return
    }
    const base = { file: path, format: format.id }
    const directory = directoryOf(path)
    if (
      format.yieldsTo !== undefined &&
      this.#files.has(directory === '' ? format.yieldsTo : `${directory}/${format.yieldsTo}`)
    ) {
      this.manifests.push({ ...base, state: 'read', detail: `${format.yieldsTo} takes its place`, packages: 0 })
      return
    }
    const read = await this.#readText(file)
    if (typeof read !== 'string') {
      this.manifests.push({ ...base, state: 'failed', detail: read.detail, packages: 0 })
      return
    }
    const text = normalizeText(read)
    const parser = await format.load()
    this.#parsers.set(format.id, parser)
    let parsed: Parsed
    try {
      refuseUnusable(text)
      parsed = parser.parse(text, path)
    } catch (error) {
      this.manifests.push({ ...base, state: 'failed', ...describeFault(error), packages: 0 })
      return
    }
    this.#options.onRead?.({ file: path, format, text, parsed })
    const { ecosystem, family, kind, workspaces = false } = format
    this.#read.push({ file: path, format: format.id, ecosystem, family, kind, workspaces, parsed })
  }

  /** Reads what read files name as a part of themselves, and has not been read for its own name. */
  async readIncludes(formatOf: (path: string) => Format | undefined): Promise<void> {
    const seen = new Set(this.#read.map(({ file }) => file))
    // The list grows while it is walked: a part may name further parts.
    for (const { file, parsed } of this.#read) {
      for (const include of parsed.includes ?? []) {
        if (seen.has(include.file) || seen.size > this.#files.size + MOST_INCLUDES) continue
        seen.add(include.file)
        this.#options.onInclude?.(include.file)
        await this.#readInclude(include, { file, parsed, formatOf })
      }
    }
  }

  async #readInclude(
    include: Include,
    { file, parsed, formatOf }: { file: string; parsed: Parsed; formatOf: (path: string) => Format | undefined },
  ): Promise<void> {
    const source = this.#files.get(include.file)
    const own = formatOf(include.file) ?? FORMATS.find(({ id }) => id === include.format) ?? formatOf(file)
    if (source !== undefined && own !== undefined) {
      await this.read(source, own)
      return
    }
    parsed.faults ??= []
    parsed.faults.push(new ManifestFault(`it names ${include.file}, which is not in the repository`, include.line))
  }

  finish(): Inventory {
    for (const [id, parser] of this.#parsers) {
      if (parser.combine === undefined) continue
      const files = new Map(this.#read.flatMap(({ format, file, parsed }) => (format === id ? [[file, parsed]] : [])))
      try {
        parser.combine(files)
      } catch (error) {
        // What they say by themselves counts; what they say together is not known.
        for (const parsed of files.values()) parsed.faults = [...(parsed.faults ?? []), toFault(error)]
      }
    }
    for (const { file, format, parsed } of this.#read) {
      const declared = parsed.projects?.reduce((sum, { declares = [] }) => sum + declares.length, 0) ?? 0
      const packages = (parsed.entries?.length ?? 0) + declared
      const [fault] = parsed.faults ?? []
      const detail =
        fault === undefined ? (parsed.detail !== undefined ? { detail: parsed.detail } : {}) : describeFault(fault)
      this.manifests.push({ file, format, state: fault === undefined ? 'read' : 'failed', ...detail, packages })
    }
    for (const { file, format } of this.#unread) if (!this.#isLocked(file, format)) this.#addUnsupported(file, format)
    return buildInventory(this.#read, this.manifests)
  }

  #addUnsupported(file: string, { id, unread = 'this format is not read' }: Format): void {
    this.manifests.push({ file, format: id, state: 'unsupported', detail: unread, packages: 0 })
  }

  /** A manifest that is not read is no gap where a lock file beside it, or above it, says what it leads to. */
  #isLocked(file: string, { family, kind }: Format): boolean {
    if (kind === 'lock') return false
    const directory = directoryOf(file)
    return this.#read.some(read => {
      if (read.family !== family || read.kind !== 'lock') return false
      const above = findLockDirectory(read)
      if (above === directory) return true
      const isBelow = above === '' || directory.startsWith(`${above}/`)
      return (
        isBelow &&
        read.workspaces &&
        isMemberByForm(directory.slice(above === '' ? 0 : above.length + 1), read, name =>
          this.#files.has(`${directory}/${name}`),
        )
      )
    })
  }

  async #readText(file: SourceFile): Promise<string | { detail: string }> {
    const most = this.#options.maxBytes ?? MOST_BYTES
    const content =
      file.blob === undefined
        ? readSource(this.#listing.root, file, most)
        : (await this.#blobs.read([file.blob], most))[0]!
    if (!(content instanceof Uint8Array)) return { detail: content.detail ?? content.reason }
    const decoded = decode(content, file.encoding)
    return 'text' in decoded ? decoded.text : { detail: 'it is no text' }
  }
}

/** Whether a directory below is a part of what is locked, by how its tool lays projects out: the manifests say it in a language that is not read. */
function isMemberByForm(below: string, { format }: Pick<ReadFile, 'format'>, has: (name: string) => boolean): boolean {
  if (format === 'mix-lock') return /^apps\/[^/]+$/.test(below)
  // A directory with settings of its own is another build.
  if (format === 'gradle-verification') return !has('settings.gradle') && !has('settings.gradle.kts')
  return format === 'stack-lock' || format === 'cabal-freeze'
}

/** A fault for a user. What is no fault of ours is a value of a type that no parser expected. */
function toFault(error: unknown): ManifestFault {
  if (error instanceof ManifestFault) return error
  return new ManifestFault(
    error instanceof RangeError ? 'it is nested too deeply' : 'it does not have the form of its format',
  )
}

function describeFault(error: unknown): { detail: string; line?: number } {
  const { message, line } = toFault(error)
  return line === undefined ? { detail: message } : { detail: message, line }
}
