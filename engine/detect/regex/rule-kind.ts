import type { PackedRule, RegexRule } from '../../base/records/rule.ts'
import { deriveFromRegex } from '../prefilter/literals.ts'
import type { RuleKind } from '../rules/detector.ts'

/** What a rule with a regular expression says. */
export default {
  type: 'regex',
  deriveRequirement: ({ regex }, isFree) => deriveFromRegex(regex, isFree),
  listExpressions: ({ regex, ignore_case }) => [{ path: ['regex'], source: regex, ignoreCase: ignore_case }],
} satisfies RuleKind<RegexRule & PackedRule>
