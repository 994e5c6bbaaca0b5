import { type FileMetrics, makeMetrics, makeUnmeasured } from '../../base/records/file-metrics.ts'
import { countPart } from '../../base/spent.ts'
import { measureText } from '../metrics/measure.ts'
import type { FileInput, FileOutcome, Limits } from '../rules/file-outcome.ts'
import { findInlineSuppressions } from '../rules/inline.ts'
import type { Views } from '../rules/view.ts'
import { makeTouched } from '../syntax/touched-lines.ts'
import { locateMatches } from './places.ts'
import type { RuleSet } from './rule-set.ts'
import type { Step } from './steps.ts'
import { TextScan } from './text-scan.ts'
import { ViewScan } from './view-scan.ts'
import { restoreTemplateComments } from './views/template.ts'
import { isJson, makeViews } from './views.ts'
import { runGuarded } from './watchdog.ts'

/** Searches a file under a rule set, each textual step within the time of a rule. */
export function scanFile(rules: RuleSet, file: FileInput, limits: Limits): FileOutcome {
  const scan = new FileScan(rules, file, limits)
  runGuarded(() => scan.next(), limits.rule_deadline_ms)
  for (const step of scan) step.run()
  return scan.outcome
}

/**
 * One file under one rule set, as a sequence of steps: of its own text, of what it holds in other forms (views), of their syntax trees, and the
 * end, which puts the outcome together. There is one order: run the step that `next` gives, then ask for the next one. A step that was given
 * and did not come to its end was broken off by the clock, or comes again.
 */
export class FileScan implements Iterable<Step> {
  readonly #rules: RuleSet
  /** The language is that of the file's own text. */
  readonly #file: FileInput
  /** The language as the file's name has it. */
  readonly #named: string
  readonly #limits: Limits
  readonly #own: TextScan
  /** What the file holds in other forms, once its own text is done with. */
  #views: ViewScan[] | undefined
  /** It was begun to find out what that is. */
  #isOpening = false
  #outcome: FileOutcome | undefined

  constructor(rules: RuleSet, file: FileInput, limits: Limits) {
    this.#rules = rules
    this.#named = file.language
    this.#file = isJson(file) ? { ...file, language: 'json' } : file
    this.#limits = limits
    this.#own = new TextScan(rules, this.#file, limits, { named: file.language })
  }

  /** The next step; undefined at the end. */
  next(): Step | undefined {
    if (this.#outcome) return undefined
    if (!this.#views) {
      const step = this.#own.next() ?? this.#opening()
      if (step) return step
    }
    return this.#nextOf(scan => scan.next()) ?? this.#nextOf(scan => scan.nextOfTree()) ?? this.#ending()
  }

  *[Symbol.iterator](): Iterator<Step> {
    for (let step = this.next(); step; step = this.next()) yield step
  }

  /** What the file came to; throws before the last step was run. */
  get outcome(): FileOutcome {
    if (!this.#outcome) throw new Error(`the scan of ${this.#file.path} is not at its end`)
    return this.#outcome
  }

  /** The step that finds out what else the file holds; undefined where that is known. Broken off, it holds nothing else. */
  #opening(): Step | undefined {
    if (!this.#isOpening && this.#own.mayHaveViews)
      return {
        stage: 'text',
        run: () => {
          this.#isOpening = true
          this.#views = this.#open()
        },
      }
    this.#views = []
    return undefined
  }

  /** The step of the first text that has one: the own text, where it is asked for its tree, and the views. */
  #nextOf(ask: (scan: TextScan) => Step | undefined): Step | undefined {
    for (const scan of [this.#own, ...this.#views!.map(view => view.scan)]) {
      const step = ask(scan)
      if (step) return step
    }
    return undefined
  }

  #open(): ViewScan[] {
    const isJudged = (name: string) => this.#rules.firstFor(name) !== undefined
    const { views, failure } = makeViews(this.#named, this.#file.path, this.#own.text, isJudged)
    if (failure) {
      const { reason, detail } = failure
      for (const rule of this.#rulesWithout(failure)) this.#own.fail(rule, reason, detail)
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

  #ending(): Step {
    return {
      stage: 'end',
      run: () => {
        this.#outcome = this.#conclude()
        // Whoever still holds the scan would hold the trees, which live outside V8's heap.
        this.#own.drop()
        this.#views = []
      },
    }
  }

  #conclude(): FileOutcome {
    const own = this.#own
    const found = [...own.found]
    const failures = [...own.failures]
    let isParsed = own.parsed?.isParsed ?? false
    for (const view of this.#views!) {
      isParsed ||= view.scan.parsed?.isParsed ?? false
      for (const match of view.locate()) found.push(match)
      for (const failure of view.scan.failures) failures.push(failure)
    }
    const { textLeft: text, blanked, parsed: { trees } = {} } = own
    const outcome: FileOutcome = {
      pass: this.#measure(),
      ...(found.length === 0
        ? { matches: [] }
        : locateMatches(this.#rules, this.#file, this.#limits, {
            raw: found,
            text: text!,
            ...(blanked !== undefined && { code: blanked }),
            ...(trees && { root: trees.whole }),
          })),
      failures: failures.filter(({ rule }) => !this.#rules.rules[rule]!.muted),
      ignores: this.#findIgnores(),
      parsed: isParsed,
    }
    if (own.skip) outcome.skip = own.skip
    if (own.shared) outcome.releases = own.shared
    return outcome
  }

  #measure(): FileMetrics {
    const { pass, bytes, skip } = this.#own
    if (!this.#file.measured || skip) return { ...makeUnmeasured(), ...pass }
    const counted = { ...pass, ...countPart('metrics', () => measureText(this.#named, bytes)) }
    // In the order of the columns, so that records are the same bytes whether they were counted now or kept.
    return makeMetrics(name => counted[name])
  }

  #findIgnores(): FileOutcome['ignores'] {
    const { textLeft: text, blanked, mayIgnore } = this.#own
    if (!mayIgnore || text === undefined) return []
    const { language } = this.#file
    const code = blanked === undefined ? text : restoreTemplateComments(text)
    const root = blanked === undefined ? this.#own.parsed?.trees?.whole : undefined
    const own = findInlineSuppressions(language, code, makeTouched(language, code, root))
    return [...own, ...this.#views!.flatMap(view => view.ignores(text))]
  }
}
