import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { getEngineDigest } from '../../base/disk/assets.ts'
import { isLinked, readOwn } from '../../base/disk/own-folder.ts'
import type { FlowStep } from '../../base/records/finding.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import type { Excluded } from '../../detect/rules/file-outcome.ts'
import type { Match } from '../../detect/rules/match.ts'
import type { Entry } from '../../detect/taint/cross-file.ts'
import type { Input } from '../../detect/taint/handovers.ts'
import { computeRuleDigest } from '../../sources/packs/packed.ts'
import type { Seal } from '../../sources/state/cache-seal.ts'
import { writeBeside } from '../cache-file.ts'
import { CACHE_FOLDER, makeCacheFolder } from '../cache-folder.ts'

const FILE = 'cross-file.cache'
const PURPOSE = 'cross-file'
const MOST_BYTES = 64 << 20

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
    return new CrossFileMemory(root, seal, basis, seal && readStored(root, basis, seal))
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
    const body = JSON.stringify({ files: this.#now } satisfies Stored)
    if (body.length > MOST_BYTES) return
    const digest = createHash('sha256').update(this.#basis).update(body).digest('hex')
    const head = `${this.#basis} ${this.#seal.sign(PURPOSE, digest)}\n`
    try {
      writeBeside(join(makeCacheFolder(this.#root), FILE), head + body)
    } catch {
      // The scan's own cache says why nothing is kept.
    }
  }
}

function readStored(root: string, basis: string, seal: Seal): Stored['files'] | undefined {
  if (isLinked(root, CACHE_FOLDER)) return undefined
  const text = readOwn(join(root, CACHE_FOLDER, FILE), MOST_BYTES)?.toString('utf8')
  const end = text?.indexOf('\n') ?? -1
  if (text === undefined || end === -1) return undefined
  const [known, signature = ''] = text.slice(0, end).split(' ')
  const body = text.slice(end + 1)
  const digest = createHash('sha256').update(basis).update(body).digest('hex')
  if (known !== basis || !seal.verify(PURPOSE, digest, signature)) return undefined
  return (JSON.parse(body) as Stored).files
}
