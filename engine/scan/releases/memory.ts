import { createHash } from 'node:crypto'
import { getEngineDigest } from '../../base/disk/assets.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import type { FileOutcome } from '../../detect/rules/file-outcome.ts'
import { computeRuleDigest } from '../../sources/packs/packed.ts'
import type { Seal } from '../../sources/state/cache-seal.ts'
import { readSealed, type SealedStore, writeSealed } from '../sealed-store.ts'

/** What a file came to with what is known of the functions of others. */
export type Reanalyzed = Pick<FileOutcome, 'matches' | 'failures'>

/** By path: git's name of the content, the functions of other files that were known, and what it came to. */
type Stored = Record<string, { oid: string; known: string } & Reanalyzed>

/**
 * What files of C and C++ came to in the scan before. It holds for the same program and rules, and for a file as long as git names its content the same
 * and the same is known of the functions that it calls. Sealed like all results that are kept.
 */
export class ReleaseMemory {
  readonly #store: SealedStore
  readonly #seal: Seal | undefined
  readonly #basis: string
  readonly #before: Stored
  readonly #now: Stored = Object.create(null) as Stored
  #isChanged: boolean

  private constructor(root: string, seal: Seal | undefined, basis: string) {
    this.#store = { root, file: 'releases.cache', purpose: 'releases' }
    this.#seal = seal
    this.#basis = basis
    const before = seal && (readSealed(this.#store, basis, seal) as { files: Stored } | undefined)
    this.#before = before?.files ?? {}
    this.#isChanged = before === undefined
  }

  /** Opens what is kept below the root; empty where it is of another program or of other rules, or was not sealed with this key. */
  static open(root: string, rules: readonly CompiledRule[], limits: object, seal: Seal | undefined): ReleaseMemory {
    const hash = createHash('sha256').update(getEngineDigest()).update(JSON.stringify(limits))
    for (const rule of rules) hash.update(`\n${rule.digest ?? computeRuleDigest(rule)}`)
    return new ReleaseMemory(root, seal, hash.digest('hex'))
  }

  /** What a file came to, by its content and what was known. */
  find({ path, oid }: SourceFile, known: string): Reanalyzed | undefined {
    const kept = Object.hasOwn(this.#before, path) ? this.#before[path]! : undefined
    if (oid === undefined || kept?.oid !== oid || kept.known !== known) return undefined
    this.#now[path] = kept
    return kept
  }

  /** Keeps what a file came to, where git has a name for its content. */
  keep({ path, oid }: SourceFile, known: string, { matches, failures }: Reanalyzed): void {
    if (oid === undefined) return
    this.#isChanged = true
    this.#now[path] = { oid, known, matches, failures }
  }

  /** Writes what this scan came to, where anything is new. The next scan does without where it cannot be written. */
  save(): void {
    if (this.#isChanged && this.#seal) writeSealed(this.#store, this.#basis, this.#seal, { files: this.#now })
  }
}
