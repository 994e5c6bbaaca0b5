import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { formatAge } from '../../review/age.ts'
import { DesignDecisionType, LlmPartType } from '../../review/design/decision-schema.ts'
import { readDecisions } from '../../review/design/review.ts'
import { formatDecisions, formatHead, formatLlm } from '../../review/design/text.ts'
import { loadConfig } from '../../sources/config/load.ts'

/** The stored decisions of the last design review, for an agent; nothing is reviewed and nothing acknowledged. */
export default defineOperation({
  id: 'review.decisions',
  summary: 'Read the design decisions of the last review, with their age.',
  effect: 'read',
  action: 'read_findings',
  cli: null,
  rest: null,
  mcp: 'review_design_decisions',
  examples: [],
  input: type({
    pending: type('boolean').describe('true or false: only decisions that are pending').default(true),
    '+': 'reject',
  }),
  output: type({
    scope: type('string | null').describe('what was reviewed; null if no review was made'),
    generated_at: 'string | null',
    age_seconds: type('number.integer | null').describe('the age of the review'),
    decisions: DesignDecisionType.array(),
    pending: 'number.integer',
    llm: LlmPartType,
  }),

  async run({ pending }, context) {
    const stored = readDecisions(await loadConfig(context.cwd, { env: context.env }), context.env)
    const decisions = stored?.decisions ?? []
    const open = decisions.filter(({ status }) => status === 'pending')
    return {
      ...{ scope: stored?.scope ?? null, generated_at: stored?.generated_at ?? null },
      age_seconds: stored ? Math.max(0, Math.round((Date.now() - Date.parse(stored.generated_at)) / 1000)) : null,
      decisions: pending ? open : decisions,
      pending: open.length,
      llm: stored?.llm ?? { state: 'not_evaluated' as const, reason: 'no review was made', dropped: 0 },
    }
  },

  text({ scope, decisions, age_seconds, llm }, view) {
    if (scope === null) return 'No design review was made. A user runs `svc review-design`.'
    return [
      `${formatHead(decisions, scope)} Reviewed ${formatAge(age_seconds!)} ago.`,
      ...formatDecisions(decisions, { ...view, verbose: true }),
      formatLlm(llm),
    ].join('\n')
  },
})
