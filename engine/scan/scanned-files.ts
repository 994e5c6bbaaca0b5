import type { FileRecord } from '../base/records/run.ts'
import type { PlainFiles } from './kept-files.ts'

/** The files that a scan looked at, by path: those that it made records of, and those that it took over as they were. */
export class ScannedFiles {
  /** By path. */
  readonly own: readonly FileRecord[]
  readonly plain: PlainFiles | undefined
  #all: readonly FileRecord[] | undefined
  #byPath: ReadonlyMap<string, FileRecord> | undefined

  constructor(own: readonly FileRecord[], plain?: PlainFiles) {
    this.own = [...own].sort(byPath)
    this.plain = plain
  }

  get count(): number {
    return this.own.length + (this.plain?.count ?? 0)
  }

  get lines(): number {
    return this.own.reduce((sum, { lines }) => sum + lines, this.plain?.lines ?? 0)
  }

  /** How many of each language. */
  languages(): Map<string, number> {
    const counts = new Map(this.plain?.languages)
    for (const { language } of this.own) counts.set(language, (counts.get(language) ?? 0) + 1)
    return counts
  }

  get(path: string): FileRecord | undefined {
    this.#byPath ??= new Map(this.own.map(file => [file.path, file]))
    return this.#byPath.get(path) ?? this.plain?.get(path)
  }

  /** Every file by itself. */
  all(): readonly FileRecord[] {
    this.#all ??= this.plain ? [...this.plain.all(), ...this.own].sort(byPath) : this.own
    return this.#all
  }
}

function byPath(a: FileRecord, b: FileRecord): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}
