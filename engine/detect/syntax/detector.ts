import type { AstRule } from '../../base/records/rule.ts'
import {
  type Detector,
  NEEDS_TREE,
  type Search,
  type SearchedText,
  type TreeSearch,
  type Trees,
} from '../rules/detector.ts'
import type { RawMatch } from '../rules/match.ts'
import { weighBuiltText } from '../simple-types/built-text.ts'
import { runAst } from './ast.ts'
import { asksForComments } from './between.ts'
import { Functions, moveIntoFile, type Part } from './within.ts'

/** Patterns over the syntax tree of a file. */
export default {
  type: 'ast',
  reach: 'severe',
  views: 'code',
  parses: true,
  evidence: 'pattern',
  identity: 'code',
  part: 'syntax',

  begin: searched => new SyntaxSearch(searched),

  weigh(rule, { confidence = 1 }, location) {
    const { sanitizers } = rule as AstRule
    if (!sanitizers?.includes('simple_types')) return confidence
    const certainty = weighBuiltText(location)
    return certainty === undefined ? undefined : Math.min(confidence, certainty)
  },
} satisfies Detector

class SyntaxSearch implements Search, TreeSearch {
  readonly #searched: SearchedText
  readonly tree = this
  #functions: Functions | undefined
  /** Of rules that look at one function alone, by their indexes: the functions in which they may match. */
  readonly #parts = new Map<number, readonly Part[]>()

  constructor(searched: SearchedText) {
    this.#searched = searched
  }

  admit(index: number): ReturnType<Search['admit']> {
    const rule = this.#ruleOf(index)
    const { when } = rule
    if (when === undefined) return NEEDS_TREE
    const run = () => {
      const { rules, code, tidy } = this.#searched
      const expression = rules.expression(when, false)
      if (rule.within && this.#limit(index, expression, rule.declared)) return NEEDS_TREE
      // Where names are to be declared, what stands in a comment alone is none.
      if (rule.declared === undefined && asksForComments(rule) && expression.test(code)) return NEEDS_TREE
      return !rule.within && tidy.meets(expression, code) ? NEEDS_TREE : []
    }
    return { rules: [index], run }
  }

  /** Of a rule that looks at one function alone, the functions are searched in which its expression matches, where it matches nowhere else. */
  searchParts(index: number): RawMatch[] | undefined {
    const parts = this.#parts.get(index)
    if (!parts) return undefined
    const { limits, fail } = this.#searched
    const out: RawMatch[] = []
    const started = performance.now()
    for (const part of parts) {
      if (performance.now() - started > limits.file_deadline_ms) {
        fail(index, 'timed_out')
        return out
      }
      const { trees } = part
      if ('reason' in trees) {
        fail(index, trees.reason, trees.detail)
        return out
      }
      const found = this.#find(index, trees, part.text)
      if (!found) return out
      for (const match of found) out.push(moveIntoFile(match, part))
    }
    return out
  }

  needsTree(): boolean {
    return true
  }

  searchTree(index: number, trees: Trees): readonly RawMatch[] {
    return this.#find(index, trees, this.#searched.code) ?? []
  }

  #ruleOf(index: number): AstRule {
    return this.#searched.rules.rules[index] as AstRule
  }

  /** Finds the functions in which the rule may match, where it may in functions alone; false where its expression matches nowhere. */
  #limit(index: number, expression: RegExp, declared: AstRule['declared']): boolean {
    const { file, code, tidy } = this.#searched
    this.#functions ??= new Functions(file.language, code, tidy.bareOf(code))
    const parts = this.#functions.in(expression, declared)
    if (parts?.length) this.#parts.set(index, parts)
    else this.#parts.delete(index)
    return parts?.length !== 0
  }

  /** What the rule matches in a tree; undefined where it did not come to its end, which is noted. */
  #find(index: number, trees: Trees, text: string): readonly RawMatch[] | undefined {
    const rule = this.#ruleOf(index)
    const { fail } = this.#searched
    try {
      const root = asksForComments(rule) ? trees.whole : trees.bare
      const { matches, stopped, detail } = runAst(index, rule, root, text)
      if (!stopped) return matches
      fail(index, stopped, detail)
    } catch (error) {
      fail(index, 'rule_failed', String((error as Error).message ?? error))
    }
    return undefined
  }
}
