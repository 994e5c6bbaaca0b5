import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { getEngineDigest } from '../base/disk/assets.ts'
import { isLinked } from '../base/disk/own-folder.ts'
import { listEmbeddedLanguages } from '../base/languages/languages.ts'
import { makeUnmeasured } from '../base/records/file-metrics.ts'
import type { Notice } from '../base/records/run.ts'
import type { SourceFile } from '../base/records/source-file.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import type { FileOutcome } from '../detect/rules/file-outcome.ts'
import { computeRuleDigest } from '../sources/packs/packed.ts'
import type { Seal } from '../sources/state/cache-seal.ts'
import type { FileReport } from './batch.ts'
import { writeCacheFile } from './cache-file.ts'
import { CACHE_FOLDER, makeCacheFolder } from './cache-folder.ts'
import { CacheTable, type Extra, hasReleasesOnly, type Kept } from './cache-table.ts'
import type { KeptFiles } from './kept-files.ts'
import type { ListingMemory } from './listing-memory.ts'
import type { Merge } from './merge.ts'

const FILE = 'scan.cache'
/** Rows that no file has any more are cleared out when they are this share of all. */
const STALE_SHARE = 0.1

/** What decides a file's result besides the file and the program: the limits, and the rules that look at each language. */
export interface CacheKey {
  limits: object
  rules: readonly CompiledRule[]
}

/** Results from before, for one scan. */
export interface KnownResults {
  table: CacheTable
  /** Seals what is kept; left out where there is no key. */
  seal?: Seal
  /** What is to be said of results from before that are not used. */
  notices?: Notice[]
  /** Listed files whose results are taken over as they are, where they were made by the same rules: they are not among the listing's own. */
  kept?: KeptFiles
  /** What is remembered of them. */
  memory?: ListingMemory
  /** Whether the result of a file that the scan does not come upon stays in the cache. */
  keeps: (path: string) => boolean
}

/** A table on the disk. */
export interface SavedTable {
  digest: string
  /** Its rows that are of no listed file. */
  unlisted: number[]
}

/** The cache as read from the disk, before it is known which rules are active; none where it stands behind a link, and still to be asked of whether git brings it. */
export function readCache(root: string, seal: Seal | undefined): CacheTable {
  return isLinked(root, CACHE_FOLDER)
    ? CacheTable.none
    : CacheTable.read(join(root, CACHE_FOLDER, FILE), getEngineDigest(), seal)
}

/**
 * Results of files by content: path, git's name of the content, size, encoding, class, and a digest of the program, its limits and
 * the rules that look at the file's language. A change of any of them is a miss; suppressions, baseline and severities'
 * judgement are not in it, since they are applied to whatever comes out. Only what a rescan would give again is kept: no time-out, no crash,
 * nothing unreadable, and no file whose bytes were not those that git names. The file is sealed (cache-seal.ts); one whose seal does not hold is as good as none.
 */
export class ScanCache {
  readonly #root: string
  readonly #limits: string
  readonly #rules: readonly CompiledRule[]
  readonly #indexes: ReadonlyMap<string, number>
  /** Of all rules for a language. */
  readonly #digests = new Map<string, string>()
  readonly #ruleDigests = new Map<CompiledRule, string>()
  readonly #old: CacheTable
  readonly #seal: Seal | undefined
  /** Rows of the old table that are still good, in the order of the table or nearly so. */
  readonly #used: number[] = []
  readonly #new: Kept[] = []
  /** Listed files without a result in the cache. */
  readonly #unkept = new Set<string>()
  /** Those, and the ones in which something was found. */
  readonly #apart = new Set<string>()
  #saved: SavedTable | undefined

  private constructor(
    root: string,
    limits: string,
    rules: readonly CompiledRule[],
    old: CacheTable,
    seal: Seal | undefined,
  ) {
    this.#root = root
    this.#limits = limits
    this.#rules = rules
    this.#indexes = new Map(rules.map(({ id }, index) => [id, index]))
    this.#old = old
    this.#seal = seal
  }

  /** The cache for a scan; `table` is what `readCache` gave for the same root. */
  static open(root: string, key: CacheKey, table: CacheTable, seal: Seal | undefined): ScanCache {
    const limits = digest(JSON.stringify(key.limits))
    const old = table.limits === limits ? table : CacheTable.none
    return new ScanCache(root, limits, key.rules, old, seal)
  }

  /** Whether the results of these files are what a scan by these rules would come to. */
  holds(kept: KeptFiles, memory: Pick<ListingMemory, 'rules_key'>): boolean {
    return kept.table === this.#old && memory.rules_key === this.rulesKey()
  }

  /** What of the rules decides what is found in files of any language. */
  rulesKey(): string {
    return digest(JSON.stringify(this.#rules.map(rule => [this.#ruleDigest(rule), rule.languages])))
  }

  /** Gives the results of files that are taken over as they are. */
  giveKept(kept: KeptFiles, merge: Merge): void {
    merge.takeOver(kept.plain())
    for (const row of kept.extraRows())
      merge.add([this.#report(kept.source(row), this.#old.language(row), row, this.#old.extra(row)!)])
    merge.releases.takeOver(kept)
  }

  /** Gives the file's result from before to `merge`, where everything that decides it is the same; answers whether it was. */
  give(file: SourceFile, merge: Merge): boolean {
    const row = this.#rowOf(file)
    if (row === undefined) {
      this.#unkept.add(file.path)
      this.#apart.add(file.path)
      return false
    }
    const language = this.#old.language(row)
    this.#used.push(row)
    const extra = this.#old.extra(row)
    if (!extra) {
      merge.addPlain(file, language, this.#old.pass(row))
      const facts = this.#old.releases.facts(row)
      if (facts) merge.releases.add({ file, language, facts })
    } else {
      this.#apart.add(file.path)
      merge.add([this.#report(file, language, row, extra)])
    }
    return true
  }

  #rowOf(file: SourceFile): number | undefined {
    if (file.oid === undefined) return undefined
    const row = this.#old.find(file.path)
    if (row === -1 || !this.#old.isOf(row, file.oid, file)) return undefined
    return this.#old.rules(row) === this.#digestFor(this.#old.language(row)) ? row : undefined
  }

  /** Keeps a result, where it is one that a rescan would give again. */
  put(report: FileReport): void {
    const { file, language, outcome, skip, partly } = report
    // A file that is too large was not read: its size, which is part of its identity, has said it all.
    const known = (report.verified && report.bytes === file.size) || skip?.reason === 'too_large'
    if (file.oid === undefined || !known || !isLasting(report)) return
    const named = <T extends { rule: number }>(items: T[]) =>
      items.map(item => ({ ...item, rule: this.#rules[item.rule]!.id }))
    const extra: Extra = {}
    if (skip) extra.skip = { reason: skip.reason, ...(skip.detail === undefined ? {} : { detail: skip.detail }) }
    if (partly) extra.partly = partly
    if (outcome && outcome.matches.length > 0) extra.matches = named(outcome.matches)
    if (outcome && outcome.failures.length > 0) extra.failures = named(outcome.failures)
    if (outcome && outcome.ignores.length > 0) extra.ignores = outcome.ignores
    if (outcome?.silenced) extra.silenced = named(outcome.silenced)
    if (outcome?.excluded) extra.excluded = named(outcome.excluded)
    if (outcome?.releases) extra.releases = outcome.releases
    this.#unkept.delete(file.path)
    if (Object.keys(extra).length === 0 || hasReleasesOnly(extra)) this.#apart.delete(file.path)
    this.#new.push({
      path: file.path,
      oid: file.oid,
      size: file.size,
      encoding: file.encoding ?? '',
      class: file.class ?? '',
      named: file.language ?? '',
      in_test: file.in_test,
      language,
      rules: this.#digestFor(language),
      ...(outcome?.pass ?? makeUnmeasured()),
      ...(Object.keys(extra).length > 0 ? { extra } : {}),
    })
  }

  /**
   * Writes the rows that were used or found anew, and of the others those whose path `keeps` says to keep. A cache that
   * cannot be written (read-only checkout, full disk, no key to seal it with) costs time and nothing else.
   */
  save(keeps: (path: string) => boolean): void {
    if (!this.#seal) return
    const fresh = new Set(this.#new.map(({ path }) => path))
    const used = new Set(this.#used)
    const stale = this.#old.size - used.size
    if (fresh.size === 0 && stale <= this.#old.size * STALE_SHARE) {
      const unlisted: number[] = []
      if (stale > 0) for (let row = 0; row < this.#old.size; row++) if (!used.has(row)) unlisted.push(row)
      this.#saved = { digest: this.#old.digest, unlisted }
      return
    }
    const rows: Kept[] = []
    const others = new Set<string>()
    for (let row = 0; row < this.#old.size; row++) {
      const path = this.#old.path(row)
      const isUsed = used.has(row)
      if (!isUsed && (!keeps(path) || fresh.has(path))) continue
      if (!isUsed) others.add(path)
      rows.push(this.#old.row(row))
    }
    for (const row of this.#new) rows.push(row)
    try {
      const path = join(makeCacheFolder(this.#root), FILE)
      const digest = writeCacheFile(path, { program: getEngineDigest(), limits: this.#limits }, rows, this.#seal)
      if (digest !== undefined)
        this.#saved = { digest, unlisted: rows.flatMap(({ path }, row) => (others.has(path) ? row : [])) }
    } catch {
      // Said above: there is nothing for a person to do about it that the scan itself would not tell.
    }
  }

  /** The table as it stands on the disk after `save`; undefined where it was not saved. */
  get saved(): SavedTable | undefined {
    return this.#saved
  }

  /** Whether the cache has no result of the listed file. */
  isUnkept(path: string): boolean {
    return this.#unkept.has(path)
  }

  /** Whether the cache has no result of the listed file, or one in which something was found. */
  isApart(path: string): boolean {
    return this.#apart.has(path)
  }

  /** How many results are new. */
  get fresh(): number {
    return this.#new.length
  }

  #report(file: SourceFile, language: string, row: number, extra: Extra): FileReport {
    const { skip, partly, matches, failures, ignores, silenced, excluded, releases } = extra
    const bytes = file.size
    const skipped = skip && ({ path: file.path, ...skip } as FileReport['skip'])
    if (skipped) return { file, language, bytes, verified: true, skip: skipped }
    const numbered = <T extends { rule: string }>(items: T[] = []) =>
      items.map(item => ({ ...item, rule: this.#indexes.get(item.rule)! }))
    const outcome: FileOutcome = {
      pass: this.#old.pass(row),
      matches: numbered(matches),
      failures: numbered(failures),
      ignores: ignores ?? [],
      parsed: false,
    }
    if (silenced) outcome.silenced = numbered(silenced)
    if (excluded) outcome.excluded = numbered(excluded)
    if (releases) outcome.releases = releases
    return { file, language, bytes, outcome, verified: true, ...(partly && { partly }) }
  }

  #ruleDigest(rule: CompiledRule): string {
    let found = this.#ruleDigests.get(rule)
    if (found === undefined) {
      found = computeRuleDigest(rule)
      this.#ruleDigests.set(rule, found)
    }
    return found
  }

  #digestFor(language: string): string {
    let found = this.#digests.get(language)
    if (found === undefined) {
      const names = [language, ...listEmbeddedLanguages(language), 'any']
      const looking = this.#rules.filter(({ languages }) => languages.some(name => names.includes(name)))
      found = digest(looking.map(rule => this.#ruleDigest(rule)).join()).slice(0, 16)
      this.#digests.set(language, found)
    }
    return found
  }
}

const LASTING_SKIPS = new Set(['binary', 'too_large', 'undecodable'])
/** Decided by what stands in the file, never by the clock. */
const LASTING_FAILURES = new Set([
  'too_large_to_parse',
  'too_deep',
  'too_costly',
  'not_understood',
  'no_grammar',
  'calls_not_followed',
])

/** Whether the same file would give the same again, on any day and under any load. */
function isLasting({ outcome, skip, partly }: FileReport): boolean {
  if (skip) return LASTING_SKIPS.has(skip.reason)
  if (partly?.reason === 'timed_out') return false
  return outcome!.failures.every(({ reason }) => LASTING_FAILURES.has(reason))
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
