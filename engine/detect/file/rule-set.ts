import type { TextSize } from '../../base/records/file-metrics.ts'
import type { Part } from '../../base/spent.ts'
import { compileGlob, filterPaths } from '../../base/text/glob.ts'
import { buildLiteralTrie, extendTrie, type LiteralTrie } from '../prefilter/literal-trie.ts'
import { makePrefilter, type Prefilter } from '../prefilter/prefilter.ts'
import { loadBuiltinTrie } from '../prefilter/trie-file.ts'
import type { ActiveRules, CompiledRule } from '../rules/active-rules.ts'
import type { Detector } from '../rules/detector.ts'
import type { Requirement } from '../rules/requirement.ts'
import { DETECTORS } from './detectors.gen.ts'

/** The word that starts an inline suppression: one more condition in each automaton, after the rules' own. */
const INLINE_IGNORE: Requirement = [[{ text: 'svc-ignore:', word: false }]]

const LOOKS = 1
const PASSES = 2

/** What no file meets. */
const NEVER: Requirement = [[]]

/**
 * All active rules, ready to be asked per language.
 */
export class RuleSet implements ActiveRules {
  readonly rules: readonly CompiledRule[]
  /** Those that have rules here. */
  readonly detectors: readonly Detector[]
  /** Of each rule, the index of its detector. */
  readonly #detectorOf: Uint8Array
  readonly #registry: readonly Detector[]
  #prefilter: Prefilter | undefined
  #ofAnyContent: OfAnyContent | undefined
  /** For each language, LOOKS or PASSES of the rules that were asked. */
  readonly #byLanguage = new Map<string, Uint8Array>()
  readonly #firsts = new Map<string, number>()
  readonly #paths = new Map<number, (path: string) => boolean>()
  readonly #exclusions = new Map<number, (path: string) => boolean>()
  /** By their source, which V8 hashes once; those that ignore case apart. */
  readonly #expressions = { exact: new Map<string, RegExp>(), folded: new Map<string, RegExp>() }

  readonly isResident: boolean

  /** `registry` holds a detector for each type of rule; a test may give others. */
  constructor(rules: readonly CompiledRule[], registry: readonly Detector[] = DETECTORS, isResident = false) {
    this.rules = rules
    this.isResident = isResident
    this.#registry = registry
    const types = new Set(rules.map(({ type }) => type as string))
    this.detectors = registry.filter(({ type }) => types.has(type))
    const numbers = new Map(this.detectors.map(({ type }, index) => [type, index]))
    this.#detectorOf = Uint8Array.from(rules, ({ id, type }) => {
      const number = numbers.get(type)
      if (number === undefined) throw new Error(`${id}: no detector.ts under engine/detect is for the type ${type}`)
      return number
    })
  }

  /** The index of the rule's detector among those of the set. */
  findDetector(rule: number): number {
    return this.#detectorOf[rule]!
  }

  /** The part of a scan that the rule's time is counted to. */
  findPart(rule: number): Part {
    return this.detectors[this.findDetector(rule)]?.part ?? 'other'
  }

  /** Whether any of the rules searches every content, that of archives and of files over the size limit too. */
  get searchesAnyContent(): boolean {
    return this.detectors.some(isOfAnyContent)
  }

  /** The rules that search every content, with their indexes here; made once. */
  selectOfAnyContent(): OfAnyContent {
    if (!this.#ofAnyContent) {
      const indexes = [...this.rules.keys()].filter(index => isOfAnyContent(this.detectors[this.findDetector(index)]!))
      const set = new RuleSet(
        indexes.map(index => this.rules[index]!),
        this.#registry,
      )
      this.#ofAnyContent = { set, indexes }
    }
    return this.#ofAnyContent
  }

  /** Of a detector's lists of signs, which of them the file has that the prefilter saw last. */
  findSigns(type: string): boolean[] {
    let at = this.rules.length + 1
    for (const { type: own, signs = [] } of this.detectors) {
      if (own === type) return signs.map((_, index) => this.prefilter.admits(at + index))
      at += signs.length
    }
    return []
  }

  /** The pass over the bytes of a text; what `prefilter` says is of this text then, for the rules that look at its language. */
  scan(bytes: Uint8Array, language: string): TextSize {
    // Languages without rules of their own have the same literals.
    return this.prefilter.scan(bytes, this.firstFor(language) === undefined ? 'any' : language)
  }

  /** Of the rules that `isAsked`, by their indexes, those that these bytes leave a chance. What the prefilter knew of another file is gone then. */
  admit(
    bytes: Uint8Array,
    { language, path }: { language: string; path: string },
    isAsked: (rule: number) => boolean,
  ): number[] {
    this.scan(bytes, language)
    // Many rules have no literal and are always admitted: who asks for few is not to pay for the globs of all.
    return this.prefilter
      .admitted()
      .filter(
        index =>
          index < this.rules.length && isAsked(index) && this.looksAt(index, language) && this.appliesTo(index, path),
      )
  }

  /** Says which rules can match a file, by their index; with the number of rules, whether it may hold an inline suppression. */
  get prefilter(): Prefilter {
    this.#prefilter ??= this.#makePrefilter()
    return this.#prefilter
  }

  #makePrefilter(): Prefilter {
    const asksForAnchors = this.detectors.some(({ type, anchors }) =>
      this.rules.some(rule => rule.type === type && anchors?.isAskedBy(rule)),
    )
    // Behind the rules come the word of inline suppressions and the detectors' signs, which are for all.
    const isAskedIn = (index: number, language: string) => index >= this.rules.length || this.looksAt(index, language)
    const isForAll = this.rules.every(({ languages }) => languages.includes('any'))
    const options = { asksForAnchors, isAskedIn: isForAll ? undefined : isAskedIn }
    const own = this.rules.filter(({ number }) => number === undefined)
    if (own.length === this.rules.length) {
      const trie = buildTrie(own, this.#registry)
      const all = Int32Array.from({ length: own.length + 1 + signsOf(this.detectors).length }, (_, index) => index)
      return makePrefilter(trie, all, options)
    }
    const builtin = loadBuiltinTrie()
    // There is one start more than there are requirements.
    let next = builtin.requirements.length - 1
    // It ends with the word of inline suppressions, and the signs of all detectors.
    const special = next - 1 - signsOf(DETECTORS).length
    const numbers = this.rules.map(({ number }) => number ?? next++)
    const signs = this.detectors.flatMap(detector => {
      const first = special + 1 + signsOf(DETECTORS.slice(0, DETECTORS.indexOf(detector))).length
      return signsOf([detector]).map((_, index) => first + index)
    })
    const requirements = own.map(rule => requirementFor(rule, this.#registry))
    const trie = own.length === 0 ? builtin : extendTrie(builtin, requirements)
    return makePrefilter(trie, Int32Array.from([...numbers, special, ...signs]), options)
  }

  /** The first rule that finds by what is particular to the language; undefined where it has none. */
  firstFor(language: string): number | undefined {
    if (!this.#firsts.has(language))
      this.#firsts.set(
        language,
        this.rules.findIndex(({ languages }) => languages.includes(language)),
      )
    const first = this.#firsts.get(language)!
    return first < 0 ? undefined : first
  }

  /** Whether the rule looks at files of the language. */
  looksAt(index: number, language: string): boolean {
    let known = this.#byLanguage.get(language)
    if (!known) {
      known = new Uint8Array(this.rules.length)
      this.#byLanguage.set(language, known)
    }
    if (known[index] === 0) {
      const { languages } = this.rules[index]!
      known[index] = languages.includes(language) || languages.includes('any') ? LOOKS : PASSES
    }
    return known[index] === LOOKS
  }

  /** Whether the rule searches files of this path, by its `files`; what it finds where its `exclude_files` name the file is set aside later. */
  appliesTo(index: number, path: string): boolean {
    let matches = this.#paths.get(index)
    if (!matches) {
      matches = filterPaths({ files: this.rules[index]!.files, exclude_files: [] })
      this.#paths.set(index, matches)
    }
    return matches(path)
  }

  /** Whether the rule's own `exclude_files` name the path. */
  excludes(index: number, path: string): boolean {
    const { exclude_files } = this.rules[index]!
    if (exclude_files.length === 0) return false
    let matches = this.#exclusions.get(index)
    if (!matches) {
      const globs = exclude_files.map(compileGlob)
      matches = path => globs.some(takes => takes(path))
      this.#exclusions.set(index, matches)
    }
    return matches(path)
  }

  /** A compiled expression with the flags that textual rules run under (spec "rule types"): global, multi-line, Unicode. */
  expression(source: string, ignoreCase: boolean): RegExp {
    const known = this.#expressions[ignoreCase ? 'folded' : 'exact']
    let expression = known.get(source)
    if (!expression) {
      expression = compileExpression(source, ignoreCase)
      known.set(source, expression)
    }
    expression.lastIndex = 0
    return expression
  }
}

/** Rules that search every content, and their indexes among all. */
export interface OfAnyContent {
  set: RuleSet
  indexes: readonly number[]
}

/** What must stand in files for the rules to look at them, by a rule's index; after them the word of inline suppressions, and the signs of their detectors. */
export function buildTrie(rules: readonly CompiledRule[], registry: readonly Detector[] = DETECTORS): LiteralTrie {
  const types = new Set(rules.map(({ type }) => type as string))
  const detectors = registry.filter(({ type }) => types.has(type))
  const anchors = detectors.flatMap(({ type, anchors }) =>
    anchors && rules.some(rule => rule.type === type && anchors.isAskedBy(rule)) ? anchors.strings() : [],
  )
  const requirements = rules.map(rule => requirementFor(rule, registry))
  return buildLiteralTrie([...requirements, INLINE_IGNORE, ...signsOf(detectors).map(requireAny)], anchors)
}

function signsOf(detectors: readonly Detector[]): (() => string[])[] {
  return detectors.flatMap(({ signs = [] }) => signs)
}

function requireAny(strings: () => string[]): Requirement {
  return [strings().map(text => ({ text, word: false }))]
}

/** Of a rule that looks into no file, what no file meets. */
function requirementFor(rule: CompiledRule, registry: readonly Detector[]): Requirement {
  const { readsContent } = registry.find(({ type }) => type === rule.type) ?? {}
  return readsContent?.(rule) === false ? NEVER : rule.requirement
}

/** The expression of a textual rule; throws the engine's SyntaxError. */
export function compileExpression(source: string, ignoreCase: boolean): RegExp {
  return new RegExp(source, ignoreCase ? 'gmui' : 'gmu')
}

function isOfAnyContent({ reach }: Detector): boolean {
  return reach === 'any'
}
