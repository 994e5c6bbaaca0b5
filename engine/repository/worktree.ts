import { lstatSync, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { EngineError } from '../errors.ts'
import { type Asking, askingOf, isAttributesFile, type Marks, readMarks } from './attributes.ts'
import type { Gathering } from './gather.ts'
import { type GitOptions, git, gitFailure, tryGit } from './git.ts'
import { allPlain, type PathName, pathName, systemPath } from './path-name.ts'
import { readRegular } from './read.ts'

/** Repositories listed at the same time: each runs several processes. */
const AT_ONCE = 4

/** What svc itself writes, below the top folder: not part of the project unless git tracks it. */
export const OWN_FOLDERS = ['out/', '.svc/local/'] as const

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

interface Entry extends PathName {
  kind: 'file' | 'submodule'
  sparse: boolean
  /** git's name of the content that was added; undefined where git was told not to look whether the file is still that. */
  oid: string | undefined
}

/**
 * Gathers the files of a work tree, tracked and untracked but not ignored, and of the repositories nested in it.
 * `meanwhile` is called while git is at work.
 */
export async function gatherWorkTree(into: Gathering, tree: WorkTree, meanwhile: () => void = () => {}): Promise<void> {
  const scope = tree.scope === '' ? [] : ['--', tree.scope]
  const options = { signal: into.signal, env: ceiling(tree) }
  const comparing = new AbortController()
  const status = statusOf(tree, scope, { ...options, signal: either(into.signal, comparing.signal) })
  status.catch(() => {})
  const index = git(tree.folder, ['--literal-pathspecs', 'ls-files', '-s', '-v', '-z', ...scope], options)
  index.catch(() => {})
  meanwhile()
  const tracked = parseIndex(await index)
  // Where git would wait for the writer of a pipe, it compares nothing, and every file counts as changed.
  if (attributesOf(tree, tracked, []).blocked.length > 0) comparing.abort()
  const {
    untracked: others,
    changed,
    warnings,
  } = await status.catch(error => {
    if (comparing.signal.aborted && !into.signal?.aborted) return untrackedOf(tree, scope, options)
    throw error
  })
  const untracked = others.filter(name => tree.at !== '' || !OWN_FOLDERS.some(own => name.path.startsWith(own)))
  const asking = attributesOf(tree, tracked, untracked)
  const marks = await marksOf(into, tree, tracked, untracked, asking)

  const nested: { name: PathName; submodule: boolean }[] = []
  for (const entry of tracked) {
    const name = below(tree.at, entry)
    if (entry.kind === 'submodule') nested.push({ name, submodule: true })
    else {
      const mark = marks.get(entry.path)
      const absent = entry.sparse ? 'sparse' : 'vanished'
      const known = entry.sparse || mark?.filtered || !changed || changed.has(entry.path) ? undefined : entry.oid
      into.addFromDisk(name, mark, { absent, ...(known === undefined ? {} : { oid: known }) })
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
  for (const folder of unreadableFolders(warnings)) into.skip(tree.at + folder, 'unreadable', 'EACCES')
  for (let at = 0; at < nested.length; at += AT_ONCE) {
    const some = nested.slice(at, at + AT_ONCE)
    await Promise.all(some.map(({ name, submodule }) => gatherNested(into, tree.commonFolder, name, submodule)))
  }
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
  if (name.raw !== undefined) return into.skip(path, absent, 'git cannot be started in a folder of this name')
  const folder = `${into.root}/${name.path}`
  const link = gitLink(folder)
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

/**
 * The folder that holds a work tree's repository: its `.git`, or where the file `.git` points to.
 * Undefined where neither stands there.
 */
function gitLink(folder: string): string | undefined {
  const place = `${folder}/.git`
  try {
    if (statSync(place).isDirectory()) return realpathSync(place)
    const content = readRegular(place, 65536)
    const target = content instanceof Uint8Array && /^gitdir: (.+)/.exec(Buffer.from(content).toString())?.[1]
    return target ? realpathSync(resolve(folder, target)) : undefined
  } catch {
    return undefined
  }
}

/** git must not go up from a nested folder and list the repository around it. */
function ceiling(tree: WorkTree): Record<string, string> {
  return tree.at === '' ? {} : { GIT_CEILING_DIRECTORIES: resolve(tree.folder, '..') }
}

/** `<tag> <mode> <object> <stage>`, a tab, the path, a NUL: `git ls-files -s -v -z`. A lower-case tag: git does not look (assume-unchanged). */
function parseIndex(output: Buffer): Entry[] {
  const entries: Entry[] = []
  let before: string | undefined
  // A record's fields are ASCII, and so have the same places in its bytes and in its text.
  for (const { path: record, raw } of nulSeparated(output)) {
    const tab = record.indexOf('\t')
    const name = raw === undefined ? { path: record.slice(tab + 1) } : pathName(raw.subarray(tab + 1))
    // A path with a conflict stands once for each stage.
    if (name.path === before) continue
    before = name.path
    const tag = record[0]
    entries.push({
      path: name.path,
      raw: name.raw,
      kind: record.startsWith('16', 2) ? 'submodule' : 'file',
      sparse: tag === 'S' || tag === 's',
      oid: tag === 'H' ? record.slice(9, record.indexOf(' ', 9)) : undefined,
    })
  }
  return entries
}

/** The parts of git's output between NULs; for hundreds of thousands of plain ones at the price of one text. */
function nulSeparated(output: Buffer): PathName[] {
  if (allPlain(output)) {
    const texts = output.toString('utf8').split('\0')
    texts.pop()
    return texts.map(path => ({ path }))
  }
  const found: PathName[] = []
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at)
    found.push(pathName(output.subarray(at, end)))
    at = end + 1
  }
  return found
}

/** Where the attributes files of a work tree have something to say. */
function attributesOf(tree: WorkTree, tracked: readonly Entry[], untracked: readonly PathName[]): Asking {
  const files: PathName[] = []
  for (const names of [tracked, untracked]) for (const name of names) if (isAttributesFile(name.path)) files.push(name)
  // Those above the scope hold within it, and are not among its entries.
  for (let end = tree.scope.length; end > 0; end = tree.scope.lastIndexOf('/', end - 1)) {
    const slash = tree.scope.lastIndexOf('/', end - 1)
    const name = { path: `${tree.scope.slice(0, slash + 1)}.gitattributes` }
    if (lstatSync(systemPath(tree.folder, name), { throwIfNoEntry: false }) !== undefined) files.push(name)
  }
  return askingOf(tree.folder, files, `${tree.commonFolder}/info`)
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

/** What stands in a work tree beside or in place of what was added. */
interface Status {
  untracked: PathName[]
  /** Paths of the index whose file is not what was added; left out where git could not be asked. */
  changed?: ReadonlySet<string>
  /** What git said on standard error. */
  warnings: string
}

/** The changes and the untracked files in one pass of git over the tree, which it makes on several threads. */
async function statusOf(tree: WorkTree, scope: string[], options: GitOptions): Promise<Status> {
  const args = ['status', '--porcelain=v2', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=all']
  const { code, stdout, stderr } = await tryGit(tree.folder, ['--literal-pathspecs', ...args, ...scope], options)
  if (code !== 0) throw gitFailure(['status'], stderr)
  const untracked: PathName[] = []
  const changed = new Set<string>()
  for (const { path: record, raw } of nulSeparated(stdout)) {
    const fields = FIELDS_BEFORE_PATH[record[0]!]
    if (fields === undefined) continue
    let start = 0
    for (let field = 0; field < fields; field++) start = record.indexOf(' ', start) + 1
    const name = raw === undefined ? { path: record.slice(start) } : pathName(raw.subarray(start))
    if (record.startsWith('?')) untracked.push(name)
    // The second letter is the working tree against the index; of a conflict, git cannot say what the file is.
    else if (record.startsWith('u') || record[3] !== '.') changed.add(name.path)
  }
  return { untracked, changed, warnings: stderr }
}

/** Fields of a record of git's status, by its kind: changed, in conflict, untracked. */
const FIELDS_BEFORE_PATH: Record<string, number | undefined> = { 1: 8, u: 10, '?': 1 }

/** Only what is untracked, for a tree in which git may not look into the tracked files. */
async function untrackedOf(tree: WorkTree, scope: string[], options: GitOptions): Promise<Status> {
  const args = ['--literal-pathspecs', 'ls-files', '-o', '--exclude-standard', '-z', ...scope]
  const { code, stdout, stderr } = await tryGit(tree.folder, args, options)
  if (code !== 0) throw gitFailure(['ls-files', '-o'], stderr)
  return { untracked: nulSeparated(stdout), warnings: stderr }
}

function either(a: AbortSignal | undefined, b: AbortSignal): AbortSignal {
  return a ? AbortSignal.any([a, b]) : b
}

/** git warns of folders that it may not open, and goes on. */
function unreadableFolders(stderr: string): string[] {
  return [...stderr.matchAll(/^warning: could not open directory '(.*)': /gm)].map(match => match[1]!)
}

function below(at: string, name: PathName): PathName {
  if (at === '') return name
  return name.raw === undefined ? { path: at + name.path } : pathName(Buffer.concat([Buffer.from(at), name.raw]))
}

function withoutSlash(name: PathName): PathName {
  return name.raw === undefined
    ? { path: name.path.slice(0, -1) }
    : { path: name.path.slice(0, -1), raw: name.raw.subarray(0, -1) }
}
