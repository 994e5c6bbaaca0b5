import { existsSync, realpathSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import type { Context } from '../base/context.ts'
import { isFolder } from '../base/disk/output-file.ts'
import { isInside } from '../base/disk/project-write.ts'
import { EngineError } from '../base/errors.ts'
import { findRepositoryRoot } from '../sources/config/load.ts'

/** The files and directories that a scan was asked for. */
export interface ScanTarget {
  /** Directory to start from, absolute: the one that was named, else the nearest one above everything that was. */
  start: string
  /** What was named, absolute and with links resolved, where the scan is narrowed to that. */
  only?: readonly string[]
}

/**
 * Resolves the paths that a scan is asked for, relative to where the caller stands. A single directory is the start of the
 * scan; `.`, a default, never narrows a change. A file, or several paths, narrow the scan to them.
 *
 * Throws REPO_NOT_FOUND where nothing stands at a path, INPUT_INVALID where two paths belong to different repositories, and
 * PATH_ESCAPES where a request names something outside the project that the server was started in.
 */
export function resolveTarget(
  paths: readonly string[],
  { cwd, surface }: Pick<Context, 'cwd' | 'surface'>,
): ScanTarget {
  for (const path of paths) {
    if (surface === 'cli' || isInside(resolveLinks(cwd), resolveLinks(resolve(cwd, path)))) continue
    throw new EngineError('PATH_ESCAPES', `repo_path: ${JSON.stringify(path)} is outside the project of this server.`, {
      hint: 'Start the server in the directory that is to be scanned.',
    })
  }
  const [first] = paths
  if (paths.length === 1 && first === '.') return { start: resolve(cwd) }
  const named = paths.map(path => ({ path, absolute: realPath(resolve(cwd, path), path) }))
  if (named.length === 1 && isFolder(named[0]!.absolute)) {
    const { absolute } = named[0]!
    return findRepositoryRoot(absolute) === absolute ? { start: absolute } : { start: absolute, only: [absolute] }
  }
  const directories = named.map(({ absolute }) => (isFolder(absolute) ? absolute : dirname(absolute)))
  const roots = directories.map(findRepositoryRoot)
  const start = commonDirectory(directories)
  const stranger = named.find((_, index) => roots[index] !== findRepositoryRoot(start) && isRepository(roots[index]!))
  if (stranger) {
    throw new EngineError(
      'INPUT_INVALID',
      `${JSON.stringify(stranger.path)} belongs to another repository than the other paths.`,
      { hint: 'Scan each repository with a command of its own.' },
    )
  }
  return { start, only: named.map(({ absolute }) => absolute) }
}

/** Whether the start directory alone says what to scan: no file and no second path was named. */
export function isPlainTarget({ start, only }: ScanTarget): boolean {
  return only === undefined || (only.length === 1 && only[0] === start)
}

/** Tells of repository-relative paths whether they are, or lie below, one of these absolute ones. */
export function isBelow(root: string, only: readonly string[]): (item: { path: string }) => boolean {
  const names = only.map(path => toRelativePath(root, path))
  return ({ path }) => names.some(name => name === '' || path === name || path.startsWith(`${name}/`))
}

/** The path from the root, with slashes; '' for the root itself. */
export function toRelativePath(root: string, path: string): string {
  return relative(root, path).split(sep).join('/')
}

/** The scope of a scan of these paths, for the run's record. */
export function describeTarget(root: string, only: readonly string[]): string {
  const names = [...new Set(only.map(path => toRelativePath(root, path) || '.'))].sort()
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more paths` : shown
}

function realPath(absolute: string, typed: string): string {
  try {
    return realpathSync.native(absolute)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new EngineError('REPO_NOT_FOUND', `No file or directory ${JSON.stringify(typed)}.`)
    throw new EngineError('REPO_UNREADABLE', `${JSON.stringify(typed)} cannot be opened: ${code}.`, {
      hint: 'Check the permissions of the path and of its parent directories.',
      cause,
    })
  }
}

/** The path with symbolic links resolved, as far as it exists. */
function resolveLinks(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

/** Whether git has a repository at what `findRepositoryRoot` answered, which is the directory itself where there is none. */
export function isRepository(root: string): boolean {
  return existsSync(`${root}/.git`)
}

function commonDirectory(directories: readonly string[]): string {
  let common = directories[0]!
  while (!directories.every(directory => isInside(common, directory))) common = dirname(common)
  return common
}
