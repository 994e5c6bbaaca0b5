import { readSource } from '../../base/disk/read.ts'
import type { Listing, SourceFile } from '../../base/records/source-file.ts'
import { decode } from '../../base/text/decode.ts'
import { type CodeSymbol, findTaggedSymbol, listSymbols } from './symbols.ts'
import { findTags, mayHaveTags, type Tag } from './tags.ts'

/** A tag with its file and the declaration that it is about. */
export interface PlacedTag extends Tag {
  file: SourceFile
  symbol?: CodeSymbol
}

export interface ReadTags {
  tags: PlacedTag[]
  /** Files that could not be searched: what they link is unknown. */
  unread: { path: string; reason: string }[]
}

export interface TagOptions {
  /** Largest file that is read, in bytes. */
  maxBytes: number
  /** Contents in place of those on disk. */
  contents?: ReadonlyMap<string, Uint8Array>
  signal?: AbortSignal
  onProgress?: (done: number, total: number) => void
}

/** Files between two reports of progress. */
const STEP = 2000

/** Reads the tags of all files whose language svc knows the comments of. Vendored files link nothing. */
export async function readTags(listing: Pick<Listing, 'root' | 'files'>, options: TagOptions): Promise<ReadTags> {
  const result: ReadTags = { tags: [], unread: [] }
  const { files, root } = listing
  for (const [index, file] of files.entries()) {
    if (index % STEP === 0) {
      options.signal?.throwIfAborted()
      options.onProgress?.(index, files.length)
      await new Promise(resolve => setImmediate(resolve))
    }
    if (file.language === null || file.class === 'vendored' || file.size === 0 || file.blob !== undefined) continue
    const bytes = options.contents?.get(file.path) ?? readSource(root, file, options.maxBytes)
    if (!(bytes instanceof Uint8Array)) {
      if (bytes.reason !== 'vanished') result.unread.push({ path: file.path, reason: bytes.reason })
      continue
    }
    if (!mayHaveTags(bytes, file.language)) continue
    const decoded = decode(bytes, file.encoding)
    if ('text' in decoded) for (const tag of placeTags(file, decoded.text)) result.tags.push(tag)
    else result.unread.push({ path: file.path, reason: 'undecodable' })
  }
  return result
}

/** The tags of a text, each with its declaration. */
export function placeTags(file: SourceFile, text: string): PlacedTag[] {
  const tags = findTags(file.language!, text)
  if (tags.length === 0) return []
  const symbols = listSymbols(file.language!, text)
  const lines = symbols.length === 0 ? [] : text.split('\n')
  return tags.map(tag => {
    const symbol = findTaggedSymbol(tag, symbols, lines)
    return { ...tag, file, ...(symbol && { symbol }) }
  })
}
