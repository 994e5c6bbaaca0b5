import { type } from 'arktype'
import { SESSION_STATUSES } from '../sources/state/records.ts'
import { SIGNALS, VERDICTS } from './anomalies.ts'

/** A task session compared with earlier ones of its agent, with every number that the verdict rests on. */
export const AnomalyType = type({
  session_id: 'string',
  agent: 'string',
  intent: 'string',
  status: type.enumerated(...SESSION_STATUSES),
  created_at: 'string',
  verdict: type.enumerated(...VERDICTS),
  baseline_sessions: 'number.integer',
  signals: type({
    signal: type.enumerated(...SIGNALS),
    value: 'number',
    mean: 'number',
    deviation: 'number',
    z: 'number',
    threshold: 'number',
    flagged: 'boolean',
  }).array(),
  new_zones: 'string[]',
  new_zone_flagged: 'boolean',
  reasons: 'string[]',
})
