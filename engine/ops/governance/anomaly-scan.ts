import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { roundValue, VERDICTS } from '../../governance/anomalies.ts'
import { scanAnomalies } from '../../governance/anomaly-scan.ts'
import { AnomalyType } from '../../governance/anomaly-schema.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { SessionId } from '../../governance/record-schema.ts'
import { findStateFaults } from '../../governance/tampering.ts'

export default defineOperation({
  id: 'governance.anomaly-scan',
  summary: 'Detect anomalies: compare task sessions with earlier sessions of the same agent.',
  effect: 'read',
  action: 'read_audit',
  unbound: true,
  cli: 'anomaly-scan',
  rest: 'GET /api/anomalies',
  mcp: 'check_anomalies',
  input: type({
    'session_id?': SessionId,
    'agent?': type('string > 0').describe('the name of an agent'),
    '+': 'reject',
  }),
  output: type({
    enabled: type('boolean').describe('whether anomaly detection is enabled; the metrics are shown in any case'),
    sessions: AnomalyType.array(),
    worst: type.enumerated(...VERDICTS).or('null'),
    tampered: type('string[]').describe('the tampering found in the records used; exit 1 on tampering'),
  }),
  examples: [['svc anomaly-scan', 'detect sessions that deviate from earlier ones']],

  async run(input, context) {
    const governance = await openGovernance(context)
    const sessions = await scanAnomalies(governance, input, context.signal)
    const worst = (['anomalous', 'suspicious', 'insufficient_baseline', 'clean'] as const).find(verdict =>
      sessions.some(session => session.verdict === verdict),
    )
    return {
      enabled: governance.policy.anomaly_detection.enabled,
      sessions,
      worst: worst ?? null,
      tampered: findStateFaults(governance).map(({ message }) => message),
    }
  },

  text({ sessions, tampered }, view) {
    const warned = tampered.map(message => view.paint('red', `The records were changed: ${message}`))
    if (sessions.length === 0) return [...warned, 'No session to compare.'].join('\n')
    const colour = { clean: 'green', suspicious: 'yellow', anomalous: 'red', insufficient_baseline: 'dim' } as const
    const lines = sessions.flatMap(({ session_id, agent, verdict, baseline_sessions, signals, new_zones, reasons }) => [
      `${view.paint('bold', session_id)} ${view.paint(colour[verdict], verdict.replace('_', ' '))} ${agent}, compared with ${baseline_sessions} earlier sessions${reasons.length > 0 ? `: ${reasons.join('; ')}` : ''}`,
      ...signals.map(
        ({ signal, value, mean, deviation, z, threshold, flagged }) =>
          `  ${signal.padEnd(21)} ${roundValue(value)} (mean ${roundValue(mean)}, deviation ${roundValue(deviation)}): z ${roundValue(z)} of ${threshold}${flagged ? view.paint('red', ' flagged') : ''}`,
      ),
      `  ${'new_zones'.padEnd(21)} ${new_zones.join(', ') || 'none'}`,
    ])
    return [...warned, ...lines].join('\n')
  },

  exit: ({ tampered }) => (tampered.length > 0 ? 1 : 0),
})
