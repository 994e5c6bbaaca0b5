import { inlineSuppressions } from '../findings/inline.ts'
import { decode, hasWideMark } from '../repository/decode.ts'
import type { Skip } from '../repository/source-file.ts'
import { asksForComments } from './between.ts'
import type { FileInput, FileOutcome, Limits, RuleFailure } from './file-outcome.ts'
import { runFilePolicy } from './kinds/file-policy.ts'
import { runMemory } from './kinds/memory.ts'
import { runRegex, runRequiredPattern } from './kinds/regex.ts'
import { SecretScan } from './kinds/secret.ts'
import { OneLine } from './layout.ts'
import type { RawMatch } from './match.ts'
import { matchesOf } from './places.ts'
import type { Pass } from './prefilter.ts'
import type { RuleSet } from './rule-set.ts'
import { Steps } from './steps.ts'
import { SyntaxSearch } from './syntax-search.ts'
import { Functions, type Part } from './within.ts'

/**
 * One file under one rule set, in steps. `nextTextual` does the pass over the bytes and then one textual rule a call, and
 * must be guarded by the caller since an expression may not end; `structural` parses, and runs the syntax rules, only
 * where the pass left a candidate.
 */
export class FileScan {
  readonly #rules: RuleSet
  readonly #file: FileInput
  readonly #limits: Limits
  readonly #raw: RawMatch[] = []
  readonly #failures: RuleFailure[] = []
  #pass: Pass = { lines: 0, blank_lines: 0, longest_line: 0 }
  /** Each with how much was found, and how many syntax rules were chosen, when it began. */
  readonly #textual = new Steps<{ found: number; syntax: number }>()
  #syntax: number[] = []
  /** How often the pass over the bytes was begun, and whether it came to its end. */
  #attempts = 0
  #isBegun = false
  /** When the first textual rule began, as `performance.now()` has it. */
  #began = 0
  #text: string | undefined
  readonly #tidy: OneLine
  #skip: Omit<Skip, 'path'> | undefined
  #mayIgnore = false
  #functions: Functions | undefined
  /** Of rules that look at one function alone, by their indexes: the functions in which they may match. */
  readonly #parts = new Map<number, Part[]>()
  /** Rules about memory, which share one run. */
  #memory: number[] = []
  #secrets: SecretScan | undefined

  constructor(rules: RuleSet, file: FileInput, limits: Limits) {
    this.#rules = rules
    this.#file = file
    this.#tidy = new OneLine(file.language)
    this.#limits = limits
  }

  /** One step; false when there is none left. */
  nextTextual(): boolean {
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
    const mark = { found: this.#raw.length, syntax: this.#syntax.length }
    this.#textual.take(mark, index => this.#evaluate(index, this.#text!))
    if (this.#textual.hasNext) return true
    // Of nearly all files nothing is left to say: their texts need not wait in memory for the end of the batch.
    if (this.#raw.length === 0 && this.#syntax.length === 0 && !this.#mayIgnore) {
      this.#text = undefined
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
    if (rule.type === 'ast' || rule.type === 'taint') {
      const expression = this.#rules.expression(rule.when!, false)
      const isMet =
        (rule.type === 'ast' && asksForComments(rule) && expression.test(text)) || this.#tidy.meets(expression, text)
      if (!isMet) return
      this.#syntax.push(index)
      if (rule.type === 'ast' && rule.within) this.#limit(index, expression, text)
    } else if (rule.type === 'secret') this.#take(this.#secrets!.find(index, rule, text))
    else if (rule.type === 'regex') this.#take(runRegex(this.#rules, index, rule, text, () => this.#tidy.of(text)))
    else if (rule.type === 'memory') {
      if (index !== this.#memory[0]) return
      this.#take(runMemory(this.#rules, this.#memory, this.#file.language, text, this.#failures))
    } else if (rule.type === 'required_pattern') this.#take(runRequiredPattern(this.#rules, index, rule, text))
    else if (rule.type === 'file_policy') {
      this.#take(runFilePolicy(index, rule, { language: this.#file.language, lines: this.#pass.lines, text }))
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
  textualTimedOut(): boolean {
    if (!this.#isBegun) {
      this.#skip = { reason: 'timed_out', detail: 'reading it took too long' }
      this.#textual.clear()
      return false
    }
    const broken = this.#textual.brokenOff()
    if (broken) {
      this.#raw.length = broken.mark.found
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
    for (const each of rules) this.#failures.push({ rule: each, reason: 'timed_out', ...detail })
  }

  #matches(search: SyntaxSearch | undefined): Pick<FileOutcome, 'matches' | 'silenced'> {
    if (this.#raw.length === 0) return { matches: [] }
    const { trees, followed } = search ?? {}
    return matchesOf(this.#rules, this.#file, this.#limits, {
      raw: this.#raw,
      text: this.#text!,
      ...(trees && { root: trees.whole }),
      ...(followed && { followed }),
    })
  }

  /** Some rule has the file parsed, unless it proves to be needless or too large. */
  get isToParse(): boolean {
    return this.#syntax.length > 0 && !this.#skip
  }

  /** Runs the syntax rules and gives everything found. */
  structural(): FileOutcome {
    if (!this.isToParse) return this.#outcome(undefined)
    const search = new SyntaxSearch(this.#rules, this.#file, this.#limits, this.#text!, this.#tidy)
    search.run(this.#syntax, this.#parts)
    this.#take(search.matches)
    for (const failure of search.failures) this.#failures.push(failure)
    return this.#outcome(search)
  }

  #outcome(search: SyntaxSearch | undefined): FileOutcome {
    const ignores =
      this.#mayIgnore && this.#text !== undefined ? inlineSuppressions(this.#file.language, this.#text) : []
    const outcome: FileOutcome = {
      pass: this.#pass,
      ...this.#matches(search),
      failures: this.#failures,
      ignores,
      parsed: search?.isParsed ?? false,
    }
    if (this.#skip) outcome.skip = this.#skip
    return outcome
  }

  /** Not by spreading: a text of one word repeated has more matches than a call has room for arguments. */
  #take(matches: readonly RawMatch[]): void {
    for (const match of matches) this.#raw.push(match)
  }

  #begin(): void {
    const { bytes, encoding, language, path } = this.#file
    const { prefilter } = this.#rules
    // UTF-16 and other wide texts hide literals from a pass over bytes: they are decoded first.
    const wide = encoding !== undefined || bytes.subarray(0, 4096).includes(0) || hasWideMark(bytes)
    let scanned = bytes
    if (wide) {
      if (!this.#decode()) return
      scanned = new TextEncoder().encode(this.#text)
    }
    this.#pass = prefilter.scan(scanned)
    this.#mayIgnore = prefilter.admits(this.#rules.rules.length)
    this.#secrets = this.#rules.looksForSecrets
      ? new SecretScan(this.#rules, this.#file, this.#limits, scanned)
      : undefined
    this.#choose(prefilter.admitted(), language, path)
    if (this.#secrets?.mayHide) this.#textual.add(HIDDEN)
    if ((this.#textual.hasNext || this.#syntax.length > 0 || this.#mayIgnore) && this.#text === undefined)
      this.#decode()
  }

  #choose(admitted: readonly number[], language: string, path: string): void {
    this.#memory = []
    for (const index of admitted) {
      const rule = this.#rules.rules[index]
      // Beyond the rules' conditions there are more, that of inline suppressions the first: no rule looks then.
      if (!rule || !this.#rules.looksAt(index, language) || !this.#rules.appliesTo(index, path)) continue
      // With an expression to be met first it is textual to begin with, and so under the same guard.
      if ((rule.type === 'ast' || rule.type === 'taint') && rule.when === undefined) this.#syntax.push(index)
      else if (rule.type !== 'secret' || this.#secrets!.admits(index, rule)) this.#textual.add(index)
      if (rule.type === 'memory') this.#memory.push(index)
    }
  }

  #decode(): boolean {
    const decoded = decode(this.#file.bytes, this.#file.encoding)
    if ('skip' in decoded) {
      this.#skip = { reason: decoded.skip, ...(decoded.detail === undefined ? {} : { detail: decoded.detail }) }
      this.#textual.clear()
      this.#syntax = []
      return false
    }
    this.#text = decoded.text
    return true
  }
}

const HIDDEN = -1
