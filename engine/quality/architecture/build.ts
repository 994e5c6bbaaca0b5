import { readSource } from '../../base/disk/read.ts'
import type { Listing, SourceFile } from '../../base/records/source-file.ts'
import { decode } from '../../base/text/decode.ts'
import { type ImportGraph, ImportList, type Unread } from './graph.ts'
import { type ImportReader, type Project, UnreadableSource } from './imports/language.ts'
import { IMPORT_LANGUAGES } from './imports/languages.gen.ts'
import { getFolder } from './imports/source-text.ts'

/** So many characters are read between two turns of the event loop: only there syntax trees are released. */
const TURN = 1 << 20

export interface BuildOptions {
  /** Largest file that is read, in bytes. */
  maxBytes: number
  /** Whether the graph has a file; absent, it has every file. */
  includes?: (path: string) => boolean
  /** Whether the imports of a file are read; absent, those of every file are. The others are targets alone. */
  reads?: (path: string) => boolean
  signal: AbortSignal
  /** Called with the number of files that were read. */
  onProgress?: (done: number, total: number) => void
}

/**
 * The import graph of a repository's files. Vendored files are targets and no sources. A file that cannot be read, and an import that leads
 * nowhere, are listed with the reason. The same files give the same graph.
 */
export async function buildGraph(listing: Listing, options: BuildOptions): Promise<ImportGraph> {
  const files = options.includes ? listing.files.filter(({ path }) => options.includes!(path)) : listing.files
  const paths = files.map(({ path }) => path)
  const families = new Array<string>(files.length).fill('')
  const notices = new Set<string>()
  const unread: Unread[] = []
  const project = describeProject(listing, paths, options.maxBytes, notices)
  const readers = new Map<string, Promise<ImportReader>>()
  const sources = [...files.entries()].flatMap(([number, file]) => {
    const isRead = file.class !== 'vendored' && (options.reads?.(file.path) ?? true)
    const family = isRead ? findFamily(file.language) : undefined
    return family ? [{ number, file, family }] : []
  })
  let characters = 0
  for (const [done, { number, file, family }] of sources.entries()) {
    options.signal.throwIfAborted()
    const text = readText(listing.root, file, options.maxBytes)
    if (typeof text !== 'string') {
      unread.push({ path: file.path, reason: text.reason })
      continue
    }
    families[number] = family.name
    const opened = readers.get(family.name) ?? family.open(project)
    readers.set(family.name, opened)
    const reader = await opened
    try {
      reader.collect(number, text, file.language!)
    } catch (error) {
      if (!(error instanceof UnreadableSource)) throw error
      unread.push({ path: file.path, reason: error.message })
    }
    characters += text.length
    if (characters < TURN) continue
    characters = 0
    options.onProgress?.(done + 1, sources.length)
    await new Promise(resolve => setImmediate(resolve))
  }
  const list = new ImportList()
  const units = Int32Array.from(paths.keys())
  for (const opened of readers.values()) {
    options.signal.throwIfAborted()
    const reader = await opened
    reader.resolve((from, site, target) => {
      if ('file' in target) list.add({ from, to: target.file, ...site })
      else if ('external' in target) list.add({ from, external: target.external, ...site })
      else list.miss({ file: from, line: site.line, specifier: site.specifier, ...target })
    })
    for (const [file, unit] of reader.units?.() ?? []) units[file] = unit
  }
  return list.close({ paths, families, units, unread, notices: [...notices].sort() })
}

/** Whether imports of a file in this language are read. */
export function hasImports(language: string | null): boolean {
  return findFamily(language) !== undefined
}

function findFamily(language: string | null) {
  return language === null ? undefined : IMPORT_LANGUAGES.find(({ languages }) => languages.includes(language))
}

function readText(root: string, file: SourceFile, maxBytes: number): string | { reason: string } {
  const bytes = readSource(root, file, maxBytes)
  if (!(bytes instanceof Uint8Array)) return { reason: bytes.detail ?? bytes.reason.replaceAll('_', ' ') }
  const decoded = decode(bytes, file.encoding)
  return 'text' in decoded ? decoded.text : { reason: decoded.detail ?? 'is no text' }
}

function describeProject(
  { root, files }: Listing,
  paths: readonly string[],
  maxBytes: number,
  notices: Set<string>,
): Project {
  const folders = new Set<string>([''])
  for (const path of paths)
    for (let folder = getFolder(path); !folders.has(folder); folder = getFolder(folder)) folders.add(folder)
  // A manifest that the rules leave out of the graph says all the same where packages are.
  const byPath = new Map(files.map(file => [file.path, file]))
  return {
    root,
    paths,
    folders,
    numbers: new Map(paths.map((path, number) => [path, number])),
    read(path) {
      const file = byPath.get(path)
      const text = file && readText(root, file, maxBytes)
      return typeof text === 'string' ? text : undefined
    },
    notice: text => void notices.add(text),
  }
}
