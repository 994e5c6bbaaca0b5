import type { PackedRule } from '../../base/records/rule.ts'
import { compileGlob } from '../../base/text/glob.ts'
import { extended, type LiteralTrie, literalTrie } from '../prefilter/literal-trie.ts'
import { type Prefilter, prefilterOf } from '../prefilter/prefilter.ts'
import { builtinTrie } from '../prefilter/trie-file.ts'
import type { ActiveRules, CompiledRule, Signs } from '../rules/active-rules.ts'
import type { Requirement } from '../rules/requirement.ts'
import { anchors } from '../secrets/generic/anchors.ts'
import { escapeSigns, jointSigns } from '../secrets/hidden/find.ts'

/** The word that starts an inline suppression: one more condition in each automaton, after the rules' own. */
const INLINE_IGNORE: Requirement = [[{ text: 'svc-ignore:', word: false }]]

/** What secrets that are encoded or written in parts leave to see; behind the word, where there are detectors. */
const SIGNS = [escapeSigns, jointSigns]

const LOOKS = 1
const PASSES = 2

/** What no file meets. */
const NEVER: Requirement = [[]]

/**
 * All active rules, ready to be asked per language. There is one automaton for all languages: most literals are those of
 * rules for every language, and a copy of them for each of the forty in a large repository would fill the memory.
 */
export class RuleSet implements ActiveRules {
  readonly rules: readonly CompiledRule[]
  #prefilter: Prefilter | undefined
  #looksForSecrets: boolean | undefined
  /** For each language, LOOKS or PASSES of the rules that were asked. */
  readonly #byLanguage = new Map<string, Uint8Array>()
  readonly #firsts = new Map<string, number>()
  readonly #paths = new Map<number, (path: string) => boolean>()
  readonly #exclusions = new Map<number, (path: string) => boolean>()
  readonly #expressions = new Map<string, RegExp>()

  constructor(rules: readonly CompiledRule[]) {
    this.rules = rules
  }

  /** Whether any of the rules is a detector of secrets. */
  get looksForSecrets(): boolean {
    this.#looksForSecrets ??= this.rules.some(isDetector)
    return this.#looksForSecrets
  }

  /** What the file that the prefilter saw last may hide; only for a set that looks for secrets. */
  signs(): Signs {
    const after = this.rules.length + 1
    return { escapes: this.prefilter.admits(after), joints: this.prefilter.admits(after + 1) }
  }

  /** Detectors with a format, by their indexes, that these bytes leave a chance. What the prefilter knew of another file is gone then. */
  formatsFor(bytes: Uint8Array, language: string, path: string): number[] {
    this.prefilter.scan(bytes)
    return this.prefilter.admitted().filter(index => {
      const rule = this.rules[index]
      const hasFormat = rule?.type === 'secret' && rule.detector.format !== undefined
      return hasFormat && this.looksAt(index, language) && this.appliesTo(index, path)
    })
  }

  /** Says which rules can match a file, by their index; with the number of rules, whether it may hold an inline suppression. */
  get prefilter(): Prefilter {
    this.#prefilter ??= this.#makePrefilter()
    return this.#prefilter
  }

  #makePrefilter(): Prefilter {
    const beyond = this.looksForSecrets ? 1 + SIGNS.length : 1
    const asksForAnchors = this.rules.some(isGeneric)
    const own = this.rules.filter(({ number }) => number === undefined)
    if (own.length === this.rules.length) {
      const all = Int32Array.from({ length: own.length + beyond }, (_, index) => index)
      return prefilterOf(trieOfRules(own), all, asksForAnchors)
    }
    const builtin = builtinTrie()
    // There is one start more than there are requirements.
    let next = builtin.requirements.length - 1
    const special = next - 1 - SIGNS.length
    const numbers = this.rules.map(({ number }) => number ?? next++)
    const more = Array.from({ length: beyond }, (_, index) => special + index)
    const trie = own.length === 0 ? builtin : extended(builtin, own.map(requirementOf))
    return prefilterOf(trie, Int32Array.from([...numbers, ...more]), asksForAnchors)
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
      matches = pathFilter({ files: this.rules[index]!.files, exclude_files: [] })
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
    const key = `${ignoreCase}${source}`
    let expression = this.#expressions.get(key)
    if (!expression) {
      expression = compileExpression(source, ignoreCase)
      this.#expressions.set(key, expression)
    }
    expression.lastIndex = 0
    return expression
  }
}

/** What must stand in files for the rules to look at them, by a rule's index; after them the word of inline suppressions, and the signs. */
export function trieOfRules(rules: readonly CompiledRule[]): LiteralTrie {
  return literalTrie(
    [...rules.map(requirementOf), INLINE_IGNORE, ...(rules.some(isDetector) ? SIGNS.map(anyOf) : [])],
    rules.some(isGeneric) ? anchors() : [],
  )
}

function anyOf(texts: () => string[]): Requirement {
  return [texts().map(text => ({ text, word: false }))]
}

function requirementOf(rule: CompiledRule): Requirement {
  return looksInside(rule) ? rule.requirement : NEVER
}

/** The expression of a textual rule; throws the engine's SyntaxError. */
export function compileExpression(source: string, ignoreCase: boolean): RegExp {
  return new RegExp(source, ignoreCase ? 'gmui' : 'gmu')
}

function isDetector({ type }: CompiledRule): boolean {
  return type === 'secret'
}

/** Detectors that judge values by what stands around them look at the anchors. */
function isGeneric(rule: CompiledRule): boolean {
  return rule.type === 'secret' && rule.detector.generic !== undefined
}

/** Rules about the repository's file list never look into a file. */
function looksInside(rule: CompiledRule): boolean {
  return !(
    rule.type === 'file_policy' &&
    ('required_file' in rule.check || 'forbidden_file' in rule.check || 'naming' in rule.check)
  )
}

/** The rule's own path filter, by its `files` and `exclude_files` globs. */
export function pathFilter(rule: Pick<PackedRule, 'files' | 'exclude_files'>): (path: string) => boolean {
  const included = rule.files.map(compileGlob)
  const excluded = rule.exclude_files.map(compileGlob)
  return path =>
    (included.length === 0 || included.some(matches => matches(path))) && !excluded.some(matches => matches(path))
}
