import type { MemoryRule, PackedRule } from '../../base/records/rule.ts'
import type { RuleKind } from '../rules/detector.ts'

/** What a rule about memory says: its `literals` alone are a condition, and it has no expression. */
export default {
  type: 'memory',
  deriveRequirement: () => [],
  listExpressions: () => [],
} satisfies RuleKind<MemoryRule & PackedRule>
