import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { readSection } from '../../pages/section.ts'
import { sectionType } from '../../pages/section-schema.ts'
import { DesignDecisionType, LlmPartType } from '../../review/design/decision-schema.ts'
import { readDecisions } from '../../review/design/review.ts'
import { readThreats } from '../../review/threats/assess.ts'
import { summarizeStride } from '../../review/threats/bearing.ts'
import {
  BearingType,
  ElementType,
  FlowType,
  StrideSummaryType,
  ThreatType,
} from '../../review/threats/threat-schema.ts'
import { loadConfig } from '../../sources/config/load.ts'

const Threats = type({
  generated_at: 'string',
  run_id: type('string | null').describe('the scan whose findings count; null if there is none'),
  elements: ElementType.array(),
  flows: FlowType.array(),
  threats: ThreatType.array(),
  by_stride: StrideSummaryType.array(),
  findings: BearingType.array().describe('open findings that bear on a category; at most 500'),
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
        const { generated_at, run_id, model, threats, finding_counts, findings = [], llm } = stored
        const by_stride = summarizeStride(threats, finding_counts)
        return { generated_at, run_id, elements: model.elements, flows: model.flows, threats, by_stride, findings, llm }
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
