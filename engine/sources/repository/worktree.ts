import { lstatSync } from 'node:fs'
import { resolve } from 'node:path'
import { EngineError } from '../../base/errors.ts'
import { type PathName, parsePathName, toSystemPath } from '../../base/text/path-name.ts'
import { type Asking, isAttributesFile, listAsking, type Marks, readMarks } from './attributes.ts'
import type { Gathering } from './gather.ts'
import { readGitLink } from './git-link.ts'
import { DEFAULT_OUTPUT, isOwnOutput } from './own-output.ts'
import { type LooseEntry, type Remembered, type Remembrance, readIndexState } from './remembered.ts'
import {
  convertsLineEnds,
  type Entry,
  type Head,
  listIndexEntries,
  listTouchedFiles,
  listUnreadable,
  listUntracked,
  readStatus,
  type Status,
} from './worktree-git.ts'

/** Repositories listed at the same time: each runs several processes. */
const AT_ONCE = 4

/** What svc itself writes, below the top folder: not part of the project unless git tracks it. */
const OWN_FOLDERS = ['.svc/local/', `${DEFAULT_OUTPUT}/`] as const

/** What is said of them where git does not ignore them. */
export const OWN_DETAIL = 'a directory that svc writes'

/** Whether svc itself wrote what is below a folder of the root, given with a slash at its end. A project's own `out/` is none. */
export function isOwnFolder(root: string, path: string): boolean {
  return path === OWN_FOLDERS[0] || (path === OWN_FOLDERS[1] && isOwnOutput(`${root}/${DEFAULT_OUTPUT}`))
}

/** A git work tree to list. */
export interface WorkTree {
  /** Absolute. */
  folder: string
  /** Absolute: the repository's own folder, shared by its linked work trees. */
  commonFolder: string
  /** Where it lies below the root, with a slash at the end; '' for the root itself. */
  at: string
  /** Only files below this folder, repository-relative without a slash at the end; '' for all. */
  scope: string
}

export interface GatherOptions {
  /** Called while git is at work. */
  meanwhile?: () => void
  /** What is remembered of the work tree where its index is in this state; asked after `meanwhile`. */
  remembered?: (index: string) => Remembered | undefined
  /** Files that a sparse checkout leaves out are listed, and their content is git's object; their size is not known. */
  absentAsObjects?: boolean
}

/** What gathering a work tree came to, besides what was gathered. */
export interface Gathered {
  head?: Head
  /** The remembered files that are not among the gathered ones, where what was remembered held. */
  kept?: Remembered['kept']
  /** What the next listing may rely on; left out where it may not. */
  toRemember?: Remembrance
}

/** Gathers the files of a work tree, tracked and untracked but not ignored, and of the repositories nested in it. */
export async function gatherWorkTree(
  into: Gathering,
  tree: WorkTree,
  { meanwhile = () => {}, remembered, absentAsObjects = false }: GatherOptions = {},
): Promise<Gathered> {
  const scope = tree.scope === '' ? [] : ['--', tree.scope]
  const options = { signal: into.signal, env: ceiling(tree) }
  const isWhole = tree.at === '' && tree.scope === ''
  const gitFolder = isWhole && remembered ? readGitLink(tree.folder) : undefined
  // Before git reads it, and again when git is done: what git says is of this index, or is not relied on.
  const state = gitFolder === undefined ? undefined : readIndexState(gitFolder)
  const comparing = new AbortController()
  let onStart = () => {}
  const started = new Promise<void>(resolve => {
    onStart = resolve
  })
  const signal = either(into.signal, comparing.signal)
  const asked = readStatus(tree.folder, scope, { ...options, signal, onStart })
  asked.catch(onStart)
  const listing = state === undefined ? listIndexEntries(tree.folder, scope, options) : undefined
  listing?.catch(() => {})
  await started
  meanwhile()
  const isSame = () => state !== undefined && readIndexState(gitFolder!) === state
  const before = state === undefined ? undefined : remembered?.(state)
  const since = before && (await entriesSince(into, before, tree, asked, isSame))
  if (since) {
    into.kept = before.kept
    await gatherEntries(into, tree, since, new Map(), { looks: true, absentAsObjects })
    return { head: since.status.head, kept: before.kept }
  }

  const bySettings = convertsLineEnds(tree.folder, options)
  bySettings.catch(() => {})
  const tracked = await (listing ?? listIndexEntries(tree.folder, scope, options))
  const attributes = attributesIn(tree, tracked)
  // Where git would wait for the writer of a pipe, it compares nothing, and every file counts as changed.
  if (asking(tree, attributes).blocked.length > 0) comparing.abort()
  const status = await asked.catch(error => {
    if (comparing.signal.aborted && !into.signal?.aborted) return listUntracked(tree.folder, scope, options)
    throw error
  })
  const untracked = withoutOwn(into, tree, status.untracked)
  const marking = asking(tree, [...attributes, ...untracked.filter(({ path }) => isAttributesFile(path))])
  const converts = marking.converts || (await bySettings)
  const [marks, touched] = await Promise.all([
    marksOf(into, tree, tracked, untracked, marking),
    converts && status.changed ? listTouchedFiles(tree.folder, scope, options) : [],
  ])
  const { loose, isPlain } = await gatherEntries(into, tree, { tracked, untracked, status }, marks, {
    ...{ looks: converts, absentAsObjects },
  })
  const isSettled = status.changed && touched.every(path => status.changed!.has(path))
  const holds = isPlain && marking.marked.length === 0 && marking.blocked.length === 0 && isSettled && isSame()
  return {
    head: status.head,
    ...(holds && { toRemember: { index: state!, loose, attributes: attributes.map(({ path }) => path), converts } }),
  }
}

/** What git says of a work tree. */
interface Entries {
  tracked: readonly Entry[]
  untracked: readonly PathName[]
  status: Status
}

/** What is to be gathered beside the remembered files, which are told of changes; undefined where what is remembered may not hold. */
async function entriesSince(
  into: Gathering,
  { kept, loose, attributes, converts }: Remembered,
  tree: WorkTree,
  asked: Promise<Status>,
  isSame: () => boolean,
): Promise<Entries | undefined> {
  const now = asking(
    tree,
    attributes.map(path => ({ path })),
  )
  if (now.marked.length > 0 || now.blocked.length > 0 || (now.converts && !converts)) return undefined
  const status = await asked
  const untracked = withoutOwn(into, tree, status.untracked)
  const changed = [...(status.changed ?? [])]
  const known = new Set(loose.map(({ path }) => path))
  const holds =
    status.changed !== undefined &&
    isSame() &&
    changed.every(path => !isAttributesFile(path) && (kept.has(path) || known.has(path))) &&
    untracked.every(({ path }) => !isAttributesFile(path))
  if (!holds) return undefined
  const again = changed.filter(path => kept.has(path))
  for (const path of again) kept.drop(path)
  const tracked = [
    ...loose.map(entry => ({ ...entry, oid: entry.oid })),
    ...again.map(path => ({ path, kind: 'file' as const, sparse: false, oid: undefined })),
  ]
  return { tracked, untracked, status }
}

/**
 * Gathers what git names, and what is nested in it; with `looks`, the disk is asked for the size of what git calls unchanged. Answers
 * which entries of the index were not listed as unchanged, and whether nothing is nested and every name is a text.
 */
async function gatherEntries(
  into: Gathering,
  tree: WorkTree,
  { tracked, untracked, status: { changed, warnings } }: Entries,
  marks: ReadonlyMap<string, Marks>,
  { looks, absentAsObjects }: { looks: boolean; absentAsObjects: boolean },
): Promise<{ loose: LooseEntry[]; isPlain: boolean }> {
  const nested: { name: PathName; submodule: boolean }[] = []
  const loose: LooseEntry[] = []
  let isPlain = true
  for (const entry of tracked) {
    const name = below(tree.at, entry)
    if (name.raw !== undefined) isPlain = false
    if (entry.kind === 'submodule') nested.push({ name, submodule: true })
    else if (absentAsObjects && entry.absent) {
      into.addFromObject(name, entry.absent, marks.get(entry.path))
      loose.push(looseEntry(entry))
    } else {
      const mark = marks.get(entry.path)
      const absent = entry.sparse ? 'sparse' : 'vanished'
      const known = entry.sparse || mark?.filtered || !changed || changed.has(entry.path) ? undefined : entry.oid
      const listed = into.files.length
      into.addFromDisk(name, mark, { absent, looks, ...(known === undefined ? {} : { oid: known }) })
      if (known === undefined || into.files.length === listed) loose.push(looseEntry(entry))
    }
    const pause = into.turn()
    if (pause) await pause
  }
  for (const other of untracked) {
    const name = below(tree.at, other)
    if (name.path.endsWith('/')) nested.push({ name: withoutSlash(name), submodule: false })
    else into.addFromDisk(name, marks.get(other.path))
    const pause = into.turn()
    if (pause) await pause
  }
  for (const folder of listUnreadable(warnings)) into.skip(tree.at + folder, 'unreadable', 'EACCES')
  for (let at = 0; at < nested.length; at += AT_ONCE) {
    const some = nested.slice(at, at + AT_ONCE)
    await Promise.all(some.map(({ name, submodule }) => gatherNested(into, tree.commonFolder, name, submodule)))
  }
  return { loose, isPlain: isPlain && nested.length === 0 }
}

function looseEntry({ path, kind, sparse, oid }: Entry): LooseEntry {
  return { path, kind, sparse, ...(oid !== undefined && { oid }) }
}

function withoutOwn(into: Gathering, tree: WorkTree, untracked: readonly PathName[]): PathName[] {
  if (tree.at !== '') return [...untracked]
  const own = OWN_FOLDERS.filter(each => untracked.some(({ path }) => path.startsWith(each)))
  const ours = own.filter(each => isOwnFolder(tree.folder, each))
  // Asked again where what was remembered did not hold.
  for (const path of ours) if (!into.skipped.some(skip => skip.path === path)) into.skip(path, 'own_file', OWN_DETAIL)
  return untracked.filter(({ path }) => !ours.some(each => path.startsWith(each)))
}

/** Gathers a repository that lies in a folder of another one. What git cannot read there is listed; the rest goes on. */
export async function gatherNested(
  into: Gathering,
  commonFolder: string | undefined,
  name: PathName,
  submodule: boolean,
): Promise<void> {
  const path = `${name.path}/`
  if (into.excluded(path)) return into.skip(path, 'excluded')
  const absent = submodule ? 'submodule_absent' : 'unreadable'
  if (name.raw !== undefined) return into.skip(path, absent, 'git cannot be started in a directory of this name')
  const folder = `${into.root}/${name.path}`
  const link = readGitLink(folder)
  if (link === undefined) return into.skip(path, absent, submodule ? 'not checked out' : 'it has no .git')
  if (commonFolder !== undefined && link.startsWith(`${commonFolder}/worktrees/`)) {
    return into.skip(path, 'excluded', 'another work tree of the same repository')
  }
  try {
    await gatherWorkTree(into, { folder, commonFolder: link, at: path, scope: '' })
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'REPO_UNREADABLE') throw error
    into.skip(path, absent, error.message)
  }
}

/** git must not go up from a nested folder and list the repository around it. */
function ceiling(tree: WorkTree): Record<string, string> {
  return tree.at === '' ? {} : { GIT_CEILING_DIRECTORIES: resolve(tree.folder, '..') }
}

/** The attributes files of the index, and those above the scope, which hold within it and are not among its entries. */
function attributesIn(tree: WorkTree, tracked: readonly Entry[]): PathName[] {
  const files: PathName[] = tracked.filter(({ path }) => isAttributesFile(path))
  for (let end = tree.scope.length; end > 0; end = tree.scope.lastIndexOf('/', end - 1)) {
    const slash = tree.scope.lastIndexOf('/', end - 1)
    const name = { path: `${tree.scope.slice(0, slash + 1)}.gitattributes` }
    if (lstatSync(toSystemPath(tree.folder, name), { throwIfNoEntry: false }) !== undefined) files.push(name)
  }
  return files
}

/** What these attributes files have to say, and the repository's own. */
function asking(tree: WorkTree, files: readonly PathName[]): Asking {
  return listAsking(tree.folder, files, `${tree.commonFolder}/info`)
}

/** The marks of the entries, by path; no process is started where no attributes file gives any. */
async function marksOf(
  into: Gathering,
  tree: WorkTree,
  tracked: readonly Entry[],
  untracked: readonly PathName[],
  asking: Asking,
): Promise<Map<string, Marks>> {
  if (asking.marked.length === 0) return new Map()
  const names = [
    ...tracked.filter(entry => entry.kind === 'file'),
    ...untracked.filter(name => !name.path.endsWith('/')),
  ]
  return readMarks(tree.folder, names, asking, { signal: into.signal })
}

function either(a: AbortSignal | undefined, b: AbortSignal): AbortSignal {
  return a ? AbortSignal.any([a, b]) : b
}

function below(at: string, name: PathName): PathName {
  if (at === '') return name
  return name.raw === undefined ? { path: at + name.path } : parsePathName(Buffer.concat([Buffer.from(at), name.raw]))
}

function withoutSlash(name: PathName): PathName {
  return name.raw === undefined
    ? { path: name.path.slice(0, -1) }
    : { path: name.path.slice(0, -1), raw: name.raw.subarray(0, -1) }
}
