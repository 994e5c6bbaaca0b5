import { EngineError } from '../../base/errors.ts'
import { compileGlob } from '../../base/text/glob.ts'

/** Says whether a repository-relative path is excluded; a folder's path is given with a slash at its end. */
export type Excludes = (path: string) => boolean

const GLOB = /[*?[{\\]/

/**
 * Compiles `scan_exclude`, or another `key` that has its entries. An entry is a file (`a/b.c`), a folder with all below it (`vendor`), or a glob (`**` crosses
 * folders, a glob that matches a folder takes all below it); one that ends in a slash or in `/**` takes folders only.
 * Entries start at the repository root.
 * Throws CONFIG_INVALID for an entry that would take everything or that means to bring something back in.
 */
export function compileExcludes(patterns: readonly string[], key = 'scan_exclude'): Excludes {
  const entries: { foldersOnly: boolean; takes(path: string): boolean }[] = []
  for (const pattern of patterns) {
    const plain = pattern.replace(/^(\.?\/)+/, '').replace(/(\/\*\*)?\/*$/, '')
    if (plain.startsWith('!')) {
      throw new EngineError(
        'CONFIG_INVALID',
        `${key} has the entry ${JSON.stringify(pattern)}, which means to bring files back in.`,
        {
          hint: 'Name only what is to be left out, with narrower entries.',
        },
      )
    }
    if (plain === '' || plain === '.' || plain === '**') {
      throw new EngineError(
        'CONFIG_INVALID',
        `${key} has the entry ${JSON.stringify(pattern)}, which leaves nothing to scan.`,
        {
          hint: 'Name a file, a folder or a glob inside the repository.',
        },
      )
    }
    entries.push({ foldersOnly: /\/(\*\*)?$/.test(pattern), takes: matcherOf(plain) })
  }
  if (entries.length === 0) return () => false
  return path => {
    const asFolder = path.endsWith('/') ? path : `${path}/`
    return entries.some(entry => entry.takes(entry.foldersOnly ? path : asFolder))
  }
}

/** Takes paths that are the folder `entry/` or begin with it; `entry` may be a glob. */
function matcherOf(entry: string): (path: string) => boolean {
  const folder = `${entry}/`
  if (!GLOB.test(entry)) return path => path.startsWith(folder)
  const glob = compileGlob(`${folder}**`)
  const needed = literalOf(entry)
  // The entry also stands for itself: `app/[id]` is a folder's name before it is a set of characters.
  return path => path.startsWith(folder) || (path.includes(needed) && glob(path))
}

/** The longest text that a path must have in it to match: few paths have it, and only those are matched. */
function literalOf(glob: string): string {
  const special = glob.search(/[[{\\]/)
  const parts = (special === -1 ? glob : glob.slice(0, special)).split(/[*?/]+/)
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '')
}
