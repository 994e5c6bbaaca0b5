import type { SeverityCounts } from '../../base/records/finding.ts'
import { formatCount } from '../../base/text/words.ts'
import type { Gaps } from '../../findings/rating.ts'
import { SEVERITY_WEIGHT } from '../../findings/score.ts'

/** The components of the posture score with the specification's weights. */
export const POSTURE_WEIGHTS = { compliance: 0.35, vulnerability: 0.3, trend: 0.15, gate_reliability: 0.2 } as const

export type PostureComponent = keyof typeof POSTURE_WEIGHTS

/** What a reader must know who takes the score for all. */
export const POSTURE_CAVEATS = ['baseline', 'not_evaluated', 'unreadable'] as const

export type PostureCaveat = (typeof POSTURE_CAVEATS)[number]

export type PostureStatus = 'healthy' | 'needs_attention' | 'at_risk' | 'critical' | 'unknown'

export interface Posture {
  /** 0 to 100, one decimal; null where no component has data. */
  overall: number | null
  status: PostureStatus
  /** A component without data has the score null and takes no part. */
  components: Record<PostureComponent, { score: number | null; weight: number }>
  /** How each component was computed, or why it has no data; and what the score does not say, where there is something. */
  details: Record<PostureComponent | 'weights', string> & Partial<Record<PostureCaveat, string>>
}

/** What the runs of the whole repository say. */
export interface PostureInputs {
  /** Compliance score of the latest run, over the rules that could apply. */
  compliance?: number
  /** Open findings of the latest run; absent where it evaluated no rule. */
  open?: SeverityCounts
  /** Open findings of the last runs, oldest first. */
  series: readonly SeverityCounts[]
  /** Whether the last gate runs passed. */
  gates: readonly boolean[]
  /** Findings of the latest run that are in the baseline: the scores are of open ones alone. */
  baseline?: number
  /** Rules and files of the latest run that were not evaluated. */
  gaps?: Gaps
  /** Ids of runs newer than the latest that cannot be read. */
  unreadable?: readonly string[]
}

/** Runs that the trend looks at, and gate runs that reliability looks at. */
export const TREND_RUNS = 10
export const GATE_RUNS = 20

/** The posture score (decisions "Scores"): components without data are left out, and the others share their weight. */
export function computePosture(inputs: PostureInputs): Posture {
  const { compliance, open, series, gates } = inputs
  const scores: Record<PostureComponent, number | null> = {
    compliance: compliance ?? null,
    vulnerability: open ? Math.max(0, 100 - 25 * open.critical - 10 * open.high - 3 * open.medium - open.low) : null,
    trend: series.length < 2 ? null : scoreTrend(weigh(series[0]!), weigh(series.at(-1)!)),
    gate_reliability: gates.length === 0 ? null : (100 * gates.filter(Boolean).length) / gates.length,
  }
  const names = Object.keys(POSTURE_WEIGHTS) as PostureComponent[]
  const known = names.filter(name => scores[name] !== null)
  const weights = known.reduce((sum, name) => sum + POSTURE_WEIGHTS[name], 0)
  const overall =
    known.length === 0
      ? null
      : round(known.reduce((sum, name) => sum + scores[name]! * POSTURE_WEIGHTS[name], 0) / weights)
  const missing = names.filter(name => scores[name] === null)
  const component = (name: PostureComponent) => ({
    score: scores[name] === null ? null : round(scores[name]),
    weight: POSTURE_WEIGHTS[name],
  })
  return {
    overall,
    status: findStatus(overall),
    components: {
      compliance: component('compliance'),
      vulnerability: component('vulnerability'),
      trend: component('trend'),
      gate_reliability: component('gate_reliability'),
    },
    details: {
      compliance:
        compliance === undefined
          ? 'no data: the latest run evaluated no rule'
          : 'share of the rules that could apply without an open finding, weighted by severity',
      vulnerability: open
        ? `100 − 25 · ${open.critical} critical − 10 · ${open.high} high − 3 · ${open.medium} medium − ${open.low} low, open findings of the latest run, at least 0`
        : 'no data: the latest run evaluated no rule',
      trend:
        series.length < 2
          ? 'no data: fewer than two runs of the whole repository'
          : `weighted open findings from ${weigh(series[0]!)} to ${weigh(series.at(-1)!)} over ${series.length} runs; 50 is no change`,
      gate_reliability:
        gates.length === 0
          ? 'no data: no gate run is stored'
          : `${gates.filter(Boolean).length} of the last ${gates.length} gate runs passed`,
      weights:
        missing.length === 0
          ? 'all components have data'
          : `without data and left out: ${missing.join(', ')}; the others share the weight`,
      ...describeCaveats(inputs),
    },
  }
}

function describeCaveats({
  baseline = 0,
  gaps,
  unreadable = [],
}: PostureInputs): Partial<Record<PostureCaveat, string>> {
  const parts = [
    ...(gaps?.rules ? [`${formatCount(gaps.rules, 'rule')} on at least one file`] : []),
    ...(gaps?.files ? [`${formatCount(gaps.files, 'file')} not at all or not to the end`] : []),
  ]
  return {
    ...(baseline > 0 && {
      baseline: `${formatCount(baseline, 'finding')} in the baseline ${baseline === 1 ? 'is' : 'are'} not counted; the rating of the run counts ${baseline === 1 ? 'it' : 'them'}`,
    }),
    ...(parts.length > 0 && { not_evaluated: `not evaluated: ${parts.join(', ')}; what is there is not counted` }),
    ...(unreadable.length > 0 && {
      unreadable: `newer than the latest run and cannot be read: ${unreadable.join(', ')}; the score is of a run before`,
    }),
  }
}

/** 50 for no change, 100 where all are gone, 0 where they doubled or came from none. */
function scoreTrend(before: number, after: number): number {
  const change = before === 0 ? (after === 0 ? 0 : -1) : (before - after) / before
  return 50 + 50 * Math.max(-1, Math.min(1, change))
}

function weigh(counts: SeverityCounts): number {
  return (['critical', 'high', 'medium', 'low', 'info'] as const).reduce(
    (sum, severity) => sum + counts[severity] * SEVERITY_WEIGHT[severity],
    0,
  )
}

function findStatus(overall: number | null): PostureStatus {
  if (overall === null) return 'unknown'
  if (overall >= 80) return 'healthy'
  return overall >= 60 ? 'needs_attention' : overall >= 40 ? 'at_risk' : 'critical'
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
