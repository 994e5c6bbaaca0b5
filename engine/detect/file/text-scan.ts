import type { FileMetrics } from '../../base/records/file-metrics.ts'
import { zeroMetrics } from '../../base/records/file-metrics.ts'
import type { Severity } from '../../base/records/finding.ts'
import type { Skip } from '../../base/records/source-file.ts'
import { decode, hasWideMark } from '../../base/text/decode.ts'
import { OneLine } from '../lexer/layout.ts'
import { runMemory } from '../memory/rules.ts'
import { runFilePolicy } from '../policy/file-policy.ts'
import { runRegex, runRequiredPattern } from '../regex/regex.ts'
import type { CompiledRule } from '../rules/active-rules.ts'
import type { FileInput, Limits, RuleFailure } from '../rules/file-outcome.ts'
import type { RawMatch } from '../rules/match.ts'
import type { View } from '../rules/view.ts'
import { SecretScan } from '../secrets/rules.ts'
import { asksForComments } from '../syntax/between.ts'
import type { RuleSet } from './rule-set.ts'
import { Steps } from './steps.ts'
import { SyntaxSearch } from './syntax-search.ts'
import { blankTemplate } from './views/template.ts'
import { isForViews, mayHaveViews } from './views.ts'
import { Functions, type Part } from './within.ts'

/**
 * One text under one rule set, in steps: a file's own, or a view of it. `next` does the pass over the bytes and then one textual rule a
 * call, and must be guarded by the caller since an expression may not end; `searchSyntax` parses, and runs the syntax rules, only where the
 * pass left a candidate.
 */
export class TextScan {
  readonly #rules: RuleSet
  readonly #file: FileInput
  /** The language as the file's name has it. */
  readonly #named: string
  readonly #limits: Limits
  /** What was found, as it was found. */
  readonly found: RawMatch[] = []
  readonly failures: RuleFailure[] = []
  pass: FileMetrics = zeroMetrics()
  /** Each with how much was found, and how many syntax rules were chosen, when it began. */
  readonly #textual = new Steps<{ found: number; syntax: number }>()
  #syntax: number[] = []
  /** How often the pass over the bytes was begun, and whether it came to its end. */
  #attempts = 0
  #isBegun = false
  /** When the first textual rule began, as `performance.now()` has it. */
  #began = 0
  /** As it is; undefined where nothing is left to say of it, or it was not read. */
  text: string | undefined
  readonly #tidy: OneLine
  /** Why it was not read. */
  skip: Omit<Skip, 'path'> | undefined
  mayIgnore = false
  #functions: Functions | undefined
  /** Of rules that look at one function alone, by their indexes: the functions in which they may match. */
  readonly #parts = new Map<number, Part[]>()
  /** Rules about memory, which share one run. */
  #memory: number[] = []
  #secrets: SecretScan | undefined
  /** The form in which the file is judged where it is no file of its own. */
  readonly #view: View | undefined
  /** The text without the blocks of a template language; null where it has none. */
  #blanked: string | null | undefined
  #mayHaveViews = false

  /** `named` is the language as the file's name has it, where that is not the text's; `view` is the form that the text is. */
  constructor(rules: RuleSet, file: FileInput, limits: Limits, { named, view }: { named?: string; view?: View } = {}) {
    this.#rules = rules
    this.#named = named ?? file.language
    this.#file = file
    this.#view = view
    this.#tidy = new OneLine(file.language)
    this.#limits = limits
  }

  /** One step; false when there is none left. */
  next(): boolean {
    if (!this.#isBegun) {
      this.#attempts++
      this.#textual.clear()
      this.#syntax = []
      this.#begin()
      this.#began = performance.now()
      this.#isBegun = true
      return this.#textual.hasNext
    }
    if (performance.now() - this.#began > this.#limits.file_deadline_ms) {
      for (const index of this.#textual.rest) this.#fail(index)
      return false
    }
    const mark = { found: this.found.length, syntax: this.#syntax.length }
    this.#textual.take(mark, index => this.#evaluate(index, this.text!))
    if (this.#textual.hasNext) return true
    // Of nearly all files nothing is left to say: their texts need not wait in memory for the end of the batch.
    if (this.found.length === 0 && this.#syntax.length === 0 && !this.mayIgnore && !this.#mayHaveViews) {
      this.text = undefined
      this.#secrets = undefined
    }
    return false
  }

  #evaluate(index: number, text: string): void {
    if (index === HIDDEN) {
      this.#take(this.#secrets!.findHidden(text))
      return
    }
    const rule = this.#rules.rules[index]!
    const { type } = rule
    if (type === 'secret' || type === 'file_policy') this.#evaluateIn(index, text)
    else {
      this.#evaluateIn(index, this.#code)
      // What an expression finds in the blocks of a template themselves.
      if (type === 'regex' && this.#code !== text) this.#evaluateIn(index, text)
    }
  }

  /** The text as rules about code read it. */
  get #code(): string {
    if (this.#blanked === undefined) {
      const { language, path } = this.#file
      this.#blanked = (this.#view ? undefined : blankTemplate(language, path, this.text!)) ?? null
    }
    return this.#blanked ?? this.text!
  }

  #evaluateIn(index: number, text: string): void {
    const rule = this.#rules.rules[index]!
    if (rule.type === 'ast' || rule.type === 'taint') {
      const expression = this.#rules.expression(rule.when!, false)
      const isMet =
        (rule.type === 'ast' && asksForComments(rule) && expression.test(text)) || this.#tidy.meets(expression, text)
      if (!isMet) return
      this.#syntax.push(index)
      if (rule.type === 'ast' && rule.within) this.#limit(index, expression, text)
    } else if (rule.type === 'secret') this.#take(this.#secrets!.find(index, rule, text))
    else if (rule.type === 'regex')
      this.#take(runRegex(this.#rules, index, rule, text, () => (text === this.#code ? this.#tidy.of(text) : null)))
    else if (rule.type === 'memory') {
      if (index !== this.#memory[0]) return
      this.#take(runMemory(this.#rules, this.#memory, this.#file.language, text, this.failures))
    } else if (rule.type === 'required_pattern') this.#take(runRequiredPattern(this.#rules, index, rule, text))
    else if (rule.type === 'file_policy') {
      this.#take(runFilePolicy(index, rule, { language: this.#file.language, lines: this.pass.lines, text }))
    }
  }

  /** Has the rule look at the functions alone in which its expression matches, where it matches nowhere else. */
  #limit(index: number, expression: RegExp, text: string): void {
    this.#functions ??= new Functions(this.#file.language, text)
    const parts = this.#functions.in(expression)
    if (parts) this.#parts.set(index, parts)
    else this.#parts.delete(index)
  }

  /** The pass over the bytes was broken off, and is to be tried again: it is in proportion to the size, and may only have had bad luck. */
  get isToBegin(): boolean {
    return !this.#isBegun && this.#attempts < 2
  }

  /** A textual step hands parts of the file to a parser. */
  get isToParseParts(): boolean {
    return this.#memory.length > 0
  }

  /** A step was broken off. The rule that it was at, if at one, is evaluated once more after all others; broken off again it was not evaluated. False when no step is left. */
  timedOut(): boolean {
    if (!this.#isBegun) {
      this.skip = { reason: 'timed_out', detail: 'reading it took too long' }
      this.#textual.clear()
      return false
    }
    const broken = this.#textual.brokenOff()
    if (broken) {
      this.found.length = broken.mark.found
      this.#syntax.length = broken.mark.syntax
      if (!broken.again) this.#fail(broken.step)
    }
    return this.#textual.hasNext
  }

  /** The step was not evaluated; the look at what is hidden goes under the first of the detectors. */
  #fail(step: number): void {
    const rule = step === HIDDEN ? this.#rules.rules.findIndex(({ type }) => type === 'secret') : step
    const detail = step === HIDDEN ? { detail: 'in what is encoded or in parts' } : {}
    // The first of the rules about memory runs for all of them, so the others stand and fall with it.
    const [first] = this.#memory
    const rules = step === first ? this.#memory : this.#memory.includes(step) ? [] : [rule]
    for (const each of rules) this.failures.push({ rule: each, reason: 'timed_out', ...detail })
  }

  /** Some rule has the file parsed, unless it proves to be needless or too large. */
  get isToParse(): boolean {
    return this.#syntax.length > 0 && !this.skip
  }

  /** Runs the syntax rules over the text itself; undefined where no rule has it parsed. */
  searchSyntax(): SyntaxSearch | undefined {
    if (!this.isToParse) return undefined
    const search = new SyntaxSearch(this.#rules, this.#file, this.#limits, this.#code, this.#tidy)
    search.run(this.#syntax, this.#parts)
    this.#take(search.matches)
    for (const failure of search.failures) this.failures.push(failure)
    if (this.#blanked && search.trees?.whole.find({ rule: { kind: 'ERROR' } } as never)) {
      const detail = 'the template does not parse without its blocks'
      this.failures.push({ rule: this.#syntax[0]!, reason: 'not_understood', detail })
    }
    return search
  }

  /** The text without the blocks of a template language; undefined where it has none, or nobody asked. */
  get blanked(): string | undefined {
    return this.#blanked ?? undefined
  }

  /** Whether the file may hold something in another form than its own. */
  get mayHaveViews(): boolean {
    return this.#mayHaveViews && !this.skip && (this.text !== undefined || this.#decode())
  }

  /** Not by spreading: a text of one word repeated has more matches than a call has room for arguments. */
  #take(matches: readonly RawMatch[]): void {
    for (const match of matches) this.found.push(match)
  }

  #begin(): void {
    const { bytes, encoding, language, path } = this.#file
    const { prefilter } = this.#rules
    if (this.#view) {
      this.text = this.#view.text
      this.#filter(bytes)
      this.#choose(prefilter.admitted(), language, this.#view.path)
      if (this.#secrets?.mayHide) this.#textual.add(HIDDEN)
      return
    }
    // UTF-16 and other wide texts hide literals from a pass over bytes, and so does a NUL: they are decoded first.
    const wide = encoding !== undefined || bytes.includes(0) || hasWideMark(bytes)
    let scanned = bytes
    if (wide) {
      if (!this.#decode()) return
      scanned = new TextEncoder().encode(this.text)
    }
    this.#filter(scanned)
    this.#mayHaveViews = mayHaveViews(this.#named, path, scanned)
    this.#choose(prefilter.admitted(), language, path)
    if (this.#secrets?.mayHide) this.#textual.add(HIDDEN)
    if ((this.#textual.hasNext || this.#syntax.length > 0 || this.mayIgnore) && this.text === undefined) this.#decode()
  }

  #filter(scanned: Uint8Array): void {
    const { prefilter } = this.#rules
    this.pass = prefilter.scan(scanned)
    this.mayIgnore = prefilter.admits(this.#rules.rules.length)
    this.#secrets =
      this.#rules.looksForSecrets && this.#view?.isForSecrets !== false
        ? new SecretScan(this.#rules, this.#file, this.#limits, scanned)
        : undefined
  }

  #choose(admitted: readonly number[], language: string, path: string): void {
    this.#memory = []
    for (const index of admitted) {
      const rule = this.#rules.rules[index]
      // Beyond the rules' conditions there are more, that of inline suppressions the first: no rule looks then.
      if (!rule || !this.#rules.looksAt(index, language) || !this.#rules.appliesTo(index, path)) continue
      if (!this.#isInReach(rule) || (this.#view && !isForViews(rule, this.#view))) continue
      // With an expression to be met first it is textual to begin with, and so under the same guard.
      if ((rule.type === 'ast' || rule.type === 'taint') && rule.when === undefined) this.#syntax.push(index)
      else if (rule.type !== 'secret' || this.#secrets!.admits(index, rule)) this.#textual.add(index)
      if (rule.type === 'memory') this.#memory.push(index)
    }
  }

  /** Of a generated, vendored or minified file only severe rules are asked, beside the detectors of secrets. */
  #isInReach({ type, severity }: CompiledRule): boolean {
    const { reach } = this.#file
    if (reach === undefined || type === 'secret') return true
    return (this.#limits.severe ?? SEVERE).includes(severity) && (reach === 'severe' || type === 'regex')
  }

  #decode(): boolean {
    const decoded = decode(this.#file.bytes, this.#file.encoding)
    if ('skip' in decoded) {
      this.skip = { reason: decoded.skip, ...(decoded.detail === undefined ? {} : { detail: decoded.detail }) }
      this.#textual.clear()
      this.#syntax = []
      return false
    }
    this.text = decoded.text
    return true
  }
}

const HIDDEN = -1
const SEVERE: readonly Severity[] = ['critical', 'high']
