import { compileGlob, expandAlternatives, getRequiredText } from '../../base/text/glob.ts'

interface Folder<T> {
  /** With a slash at the end; '' for the root. */
  folder: string
  /** A path in it, there or not, to ask globs of. */
  one: string
  files: T[]
}

/**
 * Files by how their paths end and by the folder they lie in. Globs ask for a name, an ending or what lies below a folder, and
 * few paths of a large repository have what one asks for: asking each path of each glob takes a second where this takes
 * some milliseconds.
 */
export class PathIndex<T extends { path: string }> {
  readonly #files: readonly T[]
  #byEnd: Map<number, T[]> | undefined
  #folders: Folder<T>[] | undefined
  /** All paths, a line each. */
  #text: string | undefined
  readonly #known = new Map<string, readonly T[]>()

  constructor(files: readonly T[]) {
    this.#files = files
  }

  /** The files whose path one of the globs takes, all where there are none; each once, in no particular order. */
  matching(globs: readonly string[]): Iterable<T> {
    if (globs.length === 0) return this.#files
    const each = globs.map(glob => this.#takenBy(glob))
    return each.length === 1 ? each[0]! : new Set(each.flat())
  }

  /** Rules often ask for the same globs. */
  #takenBy(glob: string): readonly T[] {
    const known = this.#known.get(glob)
    if (known) return known
    const each = expandAlternatives(glob).map(one => this.#takenByOne(one))
    // A path may be what several of them take.
    const found = each.length === 1 ? each[0]! : [...new Set(each.flat())]
    this.#known.set(glob, found)
    return found
  }

  #takenByOne(glob: string): readonly T[] {
    const takes = compileGlob(glob)
    const end = /[^*?[\]\\{}/]{2}$/.exec(glob)?.[0]
    if (end !== undefined) return this.#endingIn(end).filter(({ path }) => takes(path))
    // To look for a word in all paths at once takes a tenth of looking for it in each.
    this.#text ??= this.#files.map(({ path }) => path).join('\n')
    if (!this.#text.includes(getRequiredText(glob).longest)) return []
    // The files of one folder are all alike to a glob for what lies below folders.
    if (glob.endsWith('/**')) return this.#inFolders().flatMap(folder => (takes(folder.one) ? folder.files : []))
    return this.#files.filter(({ path }) => takes(path))
  }

  /** The files whose path ends in these two characters. */
  #endingIn(end: string): readonly T[] {
    if (!this.#byEnd) {
      this.#byEnd = new Map()
      for (const file of this.#files) {
        const key = endOf(file.path)
        const same = this.#byEnd.get(key)
        if (same) same.push(file)
        else this.#byEnd.set(key, [file])
      }
    }
    return this.#byEnd.get(endOf(end)) ?? []
  }

  #inFolders(): readonly Folder<T>[] {
    if (!this.#folders) {
      this.#folders = []
      let last: Folder<T> | undefined
      for (const file of this.#files) {
        const { path } = file
        // Neighbours mostly share their folder; one that comes twice does no harm.
        if (!last || !path.startsWith(last.folder) || path.indexOf('/', last.folder.length) !== -1) {
          const folder = path.slice(0, path.lastIndexOf('/') + 1)
          last = { folder, one: `${folder}x`, files: [] }
          this.#folders.push(last)
        }
        last.files.push(file)
      }
    }
    return this.#folders
  }
}

function endOf(text: string): number {
  return text.charCodeAt(text.length - 2) * 65536 + text.charCodeAt(text.length - 1)
}
