import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { CONFIG_PATH } from '../../config/load.ts'
import { EngineError } from '../../errors.ts'
import { isAttributesFile } from '../../repository/attributes.ts'
import { BlobReader } from '../../repository/blobs.ts'
import type { Change, Edit } from '../../repository/changes.ts'
import { git } from '../../repository/git.ts'
import { pathName } from '../../repository/path-name.ts'
import { isSettingsPath } from '../../scan/settings-paths.ts'
import { foldersAbove, type IndexedSettings } from '../../scan/staged-settings.ts'
import { makeTemporaryFolder, removeTemporary } from '../../temporary.ts'

/** Where CODEOWNERS may stand. */
export const OWNERS_PATHS = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS']
/** Paths that one git process is asked for. */
const ASKED_AT_ONCE = 1000
/** No settings file that anybody reads is larger; baselines are the largest. */
const MOST_BYTES = 256 << 20

/** The settings of the commit that a change is compared with. */
export interface BaseSettings extends IndexedSettings {
  /** CODEOWNERS, the first that counts. */
  owners?: string
  /** The commit has a configuration of svc's own, so that a change is no first adoption. */
  isAdopted: boolean
}

type Options = { signal?: AbortSignal }

/** What of a change matters to its settings. */
export type EditedSettings = Pick<Change, 'base' | 'edits'> & Partial<Pick<Change, 'files'>>

/**
 * What the base of a change holds of settings that matter to the changed files, and to further ones `above` which settings count. Nothing
 * before the first commit. `named` is a configuration file that takes the place of the root's.
 */
export async function baseSettings(
  root: string,
  change: EditedSettings,
  { signal, named, above = [] }: Options & { named?: string; above?: readonly string[] },
): Promise<BaseSettings> {
  const isSettings = (path: string) => path === named || isSettingsPath(path)
  const paths = [...change.edits.map(({ path }) => path), ...above]
  const folders = ['', ...[...foldersAbove(paths)].map(folder => `${folder}/`)]
  const nested = folders.flatMap(folder => [`${folder}.gitattributes`, ...(folder ? [`${folder}${CONFIG_PATH}`] : [])])
  const wanted = ['.svc', '.guard.yaml', ...(named === undefined ? [] : [named]), ...OWNERS_PATHS, ...nested]
  const listed = new Map<string, { oid: string; link: boolean }>()
  for (let at = 0; at < wanted.length && (await isCommit(root, change.base, signal)); at += ASKED_AT_ONCE) {
    const output = await git(
      root,
      ['ls-tree', '-r', '-z', '--full-tree', change.base!, '--', ...wanted.slice(at, at + ASKED_AT_ONCE)],
      { signal },
    )
    for (let start = 0; start < output.length; ) {
      const tab = output.indexOf(0x09, start)
      const end = output.indexOf(0, tab)
      const [mode = '', , oid = ''] = output.toString('latin1', start, tab).split(' ')
      listed.set(pathName(output.subarray(tab + 1, end)).path, { oid, link: mode === '120000' })
      start = end + 1
    }
  }
  // A patch that is in HEAD already is taken out of it.
  for (const { path, before } of change.edits) {
    if (before === undefined) listed.delete(path)
    else if (isSettings(path)) listed.set(path, { oid: before, link: listed.get(path)?.link ?? false })
  }
  const found: BaseSettings = { entries: [], links: [], attributes: [], isAdopted: false }
  for (const [path, { oid, link }] of listed) {
    if (path.startsWith('.svc/') || path === '.guard.yaml') found.isAdopted = true
    if (link) found.links.push(path)
    else if (isAttributesFile(path)) found.attributes.push({ path, oid })
    else if (isSettings(path)) found.entries.push({ path, oid })
  }
  const owners = OWNERS_PATHS.map(path => listed.get(path)?.oid).find(oid => oid !== undefined)
  if (owners !== undefined) {
    const [text] = await readBlobs(root, [owners])
    found.owners = Buffer.from(text!).toString('utf8')
  }
  return found
}

/** The settings after a change whose contents are objects; `base` are those before it. */
export function settingsAfter(base: BaseSettings, edits: readonly Edit[]): IndexedSettings {
  const edited = new Set(edits.map(({ path }) => path))
  const isKept = ({ path }: { path: string }) => !edited.has(path)
  const found: IndexedSettings = {
    entries: base.entries.filter(isKept),
    links: base.links.filter(path => !edited.has(path)),
    attributes: base.attributes.filter(isKept),
  }
  for (const { path, after } of edits) {
    if (after?.link) found.links.push(path)
    else if (after?.blob !== undefined)
      found[isAttributesFile(path) ? 'attributes' : 'entries'].push({ path, oid: after.blob })
  }
  return found
}

async function isCommit(root: string, base: string | undefined, signal: AbortSignal | undefined): Promise<boolean> {
  if (base === undefined) return false
  if (base !== 'HEAD') return true
  const { tryGit } = await import('../../repository/git.ts')
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
export async function indexWith(
  root: string,
  files: readonly { path: string; oid: string }[],
  { signal }: Options,
): Promise<{ file: string; close: () => void }> {
  const folder = makeTemporaryFolder('svc-base-')
  const file = join(realpathSync(folder), 'index')
  const close = () => removeTemporary(folder)
  try {
    const input = Buffer.from(files.map(({ path, oid }) => `100644 ${oid}\t${path}\0`).join(''))
    await git(root, ['update-index', '-z', '--index-info'], { env: { GIT_INDEX_FILE: file }, input, signal })
    return { file, close }
  } catch (error) {
    close()
    throw error
  }
}
