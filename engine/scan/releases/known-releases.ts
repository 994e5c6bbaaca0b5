import type { Stretch } from '../../detect/rules/release-facts.ts'
import type { SharedReleases } from './shared-releases.ts'

/** A function of the repository that frees what a parameter points to, whatever happens. */
export interface KnownRelease extends Stretch {
  parameter: number
  /** The file and the location of the call that frees it, in the function or in the one that it hands it on to. */
  path: string
}

/**
 * The functions of a repository that free what a parameter points to, whatever happens, by their names. A name that two files define may be that of
 * either function, and so nothing is known of it; what tests define in the place of functions does not count.
 */
export function joinReleases(shared: SharedReleases): ReadonlyMap<string, KnownRelease> {
  const certain = shared.listCertain()
  const direct = new Map(certain.filter(({ release }) => !release.by).map(each => [each.release.name, each]))
  const out = new Map<string, KnownRelease>()
  for (const { path, release } of certain) {
    const { name, parameter, by, ...place } = release
    if (!by) out.set(name, { parameter, path, ...place })
    else {
      // One function that hands it on, not more.
      const other = direct.get(by.name)
      if (other?.release.parameter !== by.parameter) continue
      const { line, column, end_line, end_column } = other.release
      out.set(name, { parameter, path: other.path, line, column, end_line, end_column })
    }
  }
  return out
}
