import { readGitRecords } from '../../sources/repository/git-records.ts'

/** A commit that is no merge, with the files that it changes. */
export interface HistoryCommit {
  /** Name and address after `.mailmap`. */
  name: string
  email: string
  /** Seconds since 1970, of the author's clock. */
  time: number
  /** It has no parent: the first commit of all, or the last that a shallow clone has. */
  isRoot: boolean
  files: HistoryFile[]
}

export interface HistoryFile {
  path: string
  /** Object before and after, as git shortens them; all zeros for none. */
  before: string
  after: string
}

/** A commit of more files says little of who knows them, and its files are read but not kept. */
const MOST_FILES = 100_000

/**
 * Reads the commits that revisions select, newest first, in one pass of `git log`, each as soon as git has printed it; nothing but the
 * commit at hand is kept. Merges are left out: what they bring together is counted where it was written.
 */
export async function readHistory(
  root: string,
  revisions: readonly string[],
  since: number | undefined,
  signal: AbortSignal,
  take: (commit: HistoryCommit) => void,
): Promise<void> {
  const args = [
    ...['log', '--raw', '-z', '--no-renames', '--use-mailmap', '--no-merges', '--no-abbrev', '--ignore-submodules=all'],
    ...(since === undefined ? [] : [`--since=@${since}`]),
    ...['--format=%x01%aN%x02%aE%x02%at%x02%P', ...revisions, '--'],
  ]
  const parser = new HistoryParser(take)
  await readGitRecords(root, args, signal, record => parser.add(record))
  parser.end()
}

/** Parses what `git log --raw -z` prints: a commit's header, then pairs of a record and a path, each ended by NUL. */
class HistoryParser {
  readonly #take: (commit: HistoryCommit) => void
  #commit: HistoryCommit | undefined
  /** The record whose path comes next. */
  #record: string | undefined

  constructor(take: (commit: HistoryCommit) => void) {
    this.#take = take
  }

  add(field: string): void {
    if (this.#record !== undefined) {
      const files = this.#commit!.files
      // `:<mode> <mode> <object> <object> <status>`: the modes have six digits each, the objects one length.
      const length = (this.#record.length - ':100644 100644   M'.length) >> 1
      const before = this.#record.slice(15, 15 + length)
      const after = this.#record.slice(16 + length, 16 + 2 * length)
      if (files.length < MOST_FILES) files.push({ path: field, before, after })
      this.#record = undefined
      return
    }
    const mark = field.indexOf('\x01')
    if (mark !== -1) {
      if (this.#commit) this.#take(this.#commit)
      const [name = '', email = '', time = '', parents = ''] = field.slice(mark + 1).split('\x02')
      this.#commit = { name, email, time: Number(time) || 0, isRoot: parents.trim() === '', files: [] }
      return
    }
    const colon = field.indexOf(':')
    if (this.#commit && colon !== -1) this.#record = field.slice(colon)
  }

  end(): void {
    if (this.#commit) this.#take(this.#commit)
  }
}
