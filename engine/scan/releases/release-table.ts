import type { ReleaseFacts, SharedRelease } from '../../detect/rules/release-facts.ts'

/** Names, and beside each the row of the file that has it, in order of rows. */
interface NamedRows {
  rows: number[]
  names: string[]
}

/** As it is written: names are words, so that a space is between them. */
interface Written {
  unknown: [rows: number[], names: string]
  asked: [rows: number[], names: string]
  releases: [row: number, release: SharedRelease][]
}

interface Read extends Pick<Written, 'releases'> {
  unknown: NamedRows
  asked: NamedRows
}

/**
 * What the files of a table free, by their rows: in a large program in C a tenth of all files have something of it, and a scan asks for few of
 * their names. It is read when it is asked for the first time.
 */
export class ReleaseTable {
  readonly #text: Uint8Array
  #read: Read | undefined
  #facts: ReadonlyMap<number, ReleaseFacts> | undefined

  /** `text` is what `encodeReleases` gave. */
  constructor(text: Uint8Array) {
    this.#text = text
  }

  /** Names of which it is not known what they do. */
  get unknown(): NamedRows {
    return this.#open().unknown
  }

  /** Names of functions of other files that files ask for. */
  get asked(): NamedRows {
    return this.#open().asked
  }

  get releases(): readonly [row: number, release: SharedRelease][] {
    return this.#open().releases
  }

  /** The facts of one row; undefined where it has none. For one who asks for many. */
  facts(row: number): ReleaseFacts | undefined {
    this.#facts ??= this.#group()
    return this.#facts.get(row)
  }

  #open(): Read {
    if (!this.#read) {
      const { unknown, asked, releases } = JSON.parse(Buffer.from(this.#text).toString()) as Written
      this.#read = { unknown: split(unknown), asked: split(asked), releases }
    }
    return this.#read
  }

  #group(): Map<number, ReleaseFacts> {
    const { unknown, asked, releases } = this.#open()
    const facts = new Map<number, ReleaseFacts>()
    const of = (row: number) => {
      const own = facts.get(row) ?? { releases: [], unknown: [], asked: [] }
      facts.set(row, own)
      return own
    }
    for (const [row, release] of releases) of(row).releases.push(release)
    for (const [at, name] of unknown.names.entries()) of(unknown.rows[at]!).unknown.push(name)
    for (const [at, name] of asked.names.entries()) of(asked.rows[at]!).asked.push(name)
    return facts
  }
}

/** The facts of rows, in their order, as a table's text. */
export function encodeReleases(facts: readonly (readonly [row: number, facts: ReleaseFacts])[]): string {
  const named = (kind: 'unknown' | 'asked'): [number[], string] => [
    facts.flatMap(([row, own]) => own[kind].map(() => row)),
    facts.flatMap(([, own]) => own[kind]).join(' '),
  ]
  const releases = facts.flatMap(([row, own]) => own.releases.map((release): [number, SharedRelease] => [row, release]))
  const written: Written = { unknown: named('unknown'), asked: named('asked'), releases }
  return JSON.stringify(written)
}

function split([rows, names]: [number[], string]): NamedRows {
  return { rows, names: rows.length === 0 ? [] : names.split(' ') }
}
