import { compileGlob } from '../repository/glob.ts'
import { ANCHORS } from '../secrets/generic/anchors.ts'
import type { Requirement } from './literals.ts'
import { buildPrefilter, type Prefilter } from './prefilter.ts'
import type { PackedRule } from './rule.ts'

/** A rule with what compiling found out; plain data. */
export type CompiledRule = PackedRule & {
  requirement: Requirement
  /** Digest of everything that it finds by, where it was made beforehand. */
  digest?: string
}

/** The word that starts an inline suppression: one more condition in each automaton, after the rules' own. */
const INLINE_IGNORE: Requirement = [[{ text: 'svc-ignore:', word: false }]]

/** The rules that look at one language, with the automaton that says which of them can match a file. */
export interface LanguageRules {
  /** Indexes in the rule set; `prefilter.admits(i)` answers for the i-th, and with i = their number whether the file may hold an inline suppression. */
  rules: readonly number[]
  prefilter: Prefilter
}

/** All active rules, ready to be asked per language. Automata and globs are built when a language first needs them. */
export class RuleSet {
  readonly rules: readonly CompiledRule[]
  readonly #byLanguage = new Map<string, LanguageRules>()
  readonly #paths = new Map<number, (path: string) => boolean>()
  readonly #expressions = new Map<string, RegExp>()

  constructor(rules: readonly CompiledRule[]) {
    this.rules = rules
  }

  forLanguage(language: string): LanguageRules {
    let found = this.#byLanguage.get(language)
    if (!found) {
      const rules: number[] = []
      this.rules.forEach((rule, index) => {
        if (looksInside(rule) && (rule.languages.includes(language) || rule.languages.includes('any')))
          rules.push(index)
      })
      found = {
        rules,
        prefilter: buildPrefilter(
          [...rules.map(index => this.rules[index]!.requirement), INLINE_IGNORE],
          rules.some(index => isGeneric(this.rules[index]!)) ? ANCHORS : [],
        ),
      }
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
