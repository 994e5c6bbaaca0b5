import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { compileGlob, matchesAny } from '../base/text/glob.ts'

/** A path as it is judged, or why it cannot be. */
export type Judged =
  | {
      given: string
      /** Repository-relative names of what is touched: as written, and where links lead. Each must be permitted. */
      paths: string[]
    }
  | { given: string; reason: string }

/** Whether names differ in case only on this system's usual disks. */
const FOLDS_CASE = process.platform === 'darwin' || process.platform === 'win32'

/** Control characters, and characters that show nothing: some disks leave them out of names, so `.g\u200cit` is `.git`. */
const UNSEEN = /[\p{Cc}\p{Cf}\u{2028}\u{2029}]/u

/**
 * What a path stands for, below `root`. Relative paths start at `cwd`. `..` and links are resolved before anything is
 * compared, as far as the path exists. In doubt there is a reason instead: a NUL or another character that is not seen, a
 * name that is not in Unicode's composed form (NFC), a way out of the repository, a path that cannot be followed, one
 * that stands for something else in each process, a file that has other names as well (hard links).
 */
export function judgePath(root: string, cwd: string, given: string): Judged {
  const refuse = (reason: string): Judged => ({ given, reason })
  if (given === '') return refuse('it is empty')
  if (given.includes('\0')) return refuse('it contains a NUL')
  if (UNSEEN.test(given)) return refuse('its name contains an invisible character')
  if (given.normalize('NFC') !== given) return refuse('its name is not in composed form (NFC)')
  const absolute = resolve(cwd, given)
  const written = inside(root, absolute)
  if (written === undefined && /^\/(proc|dev)\//.test(absolute)) return refuse('it means another file in each process')
  let real: string
  try {
    real = resolveLinks(absolute)
  } catch (error) {
    return refuse(`it cannot be followed (${(error as NodeJS.ErrnoException).code})`)
  }
  const led = inside(realpathSync.native(root), real)
  if (led === undefined)
    return refuse(
      written === undefined ? 'it is outside the repository' : 'a symbolic link points outside the repository',
    )
  const stat = lstatSync(real, { throwIfNoEntry: false })
  if (stat?.isFile() && stat.nlink > 1)
    return refuse(`the file has ${stat.nlink} names (hard links), and the others are unknown`)
  // Written by a way from outside that leads in, such as a root that was reached by a link.
  if (written === undefined) return { given, paths: [led] }
  return { given, paths: written === led ? [written] : [written, led] }
}

/** Links followed one by one where the last leads to nothing yet. */
const MOST_LINKS = 40

/** The path with links resolved as far as it exists: one that leads to nothing yet, too, since writing it makes that. */
export function resolveLinks(path: string, links = 0): string {
  const isLast = dirname(path) === path || links > MOST_LINKS
  // lstat first: realpath throws for a missing path, which takes ten times as long.
  let isFound = true
  try {
    isFound = isLast || lstatSync(path, { throwIfNoEntry: false }) !== undefined
    if (isFound) return realpathSync.native(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if ((code !== 'ENOENT' && code !== 'ENOTDIR') || isLast) throw error
  }
  const folder = resolveLinks(dirname(path), links)
  const place = join(folder, basename(path))
  const isLink = isFound && lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()
  const leads = isLink ? readlinkSync(place) : undefined
  return leads === undefined ? place : resolveLinks(resolve(folder, leads), links + 1)
}

function inside(root: string, path: string): string | undefined {
  const way = relative(root, path)
  if (way === '' || way === '..' || way.startsWith(`..${sep}`)) return way === '' ? '.' : undefined
  return way.split(sep).join('/')
}

/** Whether patterns permit a path. */
export type Scope = (path: string) => boolean

/**
 * The scope that patterns make: globs with `**`, `{a,b}` and dotfiles like any other; a path without a wildcard stands
 * for itself and all below it; `!` takes out what the others let in, wherever it stands. No pattern permits nothing.
 */
export function makeScope(patterns: readonly string[]): Scope {
  const fold = (text: string) => (FOLDS_CASE ? text.toLowerCase() : text)
  const compiled = (list: readonly string[]) => list.map(pattern => matcher(fold(pattern.replace(/^\.\//, ''))))
  const takenOut = compiled(patterns.filter(pattern => pattern.startsWith('!')).map(pattern => pattern.slice(1)))
  const letIn = compiled(patterns.filter(pattern => !pattern.startsWith('!')))
  return path => {
    const name = fold(path)
    return matchesAny(letIn, name) && !matchesAny(takenOut, name)
  }
}

/** Globs by their text: a process that stays reads settings and sessions anew for each answer, and they seldom change. */
const globs = new Map<string, Scope>()
const MOST_GLOBS = 1000

function matcher(pattern: string): Scope {
  if (/[*?[\]{}\\]/.test(pattern)) {
    let glob = globs.get(pattern)
    if (!glob) {
      if (globs.size >= MOST_GLOBS) globs.clear()
      glob = compileGlob(pattern)
      globs.set(pattern, glob)
    }
    return glob
  }
  const bare = pattern.replace(/\/+$/, '')
  if (bare === '' || bare === '.') return () => true
  return path => path === bare || path.startsWith(`${bare}/`)
}
