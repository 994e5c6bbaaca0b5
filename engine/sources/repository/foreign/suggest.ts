import { posix } from 'node:path'
import type { ForeignFolder } from './folders.ts'

export type ForeignKind = 'vendored' | 'generated' | 'minified'

export interface ForeignEvidence {
  file: string
  line?: number
  what: string
}

/** What is known of one file that is scanned. */
export interface Looked {
  path: string
  size: number
  /** Written by people, in a programming language: a folder with such a file in it that bears no sign is not given up. */
  code: boolean
  sign?: { kind: ForeignKind; line?: number; what: string }
}

/** Something that could be left out of the scan. */
export interface Suggestion {
  /** An entry for scan_exclude: a folder, a glob or a file. */
  path: string
  kind: ForeignKind
  files: number
  bytes: number
  evidence: ForeignEvidence[]
}

/** Pieces of evidence that are kept for one suggestion. */
const MOST_EVIDENCE = 3
/** Fewer files than this with the same ending are named one by one. */
const FEWEST_FOR_GLOB = 3

/**
 * What could be left out, so that as little as possible has to be written down and nothing else goes with it: whole folders
 * where all code in them bears a sign, globs where all files with an ending do, else single files. Sorted by path; no
 * file is in two of them.
 */
export function suggest(files: readonly Looked[], folders: readonly ForeignFolder[]): Suggestion[] {
  const taken: Suggestion[] = []
  let left = files
  for (const { path, evidence } of folders) {
    const own = left.filter(file => file.path.startsWith(`${path}/`))
    if (own.length === 0) continue
    taken.push({ path: entry(path), kind: 'vendored', ...sum(own), evidence: [evidence] })
    left = left.filter(file => !file.path.startsWith(`${path}/`))
  }
  for (const { path, kind } of wholeFolders(left)) {
    const own = left.filter(file => file.path.startsWith(`${path}/`))
    taken.push({ path: entry(path), kind, ...sum(own), evidence: evidenceOf(own) })
    left = left.filter(file => !file.path.startsWith(`${path}/`))
  }
  for (const { glob, kind, ending } of wholeEndings(left)) {
    const own = left.filter(file => file.path.endsWith(ending))
    taken.push({ path: glob, kind, ...sum(own), evidence: evidenceOf(own) })
    left = left.filter(file => !file.path.endsWith(ending))
  }
  for (const file of left)
    if (file.sign)
      taken.push({ path: entry(file.path), kind: file.sign.kind, ...sum([file]), evidence: evidenceOf([file]) })
  return taken.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** The outermost folders, two files or more, in which every file of code bears the same kind of sign. */
function wholeFolders(files: readonly Looked[]): { path: string; kind: ForeignKind }[] {
  const folders = new Map<string, { signs: number; kinds: Set<ForeignKind>; code: number }>()
  for (const { path, sign, code } of files) {
    for (let at = posix.dirname(path); at !== '.'; at = posix.dirname(at)) {
      const folder = folders.get(at) ?? { signs: 0, kinds: new Set(), code: 0 }
      folders.set(at, folder)
      if (sign) {
        folder.signs++
        folder.kinds.add(sign.kind)
      } else if (code) folder.code++
    }
  }
  const whole = [...folders].filter(([, { signs, kinds, code }]) => signs >= 2 && code === 0 && kinds.size === 1)
  const paths = new Set(whole.map(([path]) => path))
  return whole
    .filter(([path]) => !above(path).some(folder => paths.has(folder)))
    .map(([path, { kinds }]) => ({ path, kind: [...kinds][0]! }))
}

/** Words between the dots or underscores of an ending that programs give to what they write: people's files will not have them. */
const MADE = /[._](?:pb2?|grpc|gen|generated|autogen|g|freezed|designer|min|bundle|string|moc|tab|yy)(?=\.)/i

/** Endings of two parts (`.pb.go`, `_pb2.py`) as programs choose them, of which every file bears the same kind of sign, and enough of them. */
function wholeEndings(files: readonly Looked[]): { glob: string; ending: string; kind: ForeignKind }[] {
  const endings = new Map<string, { signs: number; kinds: Set<ForeignKind>; others: number }>()
  // A folder's name may end so too, and the glob would take all that is in it.
  const named = new Set(files.flatMap(({ path }) => above(path).flatMap(folder => endingOf(folder) ?? [])))
  for (const { path, sign } of files) {
    const ending = endingOf(path)
    if (ending === undefined) continue
    const group = endings.get(ending) ?? { signs: 0, kinds: new Set(), others: 0 }
    endings.set(ending, group)
    if (sign) {
      group.signs++
      group.kinds.add(sign.kind)
    } else group.others++
  }
  return [...endings]
    .filter(([, { signs, kinds, others }]) => signs >= FEWEST_FOR_GLOB && others === 0 && kinds.size === 1)
    .filter(([ending]) => !named.has(ending))
    .map(([ending, { kinds }]) => ({ glob: `**/*${ending}`, ending, kind: [...kinds][0]! }))
}

function endingOf(path: string): string | undefined {
  const ending = /[^/]((?:\.[a-z\d-]+|_[a-z\d]+)\.[a-z\d]+)$/i.exec(path)?.[1]
  return ending !== undefined && MADE.test(ending) ? ending : undefined
}

/** A path as an entry of scan_exclude: signs that globs use lose their meaning. */
function entry(path: string): string {
  return path.replace(/[\\*?[\]{}]/g, '\\$&')
}

function above(path: string): string[] {
  const folders: string[] = []
  for (let at = posix.dirname(path); at !== '.'; at = posix.dirname(at)) folders.push(at)
  return folders
}

function sum(files: readonly Looked[]): { files: number; bytes: number } {
  return { files: files.length, bytes: files.reduce((bytes, { size }) => bytes + size, 0) }
}

function evidenceOf(files: readonly Looked[]): ForeignEvidence[] {
  return files
    .flatMap(({ path, sign }) =>
      sign ? [{ file: path, ...(sign.line !== undefined && { line: sign.line }), what: sign.what }] : [],
    )
    .slice(0, MOST_EVIDENCE)
}
