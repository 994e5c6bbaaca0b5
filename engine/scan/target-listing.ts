import { lstatSync } from 'node:fs'
import { isFolder } from '../base/disk/output-file.ts'
import type { Listing } from '../base/records/source-file.ts'
import type { Config } from '../sources/config/load.ts'
import { discover } from '../sources/repository/discover.ts'
import { compileExcludes } from '../sources/repository/exclude.ts'
import { Gathering, sortByPath } from '../sources/repository/gather.ts'
import { isBelow, isRepository, toRelativePath } from './target.ts'

/**
 * Lists the files that were named, and those below the directories that were. A file that was named is scanned although git
 * ignores it, as long as the configuration does not exclude it. Outside a repository no directory is walked for a file's sake.
 */
export async function listNamed(
  start: string,
  only: readonly string[],
  { root, scan_exclude }: Pick<Config, 'root' | 'scan_exclude'>,
  signal: AbortSignal | undefined,
): Promise<Listing> {
  const isWalked = isRepository(root) || only.some(isFolder)
  const listing: Listing = isWalked
    ? await discover(start, { exclude: scan_exclude, signal })
    : { root: start, kind: 'folder', files: [], skipped: [] }
  const files = listing.files.filter(isBelow(listing.root, only))
  const skipped = listing.skipped.filter(isBelow(listing.root, only))
  const listed = new Set([...files, ...skipped].map(({ path }) => path))
  const into = new Gathering(listing.root, compileExcludes(scan_exclude), signal)
  for (const path of new Set(only)) {
    const name = toRelativePath(listing.root, path)
    if (!listed.has(name) && lstatSync(path).isFile()) into.addFromDisk({ path: name })
  }
  files.push(...into.files)
  skipped.push(...into.skipped)
  sortByPath(files)
  sortByPath(skipped)
  return { ...listing, files, skipped }
}
