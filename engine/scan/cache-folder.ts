import { join } from 'node:path'
import { makeFolders } from '../base/disk/make-folders.ts'
import { ignoreAll, refuseLinked } from '../base/disk/own-folder.ts'

/** Folder of the cache below the repository's root; it may be carried from one CI job to the next as it is. */
export const CACHE_FOLDER = '.svc/local/cache'

/** The cache's folder, made where it is missing, and out of git's sight. PATH_ESCAPES where it is linked; throws what the disk says. */
export function makeCacheFolder(root: string): string {
  refuseLinked(root, CACHE_FOLDER)
  const folder = join(root, CACHE_FOLDER)
  makeFolders(folder)
  ignoreAll(folder)
  return folder
}
