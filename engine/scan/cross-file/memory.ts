import { createHash } from 'node:crypto'
import { getEngineDigest } from '../../base/disk/assets.ts'
import type { FlowStep } from '../../base/records/finding.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import type { Excluded } from '../../detect/rules/file-outcome.ts'
import type { Match } from '../../detect/rules/match.ts'
import type { Entry } from '../../detect/taint/cross-file.ts'
import type { Input } from '../../detect/taint/handovers.ts'
import { computeRuleDigest } from '../../sources/packs/packed.ts'
import type { Seal } from '../../sources/state/cache-seal.ts'
import { readSealed, type SealedStore, writeSealed } from '../sealed-store.ts'

/** Input that a file passes to a function of another, by places as people count them. */
export interface Passed {
  callee: string
  position: number
  name?: string
  input: Input
  steps: Omit<FlowStep, 'file'>[]
}

/** What a file, or a function of it that input enters, came to. */
export interface Followed {
  matches: Match[]
  /** What rules found there and set aside, since the file is one that they exclude. */
  excluded: Excluded[]
  passed: Passed[]
  /** Functions that took too many steps. */
  exhausted: string[]
}

/** Of each file by its path: git's name of its content, and what it came to; by entry, what its functions came to. */
interface Stored {
  files: Record<string, { oid: string; own?: Followed; entries: Record<string, Followed> }>
}

/**
 * What files came to in the scan before. It holds for the same program, rules and list of files, since names lead to files, and for a file as
 * long as git names its content the same. Sealed like all results that are kept.
 */
export class CrossFileMemory {
  readonly #root: string
  readonly #seal: Seal | undefined
  readonly #basis: string
  readonly #before: Stored['files']
  readonly #now: Stored['files'] = Object.create(null) as Stored['files']
  #isChanged = false

  private constructor(root: string, seal: Seal | undefined, basis: string, before: Stored['files'] | undefined) {
    this.#root = root
    this.#seal = seal
    this.#basis = basis
    this.#before = before ?? {}
    this.#isChanged = before === undefined
  }

  /** Opens what is kept below the root; empty where it is of another program, of other rules or files, or was not sealed with this key. */
  static open(
    root: string,
    rules: readonly CompiledRule[],
    paths: readonly string[],
    seal: Seal | undefined,
  ): CrossFileMemory {
    const hash = createHash('sha256').update(getEngineDigest())
    for (const rule of rules) hash.update(`\n${rule.digest ?? computeRuleDigest(rule)}${rule.muted ? ' muted' : ''}`)
    for (const path of [...paths].sort()) hash.update(`\0${path}`)
    const basis = hash.digest('hex')
    return new CrossFileMemory(
      root,
      seal,
      basis,
      seal && (readSealed(storeOf(root), basis, seal) as Stored | undefined)?.files,
    )
  }

  /** What a file came to, by its content; `entry` where input enters a function of it. */
  find({ path, oid }: SourceFile, entry?: Entry): Followed | undefined {
    const known = Object.hasOwn(this.#before, path) ? this.#before[path]! : undefined
    if (oid === undefined || known?.oid !== oid) return undefined
    const key = entry && JSON.stringify(entry)
    const found = key === undefined ? known.own : Object.hasOwn(known.entries, key) ? known.entries[key] : undefined
    if (found) this.#put(path, oid, found, key)
    return found
  }

  /** Keeps what a file came to, where git has a name for its content. */
  keep({ path, oid }: SourceFile, followed: Followed, entry?: Entry): void {
    if (oid === undefined) return
    this.#isChanged = true
    this.#put(path, oid, followed, entry && JSON.stringify(entry))
  }

  #put(path: string, oid: string, followed: Followed, key: string | undefined): void {
    this.#now[path] ??= { oid, entries: Object.create(null) as Record<string, Followed> }
    const own = this.#now[path]
    if (key === undefined) own.own = followed
    else own.entries[key] = followed
  }

  /** Writes what this scan came to, where anything is new. The next scan does without where it cannot be written. */
  save(): void {
    if (!this.#isChanged || !this.#seal) return
    writeSealed(storeOf(this.#root), this.#basis, this.#seal, { files: this.#now } satisfies Stored)
  }
}

function storeOf(root: string): SealedStore {
  return { root, file: 'cross-file.cache', purpose: 'cross-file' }
}
