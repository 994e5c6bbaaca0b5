import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Entries whose size and time count, at some microseconds each; of those beyond, the names do, and the times of their directories. */
const MOST_ENTRIES = 50_000

const NOT_ASKED = { size: 0, mtimeMs: 0 }

/**
 * What tells that a database folder has changed: names, sizes and times of its first two levels. Deeper changes of a tree of single JSON
 * files are not seen; `svc vulns --update-db` indexes anew whatever the stamp says.
 */
export function computeFolderStamp(folder: string): string {
  const hash = createHash('sha256')
  let left = MOST_ENTRIES
  const add = (path: string, name: string, depth: number) => {
    for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith('.')) continue
      const isFolder = entry.isDirectory()
      const isAsked = isFolder || left-- > 0
      const { size, mtimeMs } = (isAsked && statSync(join(path, entry.name), { throwIfNoEntry: false })) || NOT_ASKED
      hash.update(`${name}${entry.name}\0${isFolder ? 'folder' : size}\0${mtimeMs}\n`)
      if (isFolder && depth > 1) add(join(path, entry.name), `${name}${entry.name}/`, depth - 1)
    }
  }
  add(folder, '', 2)
  return hash.digest('hex')
}
