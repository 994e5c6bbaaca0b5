import type { SgNode } from '@ast-grep/napi'
import type { AstRule } from '../../base/records/rule.ts'
import type { OneLine } from '../lexer/layout.ts'
import type { FileInput, Limits, RuleFailure } from '../rules/file-outcome.ts'
import type { Followed, RawMatch } from '../rules/match.ts'
import { runAst } from '../syntax/ast.ts'
import { asksForComments, type Trees, treesOf } from '../syntax/between.ts'
import { isRelevant } from '../taint/relevance.ts'
import { runTaint } from '../taint/rules.ts'
import type { RuleSet } from './rule-set.ts'
import { inFile, type Part } from './within.ts'

/** What the rules about syntax find in one file, of which no more is parsed than they need. */
export class SyntaxSearch {
  readonly #rules: RuleSet
  readonly #file: FileInput
  readonly #limits: Limits
  readonly #text: string
  readonly #tidy: OneLine
  /** Taint rules that the names in the text leave a chance. */
  #relevant: readonly number[] = []
  readonly matches: RawMatch[] = []
  readonly failures: RuleFailure[] = []
  /** Of the file, where it was parsed as a whole. */
  trees: Trees | undefined
  followed: Followed | undefined
  /** It was parsed, as a whole or in parts. */
  isParsed = false

  constructor(rules: RuleSet, file: FileInput, limits: Limits, text: string, tidy: OneLine) {
    this.#rules = rules
    this.#file = file
    this.#limits = limits
    this.#text = text
    this.#tidy = tidy
  }

  /** Looks for the rules with these indexes; those of `parts` look at these functions alone. */
  run(indexes: readonly number[], parts: ReadonlyMap<number, readonly Part[]>): void {
    for (const [index, own] of parts) this.#searchParts(index, own)
    const whole = indexes.filter(index => !parts.has(index))
    this.#relevant = whole.filter(index => {
      const rule = this.#rules.rules[index]!
      return rule.type === 'taint' && isRelevant(rule, this.#file.language, this.#text)
    })
    // Rules that are off run beside others alone.
    if (!whole.some(index => this.#isOn(index))) return
    // Where no rule can find anything the file need not be parsed.
    if (this.#relevant.length === 0 && whole.every(index => this.#rules.rules[index]!.type === 'taint')) return
    if (this.#file.bytes.length > this.#limits.max_parse_bytes) {
      const detail = `${this.#file.bytes.length} bytes; files up to ${this.#limits.max_parse_bytes} are parsed`
      for (const rule of whole) this.failures.push({ rule, reason: 'too_large_to_parse', detail })
    } else this.#parseAndRun(whole)
  }

  /** Whether the rule is on, and has need of the analysis or of a syntax tree. */
  #isOn(index: number): boolean {
    const { type, muted } = this.#rules.rules[index]!
    return !muted && (type !== 'taint' || this.#relevant.includes(index))
  }

  #parseAndRun(indexes: readonly number[]): void {
    const trees = treesOf(this.#file.language, this.#text, this.#tidy)
    if ('reason' in trees) {
      for (const rule of indexes) this.failures.push({ rule, ...trees })
      return
    }
    this.trees = trees
    this.isParsed = true
    const started = performance.now()
    let isTraced = false
    for (const index of indexes) {
      const left = this.#limits.file_deadline_ms - (performance.now() - started)
      const rule = this.#rules.rules[index]!
      if (rule.type === 'ast') {
        for (const match of this.#search(index, rule, trees, this.#text, left)) this.matches.push(match)
      } else if (left < 0) this.failures.push({ rule: index, reason: 'timed_out' })
      else if (!isTraced && this.#relevant.length > 0) {
        // They share one run over the file.
        isTraced = true
        try {
          this.#trace(trees.bare, indexes)
        } catch (error) {
          this.#failed(this.#relevant, error)
        }
      }
    }
  }

  #searchParts(index: number, parts: readonly Part[]): void {
    const rule = this.#rules.rules[index] as AstRule
    const started = performance.now()
    this.isParsed = true
    for (const part of parts) {
      const left = this.#limits.file_deadline_ms - (performance.now() - started)
      const { trees } = part
      if ('reason' in trees) {
        this.failures.push({ rule: index, ...trees })
        return
      }
      const failed = this.failures.length
      for (const match of this.#search(index, rule, trees, part.text, left)) this.matches.push(inFile(match, part))
      if (this.failures.length > failed) return
    }
  }

  /** What the rule matches in a tree; where it did not come to its end that is noted. */
  #search(index: number, rule: AstRule, trees: Trees, text: string, left: number): RawMatch[] {
    if (left < 0) {
      this.failures.push({ rule: index, reason: 'timed_out' })
      return []
    }
    try {
      const root = asksForComments(rule) ? trees.whole : trees.bare
      const { matches, stopped, detail } = runAst(index, rule, root, text)
      if (stopped) this.failures.push({ rule: index, reason: stopped, ...(detail === undefined ? {} : { detail }) })
      return matches
    } catch (error) {
      this.#failed([index], error)
      return []
    }
  }

  #failed(indexes: readonly number[], error: unknown): void {
    const detail = String((error as Error).message ?? error)
    for (const rule of indexes) this.failures.push({ rule, reason: 'rule_failed', detail })
  }

  /** Follows values through the file for all taint rules that may match it. */
  #trace(root: SgNode, indexes: readonly number[]): void {
    const { language } = this.#file
    const { matches, alone, exhausted, visited } = runTaint(this.#rules, this.#relevant, language, root, this.#text)
    for (const match of matches) this.matches.push(match)
    if (alone.length > exhausted.length) {
      const detail = `taint analysis did not enter the functions called in ${named(alone.filter(name => !exhausted.includes(name)))}: step limit reached`
      this.failures.push({ rule: this.#relevant[0]!, reason: 'calls_not_followed', detail })
    }
    if (exhausted.length === 0) {
      const taint = indexes.map(index => this.#rules.rules[index]!).filter(({ type }) => type === 'taint')
      this.followed = { rules: new Set(taint.map(({ id }) => id)), spans: visited }
      return
    }
    const detail = `more steps than one function or file is given: ${named(exhausted)}`
    for (const rule of this.#relevant) this.failures.push({ rule, reason: 'too_costly', detail })
  }
}

/** Functions that are named at most. */
const NAMED = 5

function named(functions: readonly string[]): string {
  const more = functions.length > NAMED ? ` and ${functions.length - NAMED} more` : ''
  return `${functions.slice(0, NAMED).join(', ')}${more}`
}
