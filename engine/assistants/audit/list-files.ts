import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { locateSettings } from '../../base/disk/settings-file.ts'
import { EngineError } from '../../base/errors.ts'

/** What an assistant may read of a directory. */
export interface Listing {
  /** From the root, with `/`; a file that has two names by a link, once. */
  files: string[]
  /** What is not listed, and why: unknown, never clean. */
  unread: { file: string; detail: string }[]
}

/** Files of one directory of rules or skills that are read. */
const MOST_FILES = 500
/** Entries that are looked at, since the repository decides how many there are. */
const MOST_ENTRIES = 20_000
const READ = /\.(md|mdc|json|ya?ml)$/i

/**
 * The files of a directory and of those in it. Links inside of the repository are followed, each directory once: assistants follow them,
 * too. A link that leads elsewhere, or nowhere, is listed as unread.
 */
export function listAssistantFiles(root: string, path: string): Listing {
  const listing: Listing = { files: [], unread: [] }
  const seen = new Set<string>()
  const waiting = [path.replace(/\/$/, '')]
  let entries = 0
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const place = locate(root, folder, listing)
    if (place === undefined || seen.has(place)) continue
    seen.add(place)
    for (const entry of readdirSync(place, { withFileTypes: true })) {
      if (++entries > MOST_ENTRIES || listing.files.length > MOST_FILES) {
        listing.files.length = Math.min(listing.files.length, MOST_FILES)
        listing.unread.push({
          file: path,
          detail: `${path} has more than ${entries > MOST_ENTRIES ? `${MOST_ENTRIES} entries` : `${MOST_FILES} files`}.`,
        })
        return listing
      }
      const named = `${folder}/${entry.name}`
      const kind = entry.isSymbolicLink() ? resolveLink(root, named, listing) : entry
      if (kind?.isDirectory()) waiting.push(named)
      else if (kind?.isFile() && READ.test(entry.name)) {
        const real = realpathSync.native(join(root, named))
        if (!seen.has(real)) listing.files.push(named)
        seen.add(real)
      }
    }
  }
  return listing
}

function resolveLink(root: string, named: string, listing: Listing): ReturnType<typeof lstatSync> {
  const target = locate(root, named, listing)
  return target === undefined ? undefined : lstatSync(target, { throwIfNoEntry: false })
}

function locate(root: string, named: string, { unread }: Listing): string | undefined {
  try {
    return locateSettings(root, named)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    unread.push({ file: named, detail: error.message })
    return undefined
  }
}
