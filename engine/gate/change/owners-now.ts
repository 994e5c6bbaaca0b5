import { join } from 'node:path'
import { readOwn } from '../../base/disk/own-folder.ts'
import { compileOwners } from './agreement.ts'
import { OWNERS_PATHS } from './settings-at.ts'

/** Who owns a path by the first CODEOWNERS of the work tree; a link in its place, or none, names nobody. */
export async function readOwnersNow(root: string): Promise<(path: string) => readonly string[]> {
  for (const path of OWNERS_PATHS) {
    const bytes = readOwn(join(root, path))
    if (bytes) return compileOwners(bytes.toString('utf8'))
  }
  return () => []
}
