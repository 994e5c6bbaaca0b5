import { computeShare } from '../../base/text/percent.ts'
import { findLanguage, findTopDirectory } from './areas.ts'
import type { HistoryCommit } from './history.ts'

/** How many commits touch an area, and which part of all commits there that is. */
export interface Share {
  commits: number
  share: number
}

/** Commits by language and by directory at the top. */
export interface AuthorProfile {
  author: string
  commits: number
  languages: Record<string, Share>
  directories: Record<string, Share>
}

/** Who has worked on what. */
export interface ExpertiseProfile {
  commits: number
  authors: AuthorProfile[]
  languages: Record<string, { commits: number; authors: number }>
  directories: Record<string, { commits: number; authors: number }>
}

/** Renames that are followed; older ones of a history with more count where the file was then. */
const MOST_RENAMES = 1_000_000

/**
 * Counts commits per author, language and directory, given the newest commit first. A file that a commit removes and adds under another name
 * with the same content was renamed: what older commits did to it counts where it is now. Memory grows with authors and renames alone.
 */
export class ExpertiseCounter {
  #commits = 0
  readonly #authors = new Map<string, { commits: number; languages: Counts; directories: Counts }>()
  readonly #languages: Counts = new Map()
  readonly #directories: Counts = new Map()
  /** Former path to the present one. */
  readonly #renamed = new Map<string, string>()

  add(commit: HistoryCommit, countFiles = true): void {
    const name = formatAuthor(commit)
    const author = this.#authors.get(name) ?? { commits: 0, languages: new Map(), directories: new Map() }
    this.#authors.set(name, author)
    author.commits++
    this.#commits++
    if (!countFiles) return
    const moved = this.#followRenames(commit)
    const languages = new Set<string>()
    const directories = new Set<string>()
    for (const { path } of commit.files) {
      if (moved.has(path)) continue
      const now = this.#renamed.get(path) ?? path
      const language = findLanguage(now)
      if (language !== undefined) languages.add(language)
      directories.add(findTopDirectory(now))
    }
    for (const each of languages) {
      increase(author.languages, each)
      increase(this.#languages, each)
    }
    for (const each of directories) {
      increase(author.directories, each)
      increase(this.#directories, each)
    }
  }

  /** What was counted, in the order of commits and names. */
  profile(): ExpertiseProfile {
    const authors = [...this.#authors].map(([author, own]) => ({
      author,
      commits: own.commits,
      languages: shares(own.languages, this.#languages),
      directories: shares(own.directories, this.#directories),
    }))
    authors.sort((a, b) => b.commits - a.commits || (a.author < b.author ? -1 : 1))
    const sum = (all: Counts, of: 'languages' | 'directories') =>
      Object.fromEntries(
        sorted(all).map(([name, commits]) => [
          name,
          { commits, authors: authors.filter(author => Object.hasOwn(author[of], name)).length },
        ]),
      )
    return {
      commits: this.#commits,
      authors,
      languages: sum(this.#languages, 'languages'),
      directories: sum(this.#directories, 'directories'),
    }
  }

  /** Remembers the renames of a commit; answers the former paths. */
  #followRenames({ files }: HistoryCommit): ReadonlySet<string> {
    const gone = new Map<string, string>()
    for (const { path, before, after } of files) if (isNone(after) && !isNone(before)) gone.set(before, path)
    if (gone.size === 0) return NOTHING
    const moved = new Set<string>()
    for (const { path, before, after } of files) {
      const former = isNone(before) ? gone.get(after) : undefined
      if (former === undefined || moved.has(former) || this.#renamed.size >= MOST_RENAMES) continue
      moved.add(former)
      this.#renamed.set(former, this.#renamed.get(path) ?? path)
    }
    return moved
  }
}

type Counts = Map<string, number>

const NOTHING: ReadonlySet<string> = new Set()

/** An author as git writes one. */
export function formatAuthor({ name, email }: Pick<HistoryCommit, 'name' | 'email'>): string {
  return `${name} <${email}>`
}

function isNone(object: string): boolean {
  return object.charCodeAt(0) === 48 && /^0+$/.test(object)
}

function increase(counts: Counts, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function sorted(counts: Counts): [string, number][] {
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
}

function shares(own: Counts, all: Counts): Record<string, Share> {
  return Object.fromEntries(
    sorted(own).map(([name, commits]) => [name, { commits, share: computeShare(commits, all.get(name)!, 3) ?? 0 }]),
  )
}
