import { lstatSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { isAllPlain, parsePathName } from '../../base/text/path-name.ts'
import { isAttributesFile } from '../repository/attributes.ts'
import { BlobReader } from '../repository/blobs.ts'
import type { Edit, EntryKind } from '../repository/changes.ts'
import { type GitOptions, runGit } from '../repository/git.ts'
import { readEntryKind } from '../repository/raw-diff.ts'
import { isSettingsPath } from './settings-paths.ts'

/** Links that are followed from one path; more are a circle, as they are to the operating system. */
const MOST_LINKS = 40
/** Settings that are reached through links of one tree. */
const MOST_REACHED = 20_000
/** The longest target of a link that is read. */
const MOST_TEXT = 4096

/** What must be a directory. */
const FOLDERS = /(?:^|\/)\.svc$|^\.svc\/(?:packs|rules|libraries)$/

/** What stands at a path of a tree: of a commit, of the index, or, where there is no object, on disk. */
export interface TreeEntry {
  oid?: string
  /** What it is, where that is no regular file. */
  kind?: EntryKind
}

/** A tree by its paths, directories left out. */
export type Tree = Map<string, TreeEntry>

/** A settings path at which no regular file of the same tree can be read. */
export interface Unresolved {
  path: string
  /** What it is, to follow its name: `is a submodule`. */
  what: string
}

/** Settings that a tree reaches through links. */
export interface Reached {
  /** By the path at which svc reads them: the path at which they stand, and what stands there. */
  files: Map<string, { path: string; oid?: string }>
  unresolved: Unresolved[]
}

/** Whether a link or submodule at this path decides which settings are read. git itself follows no link in the place of attributes. */
export function carriesSettings(path: string, named?: string): boolean {
  if (isAttributesFile(path)) return false
  return isSettingsPath(path) || (named !== undefined && (path === named || named.startsWith(`${path}/`)))
}

/** Every entry that git lists: `ls-tree -r` of a commit, `ls-files -s` of the index. */
export async function readTree(root: string, what: { commit: string } | 'index', options: GitOptions): Promise<Tree> {
  const asked = what === 'index' ? ['ls-files', '-s', '-z'] : ['ls-tree', '-r', '-z', '--full-tree', what.commit]
  return parseEntries(await runGit(root, asked, options))
}

/** Records of `ls-tree -z` and `ls-files -s -z`. Those of a conflict are left out: git commits none. */
export function parseEntries(output: Buffer): Tree {
  const tree: Tree = new Map()
  // Names that are texts, as nearly all are, need not be read one by one.
  const isPlain = isAllPlain(output)
  const text = output.toString(isPlain ? 'utf8' : 'latin1')
  for (let at = 0; at < text.length; ) {
    const tab = text.indexOf('\t', at)
    const end = text.indexOf('\0', tab)
    const [mode = '', second = '', third = ''] = text.slice(at, tab).split(' ')
    const name = text.slice(tab + 1, end)
    at = end + 1
    // The index has its stage last, a commit the type in the middle.
    const isCommitted = second === 'blob' || second === 'commit'
    if (!isCommitted && third !== '0') continue
    const entry: TreeEntry = { oid: isCommitted ? third : second }
    const kind = readEntryKind(mode)
    if (kind) entry.kind = kind
    tree.set(isPlain ? name : parsePathName(Buffer.from(name, 'latin1')).path, entry)
  }
  return tree
}

/** The tree before these edits, given one that may have them already. */
export function getTreeBefore(tree: Tree, edits: readonly Edit[]): Tree {
  if (edits.length === 0) return tree
  const before = new Map(tree)
  for (const edit of edits) {
    if (edit.before === undefined) before.delete(edit.path)
    else before.set(edit.path, { oid: edit.before, ...(edit.was && { kind: edit.was }) })
  }
  return before
}

/** The tree after these edits, of which those without an object stand on disk. */
export function getTreeAfter(root: string, before: Tree, edits: readonly Edit[]): Tree {
  const tree = new Map(before)
  for (const { path, after } of edits) {
    if (after === undefined) {
      tree.delete(path)
      continue
    }
    const kind = after.kind ?? (after.blob === undefined ? detectKindOnDisk(root, path) : undefined)
    tree.set(path, { ...(after.blob !== undefined && { oid: after.blob }), ...(kind && { kind }) })
  }
  return tree
}

/** git lists no kind of what it does not track. */
export function detectKindOnDisk(root: string, path: string): EntryKind | undefined {
  return lstatSync(join(root, path), { throwIfNoEntry: false })?.isSymbolicLink() ? 'link' : undefined
}

/**
 * The settings that a tree reaches through links, each link resolved inside the tree, whatever stands on disk. What no regular file can
 * be found for is told: a submodule, and a link that leads outside, nowhere, or in a circle.
 */
export async function followLinks(root: string, tree: Tree, named?: string): Promise<Reached> {
  const reached: Reached = { files: new Map(), unresolved: [] }
  const carriers = [...tree].filter(([path, { kind }]) => kind && carriesSettings(path, named)).map(([path]) => path)
  if (carriers.length === 0) return reached
  const reader = new BlobReader(root)
  try {
    const walk = new Walk(root, tree, reader)
    for (const path of carriers.sort()) await expand(walk, path, path, reached, named)
  } finally {
    reader.close()
  }
  return reached
}

/** Adds what is reached at `path` through what stands at `at`; `within` are the directories that were entered on the way. */
async function expand(
  walk: Walk,
  path: string,
  at: string,
  reached: Reached,
  named: string | undefined,
  within: readonly string[] = [],
): Promise<void> {
  const fail = (what: string) => {
    reached.unresolved.push({ path, what })
  }
  const found = await walk.resolve(at)
  if (typeof found === 'string') return fail(found)
  if (found.kind === 'file') {
    if (FOLDERS.test(path)) return fail('is a symbolic link to a file')
    if (isSettingsPath(path) || path === named) reached.files.set(path, found.file)
    return
  }
  if (within.includes(found.path)) return fail('is reached through symbolic links that form a loop')
  for (const below of walk.below(found.path)) {
    const place = `${path}/${below.slice(found.path === '' ? 0 : found.path.length + 1)}`
    if (!carriesSettings(place, named)) continue
    if (reached.files.size >= MOST_REACHED) return fail(`is a symbolic link to more than ${MOST_REACHED} files`)
    await expand(walk, place, below, reached, named, [...within, found.path])
  }
}

type Resolved = { kind: 'file'; file: { path: string; oid?: string } } | { kind: 'folder'; path: string }

/** Finds what paths lead to in a tree. */
class Walk {
  readonly #root: string
  readonly #tree: Tree
  readonly #reader: BlobReader
  readonly #sorted: string[]

  constructor(root: string, tree: Tree, reader: BlobReader) {
    this.#root = root
    this.#tree = tree
    this.#reader = reader
    this.#sorted = [...tree.keys()].sort()
  }

  /** Why there is neither a file nor a directory is a text that follows the path's name. */
  async resolve(path: string): Promise<Resolved | string> {
    const rest = path.split('/').reverse()
    const done: string[] = []
    let links = 0
    while (rest.length > 0) {
      const part = rest.pop()!
      if (part === '' || part === '.') continue
      if (part === '..') {
        if (done.pop() === undefined) return 'is a symbolic link to a target outside the repository'
        continue
      }
      done.push(part)
      const at = done.join('/')
      const entry = this.#tree.get(at)
      if (!entry) continue
      if (entry.kind === 'submodule') return links === 0 ? 'is a submodule' : 'is a symbolic link into a submodule'
      if (entry.kind === undefined) {
        if (rest.length > 0) return 'is a broken symbolic link'
        return { kind: 'file', file: { path: at, ...(entry.oid !== undefined && { oid: entry.oid }) } }
      }
      if (++links > MOST_LINKS) return 'is a symbolic link in a loop'
      const target = await this.#target(at, entry)
      if (target.startsWith('/')) return 'is a symbolic link to a target outside the repository'
      done.pop()
      rest.push(...target.split('/').reverse())
    }
    const folder = done.join('/')
    if (folder !== '' && this.below(folder).next().done) return 'is a broken symbolic link'
    return { kind: 'folder', path: folder }
  }

  /** The paths of a directory, at any depth. */
  *below(folder: string): Generator<string> {
    const prefix = folder === '' ? '' : `${folder}/`
    let [low, high] = [0, this.#sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#sorted[middle]! < prefix) low = middle + 1
      else high = middle
    }
    for (let at = low; this.#sorted[at]?.startsWith(prefix); at++) yield this.#sorted[at]!
  }

  async #target(path: string, { oid }: TreeEntry): Promise<string> {
    if (oid === undefined) return readlinkSync(join(this.#root, path))
    const [text] = await this.#reader.read([oid], MOST_TEXT)
    // A target that git does not have, or one that is no path of any system, leads out as far as anybody can tell.
    return text instanceof Uint8Array ? Buffer.from(text).toString('utf8') : '/'
  }
}
