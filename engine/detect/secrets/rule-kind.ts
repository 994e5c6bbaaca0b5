import type { PackedRule, SecretRule } from '../../base/records/rule.ts'
import type { RuleKind } from '../rules/detector.ts'

/** What a detector of secrets says. Its file is of another kind (engine/sources/packs/detector-file.ts), where its format is checked. */
export default {
  type: 'secret',
  deriveRequirement: () => [],
  listExpressions: () => [],
} satisfies RuleKind<SecretRule & PackedRule>
