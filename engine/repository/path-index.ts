import { alternativesOf, compileGlob } from './glob.ts'

interface Folder {
  /** With a slash at the end; '' for the root. */
  folder: string
  /** A path in it, there or not, to ask globs of. */
  one: string
  paths: string[]
}

/**
 * Paths by how they end and by the folder they lie in. Globs ask for a name, an ending or what lies below a folder, and
 * few paths of a large repository have what one asks for: asking each path of each glob takes a second where this takes
 * some milliseconds.
 */
export class PathIndex {
  readonly #paths: readonly string[]
  #byEnd: Map<number, string[]> | undefined
  #folders: Folder[] | undefined
  readonly #known = new Map<string, readonly string[]>()

  constructor(paths: readonly string[]) {
    this.#paths = paths
  }

  /** The paths that one of `globs` takes, all where there are none, and none of `without` does; each once, in no particular order. */
  *matching(globs: readonly string[], without: readonly string[] = []): Generator<string, void> {
    const excluded = without.map(compileGlob)
    const candidates = globs.length === 0 ? this.#paths : this.#taken(globs)
    for (const path of candidates) if (!excluded.some(takes => takes(path))) yield path
  }

  #taken(globs: readonly string[]): Iterable<string> {
    const each = globs.map(glob => this.#takenBy(glob))
    return each.length === 1 ? each[0]! : new Set(each.flat())
  }

  /** Rules often ask for the same globs. */
  #takenBy(glob: string): readonly string[] {
    const known = this.#known.get(glob)
    if (known) return known
    const found = alternativesOf(glob).flatMap(one => {
      const takes = compileGlob(one)
      // The paths of one folder are all alike to a glob for what lies below folders.
      if (one.endsWith('/**')) return this.#inFolders().flatMap(folder => (takes(folder.one) ? folder.paths : []))
      return this.#endingLike(one).filter(takes)
    })
    this.#known.set(glob, found)
    return found
  }

  /** The paths that end in the same two characters as the glob, where those stand for themselves; else all. */
  #endingLike(glob: string): readonly string[] {
    const end = /[^*?[\]\\{}/]{2}$/.exec(glob)?.[0]
    if (end === undefined) return this.#paths
    if (!this.#byEnd) {
      this.#byEnd = new Map()
      for (const path of this.#paths) {
        const key = endOf(path)
        const same = this.#byEnd.get(key)
        if (same) same.push(path)
        else this.#byEnd.set(key, [path])
      }
    }
    return this.#byEnd.get(endOf(end)) ?? []
  }

  #inFolders(): readonly Folder[] {
    if (!this.#folders) {
      this.#folders = []
      let last: Folder | undefined
      for (const path of this.#paths) {
        // Neighbours mostly share their folder; one that comes twice does no harm.
        if (!last || !path.startsWith(last.folder) || path.indexOf('/', last.folder.length) !== -1) {
          const folder = path.slice(0, path.lastIndexOf('/') + 1)
          last = { folder, one: `${folder}x`, paths: [] }
          this.#folders.push(last)
        }
        last.paths.push(path)
      }
    }
    return this.#folders
  }
}

function endOf(text: string): number {
  return text.charCodeAt(text.length - 2) * 65536 + text.charCodeAt(text.length - 1)
}
