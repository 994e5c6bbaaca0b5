import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { formatAge } from '../../review/age.ts'
import { LlmPartType } from '../../review/design/decision-schema.ts'
import { formatLlm } from '../../review/design/text.ts'
import { readThreats } from '../../review/threats/assess.ts'
import { formatModel, formatThreats } from '../../review/threats/text.ts'
import { ElementType, ThreatType } from '../../review/threats/threat-schema.ts'
import { loadConfig } from '../../sources/config/load.ts'

/** Threats in one answer at most. */
const MOST = 100

/** The stored threat model, for an agent; nothing is built and nothing mitigated. */
export default defineOperation({
  id: 'review.threat-model',
  summary: 'Read the stored threat model: elements and STRIDE threats, with their age.',
  effect: 'read',
  action: 'read_findings',
  cli: null,
  rest: null,
  mcp: 'get_threat_model',
  examples: [],
  input: type({
    'path?': type('string > 0').describe('a file: only threats with locations in it'),
    pending: type('boolean').describe('true or false: only pending threats').default(true),
    '+': 'reject',
  }),
  output: type({
    generated_at: type('string | null').describe('null if no model was made'),
    age_seconds: 'number.integer | null',
    elements: ElementType.array(),
    threats: ThreatType.array(),
    total: type('number.integer').describe('the number of matching threats; at most 100 are listed'),
    llm: LlmPartType,
  }),

  async run({ path, pending }, context) {
    const stored = readThreats(await loadConfig(context.cwd, { env: context.env }), context.env)
    const threats = (stored?.threats ?? []).filter(
      ({ status, places }) =>
        (!pending || status === 'pending') && (path === undefined || places.some(({ file }) => file === path)),
    )
    return {
      generated_at: stored?.generated_at ?? null,
      age_seconds: stored ? Math.max(0, Math.round((Date.now() - Date.parse(stored.generated_at)) / 1000)) : null,
      elements: stored?.model.elements ?? [],
      threats: threats.slice(0, MOST),
      total: threats.length,
      llm: stored?.llm ?? { state: 'not_evaluated' as const, reason: 'no threat model was made', dropped: 0 },
    }
  },

  text({ generated_at, age_seconds, elements, threats, total, llm }, view) {
    if (generated_at === null) return 'No threat model was made. A user runs `svc threat-model`.'
    const zones = [...new Set(elements.map(({ zone }) => zone))]
    return [
      `Threat model, built ${formatAge(age_seconds!)} ago:`,
      ...formatModel({ elements, zones }),
      `${total} threats${threats.length < total ? `, the first ${threats.length} listed` : ''}.`,
      ...formatThreats(threats, { ...view, verbose: true }),
      formatLlm(llm),
    ].join('\n')
  },
})
