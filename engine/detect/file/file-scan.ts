import type { FileInput, FileOutcome, Limits } from '../rules/file-outcome.ts'
import { inlineSuppressions } from '../rules/inline.ts'
import type { RawMatch } from '../rules/match.ts'
import type { Views } from '../rules/view.ts'
import { matchesOf } from './places.ts'
import type { RuleSet } from './rule-set.ts'
import type { SyntaxSearch } from './syntax-search.ts'
import { TextScan } from './text-scan.ts'
import { ViewScan } from './view-scan.ts'
import { withTemplateComments } from './views/template.ts'
import { isJson, viewsOf } from './views.ts'

/**
 * One file under one rule set, in steps: its own text, and then what it holds in other forms. `nextTextual` must be guarded by the caller
 * since an expression may not end; `structural` parses, and runs the syntax rules, only where the steps left a candidate.
 */
export class FileScan {
  readonly #rules: RuleSet
  /** The language is that of the file's own text. */
  readonly #file: FileInput
  /** The language as the file's name has it. */
  readonly #named: string
  readonly #limits: Limits
  readonly #own: TextScan
  /** What the file holds in other forms, once its own text is done with. */
  #views: ViewScan[] | undefined
  /** The view of which the steps are. */
  #at = 0

  constructor(rules: RuleSet, file: FileInput, limits: Limits) {
    this.#rules = rules
    this.#named = file.language
    this.#file = isJson(file) ? { ...file, language: 'json' } : file
    this.#limits = limits
    this.#own = new TextScan(rules, this.#file, limits, { named: file.language })
  }

  /** One step; false when there is none left. */
  nextTextual(): boolean {
    if (!this.#views) {
      if (this.#own.next()) return true
      this.#views = this.#own.mayHaveViews ? this.#open() : []
      return this.#views.length > 0
    }
    if (this.#current?.next()) return true
    this.#at++
    return this.#current !== undefined
  }

  /** The text that the steps are of. */
  get #current(): TextScan | undefined {
    return this.#views ? this.#views[this.#at]?.scan : this.#own
  }

  #open(): ViewScan[] {
    const isJudged = (name: string) => this.#rules.firstFor(name) !== undefined
    const { views, failure } = viewsOf(this.#named, this.#file.path, this.#own.text!, isJudged)
    if (failure) {
      const { reason, detail } = failure
      for (const rule of this.#rulesWithout(failure)) this.#own.failures.push({ rule, reason, detail })
    }
    return views.map(view => {
      const file = { ...this.#file, language: view.language, bytes: new TextEncoder().encode(view.text) }
      return new ViewScan(view, new TextScan(this.#rules, file, this.#limits, { view }))
    })
  }

  /**
   * The rules that a view is missing to: one that tells of it where nothing can be done, all of the language where a limit ended it, since
   * any of them may have been about to find something.
   */
  #rulesWithout({ reason, language }: NonNullable<Views['failure']>): number[] {
    if (reason === 'too_deep' || reason === 'too_costly')
      return this.#rules.rules.flatMap(({ languages }, index) => (languages.includes(language) ? index : []))
    return [this.#rules.firstFor(language) ?? this.#rules.firstFor('python') ?? []].flat()
  }

  /** The pass over the bytes was broken off, and is to be tried again: it is in proportion to the size, and may only have had bad luck. */
  get isToBegin(): boolean {
    return this.#current?.isToBegin ?? false
  }

  /** A textual step hands parts of the file to a parser. */
  get isToParseParts(): boolean {
    return this.#own.isToParseParts || (this.#views ?? []).some(({ scan }) => scan.isToParseParts)
  }

  /** A step was broken off. The rule that it was at, if at one, is evaluated once more after all others; broken off again it was not evaluated. False when no step is left. */
  textualTimedOut(): boolean {
    if (this.#current?.timedOut()) return true
    if (!this.#views) {
      this.#views = []
      return false
    }
    this.#at++
    return this.#current !== undefined
  }

  /** Some rule has the file parsed, unless it proves to be needless or too large. */
  get isToParse(): boolean {
    return this.#own.isToParse || (this.#views ?? []).some(({ scan }) => scan.isToParse)
  }

  /** Runs the syntax rules and gives everything found. */
  structural(): FileOutcome {
    const own = this.#own
    const search = own.searchSyntax()
    let isParsed = search?.isParsed ?? false
    const found = [...own.found]
    const failures = [...own.failures]
    for (const view of this.#views ?? []) {
      isParsed = view.search() || isParsed
      for (const match of view.found) found.push(match)
      for (const failure of view.scan.failures) failures.push(failure)
    }
    const outcome: FileOutcome = {
      pass: own.pass,
      ...this.#matches(found, search),
      failures: failures.filter(({ rule }) => !this.#rules.rules[rule]!.muted),
      ignores: this.#ignores(),
      parsed: isParsed,
    }
    if (own.skip) outcome.skip = own.skip
    return outcome
  }

  #matches(
    raw: readonly RawMatch[],
    search: SyntaxSearch | undefined,
  ): Pick<FileOutcome, 'matches' | 'silenced' | 'excluded'> {
    if (raw.length === 0) return { matches: [] }
    const { trees, followed } = search ?? {}
    const { text, blanked } = this.#own
    return matchesOf(this.#rules, this.#file, this.#limits, {
      raw,
      text: text!,
      ...(blanked !== undefined && { code: blanked }),
      ...(trees && { root: trees.whole }),
      ...(followed && { followed }),
    })
  }

  #ignores(): FileOutcome['ignores'] {
    const { text, blanked, mayIgnore } = this.#own
    if (!mayIgnore || text === undefined) return []
    const own = inlineSuppressions(this.#file.language, blanked === undefined ? text : withTemplateComments(text))
    return [...own, ...(this.#views ?? []).flatMap(view => view.ignores(text))]
  }
}
