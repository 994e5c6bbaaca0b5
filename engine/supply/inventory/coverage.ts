import { compileGlob } from '../../base/text/glob.ts'
import type { ReadFile } from './build.ts'
import { directoryOf } from './paths.ts'

/** Globs of members that a workspace may list. */
const MOST_GLOBS = 1000

/** The directory for which a lock file is written: its own, or the one above where Gradle keeps it in a directory of its files. */
export function findLockDirectory({ file, format }: Pick<ReadFile, 'file' | 'format'>): string {
  const directory = directoryOf(file)
  const isBelow = format === 'gradle-verification' && /(^|\/)gradle$/.test(directory)
  return isBelow ? directoryOf(directory) : directory
}

/**
 * Decides which directories below a lock file it holds for: those of the members that it names, and of the members that the manifest beside it
 * names. A directory below that is neither is a project of its own, about which the lock file says nothing.
 */
export class Coverage {
  /** Globs of members by family and directory, of manifests. */
  readonly #globs = new Map<string, (path: string) => boolean>()
  readonly #members = new Map<ReadFile, ReadonlySet<string>>()

  constructor(files: readonly ReadFile[]) {
    for (const { family, kind, parsed } of files)
      for (const { directory, workspaces } of kind === 'manifest' ? (parsed.projects ?? []) : [])
        if (workspaces) this.#globs.set(`${family}\0${directory}`, compileMembers(workspaces))
  }

  includes(lock: ReadFile, directory: string): boolean {
    const own = findLockDirectory(lock)
    if (directory === own) return true
    if (!lock.workspaces) return false
    // What Gradle verifies are the artifacts of the whole build.
    if (lock.format === 'gradle-verification') return true
    let members = this.#members.get(lock)
    if (members === undefined) {
      members = new Set((lock.parsed.projects ?? []).map(project => project.directory))
      this.#members.set(lock, members)
    }
    if (members.has(directory)) return true
    const below = own === '' ? directory : directory.slice(own.length + 1)
    return this.#globs.get(`${lock.family}\0${own}`)?.(below) ?? false
  }
}

/** Whether a path is a member by a list of globs, in which `!` takes away what came before. */
function compileMembers(globs: readonly string[]): (path: string) => boolean {
  const compiled = globs.slice(0, MOST_GLOBS).map(glob => {
    const isLeftOut = glob.startsWith('!')
    return { isLeftOut, takes: compileGlob(glob.replace(/^!/, '').replace(/^\.\//, '').replace(/\/+$/, '')) }
  })
  return path => {
    let isMember = false
    for (const { isLeftOut, takes } of compiled) if (isMember === isLeftOut && takes(path)) isMember = !isLeftOut
    return isMember
  }
}
