import { lstatSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { isInside } from '../../base/disk/project-write.ts'
import { readRegular } from '../../base/disk/read.ts'
import { makeTemporaryFolder, removeTemporary } from '../../base/disk/temporary.ts'
import { EngineError } from '../../base/errors.ts'
import { parsePathName } from '../../base/text/path-name.ts'
import { isAttributesFile } from '../repository/attributes.ts'
import { BlobReader } from '../repository/blobs.ts'
import { readIndexEnvironment } from '../repository/changes.ts'
import { computeGitName, runGit, tryGit } from '../repository/git.ts'
import { isMissingFromIndex } from '../repository/index-bytes.ts'
import { readEntryKind } from '../repository/raw-diff.ts'
import { CONFIG_PATH, LEGACY_PATH } from './paths.ts'
import { SETTINGS_FILES as FILES, SETTINGS_FOLDERS as FOLDERS, RULE_FILES } from './settings-paths.ts'

/** No settings file that is read by anybody is larger; baselines are the largest. */
const MOST_BYTES = 256 << 20

/** A file in the index, or in a commit. */
export interface Entry {
  path: string
  oid: string
}

/** What an index or a commit holds of settings, before it is known which of them matter. */
export interface IndexedSettings {
  /** Settings at the paths at which svc reads them: those behind links of the same tree too. */
  entries: Entry[]
  /** Whether there are links or submodules among them. One at which no file of the same tree can be read holds no settings. */
  isLinked: boolean
  /** Attributes files, anywhere. */
  attributes: Entry[]
}

/** The settings by which a commit in the making is judged. */
export interface StagedSettings {
  /** Folder that holds them at the paths that they have below a root: the work tree's where nothing differs, else one made for this. */
  folder: string
  /** Settings whose version on disk is another than what is staged, or that are not staged. */
  differing: string[]
  /** Removes what was made. */
  close: () => void
}

/** `named` is a configuration file of the repository that takes the place of the root's. */
type Options = { env: Readonly<Record<string, string | undefined>>; signal?: AbortSignal; named?: string }

/** One of these is in each path of settings or attributes. */
const NAMES = ['.svc', LEGACY_PATH, ...RULE_FILES, '.gitattributes']

/** What the index holds of settings and attributes: git is asked, in a process that can run beside others, unless none of their names is in the index. */
export async function readIndexedSettings(root: string, { env, signal, named }: Options): Promise<IndexedSettings> {
  const wanted = [
    '.svc',
    LEGACY_PATH,
    ...RULE_FILES,
    // Its directory may be a link.
    ...(named === undefined ? [] : [`:(literal)${named.split('/')[0]}`]),
    '*/.svc',
    `*/${CONFIG_PATH}`,
    '*.gitattributes',
  ]
  const asked = { env: readIndexEnvironment(root, env), signal }
  const found: IndexedSettings = { entries: [], isLinked: false, attributes: [] }
  if (named === undefined && isMissingFromIndex(root, asked.env.GIT_INDEX_FILE, NAMES)) return found
  const output = await runGit(root, ['ls-files', '-s', '-z', '--', ...wanted], asked)
  const links: string[] = []
  for (let at = 0; at < output.length; ) {
    const tab = output.indexOf(0x09, at)
    const end = output.indexOf(0, tab)
    const [mode = '', oid = '', stage] = output.toString('latin1', at, tab).split(' ')
    const { path } = parsePathName(output.subarray(tab + 1, end))
    at = end + 1
    // git commits nothing while a conflict is open.
    if (stage !== '0') continue
    if (readEntryKind(mode)) links.push(path)
    else if (isAttributesFile(path)) found.attributes.push({ path, oid })
    else found.entries.push({ path, oid })
  }
  if (links.length === 0) return found
  const { carriesSettings, followLinks, readTree } = await import('./linked-settings.ts')
  found.isLinked = links.some(path => carriesSettings(path, named))
  if (!found.isLinked) return found
  const { files } = await followLinks(root, await readTree(root, 'index', asked), named)
  for (const [path, { oid }] of files) found.entries.push({ path, oid: oid! })
  return found
}

/**
 * The settings as the commit will have them, of those that matter to these changed paths: the index decides, whatever stands on
 * disk. A file that is not in the index is as good as none, except where git ignores it: then it was never meant to be
 * committed, and holds as it stands on disk. One of which git was only told that it will be added (`add -N`) is not in it yet.
 */
export async function readStagedSettings(
  root: string,
  { entries }: Pick<IndexedSettings, 'entries'>,
  changed: readonly string[],
  { env, signal, named }: Options,
): Promise<StagedSettings> {
  const above = listDirectoriesAbove(changed)
  const indexed = new Map(
    entries.flatMap(({ path, oid }) => (path === named || matters(path, above) ? [[path, oid] as const] : [])),
  )
  const present = new Map<string, Uint8Array | undefined>()
  const files = named === undefined ? FILES : [...FILES, named]
  const isWithin = standsInside(root)
  for (const path of [...files, ...FOLDERS.flatMap(folder => below(root, folder)), ...[...above].map(configIn)]) {
    const bytes = readRegular(join(root, path), MOST_BYTES)
    if (bytes instanceof Uint8Array) present.set(path, isWithin(path) ? bytes : undefined)
    else if (bytes.reason === 'symlink') present.set(path, readBehindLink(root, path))
  }
  // A filter between disk and index makes them different contents, of which the index's is then read.
  const other = [...indexed].flatMap(([path, oid]) => {
    const bytes = present.get(path)
    return bytes && computeGitName(bytes, oid) === oid ? [] : [path]
  })
  const extra = await notIgnored(
    root,
    [...present.keys()].filter(path => !indexed.has(path)),
    { env, signal },
  )
  const differing = [...other, ...extra].sort()
  if (differing.length === 0) return { folder: root, differing, close: () => {} }

  const contents = new Map(present)
  for (const path of differing) contents.delete(path)
  const blobs = await blobsOf(
    root,
    other.map(path => indexed.get(path)!),
  )
  other.forEach((path, index) => {
    if (blobs[index]!.length > 0) contents.set(path, blobs[index]!)
  })
  const made = makeTemporaryFolder('svc-staged-')
  const folder = realpathSync(made)
  const place = (path: string) => {
    makeFolders(dirname(join(folder, path)))
    return join(folder, path)
  }
  for (const [path, bytes] of contents) if (bytes) writeFileSync(place(path), bytes)
  return { folder, differing, close: () => removeTemporary(made) }
}

/** Whether a path's directory is in the repository, whatever links lead to it. */
function standsInside(root: string): (path: string) => boolean {
  const known = new Map<string, boolean>()
  return path => {
    const folder = dirname(join(root, path))
    const found = known.get(folder) ?? isInside(root, realpathSync.native(folder))
    known.set(folder, found)
    return found
  }
}

/** The file that a link on disk leads to, inside the repository; undefined where there is none that is read. */
function readBehindLink(root: string, path: string): Uint8Array | undefined {
  try {
    const target = realpathSync.native(join(root, path))
    const bytes = isInside(root, target) && readRegular(target, MOST_BYTES)
    return bytes instanceof Uint8Array ? bytes : undefined
  } catch {
    return undefined
  }
}

/** As `describeDifference`, where the change is one of commits or a patch. */
export function describeIgnoredOnDisk(differing: readonly string[]): string {
  const shown = differing.slice(0, 3).join(', ')
  const more = differing.length > 3 ? ` and ${differing.length - 3} more` : ''
  return `The change is evaluated with its own settings: ${shown}${more} on disk ${differing.length === 1 ? 'differs and is' : 'differ and are'} ignored.`
}

/** A sentence for the person whose settings on disk are not those that count. */
export function describeDifference(differing: readonly string[]): string {
  const shown = differing.slice(0, 3).join(', ')
  const more = differing.length > 3 ? ` and ${differing.length - 3} more` : ''
  return `The staged settings apply, and ${shown}${more} ${differing.length === 1 ? 'differs' : 'differ'} on disk: \`git add\` what belongs to this commit.`
}

/** The folders that hold these files, at any distance, the root left out. */
export function listDirectoriesAbove(paths: readonly string[]): Set<string> {
  const folders = new Set<string>()
  for (const path of paths)
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end)
      if (folders.has(folder)) break
      folders.add(folder)
    }
  return folders
}

const configIn = (folder: string) => `${folder}/${CONFIG_PATH}`

function matters(path: string, above: ReadonlySet<string>): boolean {
  if (FILES.includes(path) || FOLDERS.some(folder => path.startsWith(`${folder}/`))) return true
  return path.endsWith(`/${CONFIG_PATH}`) && above.has(path.slice(0, -CONFIG_PATH.length - 1))
}

/** Directories that are entered through links of the work tree, one in the other: as deep as anybody keeps rules. */
const MOST_ENTERED = 4

/** Files below a folder of the work tree, those behind links too; none where there is no such folder. */
function below(root: string, folder: string, entered = 0): string[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true, recursive: true }).flatMap(entry => {
      const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')
      if (entry.isSymbolicLink() && entered < MOST_ENTERED && isFolderBehind(join(root, path)))
        return below(root, path, entered + 1)
      return entry.isFile() || entry.isSymbolicLink() ? [path] : []
    })
  } catch {
    return []
  }
}

function isFolderBehind(link: string): boolean {
  return statSync(link, { throwIfNoEntry: false })?.isDirectory() ?? false
}

async function notIgnored(root: string, paths: readonly string[], options: Options): Promise<string[]> {
  if (paths.length === 0) return []
  const ignored = await ignoredOf(root, paths, options)
  if (ignored) return paths.filter(path => !ignored.has(path))
  // git cannot tell of a path behind a link or in a submodule: then the link is asked about. What git cannot tell at all is not ignored.
  const kept: string[] = []
  for (const path of paths) {
    const [one] = [...((await ignoredOf(root, [linkOnTheWay(root, path)], options)) ?? [])]
    if (one === undefined) kept.push(path)
  }
  return kept
}

/** Those that git ignores; undefined where it cannot tell. */
async function ignoredOf(
  root: string,
  paths: readonly string[],
  { env, signal }: Options,
): Promise<Set<string> | undefined> {
  const input = Buffer.from(`${paths.join('\0')}\0`)
  const asked = { env: readIndexEnvironment(root, env), input, signal }
  const { code, stdout } = await tryGit(root, ['check-ignore', '-z', '--stdin'], asked)
  if (code > 1) return undefined
  return new Set(stdout.toString('utf8').split('\0').filter(Boolean))
}

/** The first part of a path that is a link on disk; the path itself where none is. */
function linkOnTheWay(root: string, path: string): string {
  for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
    const part = path.slice(0, end)
    if (lstatSync(join(root, part), { throwIfNoEntry: false })?.isSymbolicLink()) return part
  }
  return path
}

async function blobsOf(root: string, oids: readonly string[]): Promise<Uint8Array[]> {
  const reader = new BlobReader(root)
  try {
    return (await reader.read(oids, MOST_BYTES)).map(content => {
      if (content instanceof Uint8Array) return content
      throw new EngineError('REPO_UNREADABLE', 'git has no content for a settings file that is staged.')
    })
  } finally {
    reader.close()
  }
}
