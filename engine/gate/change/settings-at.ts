import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryFolder, removeTemporary } from '../../base/disk/temporary.ts'
import { EngineError } from '../../base/errors.ts'
import {
  carriesSettings,
  detectKindOnDisk,
  followLinks,
  getTreeAfter,
  getTreeBefore,
  parseEntries,
  type Reached,
  readTree,
  type Tree,
  type TreeEntry,
  type Unresolved,
} from '../../sources/config/linked-settings.ts'
import { CONFIG_PATH } from '../../sources/config/paths.ts'
import { isSettingsPath, RULE_FILES } from '../../sources/config/settings-paths.ts'
import { type IndexedSettings, listDirectoriesAbove } from '../../sources/config/staged-settings.ts'
import { isAttributesFile } from '../../sources/repository/attributes.ts'
import { BlobReader } from '../../sources/repository/blobs.ts'
import type { Change, Edit, EntryKind } from '../../sources/repository/changes.ts'
import { runGit, tryGit } from '../../sources/repository/git.ts'
import { type AgreementRules, compileOwners } from './agreement.ts'

/** Where CODEOWNERS may stand. */
export const OWNERS_PATHS = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS']
/** What a repository has that is judged by settings of svc's own: it is there, or something is below it. */
const ADOPTING: readonly string[] = ['.svc', '.guard.yaml', ...RULE_FILES]
/** Paths that one git process is asked for. */
const ASKED_AT_ONCE = 1000
/** No settings file that anybody reads is larger; baselines are the largest. */
const MOST_BYTES = 256 << 20

/** The settings of the commit that a change is compared with. */
export interface BaseSettings extends IndexedSettings {
  /** CODEOWNERS, the first that counts. */
  owners?: AgreementRules['owners']
  /** The commit has a configuration of svc's own, so that a change is no first adoption. */
  isAdopted: boolean
  /** Links and submodules among the settings. */
  linked: ReadonlyMap<string, TreeEntry>
  /** What the commit reaches through links, by the path at which svc reads it: where it stands. */
  reached: ReadonlyMap<string, string>
}

type Options = { signal?: AbortSignal }

/** What of a change matters to its settings. */
export type EditedSettings = Pick<Change, 'base' | 'edits'> & Partial<Pick<Change, 'files'>>

/** How the base is read. */
export interface BaseOptions extends Options {
  /** A configuration file that takes the place of the root's. */
  named?: string
  /** Further paths whose directories' settings count. */
  above?: readonly string[]
  /** Only the settings above the changed files matter: there are no links, which may make a setting of any file. */
  isPlain?: boolean
}

/** What the base of a change holds of settings that matter to the changed files, and to further ones `above`. Nothing before the first commit. */
export async function loadBaseSettings(
  root: string,
  change: EditedSettings,
  options: BaseOptions,
): Promise<BaseSettings> {
  const { named } = options
  const tree = await baseTree(root, change, options)
  const found: BaseSettings = {
    entries: [],
    isLinked: false,
    attributes: [],
    isAdopted: false,
    linked: new Map(),
    reached: new Map(),
  }
  const linked = new Map<string, TreeEntry>()
  for (const [path, entry] of tree) if (entry.kind && carriesSettings(path, named)) linked.set(path, entry)
  found.linked = linked
  found.isLinked = linked.size > 0
  for (const [path, { oid, kind }] of tree) {
    if (path.startsWith('.svc/') || ADOPTING.includes(path)) found.isAdopted = true
    if (kind) continue
    if (isAttributesFile(path)) found.attributes.push({ path, oid: oid! })
    else if (path === named || isSettingsPath(path)) found.entries.push({ path, oid: oid! })
  }
  if (found.isLinked) {
    const { files } = await followLinks(root, tree, named)
    for (const [path, { oid }] of files) found.entries.push({ path, oid: oid! })
    found.reached = new Map([...files].map(([path, { path: at }]) => [path, at]))
  }
  const owners = ownersIn(tree)
  if (owners !== undefined) found.owners = await readOwners(root, owners)
  return found
}

/** Whether it is certain that a commit has no configuration of svc's own, without a look at all of its files. */
export async function lacksSettings(root: string, base: string, { signal }: Options): Promise<boolean> {
  const { code, stdout } = await tryGit(root, ['ls-tree', '-r', '-z', '--full-tree', base, '--', ...ADOPTING], {
    signal,
  })
  return code === 0 && stdout.length === 0
}

/** What CODEOWNERS of a commit says; undefined where it has none, or where there is no commit yet. */
export async function readCommitOwners(
  root: string,
  base: string | undefined,
  { signal }: Options,
): Promise<AgreementRules['owners']> {
  if (!(await isCommit(root, base, signal))) return undefined
  const output = await runGit(root, ['ls-tree', '-z', '--full-tree', base!, '--', ...OWNERS_PATHS], { signal })
  const owners = ownersIn(parseEntries(output))
  return owners === undefined ? undefined : readOwners(root, owners)
}

/** The first CODEOWNERS that counts; a link in its place names nobody. */
function ownersIn(tree: Tree): string | undefined {
  const entry = OWNERS_PATHS.map(path => tree.get(path)).find(entry => entry !== undefined)
  return entry?.kind ? undefined : entry?.oid
}

async function readOwners(root: string, oid: string): Promise<AgreementRules['owners']> {
  return compileOwners(Buffer.from((await readBlobs(root, [oid]))[0]!).toString('utf8'))
}

/** The tree of the base: all of it, or, where no link is about, what decides on the changed files. */
async function baseTree(
  root: string,
  { base, edits }: EditedSettings,
  { signal, named, above = [], isPlain }: BaseOptions,
): Promise<Tree> {
  const tree: Tree = new Map()
  if (!(await isCommit(root, base, signal))) return tree
  if (!isPlain) return getTreeBefore(await readTree(root, { commit: base! }, { signal }), edits)
  const paths = [...edits.map(({ path }) => path), ...above]
  const folders = ['', ...[...listDirectoriesAbove(paths)].map(folder => `${folder}/`)]
  const nested = folders.flatMap(folder => [`${folder}.gitattributes`, ...(folder ? [`${folder}${CONFIG_PATH}`] : [])])
  const wanted = [...ADOPTING, ...(named === undefined ? [] : [named]), ...OWNERS_PATHS, ...nested]
  for (let at = 0; at < wanted.length; at += ASKED_AT_ONCE) {
    const asked = ['ls-tree', '-r', '-z', '--full-tree', base!, '--', ...wanted.slice(at, at + ASKED_AT_ONCE)]
    for (const [path, entry] of parseEntries(await runGit(root, asked, { signal }))) tree.set(path, entry)
  }
  const isWanted = ({ path }: Edit) => tree.has(path) || path === named || isSettingsPath(path)
  return getTreeBefore(tree, edits.filter(isWanted))
}

/** One setting on both sides of a change, at the path at which svc reads it. */
export interface SettingsEdit extends Edit {
  /** Where its content stands on disk after the change, if elsewhere. */
  at?: string
}

/** What a change does to settings. */
export interface SettingsChange {
  /** Those that are regular files on both sides, and those behind links. */
  edits: SettingsEdit[]
  /** Settings that become a link or a submodule. */
  became: { path: string; kind: EntryKind }[]
  /** Settings that cannot be read after the change. */
  unresolved: readonly Unresolved[]
}

/** The edits of settings, those of files included that links make settings of, before or after the change. */
export async function readSettingsEdits(
  root: string,
  change: EditedSettings,
  base: BaseSettings,
  options: BaseOptions,
): Promise<SettingsChange> {
  const { named } = options
  const edits = change.edits.filter(({ path }) => path === named || isSettingsPath(path))
  const kindAfter = ({ path, after }: Edit) =>
    after && (after.kind ?? (after.blob === undefined ? detectKindOnDisk(root, path) : undefined))
  // A link is no content of its own: what was a file before it is no longer there.
  const withoutLinks = (edit: Edit): Edit => {
    const { path, before, was, after } = edit
    return { path, ...(before && !was && { before }), ...(after && !kindAfter(edit) && { after }) }
  }
  const became = edits.flatMap(edit => {
    const kind = kindAfter(edit)
    return kind && kind !== edit.was ? [{ path: edit.path, kind }] : []
  })
  const isLinked = change.edits.some(edit => carriesSettings(edit.path, named) && (edit.was || kindAfter(edit)))
  if (!base.isLinked && !isLinked) return { edits: edits.map(withoutLinks), became, unresolved: [] }

  const before = await baseTree(root, change, options)
  const after = getTreeAfter(root, before, change.edits)
  const [old, now] = [await followLinks(root, before, named), await followLinks(root, after, named)]
  const reached = new Set([...old.files.keys(), ...now.files.keys()])
  const found: SettingsEdit[] = edits.filter(({ path }) => !reached.has(path)).map(withoutLinks)
  for (const path of reached) {
    const [was, is] = [fileAt(path, old, before), fileAt(path, now, after)]
    if (was && is && was.oid !== undefined && was.oid === is.oid) continue
    found.push({
      path,
      ...(was?.oid !== undefined && { before: was.oid }),
      ...(is && { after: is.oid === undefined ? {} : { blob: is.oid } }),
      ...(is && is.oid === undefined && is.path !== path && { at: is.path }),
    })
  }
  return { edits: found, became, unresolved: now.unresolved }
}

/** What one side of a change has for a settings path: a file of its own, or one behind links. */
function fileAt(path: string, { files }: Reached, tree: Tree): { path: string; oid?: string } | undefined {
  const own = tree.get(path)
  return files.get(path) ?? (own && !own.kind ? { path, ...own } : undefined)
}

/** The settings after a change whose contents are objects; `base` are those before it. */
export function applySettingsEdits(
  base: BaseSettings,
  edits: readonly Edit[],
): Pick<IndexedSettings, 'entries' | 'attributes'> {
  const edited = new Set(edits.map(({ path }) => path))
  const isKept = ({ path }: { path: string }) => !edited.has(path)
  const found = { entries: base.entries.filter(isKept), attributes: base.attributes.filter(isKept) }
  for (const { path, after } of edits)
    if (after?.blob !== undefined)
      found[isAttributesFile(path) ? 'attributes' : 'entries'].push({ path, oid: after.blob })
  return found
}

async function isCommit(root: string, base: string | undefined, signal: AbortSignal | undefined): Promise<boolean> {
  if (base === undefined) return false
  if (base !== 'HEAD') return true
  return (await tryGit(root, ['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], { signal })).code === 0
}

/** The contents of objects. REPO_UNREADABLE where the repository lacks one. */
export async function readBlobs(root: string, oids: readonly string[]): Promise<Uint8Array[]> {
  const reader = new BlobReader(root)
  try {
    return (await reader.read(oids, MOST_BYTES)).map(content => {
      if (content instanceof Uint8Array) return content
      throw new EngineError('REPO_UNREADABLE', 'git has no content for a settings file of the base commit.')
    })
  } finally {
    reader.close()
  }
}

/** An index that holds nothing but these files, for git to read attributes from. */
export async function makeIndexOf(
  root: string,
  files: readonly { path: string; oid: string }[],
  { signal }: Options,
): Promise<{ file: string; close: () => void }> {
  const folder = makeTemporaryFolder('svc-base-')
  const file = join(realpathSync(folder), 'index')
  const close = () => removeTemporary(folder)
  try {
    const input = Buffer.from(files.map(({ path, oid }) => `100644 ${oid}\t${path}\0`).join(''))
    await runGit(root, ['update-index', '-z', '--index-info'], { env: { GIT_INDEX_FILE: file }, input, signal })
    return { file, close }
  } catch (error) {
    close()
    throw error
  }
}
