import type { Listing, SourceFile } from '../../base/records/source-file.ts'
import { buildGraph, hasImports } from '../../quality/architecture/build.ts'
import { nameTarget, readEdge } from '../../quality/architecture/graph.ts'
import { type PlacedTag, readTags } from '../trace/read-tags.ts'

/** What one file imports and which requirements it names. */
export interface FileEntry {
  /** git's name of the content that this was read from. */
  oid?: string
  /** Files of the repository that it imports. */
  targets: string[]
  /** Some imports lead nowhere: a file that is added may be their target. */
  missing?: true
  /** Its imports could not be read. */
  unread?: string
  tags: Omit<PlacedTag, 'file'>[]
}

/** Imports and tags of a repository by path. */
export type CodeMap = Map<string, FileEntry>

export interface MapOptions {
  maxBytes: number
  signal: AbortSignal
  onProgress?: (done: number, total: number) => void
}

/** More files than this are read anew as a whole. */
const MOST_STALE = 2000

/**
 * The map of a listing. What `known` has of files with the same content is taken over; files that changed are read, and so are those with
 * unresolved imports where files were added. What was imported by a file that is gone is forgotten, what imports it is not.
 */
export async function updateCodeMap(
  listing: Listing,
  known: CodeMap | undefined,
  options: MapOptions,
): Promise<CodeMap> {
  const files = listing.files.filter(({ language, class: by }) => language !== null && by !== 'vendored')
  const hasAdded = known !== undefined && files.some(({ path }) => !known.has(path))
  const isFresh = (file: SourceFile) => {
    const entry = known?.get(file.path)
    return entry?.oid !== undefined && entry.oid === file.oid && !(hasAdded && entry.missing)
  }
  const stale = files.filter(file => !isFresh(file))
  const isWhole = known === undefined || stale.length > MOST_STALE
  const read = isWhole ? files : stale
  const map: CodeMap = new Map()
  if (!isWhole) for (const file of files) if (isFresh(file)) map.set(file.path, known.get(file.path)!)
  for (const { path, oid } of read) map.set(path, { ...(oid !== undefined && { oid }), targets: [], tags: [] })
  await readImports(listing, map, new Set(read.map(({ path }) => path)), options)
  const { tags, unread } = await readTags({ root: listing.root, files: read }, options)
  for (const { file, ...tag } of tags) map.get(file.path)!.tags.push(tag)
  for (const { path, reason } of unread) map.get(path)!.unread ??= reason
  return map
}

async function readImports(
  listing: Listing,
  map: CodeMap,
  wanted: ReadonlySet<string>,
  options: MapOptions,
): Promise<void> {
  const sources = listing.files.some(({ path, language }) => wanted.has(path) && hasImports(language))
  if (!sources) return
  const graph = await buildGraph(listing, { ...options, reads: path => wanted.has(path) })
  for (let index = 0; index < graph.from.length; index++) {
    const edge = readEdge(graph, index)
    if (edge.to === undefined) continue
    const targets = map.get(graph.paths[edge.from]!)?.targets
    const target = nameTarget(graph, edge)
    if (targets && !targets.includes(target)) targets.push(target)
  }
  for (const { file, state } of graph.unresolved) {
    const entry = map.get(graph.paths[file]!)
    if (entry && state === 'missing') entry.missing = true
  }
  for (const { path, reason } of graph.unread) {
    const entry = map.get(path)
    if (entry) entry.unread = reason
  }
}

/** Which files import a file, directly. */
export function reverseImports(map: CodeMap): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [path, { targets }] of map)
    for (const target of targets) {
      const list = found.get(target)
      if (list) list.push(path)
      else found.set(target, [path])
    }
  return found
}
