import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { readSection } from '../../pages/section.ts'
import { sectionType } from '../../pages/section-schema.ts'
import { DesignDecisionType, LlmPartType } from '../../review/design/decision-schema.ts'
import { readDecisions } from '../../review/design/review.ts'
import { readThreats } from '../../review/threats/assess.ts'
import { ElementType, ThreatType } from '../../review/threats/threat-schema.ts'
import { loadConfig } from '../../sources/config/load.ts'

const Threats = type({
  generated_at: 'string',
  elements: ElementType.array(),
  threats: ThreatType.array(),
  llm: LlmPartType,
})
const Decisions = type({
  generated_at: 'string',
  scope: 'string',
  decisions: DesignDecisionType.array(),
  llm: LlmPartType,
})

/** The threat model and the design decisions as they were made last. */
export default defineOperation({
  id: 'pages.review',
  summary: 'Return the pages of threats and design decisions.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/pages/review',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({ threats: sectionType(Threats), decisions: sectionType(Decisions) }),

  async run(_input, context) {
    const config = await loadConfig(context.cwd, { env: context.env })
    return {
      threats: await readSection({ reason: 'No threat model was made.', command: 'svc threat-model' }, async () => {
        const stored = readThreats(config, context.env)
        if (!stored) return undefined
        const { generated_at, model, threats, llm } = stored
        return { generated_at, elements: model.elements, threats, llm }
      }),
      decisions: await readSection({ reason: 'No design review was made.', command: 'svc review-design' }, async () => {
        const stored = readDecisions(config, context.env)
        if (!stored) return undefined
        const { generated_at, scope, decisions, llm } = stored
        return { generated_at, scope, decisions, llm }
      }),
    }
  },

  text: ({ threats, decisions }) => `threats: ${threats.state}; decisions: ${decisions.state}`,
})
