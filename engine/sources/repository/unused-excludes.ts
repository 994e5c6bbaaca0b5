import type { Listing } from '../../base/records/source-file.ts'
import { compileExcludes } from './exclude.ts'

/** An entry of `scan_exclude` that left nothing out, and the entry that was probably meant. */
export interface UnusedExclude {
  pattern: string
  meant?: string
}

/** The entries that match none of the listed and skipped files of a whole repository, with an entry close by that does. */
export function listUnusedExcludes(
  patterns: readonly string[],
  { files, skipped }: Pick<Listing, 'files' | 'skipped'>,
): UnusedExclude[] {
  const excluded = skipped.flatMap(({ path, reason }) => (reason === 'excluded' ? path : []))
  const unused = patterns.filter(pattern => !excluded.some(compileExcludes([pattern])))
  if (unused.length === 0) return []
  const paths = files.map(({ path }) => path)
  return unused.map(pattern => {
    const meant = listCandidates(pattern).find(candidate => {
      const matches = compileExcludes([candidate])
      return excluded.some(matches) || paths.some(matches)
    })
    return meant === undefined ? { pattern } : { pattern, meant }
  })
}

/** One sentence for a user. */
export function describeUnusedExclude({ pattern, meant }: UnusedExclude): string {
  const why = pattern.includes('\\') ? ' A backslash takes the meaning from the next character.' : ''
  const advice = meant === undefined ? 'Remove the entry or correct it.' : `Did you mean ${JSON.stringify(meant)}?`
  return `scan_exclude: ${JSON.stringify(pattern)} matches no file.${why} ${advice}`
}

/** The same with slashes, the same in any directory, and a directory in place of its contents. */
function listCandidates(pattern: string): string[] {
  const slashes = pattern.replaceAll('\\', '/')
  const inside = slashes.replace(/^(\.?\/)+/, '')
  return [...new Set([slashes, inside, `**/${inside}`, inside.replace(/\/\*(\.\*)?$/, '')])].filter(
    candidate => candidate !== pattern && candidate !== '' && !/^(\.|\*\*)\/?$/.test(candidate),
  )
}
