import { type } from 'arktype'
import type { Style } from '../../base/text/view.ts'
import { defineOperation } from '../../door/operation.ts'
import { readPosture } from '../../quality/posture/read.ts'
import { runWithStore } from '../../sources/store/open.ts'

const Component = type({
  score: type('number | null').describe('0 to 100; null without data'),
  weight: 'number',
})

const STYLE: Record<string, Style> = { healthy: 'green', needs_attention: 'yellow', at_risk: 'yellow', critical: 'red' }

/** Where the repository stands, in one number over its stored runs. */
export default defineOperation({
  id: 'quality.posture',
  summary: 'Show the posture score: compliance, vulnerability, trend and gate reliability.',
  effect: 'read',
  action: 'read_metrics',
  cli: 'posture',
  rest: 'GET /api/posture',
  mcp: null,
  examples: [['svc posture', 'show the score with its components']],
  input: type({ '+': 'reject' }),
  output: type({
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
    details: type({ '[string]': 'string' }).describe('how each component was computed'),
    run_id: 'string',
    at: 'string',
  }),

  run: (_input, context) => runWithStore(context, readPosture),

  text({ overall, status, components, details }, { paint, quiet }) {
    const words = status.replaceAll('_', ' ')
    const head = `Posture: ${paint('bold', overall === null ? 'unknown' : `${overall} of 100`)}, ${STYLE[status] ? paint(STYLE[status], words) : words}`
    if (quiet) return head
    const rows = Object.entries(components).flatMap(([name, { score, weight }]) => [
      `  ${name.replaceAll('_', ' ').padEnd(16)}  ${(score === null ? 'no data' : score.toFixed(1)).padStart(7)}  ${paint('dim', `${Math.round(weight * 100)} %`)}`,
      `    ${paint('dim', details[name] ?? '')}`,
    ])
    return [head, '', ...rows, '', `Weights: ${details.weights}.`].join('\n')
  },
})
