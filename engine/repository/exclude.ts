import picomatch from 'picomatch'
import { EngineError } from '../errors.ts'

/** Says whether a repository-relative path is excluded; a folder's path is given without a slash at its end. */
export type Excludes = (path: string) => boolean

const OPTIONS = { dot: true, nonegate: true }
const GLOB = /[*?[{(\\]/

/**
 * Compiles `scan_exclude`. An entry is a file (`a/b.c`), a folder with all below it (`vendor` or `vendor/`), or a glob
 * (`**` crosses folders, a glob that matches a folder takes all below it). Entries start at the repository root.
 * Throws CONFIG_INVALID for an entry that would take everything or that means to bring something back in.
 */
export function compileExcludes(patterns: readonly string[]): Excludes {
  const sources: string[] = []
  for (const pattern of patterns) {
    const plain = pattern.replace(/^(\.?\/)+/, '').replace(/(\/\*\*)?\/*$/, '')
    if (plain.startsWith('!')) {
      throw new EngineError(
        'CONFIG_INVALID',
        `scan_exclude has the entry ${JSON.stringify(pattern)}, which means to bring files back in.`,
        {
          hint: 'Name only what is to be left out, with narrower entries.',
        },
      )
    }
    if (plain === '' || plain === '.' || plain === '**') {
      throw new EngineError(
        'CONFIG_INVALID',
        `scan_exclude has the entry ${JSON.stringify(pattern)}, which leaves nothing to scan.`,
        {
          hint: 'Name a file, a folder or a glob inside the repository.',
        },
      )
    }
    // Every entry also stands for itself: `app/(auth)` is a folder's name before it is a group.
    sources.push(`^${plain.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?:/|$)`)
    if (GLOB.test(plain)) sources.push(...[plain, `${plain}/**`].map(glob => picomatch.makeRe(glob, OPTIONS).source))
  }
  if (sources.length === 0) return () => false
  // One expression for all entries: it runs once for each of hundreds of thousands of paths.
  const any = new RegExp(sources.map(source => `(?:${source})`).join('|'), 's')
  return path => any.test(path)
}
