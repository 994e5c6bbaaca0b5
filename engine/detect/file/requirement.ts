import type { Rule } from '../../base/records/rule.ts'
import { isFreeOfLayout } from '../lexer/layout.ts'
import { best, either, ofAst, ofRegex } from '../prefilter/literals.ts'
import type { Requirement } from '../rules/requirement.ts'
import { registerGrammars } from '../syntax/grammar.ts'
import { taintRequirement } from '../taint/requirement.ts'

/** What a file must contain for the rule to match. A rule's own `literals` come on top of what its pattern shows. */
export function requirementOf(rule: Rule): Requirement {
  registerGrammars()
  const isFree = rule.languages.some(language => language === 'any' || isFreeOfLayout(language))
  const own: Requirement = rule.literals?.length
    ? [rule.literals.map(text => ({ text: text.toLowerCase(), word: false }))]
    : []
  if (rule.type === 'ast') {
    // All languages of a rule share its requirement, so it is what each of them requires at least: their disjunction.
    const perLanguage = rule.languages.map(language =>
      ofAst(rule.rule, { language, utils: rule.utils ?? {}, constraints: rule.constraints ?? {}, depth: 0 }),
    )
    const same = perLanguage.every(requirement => JSON.stringify(requirement) === JSON.stringify(perLanguage[0]))
    return best([
      ...own,
      ...(rule.when ? ofRegex(rule.when, isFree) : []),
      ...(same ? perLanguage[0]! : either(perLanguage)),
    ])
  }
  if (rule.type === 'taint')
    return [...own, ...(rule.when ? ofRegex(rule.when, isFree) : []), ...taintRequirement(rule)]
  if (rule.type === 'regex') return best([...own, ...ofRegex(rule.regex, isFree)])
  if (rule.type === 'required_pattern') return best([...own, ...(rule.when ? ofRegex(rule.when) : [])])
  return best(own)
}
