import { countPart, type Part } from '../../base/spent.ts'
import type { Search, SearchedText, TreeSearch, Trees } from '../rules/detector.ts'
import type { RawMatch } from '../rules/match.ts'
import { parseTrees } from '../syntax/between.ts'

/** What the search of a text's syntax came to, of which no more is parsed than its rules need. */
export interface TreeOutcome {
  matches: RawMatch[]
  /** Of the text, where it was parsed as a whole. */
  trees?: Trees
  /** It was parsed, as a whole or in parts. */
  isParsed: boolean
}

/**
 * Evaluates rules that asked for the syntax tree, each by the search of its detector. In steps, since one of a long text takes milliseconds
 * that nothing can break off: first those that look at parts of the text, and the parser; then each rule by itself.
 */
export class TreeStage {
  readonly #searched: SearchedText
  readonly #searchOf: (rule: number) => Search
  readonly #partOf: (rule: number) => Part
  readonly #outcome: TreeOutcome = { matches: [], isParsed: false }
  readonly #chosen: readonly number[]
  /** Rules that are evaluated in the tree of the whole text, once that is known, and which of them is next. */
  #whole: readonly number[] | undefined
  #at = 0
  /** What they have taken, in milliseconds. */
  #spent = 0

  constructor(
    searched: SearchedText,
    chosen: readonly number[],
    searchOf: (rule: number) => Search,
    partOf: (rule: number) => Part,
  ) {
    this.#searched = searched
    this.#chosen = chosen
    this.#searchOf = searchOf
    this.#partOf = partOf
  }

  /** Does the next step; answers what all came to when it was the last. */
  run(): TreeOutcome | undefined {
    if (!this.#whole) {
      this.#whole = this.#parse()
      if (this.#outcome.trees) return undefined
    } else {
      const first = this.#treeOf(this.#whole[this.#at]!)
      const isNext = () =>
        this.#at < this.#whole!.length && first.sharesRun && this.#treeOf(this.#whole![this.#at]!) === first
      do this.#search(this.#whole[this.#at++]!)
      while (isNext())
    }
    return this.#at < this.#whole.length ? undefined : this.#conclude()
  }

  /** Searches parts, and parses the text where that is not enough; the rules that are to be evaluated in its tree. */
  #parse(): readonly number[] {
    const { file, limits, code, tidy, rules, fail } = this.#searched
    const whole: number[] = []
    for (const rule of this.#chosen) {
      const found = this.#count(rule, tree => tree.searchParts?.(rule))
      if (!found) whole.push(rule)
      else {
        this.#outcome.isParsed = true
        this.#take(found)
      }
    }
    // All are asked. Where none can find anything the file need not be parsed; rules that are off run beside others alone.
    const needed = whole.filter(rule => this.#count(rule, tree => tree.needsTree(rule)) && !rules.rules[rule]!.muted)
    if (needed.length === 0) return []
    if (file.bytes.length > limits.max_parse_bytes) {
      const detail = `${file.bytes.length} bytes; files up to ${limits.max_parse_bytes} are parsed`
      for (const rule of whole) fail(rule, 'too_large_to_parse', detail)
      return []
    }
    const trees = parseTrees(file.language, code, tidy)
    if ('reason' in trees) {
      for (const rule of whole) fail(rule, trees.reason, trees.detail)
      return []
    }
    this.#outcome.trees = trees
    this.#outcome.isParsed = true
    return whole
  }

  #search(rule: number): void {
    const { limits, fail } = this.#searched
    if (this.#spent > limits.file_deadline_ms) {
      fail(rule, 'timed_out')
      return
    }
    const started = performance.now()
    this.#take(this.#count(rule, tree => tree.searchTree(rule, this.#outcome.trees!)))
    this.#spent += performance.now() - started
  }

  #conclude(): TreeOutcome {
    return this.#outcome
  }

  #treeOf(rule: number): TreeSearch {
    return this.#searchOf(rule).tree!
  }

  /** The time of the work is counted to the part that the rule belongs to. */
  #count<T>(rule: number, work: (tree: TreeSearch) => T): T {
    return countPart(this.#partOf(rule), () => work(this.#treeOf(rule)))
  }

  /** Not by spreading: a text of one word repeated has more matches than a call has room for arguments. */
  #take(matches: readonly RawMatch[]): void {
    for (const match of matches) this.#outcome.matches.push(match)
  }
}
