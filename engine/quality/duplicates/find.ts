import { createHash } from 'node:crypto'
import type { Context } from '../../base/context.ts'
import { readSource } from '../../base/disk/read.ts'
import { EngineError } from '../../base/errors.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import { classify } from '../../base/text/classify.ts'
import { decode } from '../../base/text/decode.ts'
import { computeShare } from '../../base/text/percent.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { discover } from '../../sources/repository/discover.ts'
import { compileExcludes } from '../../sources/repository/exclude.ts'
import { findHeaderSign } from '../../sources/repository/foreign/header.ts'
import { takesSkill } from '../expertise/areas.ts'
import { findClones } from './classes.ts'
import { type FileTokens, readTokens } from './tokens.ts'

/** More tokens are not kept: files beyond them, in the order of their paths, are not evaluated. It bounds memory to about 1 GB. */
const MOST_TOKENS = 20_000_000

export interface DuplicatesInput {
  paths: readonly string[]
  min_tokens: number
  renamed: boolean
}

/** A part of a file that is elsewhere too, by lines from 1, both included. */
export interface Occurrence {
  file: string
  line: number
  end_line: number
}

/** All places with the same tokens. */
export interface DuplicateClass {
  /** From the tokens alone: it stays while they do. */
  id: string
  tokens: number
  /** Of the first occurrence. */
  lines: number
  occurrences: Occurrence[]
}

export interface Duplicates {
  files: number
  tokens: number
  /** Lines with at least one token. */
  lines: number
  /** Of these, lines with a token that is in a clone. */
  duplicated_lines: number
  /** The part of the lines, from 0 to 1. */
  duplicated_share: number
  classes: DuplicateClass[]
  /** Source files that were left out, by reason. */
  skipped: Record<string, number>
  /** Clones were not extended to their full length any more: the repository repeats itself too much. */
  bounded: boolean
}

/** A file whose tokens are compared. */
export interface TokenizedFile {
  path: string
  tokens: FileTokens
}

/** Finds duplicated code in the source files of the repository around `cwd`. NOT_FOUND where a path names no source file. */
export async function findDuplicates(input: DuplicatesInput, context: Context): Promise<Duplicates> {
  const { env, signal } = context
  const config = await loadConfig(context.cwd, { env })
  const listing = await discover(config.root, { exclude: config.scan_exclude, signal })
  const sources = selectSources(listing.files, input.paths)
  const { files, skipped } = tokenizeFiles(listing.root, sources, config.scan.max_file_bytes, input.renamed, {
    signal,
    onProgress: done =>
      context.emit({
        type: 'progress',
        progress: { phase: 'read', done, total: sources.length, bytes: 0, findings: 0 },
      }),
  })
  return { ...compareFiles(files, input.min_tokens), skipped: Object.fromEntries([...skipped].sort()) }
}

/** Lines with a token, and those of them that are duplicated, in the sources among `files`, tests aside; clones of `minTokens` and more. */
export function measureDuplication(
  root: string,
  files: readonly SourceFile[],
  { most, minTokens, signal }: { most: number; minTokens: number; signal: AbortSignal },
): Pick<Duplicates, 'lines' | 'duplicated_lines'> {
  const sources = selectSources(files, []).filter(({ in_test }) => !in_test)
  const { lines, duplicated_lines } = compareFiles(
    tokenizeFiles(root, sources, most, false, { signal }).files,
    minTokens,
  )
  return { lines, duplicated_lines }
}

/** Reads files one after the other as tokens; counts those left out by reason. */
function tokenizeFiles(
  root: string,
  sources: readonly SourceFile[],
  most: number,
  renamed: boolean,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: (done: number) => void },
): { files: TokenizedFile[]; skipped: Map<string, number> } {
  const skipped = new Map<string, number>()
  const files: TokenizedFile[] = []
  let total = 0
  for (const [index, file] of sources.entries()) {
    signal.throwIfAborted()
    if (index % 100 === 0) onProgress?.(index)
    const read = total > MOST_TOKENS ? 'too_many_tokens' : readFile(root, file, most)
    if (typeof read === 'string') {
      skipped.set(read, (skipped.get(read) ?? 0) + 1)
      continue
    }
    const tokens = readTokens(file.language!, read.text, renamed)
    total += tokens.hashes.length
    files.push({ path: file.path, tokens })
  }
  return { files, skipped }
}

/** Sources in languages that take skill to write: data and prose repeat themselves by nature. */
function selectSources(files: readonly SourceFile[], paths: readonly string[]): SourceFile[] {
  const sources = files.filter(({ language }) => language !== null && takesSkill({ kind: 'language', name: language }))
  if (paths.length === 0) return sources
  const wanted = paths
    .map(path => path.replace(/^\.\/|\/+$/g, ''))
    .map(path => {
      const takes = path === '' || path === '.' ? () => true : compileExcludes([path])
      if (!sources.some(file => takes(file.path)))
        throw new EngineError('NOT_FOUND', `paths: ${JSON.stringify(path)} has no source file of the repository.`)
      return takes
    })
  return sources.filter(file => wanted.some(takes => takes(file.path)))
}

/** The text of a file that somebody wrote; else why it is left out. */
function readFile(root: string, file: SourceFile, most: number): { text: string } | string {
  if (file.class !== undefined) return file.class
  const bytes = readSource(root, file, most)
  if (!(bytes instanceof Uint8Array)) return bytes.reason
  const shape = classify(bytes, file.language)
  if (shape !== undefined) return shape.shape
  const decoded = decode(bytes, file.encoding)
  if (!('text' in decoded)) return 'undecodable'
  return findHeaderSign(decoded.text, new Set(), false) ? 'generated' : { text: decoded.text }
}

/** The clones among files, whatever their order. */
export function compareFiles(files: readonly TokenizedFile[], minTokens: number): Omit<Duplicates, 'skipped'> {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1))
  const bounds = [0]
  for (const { tokens } of sorted) bounds.push(bounds.at(-1)! + tokens.hashes.length)
  const all = new Int32Array(bounds.at(-1)!)
  sorted.forEach(({ tokens }, index) => {
    all.set(tokens.hashes, bounds[index])
  })
  const { classes, duplicated, isBounded } = findClones(all, bounds, minTokens)
  const found = classes.map(({ tokens, occurrences }): DuplicateClass => {
    const places = occurrences.map(({ file, start, end }): Occurrence => {
      const { path, tokens: own } = sorted[file]!
      const from = start - bounds[file]!
      return { file: path, line: own.lines[from]!, end_line: own.endLines[end - 1 - bounds[file]!]! }
    })
    const { start, end } = occurrences[0]!
    const bytes = new Uint8Array(all.buffer, start * 4, (end - start) * 4)
    const id = `D-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`
    return { id, tokens, lines: places[0]!.end_line - places[0]!.line + 1, occurrences: places }
  })
  found.sort((a, b) => weigh(b) - weigh(a) || compareClasses(a, b))
  const lines = countLines(sorted, bounds, duplicated)
  return { files: sorted.length, tokens: all.length, ...lines, classes: found, bounded: isBounded }
}

/** Tokens that would be gone if there were one of it. */
function weigh({ tokens, occurrences }: DuplicateClass): number {
  return tokens * (occurrences.length - 1)
}

function compareClasses(a: DuplicateClass, b: DuplicateClass): number {
  const [one, other] = [a.occurrences[0]!, b.occurrences[0]!]
  if (one.file !== other.file) return one.file < other.file ? -1 : 1
  return one.line - other.line || (a.id < b.id ? -1 : 1)
}

function countLines(files: readonly TokenizedFile[], bounds: readonly number[], duplicated: Uint8Array) {
  let lines = 0
  let duplicated_lines = 0
  files.forEach(({ tokens }, file) => {
    let last = 0
    let lastDuplicated = 0
    for (let index = 0; index < tokens.lines.length; index++) {
      const [from, to] = [tokens.lines[index]!, tokens.endLines[index]!]
      if (to > last) lines += to - Math.max(last, from - 1)
      last = Math.max(last, to)
      if (duplicated[bounds[file]! + index] === 0) continue
      if (to > lastDuplicated) duplicated_lines += to - Math.max(lastDuplicated, from - 1)
      lastDuplicated = Math.max(lastDuplicated, to)
    }
  })
  const share = computeShare(duplicated_lines, lines, 4) ?? 0
  return { lines, duplicated_lines, duplicated_share: share }
}
