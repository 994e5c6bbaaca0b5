import type { TextSize } from '../../base/records/file-metrics.ts'
import type { Skip } from '../../base/records/source-file.ts'
import { countPart, enterPart, isCounting } from '../../base/spent.ts'
import { decode, hasWideMark } from '../../base/text/decode.ts'
import { OneLine } from '../lexer/layout.ts'
import type { CompiledRule } from '../rules/active-rules.ts'
import { type Detector, NEEDS_TREE, SEVERE, type Search, type SearchedText, type Task } from '../rules/detector.ts'
import type { FileInput, Limits, RuleFailure } from '../rules/file-outcome.ts'
import type { RawMatch } from '../rules/match.ts'
import type { ReleaseFacts } from '../rules/release-facts.ts'
import type { View } from '../rules/view.ts'
import type { RuleSet } from './rule-set.ts'
import { Queue, type Step } from './steps.ts'
import { type TreeOutcome, TreeStage } from './tree-stage.ts'
import { blankTemplate } from './views/template.ts'
import { mayHaveViews } from './views.ts'

/**
 * One text under one rule set, in steps: a file's own, or a view of it. First the pass over the bytes, then the tasks that detectors have in
 * what it left; last a step that parses, only where a task asked for it.
 */
export class TextScan implements SearchedText {
  readonly rules: RuleSet
  readonly file: FileInput
  readonly limits: Limits
  readonly tidy: OneLine
  bytes: Uint8Array
  pass: TextSize = { lines: 0, longest_line: 0 }
  /** The language as the file's name has it. */
  readonly #named: string
  /** The form in which the file is judged where it is no file of its own. */
  readonly #view: View | undefined
  /** What was found, as it was found. */
  readonly found: RawMatch[] = []
  readonly failures: RuleFailure[] = []
  /** What other files need to know of it. */
  shared: ReleaseFacts | undefined
  /** Each with how much was found, and how many rules had asked for the tree, when it began. */
  readonly #queue = new Queue<Task, { found: number; chosen: number }>()
  /** Rules that asked for the syntax tree. */
  #chosen: number[] = []
  /** Of each detector of the rule set, by its index there, its search where it has begun. */
  #searches: (Search | undefined)[] = []
  /** How often the pass over the bytes was begun, and whether it came to its end. */
  #attempts = 0
  #isBegun = false
  /** When the first task began, as `performance.now()` has it. */
  #began = 0
  #text: string | undefined
  /** The text without the blocks of a template language; null where it has none. */
  #blanked: string | null | undefined
  #mayHaveViews = false
  /** Why it was not read. */
  skip: Omit<Skip, 'path'> | undefined
  mayIgnore = false
  /** The search of the syntax, while it is under way. */
  #tree: TreeStage | undefined
  /** What the search of the syntax came to, where there was one. */
  parsed: TreeOutcome | undefined

  /** `named` is the language as the file's name has it, where that is not the text's; `view` is the form that the text is. */
  constructor(rules: RuleSet, file: FileInput, limits: Limits, { named, view }: { named?: string; view?: View } = {}) {
    this.rules = rules
    this.file = file
    this.limits = limits
    this.bytes = file.bytes
    this.tidy = new OneLine(file.language)
    this.#named = named ?? file.language
    this.#view = view
  }

  /** The next step over the text itself; undefined where none is left. A step that was given before and did not come to its end was broken off. */
  next(): Step | undefined {
    if (!this.#isBegun) return this.#beginning()
    this.#takeBack()
    if (this.#queue.hasNext && performance.now() - this.#began > this.limits.file_deadline_ms) {
      for (const task of this.#queue.rest) this.#timedOut(task)
      this.#queue.clear()
    }
    if (!this.#queue.hasNext) {
      this.#release()
      return undefined
    }
    const task = this.#queue.take({ found: this.found.length, chosen: this.#chosen.length })
    return { stage: 'text', parses: task.parses, run: () => this.#run(task) }
  }

  /** The next step that parses the text, or runs a rule that asked for it; undefined where none did, or all are done. */
  nextOfTree(): Step | undefined {
    if (this.#chosen.length === 0 || this.skip || this.parsed) return undefined
    return { stage: 'tree', parses: true, run: () => this.#searchTree() }
  }

  /** As it is; undefined where nothing is left to say of it, or it was not read. */
  get textLeft(): string | undefined {
    return this.#text
  }

  get text(): string {
    return this.#text!
  }

  get code(): string {
    if (this.#blanked === undefined) {
      const { language, path } = this.file
      this.#blanked = (this.#view ? undefined : blankTemplate(language, path, this.text)) ?? null
    }
    return this.#blanked ?? this.text
  }

  /** The text without the blocks of a template language; undefined where it has none, or nobody asked. */
  get blanked(): string | undefined {
    return this.#blanked ?? undefined
  }

  /** Whether the file may hold something in another form than its own. */
  get mayHaveViews(): boolean {
    return this.#mayHaveViews && !this.skip && (this.#text !== undefined || this.#decode())
  }

  readonly fail = (rule: number, reason: RuleFailure['reason'], detail?: string): void => {
    this.failures.push({ rule, reason, ...(detail !== undefined && { detail }) })
  }

  readonly share = (facts: ReleaseFacts | undefined): void => {
    this.shared = facts
  }

  /** Lets go of the text and its trees, when all is said of them. */
  drop(): void {
    this.#text = undefined
    this.parsed = undefined
    this.#tree = undefined
    this.found.length = 0
  }

  /** The pass over the bytes. Broken off it is tried again, in the time of a file: it is in proportion to the size, and may only have had bad luck. */
  #beginning(): Step | undefined {
    if (this.#attempts > 1) {
      this.skip = { reason: 'timed_out', detail: 'timed out while reading it' }
      this.#queue.clear()
      return undefined
    }
    const alone_ms = this.#attempts === 0 ? undefined : this.limits.file_deadline_ms
    return { stage: 'text', alone_ms, run: () => this.#begin() }
  }

  #begin(): void {
    this.#attempts++
    this.#queue.clear()
    this.#chosen = []
    this.#searches = []
    this.#read()
    this.#began = performance.now()
    this.#isBegun = true
  }

  #run(task: Task): void {
    const before = isCounting() ? enterPart(this.rules.findPart(task.rules[0]!)) : 'other'
    const found = task.run()
    enterPart(before)
    // Not by spreading: a text of one word repeated has more matches than a call has room for arguments.
    if (found !== NEEDS_TREE) for (const match of found) this.found.push(match)
    else this.#chosen.push(...task.rules)
    this.#queue.finish()
  }

  /** Takes back what a task had found that was broken off. It is evaluated once more after all others; broken off again it was not evaluated. */
  #takeBack(): void {
    const broken = this.#queue.findBrokenOff()
    if (!broken) return
    this.found.length = broken.mark.found
    this.#chosen.length = broken.mark.chosen
    if (!broken.again) this.#timedOut(broken.task)
  }

  #timedOut({ rules, detail }: Task): void {
    for (const rule of rules) this.fail(rule, 'timed_out', detail)
  }

  /** Of nearly all files nothing is left to say: their texts need not wait in memory for the end of the batch. */
  #release(): void {
    this.#queue.clear()
    if (this.#chosen.length > 0) return
    this.#searches = []
    if (this.found.length === 0 && !this.mayIgnore && !this.#mayHaveViews) this.#text = undefined
  }

  #searchTree(): void {
    this.#tree ??= new TreeStage(
      this,
      this.#chosen,
      rule => this.#searches[this.rules.findDetector(rule)]!,
      rule => this.rules.findPart(rule),
    )
    this.parsed = this.#tree.run()
    if (!this.parsed) return
    this.#tree = undefined
    for (const match of this.parsed.matches) this.found.push(match)
    if (this.#blanked && this.parsed.trees?.whole.find({ rule: { kind: 'ERROR' } } as never))
      this.fail(this.#chosen[0]!, 'not_understood', 'the template does not parse without its blocks')
    this.#searches = []
  }

  #read(): void {
    const { bytes, encoding, language, path } = this.file
    if (this.#view) {
      this.#text = this.#view.text
      this.#filter(bytes)
      this.#choose(language, this.#view.path)
      return
    }
    // UTF-16 and other wide texts hide literals from a pass over bytes, and so does a NUL: they are decoded first.
    const wide = encoding !== undefined || bytes.includes(0) || hasWideMark(bytes)
    if (wide) {
      if (!this.#decode()) return
      this.bytes = new TextEncoder().encode(this.text)
    }
    this.#filter(this.bytes)
    this.#mayHaveViews = mayHaveViews(this.#named, path, this.bytes)
    this.#choose(language, path)
    const isRead = this.#queue.hasNext || this.#chosen.length > 0 || this.mayIgnore
    if (isRead && this.#text === undefined) this.#decode()
  }

  #filter(scanned: Uint8Array): void {
    const { prefilter, rules, detectors } = this.rules
    this.pass = countPart('prefilter', () => this.rules.scan(scanned, this.file.language))
    this.mayIgnore = prefilter.admits(rules.length)
    for (const [index, detector] of detectors.entries())
      if (detector.beginsAlways && this.#readsViews(detector))
        this.#searches[index] = countPart(detector.part ?? 'other', () => detector.begin(this))
  }

  #choose(language: string, path: string): void {
    const { rules, detectors, prefilter } = this.rules
    const before = enterPart('prefilter')
    for (const index of prefilter.admitted()) {
      const rule = rules[index]
      // Beyond the rules' conditions there are more, that of inline suppressions the first: no rule looks then.
      if (!rule || !this.rules.looksAt(index, language) || !this.rules.appliesTo(index, path)) continue
      const number = this.rules.findDetector(index)
      const detector = detectors[number]!
      if (!this.#isInReach(detector, rule) || !this.#isForText(detector, rule)) continue
      this.#searches[number] ??= detector.begin(this)
      const task = this.#searches[number].admit(index)
      if (task === NEEDS_TREE) this.#chosen.push(index)
      else if (task) this.#queue.add(task)
    }
    for (const search of this.#searches) {
      const last = search?.conclude?.()
      if (last) this.#queue.add(last)
    }
    enterPart(before)
  }

  /** Of a generated, vendored or minified file only severe rules are asked, beside those that search every content. */
  #isInReach({ reach }: Detector, { severity }: CompiledRule): boolean {
    const own = this.file.reach
    if (own === undefined || reach === 'any') return true
    return (this.limits.severe ?? SEVERE).includes(severity) && (own === 'severe' || reach === 'severe_text')
  }

  /** What a file as a whole must be, and what is asked of any text, is asked of the file itself and not of a view. */
  #isForText(detector: Detector, { languages }: CompiledRule): boolean {
    if (!this.#view) return true
    return this.#readsViews(detector) && (detector.views === 'secrets' || !languages.includes('any'))
  }

  #readsViews({ views }: Detector): boolean {
    return !this.#view || views === 'code' || (views === 'secrets' && this.#view.isForSecrets)
  }

  #decode(): boolean {
    const decoded = countPart('read', () => decode(this.file.bytes, this.file.encoding))
    if ('skip' in decoded) {
      this.skip = { reason: decoded.skip, ...(decoded.detail === undefined ? {} : { detail: decoded.detail }) }
      this.#queue.clear()
      this.#chosen = []
      return false
    }
    this.#text = decoded.text
    return true
  }
}
