import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { runGitSync } from '../sources/repository/git-process.ts'
import { CACHE_FOLDER } from './cache-folder.ts'

/**
 * Whether the repository itself brings the cache, tracked by git, or one within it does (a submodule, which git clones with it): then it
 * is to count for nothing, since whoever wrote it could have had it say of any file that nothing was found there. git is not waited
 * for elsewhere meanwhile: it lists the files at the same time.
 */
export function isBrought(root: string): boolean {
  const names = CACHE_FOLDER.split('/')
  for (let depth = 0; depth <= names.length; depth++) {
    const folder = join(root, ...names.slice(0, depth))
    if (depth > 0 && !isRepository(folder)) continue
    if (isTracked(folder, names.slice(depth).join('/') || '.')) return true
  }
  return false
}

function isRepository(folder: string): boolean {
  return lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined
}

function isTracked(folder: string, path: string): boolean {
  // Where case does not tell names apart, another writing of it is the same folder.
  const { status, stdout } = runGitSync(folder, ['ls-files', '-z', '--', `:(icase)${path}`])
  return status !== 0 || stdout.length > 0
}
