import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SourceFile } from '../repository/source-file.ts'
import type { FileOutcome } from '../rules/file-scan.ts'
import type { CompiledRule } from '../rules/rule-set.ts'
import type { FileReport } from './batch.ts'

/** Folder of the cache below the repository's root; it may be carried from one CI job to the next as it is. */
export const CACHE_FOLDER = '.svc/local/cache'
const FILE = 'scan.cache'
const FORMAT = 1
/** A cache file past this is not written: it would cost more to read than it saves. */
const MOST_BYTES = 512 << 20

/** What decides a file's result besides the file: the program, its limits, and the rules that look at each language. */
export interface CacheKey {
  /** Digest of the built program. */
  engine: string
  limits: object
  rules: readonly CompiledRule[]
}

/** What was found out about a file, by rule ids: indexes change when rules come and go. */
interface Kept {
  /** Language that the scan saw, which may come from the file's first line. */
  language: string
  skip?: { reason: string; detail?: string }
  pass?: FileOutcome['pass']
  matches?: (Omit<FileOutcome['matches'][number], 'rule'> & { rule: string })[]
  failures?: (Omit<FileOutcome['failures'][number], 'rule'> & { rule: string })[]
  ignores?: FileOutcome['ignores']
}

interface Line {
  path: string
  /** git's name of the content, then size and declared encoding. */
  identity: string
  /** Digest of the rules for the file's language. */
  rules: string
  json: string
}

/**
 * Results of files by content: path, git's name of the content, size, encoding, and a digest of the program, its limits and
 * the rules that look at the file's language. A change of any of them is a miss; suppressions, baseline and severities'
 * judgement are not in it, since they are applied to whatever comes out. Only what a rescan would give again is kept: no time-out, no crash,
 * nothing unreadable, and no file whose bytes were not those that git names. The file is one text with a checksum; a damaged one is as good as none.
 */
export class ScanCache {
  readonly #file: string
  readonly #engine: string
  readonly #rules: readonly CompiledRule[]
  readonly #indexes: ReadonlyMap<string, number>
  readonly #digests = new Map<string, string>()
  readonly #old: ReadonlyMap<string, Line>
  readonly #kept = new Map<string, Line>()
  #stored = 0

  private constructor(file: string, engine: string, rules: readonly CompiledRule[], old: ReadonlyMap<string, Line>) {
    this.#file = file
    this.#engine = engine
    this.#rules = rules
    this.#indexes = new Map(rules.map(({ id }, index) => [id, index]))
    this.#old = old
  }

  /** The cache as it stands; `lines` are what `readLines` gave for the same root. */
  static open(root: string, key: CacheKey, lines: CacheLines): ScanCache {
    const engine = digest(JSON.stringify([FORMAT, key.engine, key.limits]))
    return new ScanCache(
      join(root, CACHE_FOLDER, FILE),
      engine,
      key.rules,
      lines.engine === engine ? lines.byPath : new Map(),
    )
  }

  /** The file's result from before, where everything that decides it is the same. */
  get(file: SourceFile): FileReport | undefined {
    const line = this.#old.get(file.path)
    if (!line || line.identity !== identityOf(file)) return undefined
    const kept = JSON.parse(line.json) as Kept
    if (line.rules !== this.#digestFor(kept.language)) return undefined
    this.#kept.set(file.path, line)
    return this.#report(file, kept)
  }

  /** Keeps a result, where it is one that a rescan would give again. */
  put(report: FileReport): void {
    const { file, language, outcome, skip } = report
    const identity = identityOf(file)
    // A file that is too large was not read: its size, which is in the identity, has said it all.
    const known = report.verified || skip?.reason === 'too_large'
    if (identity === undefined || !known || !isLasting(report)) return
    const kept: Kept = { language }
    if (skip) kept.skip = { reason: skip.reason, ...(skip.detail === undefined ? {} : { detail: skip.detail }) }
    if (outcome) {
      const named = <T extends { rule: number }>(items: T[]) =>
        items.map(item => ({ ...item, rule: this.#rules[item.rule]!.id }))
      kept.pass = outcome.pass
      if (outcome.matches.length > 0) kept.matches = named(outcome.matches)
      if (outcome.failures.length > 0) kept.failures = named(outcome.failures)
      if (outcome.ignores.length > 0) kept.ignores = outcome.ignores
    }
    this.#kept.set(file.path, {
      path: file.path,
      identity,
      rules: this.#digestFor(language),
      json: JSON.stringify(kept),
    })
    this.#stored++
  }

  /** Writes what is worth keeping, by way of a temporary name: of a whole scan exactly its files, of a part the others too. */
  save(whole: boolean): void {
    const lines = whole ? this.#kept : new Map([...this.#old, ...this.#kept])
    if (this.#stored === 0 && lines.size === this.#old.size) return
    const parts = [`svc ${this.#engine}`]
    for (const { path, identity, rules, json } of lines.values())
      parts.push(`${JSON.stringify(path)}\t${identity}\t${rules}\t${json}`)
    const body = parts.join('\n')
    if (body.length > MOST_BYTES) return
    const temporary = `${this.#file}.${process.pid}`
    try {
      mkdirSync(dirname(this.#file), { recursive: true })
      writeFileSync(join(dirname(this.#file), '.gitignore'), '*\n')
      writeFileSync(temporary, `${body}\nend ${lines.size} ${digest(body)}\n`)
      renameSync(temporary, this.#file)
    } catch {
      // A cache that cannot be written (read-only checkout, full disk) costs time and nothing else.
      rmSync(temporary, { force: true })
    }
  }

  #report(file: SourceFile, kept: Kept): FileReport {
    const base = { file, language: kept.language, bytes: file.size, verified: true }
    if (kept.skip) return { ...base, skip: { path: file.path, ...kept.skip } as FileReport['skip'] }
    const numbered = <T extends { rule: string }>(items: T[] = []) =>
      items.map(item => ({ ...item, rule: this.#indexes.get(item.rule)! }))
    const outcome: FileOutcome = {
      pass: kept.pass!,
      matches: numbered(kept.matches),
      failures: numbered(kept.failures),
      ignores: kept.ignores ?? [],
      parsed: false,
    }
    return { ...base, outcome }
  }

  #digestFor(language: string): string {
    let found = this.#digests.get(language)
    if (found === undefined) {
      const looking = this.#rules.filter(({ languages }) => languages.includes(language) || languages.includes('any'))
      found = digest(JSON.stringify(looking)).slice(0, 16)
      this.#digests.set(language, found)
    }
    return found
  }
}

/** What the cache file holds, before it is known which rules are active. */
export interface CacheLines {
  engine: string
  byPath: ReadonlyMap<string, Line>
}

/** Reads the cache file; nothing where there is none or it is damaged. */
export function readLines(root: string): CacheLines {
  const none: CacheLines = { engine: '', byPath: new Map() }
  let text: string
  try {
    text = readFileSync(join(root, CACHE_FOLDER, FILE), 'utf8')
  } catch {
    return none
  }
  const tail = /\nend (\d+) ([0-9a-f]{64})\n$/.exec(text.slice(-120))
  if (!tail) return none
  const body = text.slice(0, text.length - tail[0].length)
  if (digest(body) !== tail[2]) return none
  const [first = '', ...rows] = body.split('\n')
  const byPath = new Map<string, Line>()
  for (const row of rows) {
    const a = row.indexOf('\t')
    const b = row.indexOf('\t', a + 1)
    const c = row.indexOf('\t', b + 1)
    const path = JSON.parse(row.slice(0, a)) as string
    byPath.set(path, { path, identity: row.slice(a + 1, b), rules: row.slice(b + 1, c), json: row.slice(c + 1) })
  }
  return { engine: first.slice(4), byPath }
}

/** The size that a file had when its content was this, so that it need not be looked at again. */
export function sizeIn(lines: CacheLines, path: string, oid: string): number | undefined {
  const identity = lines.byPath.get(path)?.identity
  return identity?.startsWith(`${oid} `) ? Number(identity.split(' ')[1]) : undefined
}

/** Undefined for a file whose content only reading could tell. */
function identityOf({ oid, size, encoding }: SourceFile): string | undefined {
  return oid === undefined ? undefined : `${oid} ${size} ${encoding ?? ''}`
}

/** Whether the same file would give the same again, on any day and under any load. */
function isLasting({ outcome, skip }: FileReport): boolean {
  if (skip) return ['binary', 'minified', 'too_large', 'undecodable'].includes(skip.reason)
  return outcome!.failures.every(({ reason }) => reason === 'too_large_to_parse')
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
