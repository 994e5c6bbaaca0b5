import { createHash } from 'node:crypto'
import { getEngineDigest } from '../../base/disk/assets.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import type { Definition } from '../../detect/constants/definition.ts'
import type { Use } from '../../detect/constants/uses.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import type { Match } from '../../detect/rules/match.ts'
import { computeRuleDigest } from '../../sources/packs/packed.ts'
import type { Seal } from '../../sources/state/cache-seal.ts'
import { readSealed, type SealedStore, writeSealed } from '../sealed-store.ts'
import type { Located } from './constant-index.ts'
import { findSettingsKind } from './names.ts'

/** A match by values that stand elsewhere. */
export interface FoundByValue {
  match: Match
  /** Where the values stand, each with the place of its use. What they are is not kept: it may be a secret. */
  values: {
    kind: Use['kind']
    at: Omit<Located, 'value'>
    use: Pick<Match, 'line' | 'column' | 'end_line' | 'end_column'>
  }[]
}

/** What a file came to. */
export interface LookedUp {
  found: FoundByValue[]
  /** Names that files differ about, where one of the values would be reported. */
  ambiguous: { name: string; paths: string[] }[]
  /** How many values of resources nothing in the module tells. */
  open?: number
}

/** A name that a file asks for. */
export type Asked = Pick<Use, 'kind' | 'name'>

/** By path: git's name of the content; what the file asks for, a seal over the answers, and what it came to; what it defines. */
interface Stored {
  uses: Record<string, { oid: string; asked: Asked[]; answers: string } & LookedUp>
  definitions: Record<string, { oid: string; own: readonly Definition[] }>
}

/** What is shorter is a name, and no password that anybody relies on. */
const SHORTEST_SECRET = 6
const SECRET_NAME = /key|secret|token|pass|pwd|cred|auth|salt|private/i
/** Letters and digits in one run, a login in an address, or the armor of a key. */
const SECRET_VALUE = /(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])[\w+/=-]{16}|:\/\/[^/\s]*@|-----BEGIN/

function mayBeSecret({ name, value }: Definition): boolean {
  if (typeof value !== 'string' || value.length < SHORTEST_SECRET) return false
  return (SECRET_NAME.test(name) && !/\s/.test(value)) || SECRET_VALUE.test(value)
}

/**
 * What files came to in the scan before, and constants that files of code define. The cache may be kept by a CI system, so no value of a setting
 * is in it, nor of a file whose constants may be secrets, nor anything that a likely value could be tried against. A result holds for the same program, rules and list of files, as
 * long as git names the content the same and all names that it asks for stand for the same. Sealed like all results that are kept.
 */
export class ConstantMemory {
  readonly #store: SealedStore
  readonly #seal: Seal | undefined
  readonly #basis: string
  readonly #before: Stored
  readonly #now: Stored = { uses: Object.create(null), definitions: Object.create(null) }
  #isChanged: boolean

  private constructor(root: string, seal: Seal | undefined, basis: string) {
    this.#store = { root, file: 'constants.cache', purpose: 'constants' }
    this.#seal = seal
    this.#basis = basis
    const before = seal && (readSealed(this.#store, basis, seal) as Stored | undefined)
    this.#before = before ?? { uses: {}, definitions: {} }
    this.#isChanged = before === undefined
  }

  /** Opens what is kept below the root; empty where it is of another program, of other rules or files, or was not sealed with this key. */
  static open(
    root: string,
    rules: readonly CompiledRule[],
    paths: readonly string[],
    seal: Seal | undefined,
  ): ConstantMemory {
    const hash = createHash('sha256').update(getEngineDigest())
    for (const rule of rules) hash.update(`\n${rule.digest ?? computeRuleDigest(rule)}`)
    for (const path of [...paths].sort()) hash.update(`\0${path}`)
    return new ConstantMemory(root, seal, hash.digest('hex'))
  }

  /** What a file came to, by its content; `answer` makes the digest of what the names stand for now. */
  find({ path, oid }: SourceFile, answer: (asked: readonly Asked[]) => string): LookedUp | undefined {
    const known = Object.hasOwn(this.#before.uses, path) ? this.#before.uses[path]! : undefined
    if (oid === undefined || known?.oid !== oid || known.answers !== this.#hide(answer(known.asked))) return undefined
    this.#now.uses[path] = known
    return known
  }

  keep(
    { path, oid }: SourceFile,
    asked: readonly Asked[],
    answers: string,
    { found, ambiguous, open }: LookedUp,
  ): void {
    if (oid === undefined) return
    this.#isChanged = true
    const hidden = this.#hide(answers)
    this.#now.uses[path] = {
      oid,
      asked: [...asked],
      answers: hidden,
      found,
      ambiguous,
      ...(open !== undefined && { open }),
    }
  }

  /** The constants of a file of code, as they were listed before. */
  findDefinitions({ path, oid }: SourceFile): readonly Definition[] | undefined {
    const known = Object.hasOwn(this.#before.definitions, path) ? this.#before.definitions[path]! : undefined
    if (oid === undefined || known?.oid !== oid) return undefined
    this.#now.definitions[path] = known
    return known.own
  }

  /** Keeps the constants of a file of code. A file of settings, or one of which a constant may be a secret, is read anew in each scan. */
  keepDefinitions({ path, oid }: SourceFile, own: readonly Definition[]): void {
    if (oid === undefined || findSettingsKind(path) !== undefined || own.some(mayBeSecret)) return
    this.#isChanged = true
    this.#now.definitions[path] = { oid, own }
  }

  /** A digest of values as nobody without the key can make it. */
  #hide(digest: string): string {
    return this.#seal?.sign('constants answers', digest) ?? ''
  }

  /** Writes what this scan came to, where anything is new. */
  save(): void {
    if (this.#isChanged && this.#seal) writeSealed(this.#store, this.#basis, this.#seal, this.#now)
  }
}
