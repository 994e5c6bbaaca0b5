import type { SourceFile } from '../../base/records/source-file.ts'
import { compileGlob, expandAlternatives, getRequiredText } from '../../base/text/glob.ts'
import type { Requirement } from '../requirements/model.ts'

/** How a link is known. */
export const LINK_ORIGINS = ['tag', 'glob', 'commit'] as const
export type LinkOrigin = (typeof LINK_ORIGINS)[number]

/** A link from a requirement to code or a test. */
export interface Link {
  /** Id of the requirement. */
  id: string
  role: 'implements' | 'tests'
  origin: LinkOrigin
  file: string
  /** Of the tag; 1 where the link is to the whole file. */
  line: number
  /** The declaration that it is to; absent for the whole file. */
  symbol?: string
}

/** A glob of a requirement that matches no file. */
export interface IdleGlob {
  requirement: Requirement
  glob: string
  field: 'files' | 'tests'
}

/** A requirement whose globs match more files says nothing of any of them: the others are counted. */
const MOST_FILES = 2000

/** Matches globs against the sorted paths of a repository: only paths that begin as the glob does are compared, and equal globs once. */
export class PathMatcher {
  readonly #paths: readonly string[]
  readonly #known = new Map<string, readonly string[]>()

  /** `paths` are sorted by code unit. */
  constructor(paths: readonly string[]) {
    this.#paths = paths
  }

  match(glob: string): readonly string[] {
    const known = this.#known.get(glob)
    if (known) return known
    const found = new Set<string>()
    for (const each of expandAlternatives(glob)) {
      const { head } = getRequiredText(each)
      const matches = compileGlob(each)
      const from = this.#firstFrom(head)
      for (let at = from; at < this.#paths.length && this.#paths[at]!.startsWith(head); at++)
        if (matches(this.#paths[at]!)) found.add(this.#paths[at]!)
    }
    const sorted = [...found].sort()
    this.#known.set(glob, sorted)
    return sorted
  }

  #firstFrom(head: string): number {
    let low = 0
    let high = this.#paths.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#paths[middle]! < head) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** The links that the globs of requirements make, and the globs that match nothing. */
export function linkGlobs(
  requirements: readonly Requirement[],
  files: readonly Pick<SourceFile, 'path' | 'in_test'>[],
): { links: Link[]; idle: IdleGlob[] } {
  const matcher = new PathMatcher(files.map(({ path }) => path).sort())
  const tests = new Set(files.flatMap(({ path, in_test }) => (in_test ? [path] : [])))
  const links: Link[] = []
  const idle: IdleGlob[] = []
  for (const requirement of requirements)
    for (const [field, role] of [
      ['files', 'implements'],
      ['tests', 'tests'],
    ] as const)
      for (const glob of requirement[field]) {
        const paths = matcher.match(glob)
        if (paths.length === 0) idle.push({ requirement, glob, field })
        // `src/**` means the code there, and not the tests beside it.
        for (const file of paths.slice(0, MOST_FILES))
          if (role === 'tests' || file === glob || !tests.has(file))
            links.push({ id: requirement.id, role, origin: 'glob', file, line: 1 })
      }
  return { links, idle }
}

/** Links by the id of their requirement. */
export function groupLinks(links: readonly Link[]): Map<string, Link[]> {
  const groups = new Map<string, Link[]>()
  for (const link of links) {
    const list = groups.get(link.id)
    if (list) list.push(link)
    else groups.set(link.id, [link])
  }
  return groups
}
