import { type } from 'arktype'
import type { Style } from '../../base/text/view.ts'
import { defineOperation } from '../../door/operation.ts'
import { POSTURE_CAVEATS } from '../../quality/posture/posture.ts'
import { PostureType } from '../../quality/posture/posture-schema.ts'
import { readPosture } from '../../quality/posture/read.ts'
import { runWithStore } from '../../sources/store/open.ts'

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
  output: PostureType,

  run: (_input, context) => runWithStore(context, readPosture),

  text({ overall, status, components, details }, { paint, quiet }) {
    const words = status.replaceAll('_', ' ')
    // A number that leaves known findings out does not stand alone.
    const without = details.baseline === undefined ? '' : ' (without the findings in the baseline)'
    const head = `Posture: ${paint('bold', overall === null ? 'unknown' : `${overall} of 100`)}, ${STYLE[status] ? paint(STYLE[status], words) : words}${without}`
    if (quiet) return head
    const rows = Object.entries(components).flatMap(([name, { score, weight }]) => [
      `  ${name.replaceAll('_', ' ').padEnd(16)}  ${(score === null ? 'no data' : score.toFixed(1)).padStart(7)}  ${paint('dim', `${Math.round(weight * 100)} %`)}`,
      `    ${paint('dim', details[name] ?? '')}`,
    ])
    const caveats = POSTURE_CAVEATS.flatMap(name => details[name] ?? []).map(
      caveat => `${caveat[0]!.toUpperCase()}${caveat.slice(1)}.`,
    )
    return [head, '', ...rows, '', `Weights: ${details.weights}.`, ...caveats].join('\n')
  },
})
