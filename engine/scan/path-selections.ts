import type { Seal } from '../sources/state/cache-seal.ts'
import type { CacheTable } from './cache-table.ts'
import { readSealed, type SealedStore, writeSealed } from './sealed-store.ts'

/**
 * The rows of a table whose paths a search asks for, by the search's name. They follow from the paths and the program alone, so they are kept with the
 * cache: the paths of a hundred thousand files are not asked again while the table is the same. Its digest is that of the program, too.
 */
export class PathSelections {
  readonly #table: CacheTable
  readonly #store: SealedStore
  readonly #seal: Seal | undefined
  readonly #isReading: boolean
  #known: Record<string, number[]> | undefined

  /** `isReading`: nothing is written. */
  constructor(root: string, table: CacheTable, seal: Seal | undefined, isReading: boolean) {
    this.#table = table
    this.#store = { root, file: 'paths.cache', purpose: 'path selections' }
    this.#seal = seal
    this.#isReading = isReading
  }

  /** The rows with a path that is wanted, in order. A name always stands for the same function of a path, which no configuration changes. */
  find(name: string, wants: (path: string) => boolean): readonly number[] {
    this.#known ??= this.#read()
    const before = this.#known[name]
    if (before) return before
    const rows = findRows(this.#table, wants)
    this.#known[name] = rows
    if (this.#seal && !this.#isReading) writeSealed(this.#store, this.#table.digest, this.#seal, this.#known)
    return rows
  }

  #read(): Record<string, number[]> {
    const known = this.#seal && readSealed(this.#store, this.#table.digest, this.#seal)
    return (known as Record<string, number[]> | undefined) ?? {}
  }
}

/** The rows of a table with a path that is wanted, in order. */
export function findRows(table: CacheTable, wants: (path: string) => boolean): number[] {
  return table.paths.flatMap((path, row) => (wants(path) ? row : []))
}
