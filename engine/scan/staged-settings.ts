import { cpSync, lstatSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { CONFIG_PATH } from '../config/load.ts'
import { EngineError } from '../errors.ts'
import { isAttributesFile } from '../repository/attributes.ts'
import { BlobReader } from '../repository/blobs.ts'
import { indexOf } from '../repository/changes.ts'
import { git, gitName, tryGit } from '../repository/git.ts'
import { pathName } from '../repository/path-name.ts'
import { readRegular } from '../repository/read.ts'
import { locateSettings } from '../settings-file.ts'
import { makeTemporaryFolder, removeTemporary } from '../temporary.ts'
import { SETTINGS_FILES as FILES, SETTINGS_FOLDERS as FOLDERS } from './settings-paths.ts'

/** No settings file that is read by anybody is larger; baselines are the largest. */
const MOST_BYTES = 256 << 20

/** A file in the index, or in a commit. */
export interface Entry {
  path: string
  oid: string
}

/** What an index or a commit holds of settings, before it is known which of them matter. */
export interface IndexedSettings {
  entries: Entry[]
  /** Symbolic links among them, which are followed on disk. */
  links: string[]
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

/** Asks git what the index holds of settings and attributes; one process, which can run beside others. */
export async function indexedSettings(root: string, { env, signal, named }: Options): Promise<IndexedSettings> {
  const wanted = [
    ...FILES,
    ...(named === undefined ? [] : [`:(literal)${named}`]),
    ...FOLDERS,
    `*/${CONFIG_PATH}`,
    '*.gitattributes',
  ]
  const output = await git(root, ['ls-files', '-s', '-z', '--', ...wanted], { env: indexOf(root, env), signal })
  const found: IndexedSettings = { entries: [], links: [], attributes: [] }
  for (let at = 0; at < output.length; ) {
    const tab = output.indexOf(0x09, at)
    const end = output.indexOf(0, tab)
    const [mode = '', oid = '', stage] = output.toString('latin1', at, tab).split(' ')
    const { path } = pathName(output.subarray(tab + 1, end))
    at = end + 1
    // git commits nothing while a conflict is open.
    if (stage !== '0') continue
    if (mode === '120000') found.links.push(path)
    else if (!mode.startsWith('100')) continue
    else if (isAttributesFile(path)) found.attributes.push({ path, oid })
    else found.entries.push({ path, oid })
  }
  return found
}

/**
 * The settings as the commit will have them, of those that matter to these changed paths: the index decides, whatever stands on
 * disk. A file that is not in the index is as good as none, except where git ignores it: then it was never meant to be
 * committed, and holds as it stands on disk. One of which git was only told that it will be added (`add -N`) is not in it yet.
 */
export async function stagedSettings(
  root: string,
  { entries, links }: IndexedSettings,
  changed: readonly string[],
  { env, signal, named }: Options,
): Promise<StagedSettings> {
  const above = foldersAbove(changed)
  const indexed = new Map(
    entries.flatMap(({ path, oid }) => (path === named || matters(path, above) ? [[path, oid] as const] : [])),
  )
  const present = new Map<string, Uint8Array>()
  const files = named === undefined ? FILES : [...FILES, named]
  for (const path of [...files, ...FOLDERS.flatMap(folder => below(root, folder)), ...[...above].map(configIn)]) {
    const bytes = readRegular(join(root, path), MOST_BYTES)
    if (bytes instanceof Uint8Array) present.set(path, bytes)
  }
  // A filter between disk and index makes them different contents, of which the index's is then read.
  const other = [...indexed].flatMap(([path, oid]) => {
    const bytes = present.get(path)
    return bytes && gitName(bytes, oid) === oid ? [] : [path]
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
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    return join(folder, path)
  }
  for (const [path, bytes] of contents) writeFileSync(place(path), bytes)
  for (const path of links) if (!contents.has(path)) copyLinked(root, path, place(path))
  return { folder, differing, close: () => removeTemporary(made) }
}

/** Copies what a link among the settings leads to, which must be in the repository: regular files, and directories of them. */
function copyLinked(root: string, path: string, target: string): void {
  const source = locateSettings(root, path)
  if (source === undefined) return
  const isPlain = (each: string) => {
    const entry = lstatSync(each)
    return entry.isDirectory() || (entry.isFile() && entry.size <= MOST_BYTES)
  }
  cpSync(source, target, { recursive: true, filter: isPlain })
}

/** As `differenceNotice`, where the change is one of commits or a patch. */
export function ignoredOnDiskNotice(differing: readonly string[]): string {
  const shown = differing.slice(0, 3).join(', ')
  const more = differing.length > 3 ? ` and ${differing.length - 3} more` : ''
  return `The change is judged by its own settings: ${shown}${more} on disk ${differing.length === 1 ? 'differs and does' : 'differ and do'} not count.`
}

/** A sentence for the person whose settings on disk are not those that count. */
export function differenceNotice(differing: readonly string[]): string {
  const shown = differing.slice(0, 3).join(', ')
  const more = differing.length > 3 ? ` and ${differing.length - 3} more` : ''
  return `What is staged counts, and ${shown}${more} ${differing.length === 1 ? 'stands' : 'stand'} otherwise on disk: \`git add\` what belongs to this commit.`
}

/** The folders that hold these files, at any distance, the root left out. */
export function foldersAbove(paths: readonly string[]): Set<string> {
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

/** Files below a folder of the work tree; none where there is no such folder. */
function below(root: string, folder: string): string[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter(entry => entry.isFile())
      .map(entry => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
  } catch {
    return []
  }
}

async function notIgnored(root: string, paths: readonly string[], { env, signal }: Options): Promise<string[]> {
  if (paths.length === 0) return []
  const input = Buffer.from(`${paths.join('\0')}\0`)
  const asked = { env: indexOf(root, env), input, signal }
  const { code, stdout } = await tryGit(root, ['check-ignore', '-z', '--stdin'], asked)
  // 1: none is. Anything above: git cannot tell of a path in a submodule or behind a link, which is none of the repository's.
  if (code > 1) return []
  const ignored = new Set(stdout.toString('utf8').split('\0'))
  return paths.filter(path => !ignored.has(path))
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
