import type { PackedRule, Rule } from '../../base/records/rule.ts'
import { isFreeOfLayout } from '../lexer/layout.ts'
import { chooseBest } from '../prefilter/literals.ts'
import type { RuleKind } from '../rules/detector.ts'
import type { Requirement } from '../rules/requirement.ts'
import { registerGrammars } from '../syntax/grammar.ts'
import { RULE_KINDS } from './rule-kinds.gen.ts'

const byType = new Map<string, RuleKind>(RULE_KINDS.map(kind => [kind.type, kind]))

/** What is known of the rule's type; throws for a type that no directory of engine/detect has. */
export function findRuleKind({ type }: Pick<Rule, 'type'>): RuleKind {
  const kind = byType.get(type)
  if (!kind)
    throw new Error(
      `no rule-kind.ts under engine/detect is for the type ${type}; npm run generate adds a new directory`,
    )
  return kind
}

/** What a file must contain for the rule to match. A rule's own `literals` come on top of what its pattern shows. */
export function deriveRequirement(rule: Rule): Requirement {
  registerGrammars()
  const kind = findRuleKind(rule)
  const isFree = rule.languages.some(language => language === 'any' || isFreeOfLayout(language))
  const own: Requirement = rule.literals?.length
    ? [rule.literals.map(text => ({ text: text.toLowerCase(), word: false }))]
    : []
  const all = [...own, ...kind.deriveRequirement(rule as PackedRule, isFree)]
  return kind.keepsAllClauses ? all : chooseBest(all)
}
