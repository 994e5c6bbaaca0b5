import { readSource } from '../../base/disk/read.ts'
import type { Listing, SourceFile } from '../../base/records/source-file.ts'
import { decode } from '../../base/text/decode.ts'
import { computeGitName } from '../../sources/repository/git.ts'
import type { RequirementRecord } from '../requirements/model.ts'
import type { Link } from '../trace/links.ts'
import { listSymbols } from '../trace/symbols.ts'
import { type ConfirmedDigest, type ConfirmedPlace, UNREADABLE } from './confirmed.ts'
import { type CodeDigest, digestCode, digestWords } from './digest.ts'

/** Links of one requirement that its digest has; one with more is confirmed by the first ones, in order of their paths. */
export const MOST_LINKS = 200
/** So many characters are parsed between two turns of the event loop: only there syntax trees are released. */
const TURN = 1 << 20

/** The digest of a requirement's own words. */
export function digestRequirement({ title, description = '', acceptance }: RequirementRecord): string {
  return digestWords([title, description, ...acceptance].join('\n'))
}

/** Digests the code that requirements are linked to; each file is read and parsed once at most, unless what is linked in it differs. */
export class CodeMeasure {
  readonly #root: string
  readonly #maxBytes: number
  readonly #contents: ReadonlyMap<string, Uint8Array>
  readonly #files: ReadonlyMap<string, SourceFile>
  readonly #texts = new Map<string, { text: string; oid: string } | undefined>()
  readonly #digests = new Map<string, CodeDigest | undefined>()
  #characters = 0

  constructor(
    { root, files }: Pick<Listing, 'root' | 'files'>,
    maxBytes: number,
    contents: ReadonlyMap<string, Uint8Array> = new Map(),
  ) {
    this.#contents = contents
    this.#root = root
    this.#maxBytes = maxBytes
    this.#files = new Map(files.map(file => [file.path, file]))
  }

  /**
   * What a requirement is linked to now. Of a file that `confirmed` has with the same content, what it says is taken over unparsed. `imports` lists
   * the files that a file imports; without it imports are left out.
   */
  async measure(
    requirement: RequirementRecord,
    links: readonly Link[],
    { confirmed, imports }: { confirmed?: ConfirmedDigest; imports?: (path: string) => readonly string[] } = {},
  ): Promise<ConfirmedDigest> {
    const known = new Map(
      (confirmed?.places ?? []).map(place => [`${place.kind}\0${place.path}\0${place.symbol ?? ''}`, place]),
    )
    const places = new Map<string, ConfirmedPlace>()
    const code = new Set<string>()
    for (const { role, origin, file, symbol } of links.slice(0, MOST_LINKS)) {
      if (origin === 'commit') continue
      const kind = role === 'tests' ? ('test' as const) : ('code' as const)
      const key = `${kind}\0${file}\0${symbol ?? ''}`
      const name = { kind, path: file, ...(symbol !== undefined && { symbol }) }
      if (places.has(key)) continue
      if (kind === 'test') places.set(key, name)
      else {
        code.add(file)
        places.set(key, { ...name, ...(await this.#digest(file, symbol, known.get(key))) })
      }
    }
    if (imports)
      for (const path of new Set([...code].flatMap(file => imports(file))))
        if (!code.has(path)) {
          const { structure } = await this.#digest(path, undefined, undefined)
          places.set(`import\0${path}\0`, { kind: 'import', path, structure })
        }
    const sorted = [...places].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, place]) => place)
    return { text: digestRequirement(requirement), places: sorted }
  }

  async #digest(
    path: string,
    symbol: string | undefined,
    known: ConfirmedPlace | undefined,
  ): Promise<Partial<ConfirmedPlace>> {
    const source = this.#read(path)
    if (!source) return { structure: UNREADABLE, tree: UNREADABLE }
    if (known?.oid !== undefined && known.oid === source.oid)
      return { oid: source.oid, structure: known.structure, tree: known.tree }
    const key = `${path}\0${symbol ?? ''}`
    if (!this.#digests.has(key)) {
      const { language } = this.#files.get(path)!
      const at =
        symbol === undefined ? undefined : listSymbols(language ?? '', source.text).find(({ name }) => name === symbol)
      this.#digests.set(key, digestCode(language ?? '', source.text, at) ?? digestCode(language ?? '', source.text))
      this.#characters += source.text.length
      if (this.#characters > TURN) {
        this.#characters = 0
        await new Promise(resolve => setImmediate(resolve))
      }
    }
    return { oid: source.oid, ...this.#digests.get(key) }
  }

  #read(path: string): { text: string; oid: string } | undefined {
    if (this.#texts.has(path)) return this.#texts.get(path)
    const file = this.#files.get(path)
    const bytes =
      file && file.blob === undefined
        ? (this.#contents.get(path) ?? readSource(this.#root, file, this.#maxBytes))
        : undefined
    const decoded = bytes instanceof Uint8Array ? decode(bytes, file!.encoding) : undefined
    const read =
      decoded && 'text' in decoded
        ? { text: decoded.text, oid: computeGitName(bytes as Uint8Array, '0'.repeat(40)).slice(0, 16) }
        : undefined
    this.#texts.set(path, read)
    return read
  }
}
