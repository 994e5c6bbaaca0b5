import { type } from 'arktype'

const Component = type({
  score: type('number | null').describe('0 to 100; null without data'),
  weight: 'number',
})

/** The posture score in an answer, with the run that it is of. */
export const PostureType = type({
  overall: type('number | null').describe('0 to 100; null if no component has data'),
  status: type("'healthy' | 'needs_attention' | 'at_risk' | 'critical' | 'unknown'").configure(
    { description: 'healthy from 80, needs_attention from 60, at_risk from 40, else critical' },
    'self',
  ),
  components: type({
    compliance: Component,
    vulnerability: Component,
    trend: Component,
    gate_reliability: Component,
  }),
  details: type({ '[string]': 'string' }).describe(
    'how each component was computed, and what the score leaves out: baseline, not_evaluated, unreadable',
  ),
  run_id: 'string',
  at: 'string',
})
