import { compileGlob } from '../repository/glob.ts'
import { ANCHORS } from '../secrets/generic/anchors.ts'
import { type LiteralTrie, literalTrie } from './literal-trie.ts'
import type { Requirement } from './literals.ts'
import { type Prefilter, prefilterOf } from './prefilter.ts'
import type { PackedRule } from './rule.ts'
import { builtinTrie } from './trie-file.ts'

/** A rule with what compiling found out; plain data. */
export type CompiledRule = PackedRule & {
  requirement: Requirement
  /** Digest of everything that it finds by, where it was made beforehand. */
  digest?: string
  /** Where its requirement is among those of svc's own rules, which are put together beforehand. */
  number?: number
  /** Digests of what it finds and of what it says, where they were made beforehand. */
  digests?: { detection: string; wording: string }
}

/** The word that starts an inline suppression: one more condition in each automaton, after the rules' own. */
const INLINE_IGNORE: Requirement = [[{ text: 'svc-ignore:', word: false }]]

/** What no file meets. */
const NEVER: Requirement = [[]]

/**
 * All active rules, ready to be asked per language. There is one automaton for all languages: most literals are those of
 * rules for every language, and a copy of them for each of the forty in a large repository would fill the memory.
 */
export class RuleSet {
  readonly rules: readonly CompiledRule[]
  #prefilter: Prefilter | undefined
  readonly #byLanguage = new Map<string, Uint8Array>()
  readonly #paths = new Map<number, (path: string) => boolean>()
  readonly #expressions = new Map<string, RegExp>()

  constructor(rules: readonly CompiledRule[]) {
    this.rules = rules
  }

  /** Says which rules can match a file, by their index; with the number of rules, whether it may hold an inline suppression. */
  get prefilter(): Prefilter {
    this.#prefilter ??= this.#makePrefilter()
    return this.#prefilter
  }

  #makePrefilter(): Prefilter {
    const numbers = this.rules.map(({ number }) => number)
    if (!numbers.includes(undefined)) {
      const trie = builtinTrie()
      return prefilterOf(trie, Int32Array.from([...(numbers as number[]), trie.requirements.length - 2]))
    }
    return prefilterOf(
      trieOfRules(this.rules),
      Int32Array.from({ length: this.rules.length + 1 }, (_, index) => index),
    )
  }

  /** 1 for each rule, by its index, that looks at files of the language. */
  forLanguage(language: string): Uint8Array {
    let found = this.#byLanguage.get(language)
    if (!found) {
      found = Uint8Array.from(this.rules, ({ languages }) =>
        languages.includes(language) || languages.includes('any') ? 1 : 0,
      )
      this.#byLanguage.set(language, found)
    }
    return found
  }

  /** Whether the rule looks at files of this path. */
  appliesTo(index: number, path: string): boolean {
    let matches = this.#paths.get(index)
    if (!matches) {
      matches = pathFilter(this.rules[index]!)
      this.#paths.set(index, matches)
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

/** What must stand in files for the rules to look at them, by a rule's index; after them the word of inline suppressions. */
export function trieOfRules(rules: readonly CompiledRule[]): LiteralTrie {
  const requirements = rules.map(rule => (looksInside(rule) ? rule.requirement : NEVER))
  return literalTrie([...requirements, INLINE_IGNORE], rules.some(isGeneric) ? ANCHORS : [])
}

/** The expression of a textual rule; throws the engine's SyntaxError. */
export function compileExpression(source: string, ignoreCase: boolean): RegExp {
  return new RegExp(source, ignoreCase ? 'gmui' : 'gmu')
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
