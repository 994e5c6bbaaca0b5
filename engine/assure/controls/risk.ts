import type { Severity, SeverityCounts } from '../../base/records/finding.ts'
import { countBySeverity } from '../../base/records/finding.ts'
import { RATING_MEANING, type Rating } from '../../base/records/rating.ts'
import type { Run } from '../../base/records/run.ts'
import { formatCount, groupDigits } from '../../base/text/words.ts'
import { groupByRule } from '../../findings/by-rule.ts'
import type { DatedDeadline } from '../../sources/packs/deadlines.ts'
import type { FindingFacts } from '../../sources/store/finding-facts.ts'
import type { TrendPoint } from '../../sources/store/trend.ts'
import type { AssessedFramework, Assessment } from './assessment.ts'

/** What a board reads on one page. */
export interface RiskSummary {
  project: string
  run_id: string
  /** The day of the run, or of SOURCE_DATE_EPOCH. */
  date: string
  generated_at: string
  tool_version: string
  rating: Rating | null
  rating_meaning: string
  gate: 'passed' | 'failed' | 'not run'
  /** The run that the gate ran in, where that is an earlier one of the same tree. */
  gate_run_id?: string
  /** Findings that are not suppressed, those of the baseline included. */
  open: number
  /** Those of them that are in the baseline, which the gate does not fail on. */
  baseline: number
  by_severity: SeverityCounts
  trend: RiskTrend
  risks: Risk[]
  /** Rules with open findings that are not among `risks`. */
  further_risks: number
  frameworks: Pick<AssessedFramework, 'id' | 'name' | 'counts' | 'coverage' | 'complete'>[]
  deadlines: Pick<DatedDeadline, 'framework' | 'date' | 'title' | 'days'>[]
  /** What this summary cannot say, each in a sentence. */
  unknown: string[]
}

export interface RiskTrend {
  /** Oldest first. */
  points: { date: string; open: number }[]
  /** One sentence. */
  summary: string
}

/** All findings of one rule, as a risk. */
export interface Risk {
  title: string
  /** What an attacker gains, as the rule says it. */
  message: string
  severity: Severity
  findings: number
  files: number
  /** `SOC 2 …: CC6.1, CC6.6`, one for each framework with a violated control. */
  controls: string[]
}

/** Risks and deadlines that fit on a page. */
const RISKS = 5
const DEADLINES = 4
/** Control ids of one framework that are named for a risk. */
const CONTROLS = 4

/** The summary of a run; `points` are the last runs of the whole repository, oldest first. */
export function makeRiskSummary(
  { run, frameworks, generated_at, evidence, findings, omitted = [] }: Assessment,
  points: readonly TrendPoint[],
  deadlines: readonly DatedDeadline[],
): RiskSummary {
  const open = findings.filter(({ status }) => status !== 'suppressed')
  const groups = groupByRule(open)
  const ahead = deadlines.filter(({ state }) => state !== 'past')
  return {
    project: run.root_name,
    run_id: run.id,
    date: generated_at.slice(0, 10),
    generated_at,
    tool_version: run.tool_version,
    rating: run.rating ?? null,
    rating_meaning: run.rating === undefined ? 'the run was not rated' : RATING_MEANING[run.rating],
    gate: run.gate === undefined ? 'not run' : run.gate.passed ? 'passed' : 'failed',
    ...(run.gate?.run_id !== undefined && { gate_run_id: run.gate.run_id }),
    open: open.length,
    baseline: open.filter(({ status }) => status === 'baseline').length,
    by_severity: countBySeverity(open),
    trend: describeTrend(points),
    risks: groups.slice(0, RISKS).map(group => describeRisk(group, frameworks)),
    further_risks: Math.max(0, groups.length - RISKS),
    frameworks: frameworks.map(({ id, name, counts, coverage, complete }) => ({
      ...{ id, name, counts, complete },
      ...(coverage !== undefined && { coverage }),
    })),
    deadlines: ahead.slice(0, DEADLINES).map(({ framework, date, title, days }) => ({ framework, date, title, days })),
    unknown: [
      ...omitted,
      ...listUnknown(run, frameworks, findings),
      ...(ahead.length > DEADLINES
        ? [`${formatCount(ahead.length - DEADLINES, 'later deadline')} not listed here.`]
        : []),
      ...listLost(evidence.filter(({ state }) => state !== 'valid').length),
    ],
  }
}

/** `21 open findings, 4 of them in the baseline`: other reports count the two apart. */
export function formatOpen({ open, baseline }: Pick<RiskSummary, 'open' | 'baseline'>): string {
  const accepted =
    baseline === 0 ? '' : `, ${baseline === open ? '' : `${groupDigits(baseline)} of them `}in the baseline`
  return `${formatCount(open, 'open finding')}${accepted}`
}

/** The gate's decision in words, with the run that it is of where that is another one. */
export function formatGate({ gate, gate_run_id: run }: Pick<RiskSummary, 'gate' | 'gate_run_id'>): string {
  return run === undefined ? gate : `${gate} (run ${run} of the same tree)`
}

function describeTrend(points: readonly TrendPoint[]): RiskTrend {
  const series = points.map(({ started_at, open, baseline }) => ({
    date: started_at.slice(0, 10),
    open: open + baseline,
  }))
  const [first, last] = [series[0], series.at(-1)]
  if (!first || !last || series.length < 2)
    return { points: series, summary: 'Only one scan of the whole repository is stored: no trend is known.' }
  const moved = last.open - first.open
  const change =
    moved === 0
      ? 'unchanged'
      : `${groupDigits(Math.abs(moved))} ${moved < 0 ? 'fewer' : 'more'} than at the first of them`
  return {
    points: series,
    summary: `${formatCount(last.open, 'open finding')}, ${change}, over ${formatCount(series.length, 'scan')} since ${first.date}.`,
  }
}

function describeRisk(group: readonly FindingFacts[], frameworks: readonly AssessedFramework[]): Risk {
  const { title, message, severity, rule_id } = group[0]!
  const controls = frameworks.flatMap(({ name, controls }) => {
    const ids = controls
      .filter(({ state, rules }) => state === 'violated' && rules.some(({ id, open }) => id === rule_id && open > 0))
      .map(({ id }) => id)
    if (ids.length === 0) return []
    const more = ids.length > CONTROLS ? ` and ${ids.length - CONTROLS} more` : ''
    return `${name}: ${ids.slice(0, CONTROLS).join(', ')}${more}`
  })
  const files = new Set(group.map(({ file }) => file)).size
  return { title, message, severity, findings: group.length, files, controls }
}

function listUnknown(run: Run, frameworks: readonly AssessedFramework[], findings: readonly FindingFacts[]): string[] {
  const out: string[] = []
  const rules = new Set(run.not_evaluated.map(({ rule_id }) => rule_id)).size
  if (rules > 0) out.push(`${formatCount(rules, 'rule')} could not be evaluated on at least one file.`)
  if (run.skipped.length > 0)
    out.push(`${formatCount(run.skipped.length, 'file')} skipped, most of them no source code.`)
  const partly = run.partly?.length ?? 0
  if (partly > 0) out.push(`${formatCount(partly, 'file')} scanned in part only.`)
  const sum = (state: 'manual' | 'not_evaluated') => frameworks.reduce((total, { counts }) => total + counts[state], 0)
  if (sum('manual') > 0) out.push(`${formatCount(sum('manual'), 'control')} without evidence of a person.`)
  if (sum('not_evaluated') > 0) out.push(`${formatCount(sum('not_evaluated'), 'control')} not evaluated.`)
  if (frameworks.length === 0) out.push('No framework was evaluated.')
  const accepted = findings.filter(({ status }) => status === 'suppressed').length
  if (accepted > 0) out.push(`${formatCount(accepted, 'finding')} accepted with a reason, and not counted above.`)
  if (run.gate === undefined) out.push('The quality gate was not run on this tree.')
  if (run.git_sha === undefined) out.push('The scanned files belong to no commit.')
  out.push('A scan shows weaknesses in code and configuration; it does not show how the system is operated.')
  return out
}

function listLost(count: number): string[] {
  return count === 0 ? [] : [`${formatCount(count, 'piece')} of evidence expired, changed or missing.`]
}
