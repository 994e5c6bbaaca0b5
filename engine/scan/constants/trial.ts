import { computeFingerprint, foldSpace } from '../../base/records/fingerprint.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import { Positions } from '../../base/text/positions.ts'
import { type Substituted, substitute, toOwnPlaces } from '../../detect/constants/substitute.ts'
import type { Use } from '../../detect/constants/uses.ts'
import { scanFile } from '../../detect/file/file-scan.ts'
import { RuleSet } from '../../detect/file/rule-set.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import type { Limits } from '../../detect/rules/file-outcome.ts'
import type { Match } from '../../detect/rules/match.ts'
import type { Located } from './constant-index.ts'
import type { FoundByValue } from './memory.ts'

/** A use with the one value that it stands for. */
export interface Certain {
  use: Use
  at: Located
}

/** Values of one file that are tried one by one, to tell which of them a match is by. */
const MOST_ALONE = 12

/** The identity of a match of a rule: its code, folded, and its number among equal ones in the file. */
type Identify = (rule: number, code: string, index: number) => string

/** Judges files as if values of other files stood in them. */
export class Trial {
  readonly #rules: RuleSet
  readonly #limits: Limits

  constructor(rules: readonly CompiledRule[], limits: Limits) {
    this.#rules = new RuleSet(rules)
    this.#limits = limits
  }

  /** A file that may be judged with several values in place. */
  begin(file: SourceFile, text: string): FileTrial {
    const { path, language, in_test } = file
    const scan = (content: string): Match[] => {
      const input = { path, language: language!, in_test, bytes: new TextEncoder().encode(content) }
      return scanFile(this.#rules, input, this.#limits).matches
    }
    const identify = (rule: number, code: string, index: number) =>
      computeFingerprint(this.#rules.rules[rule]!.id, path, `by a value of another file: ${code}`, index)
    return new FileTrial(language!, text, scan, identify)
  }
}

class FileTrial {
  readonly #language: string
  readonly #text: string
  readonly #positions: Positions
  readonly #scan: (text: string) => Match[]
  readonly #identify: Identify
  #own: ReadonlySet<string> | undefined

  constructor(language: string, text: string, scan: (text: string) => Match[], identify: Identify) {
    this.#language = language
    this.#text = text
    this.#positions = new Positions(text)
    this.#scan = scan
    this.#identify = identify
  }

  /** What the rules find with these values in place that they do not find in the file as it is, each with the values that it is by. */
  findBy(certain: readonly Certain[]): FoundByValue[] {
    const found = this.#findNew(certain)
    if (found.length === 0) return []
    // By what each value comes to by itself; few files have more than one.
    const alone =
      certain.length === 1 || certain.length > MOST_ALONE
        ? []
        : certain.map(each => ({ each, keys: new Set(this.#findNew([each]).map(keyOf)) }))
    return found.map(match => {
      const causes = alone.filter(({ keys }) => keys.has(keyOf(match))).map(({ each }) => each)
      const near = certain.filter(({ use }) => this.#isWithin(use, match))
      const by = causes.length > 0 ? causes : near.length > 0 ? near : certain
      return { match, values: by.slice(0, 3).map(each => this.#describe(each)) }
    })
  }

  #findNew(certain: readonly Certain[]): Match[] {
    const made = substitute(
      this.#language,
      this.#text,
      certain.map(({ use, at }) => ({ use, value: at.value })),
    )
    if (!made) return []
    const matches = this.#scan(made.text)
    if (matches.length === 0) return []
    this.#own ??= new Set(this.#scan(this.#text).map(keyOf))
    const own = matches.map(match => this.#toOwn(match, made)).filter(match => !this.#own!.has(keyOf(match)))
    return this.#nameByOwnCode(own)
  }

  /**
   * With identities of the code as it stands in the file. By that of the text with the value in place, whoever reads a report could try likely
   * values.
   */
  #nameByOwnCode(matches: readonly Match[]): Match[] {
    const seen = new Map<string, number>()
    return matches.map(match => {
      const { rule, line, column, end_line, end_column } = match
      const from = this.#positions.offset(line, column)
      const code = foldSpace(this.#text.slice(from, this.#positions.offset(end_line, end_column)))
      const key = `${rule}:${code}`
      const index = seen.get(key) ?? 0
      seen.set(key, index + 1)
      return { ...match, fingerprint: this.#identify(rule, code, index) }
    })
  }

  #toOwn(match: Match, made: Substituted): Match {
    const own = toOwnPlaces(match, made)
    const { edits: _, ...rest } = own
    return {
      ...rest,
      snippet: match.snippet === '' ? '' : this.#positions.snippet(own.line, own.end_line),
      ...(match.flow && { flow: match.flow.map(step => toOwnPlaces(step, made)) }),
    }
  }

  #isWithin({ start, end }: Use, { line, column, end_line, end_column }: Match): boolean {
    const from = this.#positions.offset(line, column)
    return start < this.#positions.offset(end_line, end_column) && from <= end
  }

  #describe({ use, at }: Certain): FoundByValue['values'][number] {
    const start = this.#positions.at(use.start)
    const end = this.#positions.at(use.end)
    const { value: _, ...place } = at
    return {
      kind: use.kind,
      at: place,
      use: { line: start.line, column: start.column, end_line: end.line, end_column: end.column },
    }
  }
}

function keyOf({ rule, line, column }: Match): string {
  return `${rule}:${line}:${column}`
}
