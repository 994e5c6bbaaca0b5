import type { AstRule, PackedRule } from '../../base/records/rule.ts'
import { isFreeOfLayout } from '../lexer/layout.ts'
import { isOfC } from '../lexer/without-comments.ts'
import { combineAlternatives, deriveFromTextRegex } from '../prefilter/literals.ts'
import { compileFastRegexes } from '../regex/fast-regex.ts'
import type { WrittenSyntax } from '../rules/active-rules.ts'
import type { RuleFault, RuleKind } from '../rules/detector.ts'
import { AST_LANGUAGES } from './grammar.ts'
import { deriveFromSyntax } from './literals.ts'

/** What a rule with a pattern over the syntax tree says. The expressions within the pattern are Rust's, which take linear time. */
export default {
  type: 'ast',

  /** All languages of a rule share its requirement, so it is what each of them requires at least: their disjunction. */
  deriveRequirement({ languages, rule, utils = {}, constraints = {}, when }, isFree) {
    const perLanguage = languages.map(language => deriveFromSyntax(rule, { language, utils, constraints, depth: 0 }))
    const same = perLanguage.every(requirement => JSON.stringify(requirement) === JSON.stringify(perLanguage[0]))
    return [
      ...(when ? deriveFromTextRegex(when, isFree) : []),
      ...(same ? perLanguage[0]! : combineAlternatives(perLanguage)),
    ]
  },

  listExpressions: ({ when }) => (when === undefined ? [] : [{ path: ['when'], source: when, ignoreCase: false }]),

  findFaults({ languages, within, when, declared }) {
    const out: RuleFault[] = []
    if (within && (when === undefined || !languages.every(isOfC)))
      out.push({ key: 'within', message: 'within asks for an expression (when) and for rules of c and cpp alone' })
    if (declared && !within) out.push({ key: 'declared', message: 'declared asks for within: function' })
    const foreign = languages.filter(language => !AST_LANGUAGES.includes(language))
    if (foreign.length > 0) {
      const message = `there is no grammar for ${foreign.join(', ')}; ast rules take ${AST_LANGUAGES.join(', ')}`
      out.push({ key: 'languages', message })
    }
    return out
  },

  /** With expressions that compile fast. */
  compile(rule) {
    const written: WrittenSyntax = { rule: rule.rule }
    if (rule.constraints) written.constraints = rule.constraints
    if (rule.utils) written.utils = rule.utils
    const fast = compileFastRegexes(written, rule.languages.every(isFreeOfLayout))
    return JSON.stringify(fast) === JSON.stringify(written) ? rule : { ...rule, ...fast, written }
  },
} satisfies RuleKind<AstRule & PackedRule>
