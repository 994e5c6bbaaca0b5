import type { FilePolicyRule, PackedRule } from '../../base/records/rule.ts'
import type { RuleKind } from '../rules/detector.ts'

/** What a policy over files says. */
export default {
  type: 'file_policy',
  deriveRequirement: () => [],
  listExpressions: ({ check }) =>
    'naming' in check ? [{ path: ['check', 'naming'], source: check.naming, ignoreCase: false }] : [],
} satisfies RuleKind<FilePolicyRule & PackedRule>
