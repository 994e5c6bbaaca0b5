import type { LlmRule, PackedRule } from '../../base/records/rule.ts'
import type { RuleKind } from '../rules/detector.ts'

/** What a rule asks a language model. */
export default {
  type: 'llm',
  deriveRequirement: () => [],
  listExpressions: () => [],
  findFaults: ({ question }) =>
    /^[^?]+\?$/.test(question.trim())
      ? []
      : [{ key: 'question', message: 'question must be one question, which ends with its only question mark' }],
} satisfies RuleKind<LlmRule & PackedRule>
