import { relative, resolve, sep } from 'node:path'
import type { Context } from '../../base/context.ts'
import { isInside } from '../../base/disk/project-write.ts'
import { readSource } from '../../base/disk/read.ts'
import { EngineError } from '../../base/errors.ts'
import { detectLanguage } from '../../base/languages/languages.ts'
import type { Listing } from '../../base/records/source-file.ts'
import { decode } from '../../base/text/decode.ts'
import { BlobReader } from '../../sources/repository/blobs.ts'
import { type Edit, locateWorkTree, readChanges, readIndexEnvironment } from '../../sources/repository/changes.ts'
import { listSymbols } from '../trace/symbols.ts'

/** A changed file with the declarations whose code differs. */
export interface ChangedFile {
  file: string
  change: 'added' | 'modified' | 'deleted' | 'named'
  /** Names of declarations that were added, altered or removed; all of them where the file is added, deleted or only named. */
  symbols: string[]
}

export interface ImpactChange {
  /** In words: `staged`, `range main..HEAD`, `files`. */
  scope: string
  files: ChangedFile[]
}

export interface ChangeRequest {
  git_range?: string
  files?: readonly string[]
}

/** Symbols of one file that are listed. */
const MOST_SYMBOLS = 50

/** Reads what changed: a range of commits, files that a user names (compared with HEAD), else what is staged. */
export async function readImpactChange(
  listing: Listing,
  { git_range, files }: ChangeRequest,
  maxBytes: number,
  context: Pick<Context, 'cwd' | 'env' | 'signal'>,
): Promise<ImpactChange> {
  const root = locateWorkTree(listing.root)
  const { env, signal } = context
  if (files) return readNamed(listing, files, maxBytes, context)
  const request = git_range === undefined ? { staged: true as const } : { git_range }
  const { scope, edits } = await readChanges(root, request, { env, signal })
  const reader = new BlobReader(root, readIndexEnvironment(root, env))
  try {
    const relevant = edits.filter(({ was, after }) => was === undefined && after?.kind === undefined)
    const ids = relevant.flatMap(({ before, after }) => [before, after?.blob].filter(id => id !== undefined))
    const read = await reader.read(ids, maxBytes)
    const contents = new Map(ids.map((id, index) => [id, read[index]]))
    return { scope, files: relevant.map(edit => describeEdit(edit, id => contents.get(id))) }
  } finally {
    reader.close()
  }
}

function describeEdit({ path, before, after }: Edit, read: (id: string) => unknown): ChangedFile {
  const text = (id: string | undefined) => {
    const bytes = id === undefined ? undefined : read(id)
    const decoded = bytes instanceof Uint8Array ? decode(bytes) : undefined
    return decoded && 'text' in decoded ? decoded.text : undefined
  }
  const change = before === undefined ? 'added' : after === undefined ? 'deleted' : 'modified'
  return { file: path, change, symbols: compareSymbols(path, text(before), text(after?.blob)) }
}

async function readNamed(
  listing: Listing,
  named: readonly string[],
  maxBytes: number,
  { cwd }: Pick<Context, 'cwd'>,
): Promise<ImpactChange> {
  const { root } = listing
  const byPath = new Map(listing.files.map(file => [file.path, file]))
  const paths = named.map(name => {
    const absolute = resolve(cwd, name)
    if (!isInside(root, absolute)) throw new EngineError('PATH_ESCAPES', `The path ${name} is outside the project.`)
    const path = relative(root, absolute).split(sep).join('/')
    if (!byPath.has(path)) throw new EngineError('NOT_FOUND', `The repository has no file ${name}.`)
    return path
  })
  const reader = new BlobReader(root)
  try {
    const before = await reader.read(
      paths.map(path => `HEAD:${path}`),
      maxBytes,
    )
    const files = paths.map((path, index): ChangedFile => {
      const read = (bytes: unknown) => {
        const decoded = bytes instanceof Uint8Array ? decode(bytes) : undefined
        return decoded && 'text' in decoded ? decoded.text : undefined
      }
      const [old, now] = [read(before[index]), read(readSource(root, byPath.get(path)!, maxBytes))]
      if (old === undefined) return { file: path, change: 'added', symbols: compareSymbols(path, undefined, now) }
      // A file that is as it was is asked about as a whole.
      if (old === now) return { file: path, change: 'named', symbols: compareSymbols(path, undefined, now) }
      return { file: path, change: 'modified', symbols: compareSymbols(path, old, now) }
    })
    return { scope: 'files', files }
  } finally {
    reader.close()
  }
}

/** The declarations whose text differs between two versions of a file. */
export function compareSymbols(path: string, before: string | undefined, after: string | undefined): string[] {
  const language = detectLanguage(path)
  if (language === null) return []
  const [old, now] = [before, after].map(text => (text === undefined ? new Map() : readSegments(language, text)))
  const names = new Set([...now!.keys(), ...old!.keys()])
  return [...names].filter(name => old!.get(name) !== now!.get(name)).slice(0, MOST_SYMBOLS)
}

/** The text of each declaration: from its line to the next one. */
function readSegments(language: string, text: string): Map<string, string> {
  const lines = text.split('\n')
  const symbols = listSymbols(language, text)
  const segments = new Map<string, string>()
  for (const [index, { name, line }] of symbols.entries()) {
    const end = (symbols[index + 1]?.line ?? lines.length + 1) - 1
    const body = lines
      .slice(line - 1, end)
      .join('\n')
      .trimEnd()
    segments.set(name, `${segments.get(name) ?? ''}${body}`)
  }
  return segments
}
