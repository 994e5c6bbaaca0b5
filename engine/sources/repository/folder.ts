import { type Dirent, readdirSync } from 'node:fs'
import ignore, { type Ignore } from 'ignore'
import { readRegular } from '../../base/disk/read.ts'
import { encodePath, type PathName, parsePathName, toSystemPath } from '../../base/text/path-name.ts'
import { type Gathering, getErrorCode } from './gather.ts'
import { gatherNested, isOwnFolder, OWN_DETAIL } from './worktree.ts'

/** Folders in which version control keeps its own data; like `.git` in a git repository they are no part of the project. */
const VERSION_CONTROL = new Map([
  ['.git', 'git'],
  ['.hg', 'Mercurial'],
  ['.svn', 'Subversion'],
  ['.jj', 'Jujutsu'],
  ['.bzr', 'Bazaar'],
  ['CVS', 'CVS'],
])

/** Folders that package managers fill: other people's code, where no ignore file says anything of them. */
const INSTALLED = new Set(['node_modules', 'bower_components', '.venv', '.tox'])

/** Longer ignore files are not read; the largest in public use are a few kilobytes. */
const LONGEST_IGNORE_FILE = 1024 * 1024

/** As git on a system whose names have a case. */
const IGNORE_OPTIONS = { ignorecase: false }

/** The rules of one .gitignore, for the paths that begin with `at`. */
interface IgnoreFile {
  at: string
  rules: Ignore
}

/** A folder to be walked, with the ignore files that hold in it, the outermost first. */
interface Step {
  name: PathName
  ignores: readonly IgnoreFile[]
}

interface Entry {
  /** The last part of the path. */
  base: string
  name: PathName
  /** As the folder says it: a link is a link, whatever it leads to. */
  kind: Dirent<string> | Dirent<Buffer>
}

/**
 * Gathers the files of a folder that is not under git: all that its `.gitignore` files do not name. Repositories met on
 * the way are listed as git sees them, where there is a git (`hasGit`).
 */
export async function gatherFolder(into: Gathering, hasGit: boolean): Promise<void> {
  const steps: Step[] = [{ name: { path: '' }, ignores: [] }]
  const repositories: PathName[] = []
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const entries = list(into, step.name)
    if (hasGit && step.name.path !== '' && entries.some(entry => entry.base === '.git')) {
      repositories.push(step.name)
      continue
    }
    const ignores = entries.some(entry => entry.base === '.gitignore') ? withIgnoreFile(into, step) : step.ignores
    for (const entry of entries) {
      const pause = into.turn()
      if (pause) await pause
      if (!entry.kind.isDirectory()) {
        if (!ignored(ignores, entry.name.path)) into.addFromDisk(entry.name)
        continue
      }
      const path = `${entry.name.path}/`
      if (ignored(ignores, path)) continue
      const system = VERSION_CONTROL.get(entry.base)
      if (system !== undefined) into.skip(path, 'version_control', `data of ${system}`)
      else if (isOwnFolder(into.root, path)) into.skip(path, 'own_file', OWN_DETAIL)
      else if (into.excluded(path)) into.skip(path, 'excluded')
      else if (INSTALLED.has(entry.base)) into.skip(path, 'vendored', 'installed by a package manager')
      else steps.push({ name: entry.name, ignores: ignores.map(file => reopened(file, path)) })
    }
  }
  for (const name of repositories) await gatherNested(into, undefined, name, false)
}

/** The entries of a folder; a folder that cannot be read is listed as skipped. */
function list(into: Gathering, folder: PathName): Entry[] {
  const place = folder.path === '' ? into.root : toSystemPath(into.root, folder)
  const at = folder.path === '' ? '' : `${folder.path}/`
  try {
    const kinds = readdirSync(place, { withFileTypes: true })
    // U+FFFD stands where the text of a name is not exact: then the names are read again, as bytes.
    if (folder.raw === undefined && !kinds.some(kind => kind.name.includes('\ufffd') || kind.name.includes('\\'))) {
      return kinds.map(kind => ({ base: kind.name, name: { path: at + kind.name }, kind }))
    }
    const above = at === '' ? Buffer.alloc(0) : Buffer.concat([folder.raw ?? encodePath(folder.path), Buffer.from('/')])
    return readdirSync(place, { withFileTypes: true, encoding: 'buffer' }).map(kind => ({
      base: parsePathName(kind.name).path,
      name: parsePathName(Buffer.concat([above, kind.name])),
      kind,
    }))
  } catch (error) {
    into.skip(at, getErrorCode(error) === 'ENOENT' ? 'vanished' : 'unreadable', getErrorCode(error))
    return []
  }
}

/** The ignore files that hold in the folder, with its own. */
function withIgnoreFile(into: Gathering, step: Step): readonly IgnoreFile[] {
  const at = step.name.path === '' ? '' : `${step.name.path}/`
  const place =
    step.name.raw === undefined
      ? `${into.root}/${at}.gitignore`
      : Buffer.concat([Buffer.from(`${into.root}/`), step.name.raw, Buffer.from('/.gitignore')])
  const content = readRegular(place, LONGEST_IGNORE_FILE)
  if (!(content instanceof Uint8Array)) return step.ignores
  const text = Buffer.from(content.buffer)
    .toString('utf8')
    .replace(/^\ufeff/, '')
  return [...step.ignores, { at, rules: ignore(IGNORE_OPTIONS).add(text) }]
}

/** Whether the path (a folder's with a slash at its end) is ignored: the innermost ignore file that says anything decides. */
function ignored(ignores: readonly IgnoreFile[], path: string): boolean {
  for (let at = ignores.length - 1; at >= 0; at--) {
    const result = test(ignores[at]!, path)
    if (result.ignored) return true
    if (result.unignored) return false
  }
  return false
}

/**
 * The rules as they hold inside a folder that is walked. Where they ignore the folder, an ignore file further in has
 * brought it back; what is in it is then ignored by its own name only.
 */
function reopened(file: IgnoreFile, folder: string): IgnoreFile {
  if (!test(file, folder).ignored) return file
  const pattern = folder.slice(file.at.length).replace(/[\\*?[\]!# ]/g, '\\$&')
  return { at: file.at, rules: ignore(IGNORE_OPTIONS).add(file.rules).add(`!/${pattern}`) }
}

function test(file: IgnoreFile, path: string): { ignored: boolean; unignored: boolean } {
  return file.rules.test(path.slice(file.at.length))
}
