import type { Session } from '../sources/state/records.ts'
import type { Governance } from './policy.ts'

/** The signals that are measured of a session, in numbers. */
export const SIGNALS = ['scope_violation_rate', 'file_count_multiplier', 'finding_rate'] as const
export type Signal = (typeof SIGNALS)[number]

export const VERDICTS = ['clean', 'suspicious', 'anomalous', 'insufficient_baseline'] as const
export type AnomalyVerdict = (typeof VERDICTS)[number]

/** Fewer earlier sessions say nothing of what is usual (spec "Limits"). */
export const FEWEST_SESSIONS = 3
/** The deviation is taken for at least this share of the mean, and at least this much: an agent that never varied may. */
const LEAST_SHARE = 0.1
const LEAST_DEVIATION = 0.05

/** One signal with every number that its score came from. */
export interface Scored {
  signal: Signal
  value: number
  mean: number
  /** Population standard deviation, with its floor. */
  deviation: number
  z: number
  threshold: number
  flagged: boolean
}

/** What a session looks like beside its agent's earlier ones. */
export interface Anomaly {
  verdict: AnomalyVerdict
  /** How many sessions it was compared with. */
  baseline_sessions: number
  signals: Scored[]
  /** Zones that the agent never touched in the baseline. */
  new_zones: string[]
  new_zone_flagged: boolean
  reasons: string[]
}

type Measured = Pick<Session, 'authorized_paths' | 'files_touched' | 'findings_new' | 'violations' | 'zones_touched'>
type Settings = Governance['anomaly_detection']

/**
 * Compares a session with its agent's earlier ones (decisions "Anomaly"): z = (x − mean) / deviation of each signal, flagged
 * past its threshold. One flag or a new zone is suspicious; two flags, or twice a threshold, anomalous. With fewer than
 * three earlier sessions there is no verdict, which is not the same as a clean one.
 */
export function measureAnomaly(session: Measured, baseline: readonly Measured[], settings: Settings): Anomaly {
  const thresholds: Record<Signal, number> = {
    scope_violation_rate: settings.scope_violation_rate_threshold,
    file_count_multiplier: settings.file_count_multiplier_threshold,
    finding_rate: settings.finding_rate_threshold,
  }
  const known = new Set(baseline.flatMap(({ zones_touched }) => zones_touched))
  const enough = baseline.length >= FEWEST_SESSIONS
  const signals = SIGNALS.map(signal => {
    const { mean, deviation } = spread(baseline.map(one => measure(one)[signal]))
    const value = measure(session)[signal]
    const z = (value - mean) / deviation
    const threshold = thresholds[signal]
    return { signal, value, mean, deviation, z, threshold, flagged: enough && z > threshold }
  })
  const new_zones = enough ? session.zones_touched.filter(zone => !known.has(zone)) : []
  const new_zone_flagged = settings.new_zone_flag && new_zones.length > 0
  const flagged = signals.filter(signal => signal.flagged)
  const isFar = flagged.some(({ z, threshold }) => z > 2 * threshold)
  const reasons = [
    ...flagged.map(
      ({ signal, z, threshold }) => `${signal} is ${roundValue(z)} deviations above the mean, past ${threshold}`,
    ),
    ...(new_zone_flagged ? [`it touched ${new_zones.join(', ')} for the first time`] : []),
  ]
  const verdict: AnomalyVerdict = !enough
    ? 'insufficient_baseline'
    : isFar || flagged.length >= 2
      ? 'anomalous'
      : reasons.length > 0
        ? 'suspicious'
        : 'clean'
  return { verdict, baseline_sessions: baseline.length, signals, new_zones, new_zone_flagged, reasons }
}

/** The signals of one session: accesses out of scope and new findings for each file touched, files touched for each path declared. */
export function measure({
  authorized_paths,
  files_touched,
  findings_new,
  violations,
}: Measured): Record<Signal, number> {
  const files = Math.max(1, files_touched.length)
  return {
    scope_violation_rate: violations.length / files,
    file_count_multiplier: files_touched.length / Math.max(1, authorized_paths.length),
    finding_rate: findings_new / files,
  }
}

/** Mean and population standard deviation; the deviation never below its floor, so that no division is by nothing. */
export function spread(values: readonly number[]): { mean: number; deviation: number } {
  if (values.length === 0) return { mean: 0, deviation: LEAST_DEVIATION }
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return { mean, deviation: Math.max(Math.sqrt(variance), LEAST_SHARE * mean, LEAST_DEVIATION) }
}

/** Two digits behind the point, for a person. */
export function roundValue(value: number): number {
  return Math.round(value * 100) / 100
}
