import { realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { describeSpecialKind, readRegular } from '../../base/disk/read.ts'
import { EngineError } from '../../base/errors.ts'

/** The repository that git finds from a directory on, as far as svc has to know it before git is started. */
export interface RepositoryPlace {
  /** Top directory of the work tree; undefined for a bare repository. */
  top: string | undefined
  /** Directory that holds HEAD and the index; that of a linked work tree is its own. */
  gitDirectory: string
  /** The repository's own settings as text: `config`, and `config.worktree` of a linked work tree. Undefined where they cannot be read. */
  settings: string | undefined
}

/** Settings files larger than this are left to git. */
const MOST_SETTINGS = 1 << 20
/** Files of a repository that git opens at its start, waiting for a writer where one is a named pipe. */
const OPENED = ['HEAD', 'config', 'config.worktree', 'packed-refs', 'info/exclude', 'info/attributes', 'index']
/** Includes within includes that are looked at. */
const DEEPEST_INCLUDE = 5

/**
 * The repository around `directory` by git's own order: at each level first `.git` (a directory, or a file that points to one), then a bare
 * repository. Undefined where there is none, or where what stands there is not plainly one: git then decides.
 */
export function findRepository(directory: string): RepositoryPlace | undefined {
  for (let at = resolve(directory); ; at = dirname(at)) {
    const linked = linkedDirectory(at)
    if (linked !== undefined) return placeOf(linked, at)
    if (isGitDirectory(at)) return placeOf(at, undefined)
    if (at === dirname(at)) return undefined
  }
}

/** The repository in a git directory that is named, not found. */
export function makeRepositoryPlace(gitDirectory: string): RepositoryPlace {
  return placeOf(gitDirectory, undefined)
}

function placeOf(gitDirectory: string, top: string | undefined): RepositoryPlace {
  const common = commonDirectory(gitDirectory)
  const config = readText(join(common, 'config'))
  const own = readText(join(gitDirectory, 'config.worktree'))
  return { top, gitDirectory, settings: config === undefined || own === undefined ? undefined : `${config}\n${own}` }
}

/** The git directory that `.git` of a folder is or points to. */
function linkedDirectory(folder: string): string | undefined {
  const dotGit = join(folder, '.git')
  if (isGitDirectory(dotGit)) return dotGit
  const target = /^gitdir: (.+)/.exec(readText(dotGit) ?? '')?.[1]?.trimEnd()
  const directory = target === undefined ? undefined : resolve(folder, target)
  return directory !== undefined && isGitDirectory(directory) ? directory : undefined
}

function isGitDirectory(directory: string): boolean {
  return exists(join(directory, 'HEAD')) && exists(join(commonDirectory(directory), 'objects'))
}

function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** Where the repository of a linked work tree keeps what all its work trees share (gitrepository-layout, `commondir`). */
function commonDirectory(gitDirectory: string): string {
  const file = join(gitDirectory, 'commondir')
  // Asked first, since most have none, and an error that is thrown costs more than the answer.
  if (!exists(file)) return gitDirectory
  const content = readRegular(file, 4096)
  if (!(content instanceof Uint8Array)) return gitDirectory
  return resolve(gitDirectory, Buffer.from(content).toString('utf8').trim())
}

/** The text of a settings file, '' where there is none, undefined where it is too large or cannot be read. */
function readText(path: string): string | undefined {
  if (!exists(path)) return ''
  let content = readRegular(path, MOST_SETTINGS)
  // git follows a link here.
  if (!(content instanceof Uint8Array) && content.reason === 'symlink' && exists(path))
    content = readRegular(realpathSync(path), MOST_SETTINGS)
  if (content instanceof Uint8Array) return Buffer.from(content).toString('latin1')
  return content.reason === 'vanished' ? '' : undefined
}

/**
 * Environment by which the settings `core.bare` and `core.worktree` of a repository do not change which files it has: the work tree is the
 * directory that `.git` stands in. A bare repository that merely is named `.git`, without an index, stays one.
 */
export function pinWorkTree(place: RepositoryPlace): Record<string, string> {
  const { top, gitDirectory, settings } = place
  if (top === undefined || settings === undefined || !/\b(?:bare|worktree)\b/i.test(settings)) return {}
  const isBare = settings.split('\n').some(line => BARE.test(line) && !NOT_BARE.test(line))
  return movesWorkTree(place) || (isBare && exists(join(gitDirectory, 'index'))) ? { GIT_WORK_TREE: top } : {}
}

const BARE = /^\s*(?:\[.*\]\s*)?bare\b/i
const NOT_BARE = /\bbare\s*=\s*["']?(?:false|no|off|0|)["']?\s*(?:[#;].*)?$/i

/** Whether the settings say that the work tree is another directory than the one that `.git` stands in (core.worktree; a submodule names its own). */
export function movesWorkTree({ top, gitDirectory, settings }: RepositoryPlace): boolean {
  if (top === undefined || settings === undefined) return false
  const named = settings.matchAll(/^\s*(?:\[.*\]\s*)?worktree\s*=\s*"?(.*?)"?\s*$/gim)
  return [...named].some(([, value]) => realPath(resolve(gitDirectory, value!)) !== realPath(top))
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const checked = new Set<string>()

/**
 * Refuses a repository whose own files, or files that its settings name, are pipes or devices: git would read them without end or wait for ever.
 * REPO_UNREADABLE with the file. Each repository is looked at once.
 */
export function refuseSpecialFiles({ gitDirectory, settings }: RepositoryPlace): void {
  if (checked.has(gitDirectory)) return
  const common = commonDirectory(gitDirectory)
  for (const name of OPENED)
    for (const directory of new Set([gitDirectory, common])) refuseSpecial(join(directory, name), `.git/${name}`)
  refuseNamed(settings ?? '', common, 0)
  checked.add(gitDirectory)
}

/** The files that settings include or name, by the keys that git reads on its own. */
function refuseNamed(settings: string, directory: string, depth: number): void {
  for (const [, key = '', value = ''] of settings.matchAll(
    /^\s*(?:\[.*\]\s*)?(path|excludesfile)\s*=\s*"?(.*?)"?\s*$/gim,
  )) {
    const file = value.startsWith('~/') ? join(homedir(), value.slice(2)) : resolve(directory, value)
    refuseSpecial(file, `the file that ${key} in .git/config names`)
    const included = key.toLowerCase() === 'path' && depth < DEEPEST_INCLUDE ? readText(file) : undefined
    if (included) refuseNamed(included, dirname(file), depth + 1)
  }
}

function refuseSpecial(path: string, shown: string): void {
  let stats: ReturnType<typeof statSync>
  try {
    stats = statSync(path, { throwIfNoEntry: false })
  } catch {
    return
  }
  if (stats === undefined || stats.isFile() || stats.isDirectory()) return
  throw new EngineError('REPO_UNREADABLE', `${shown} is a ${describeSpecialKind(stats)}, not a regular file.`, {
    hint: 'Remove it: git would wait forever to read it.',
  })
}
