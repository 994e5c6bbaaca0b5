import { createHash } from 'node:crypto'
import { getEngineDigest } from '../../base/disk/assets.ts'
import type { FlowStep } from '../../base/records/finding.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import type { Excluded } from '../../detect/rules/file-outcome.ts'
import type { Match } from '../../detect/rules/match.ts'
import type { Entry } from '../../detect/taint/cross-file.ts'
import type { Input } from '../../detect/taint/handovers.ts'
import type { Outcome } from '../../detect/taint/outside.ts'
import type { Checks } from '../../detect/taint/outside-checks.ts'
import { computeRuleDigest } from '../../sources/packs/packed.ts'
import type { Seal } from '../../sources/state/cache-seal.ts'
import { readSealed, type SealedStore, writeSealed } from '../sealed-store.ts'
import type { Links } from './includes.ts'

/** Input that a file passes to a function of another, by places as people count them. */
export interface Passed {
  callee: string
  position: number
  name?: string
  /** It was passed to the constructor of the object whose method is called. */
  isMade?: true
  input: Input
  steps: FlowStep[]
}

/** A function that gives input whatever it is given, by the names that lead to it. */
export interface Gives {
  names: string[]
  outcome: Outcome
}

/** What a file, or a function of it that input enters, came to. */
export interface Followed {
  matches: Match[]
  /** What rules found there and set aside, since the file is one that they exclude. */
  excluded: Excluded[]
  passed: Passed[]
  /** Functions that took too many steps. */
  exhausted: string[]
  /** What the function returns of the input that enters it; left out where that cannot be told. */
  returned?: Outcome
  /** What the function's answer says of the input that enters it. */
  checks?: Checks
  /** The file does not have the function, or only says that there is one. */
  isAbsent?: true
  /** Digest of the functions that the file may call by their names alone, where it depends on them. */
  plain?: string
  /** Functions of the file that give input. */
  giving?: Gives[]
}

/** Where a rule reported input that it followed from a place on. */
export interface Place {
  rule: number
  line: number
  column: number
  from: { line: number; column: number }
  /** Of what does not reach the sink: functions of other files that the input was passed to. */
  callees?: string[]
}

/** What a file, or a function of it that input enters, comes to once it is known what functions of other files return. */
export interface Settled extends Followed {
  /** For each match the way that its input came by in other files. */
  before: FlowStep[][]
  gone: Place[]
  surer: Place[]
}

/** What is kept of a file or of an entry: what it came to, and what it comes to by digests of what is known of other files. */
interface Kept {
  own?: Followed
  settled?: Record<string, Settled>
}

/** Of each file by its path: git's name of its content, and what it came to; by entry, what its functions came to. */
export interface Stored {
  /** The program and the rules by language that it was found with. */
  engine: string
  rules: Record<string, string>
  files: Record<
    string,
    Kept & { oid: string; entries: Record<string, Kept>; mentions?: Record<string, string[]>; links?: Links }
  >
}

/**
 * What files came to in the scan before. It holds for the same program, rules and list of files, since names lead to files, and for a file as
 * long as git names its content the same. Sealed like all results that are kept.
 */
export class CrossFileMemory {
  readonly #root: string
  readonly #seal: Seal | undefined
  readonly #basis: string
  readonly #rules: readonly CompiledRule[]
  readonly #before: Stored['files']
  readonly #now: Stored['files'] = Object.create(null) as Stored['files']
  #isChanged = false

  private constructor(
    root: string,
    seal: Seal | undefined,
    { basis, rules }: { basis: string; rules: readonly CompiledRule[] },
    before: Stored['files'] | undefined,
  ) {
    this.#root = root
    this.#seal = seal
    this.#basis = basis
    this.#rules = rules
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
    for (const rule of rules) hash.update(`\n${nameRule(rule)}`)
    for (const path of [...paths].sort()) hash.update(`\0${path}`)
    const basis = hash.digest('hex')
    return new CrossFileMemory(
      root,
      seal,
      { basis, rules },
      seal && (readSealed(storeOf(root), basis, seal) as Stored | undefined)?.files,
    )
  }

  /** A memory of nothing, whose results another takes over. */
  static begin(): CrossFileMemory {
    return new CrossFileMemory('', undefined, { basis: '', rules: [] }, {})
  }

  /** Whether nothing is kept of the scan before. */
  get isEmpty(): boolean {
    return Object.keys(this.#before).length === 0
  }

  /** What this scan came to, as plain data. */
  get results(): Stored['files'] {
    return this.#now
  }

  /** Keeps the results of another memory, which began with nothing. */
  take(results: Stored['files']): void {
    this.#isChanged = true
    Object.assign(this.#now, results)
  }

  /** What a file came to, by its content; `entry` where input enters a function of it. */
  find(file: SourceFile, entry?: Entry): Followed | undefined {
    const own = this.#known(file, entry)?.own
    if (own) this.#put(file, entry).own = own
    return own
  }

  /** Keeps what a file came to, where git has a name for its content. */
  keep(file: SourceFile, followed: Followed, entry?: Entry): void {
    if (file.oid === undefined) return
    this.#isChanged = true
    this.#put(file, entry).own = followed
  }

  /** What a file comes to with what is known of others, by the digest of that. */
  findSettled(file: SourceFile, digest: string, entry?: Entry): Settled | undefined {
    const { settled = {} } = this.#known(file, entry) ?? {}
    const found = Object.hasOwn(settled, digest) ? settled[digest] : undefined
    if (found) this.#putSettled(file, digest, found, entry)
    return found
  }

  keepSettled(file: SourceFile, digest: string, settled: Settled, entry?: Entry): void {
    if (file.oid === undefined) return
    this.#isChanged = true
    this.#putSettled(file, digest, settled, entry)
  }

  /** Which of a list of names a file's text has, by the digest of the list. */
  findMentions(file: SourceFile, of: string): string[] | undefined {
    const { mentions = {} } = this.#file(file) ?? {}
    const found = Object.hasOwn(mentions, of) ? mentions[of] : undefined
    if (found) this.#putMentions(file, of, found)
    return found
  }

  keepMentions(file: SourceFile, of: string, names: string[]): void {
    if (file.oid === undefined) return
    this.#isChanged = true
    this.#putMentions(file, of, names)
  }

  /** What a file includes, and which functions it has. */
  findLinks(file: SourceFile): Links | undefined {
    const links = this.#file(file)?.links
    if (links) this.#putFile(file).links = links
    return links
  }

  keepLinks(file: SourceFile, links: Links): void {
    if (file.oid === undefined) return
    this.#isChanged = true
    this.#putFile(file).links = links
  }

  #file({ path, oid }: SourceFile): Stored['files'][string] | undefined {
    const known = Object.hasOwn(this.#before, path) ? this.#before[path]! : undefined
    return oid !== undefined && known?.oid === oid ? known : undefined
  }

  #known(file: SourceFile, entry: Entry | undefined): Kept | undefined {
    const known = this.#file(file)
    if (!known || !entry) return known
    const key = JSON.stringify(entry)
    return Object.hasOwn(known.entries, key) ? known.entries[key] : undefined
  }

  #putFile({ path, oid }: SourceFile): Stored['files'][string] {
    this.#now[path] ??= { oid: oid!, entries: Object.create(null) as Record<string, Kept> }
    return this.#now[path]
  }

  #put(file: SourceFile, entry: Entry | undefined): Kept {
    const own = this.#putFile(file)
    if (!entry) return own
    const key = JSON.stringify(entry)
    own.entries[key] ??= {}
    return own.entries[key]
  }

  #putMentions(file: SourceFile, of: string, names: string[]): void {
    const own = this.#putFile(file)
    own.mentions ??= {}
    own.mentions[of] = names
  }

  #putSettled(file: SourceFile, digest: string, settled: Settled, entry: Entry | undefined): void {
    const kept = this.#put(file, entry)
    kept.settled ??= {}
    kept.settled[digest] = settled
  }

  /** Writes what this scan came to, where anything is new. The next scan does without where it cannot be written. */
  save(): void {
    if (!this.#isChanged || !this.#seal) return
    writeSealed(storeOf(this.#root), this.#basis, this.#seal, {
      engine: getEngineDigest(),
      rules: digestByLanguage(this.#rules),
      files: this.#now,
    } satisfies Stored)
  }
}

/**
 * What functions of files came to in the last scan of the whole repository, for a scan of a part of it that has the same rules for a language,
 * whatever it has for others.
 */
export class KnownFunctions {
  readonly #files: Stored['files']
  readonly #languages: ReadonlySet<string>

  private constructor(files: Stored['files'], languages: ReadonlySet<string>) {
    this.#files = files
    this.#languages = languages
  }

  static open(root: string, rules: readonly CompiledRule[], seal: Seal): KnownFunctions {
    const {
      engine,
      rules: known = {},
      files = {},
    } = (readSealed(storeOf(root), undefined, seal) ?? {}) as Partial<Stored>
    if (engine !== getEngineDigest()) return new KnownFunctions({}, new Set())
    const same = Object.entries(digestByLanguage(rules)).filter(([language, digest]) => known[language] === digest)
    return new KnownFunctions(files, new Set(same.map(([language]) => language)))
  }

  /** What an entry into a file came to, or the file by itself, by its content. What was found there is left out: it counts rules otherwise. */
  find({ path, oid, language }: SourceFile, entry?: Entry): Followed | undefined {
    if (oid === undefined || language === null || !this.#languages.has(language)) return undefined
    const file = Object.hasOwn(this.#files, path) ? this.#files[path]! : undefined
    if (file?.oid !== oid) return undefined
    const key = entry && JSON.stringify(entry)
    const kept = key === undefined ? file : Object.hasOwn(file.entries, key) ? file.entries[key] : undefined
    return kept?.own && { ...kept.own, matches: [], excluded: [] }
  }
}

function nameRule(rule: CompiledRule): string {
  return `${rule.digest ?? computeRuleDigest(rule)}${rule.muted ? ' muted' : ''}`
}

/** Digests of the rules for each language. */
function digestByLanguage(rules: readonly CompiledRule[]): Record<string, string> {
  const byLanguage = new Map<string, string[]>()
  for (const rule of rules)
    for (const language of rule.languages) {
      const own = byLanguage.get(language)
      if (own) own.push(nameRule(rule))
      else byLanguage.set(language, [nameRule(rule)])
    }
  const digest = (names: readonly string[]) => createHash('sha256').update(names.toSorted().join('\n')).digest('hex')
  return Object.fromEntries([...byLanguage].map(([language, names]) => [language, digest(names)]))
}

function storeOf(root: string): SealedStore {
  return { root, file: 'cross-file.cache', purpose: 'cross-file' }
}
