import type { SeverityCounts } from '../../base/records/finding.ts'
import type { StateCounts } from '../../base/records/framework.ts'
import { RATINGS, type Rating } from '../../base/records/rating.ts'
import { computeCoveragePercent } from '../../sources/packs/coverage.ts'
import { countDaysBetween } from '../../sources/packs/deadlines.ts'
import type { LatestRow } from '../../sources/store/latest-table.ts'
import type { ProjectRun } from '../../sources/store/project-runs.ts'
import type { FoundProject } from './find-projects.ts'

/**
 * What is known of a repository. `partial`: only parts of it were scanned; `unreadable`: its runs cannot be read; `settings_unreadable`: its
 * settings cannot be read, so that nobody knows where its runs are.
 */
export const PROJECT_STATES = [
  'current',
  'stale',
  'partial',
  'never_scanned',
  'unreadable',
  'settings_unreadable',
] as const
export type ProjectState = (typeof PROJECT_STATES)[number]

/** A repository with its latest run of the whole of it. */
export interface OrganizationProject {
  /** From the root. */
  path: string
  state: ProjectState
  name?: string
  run_id?: string
  scanned_at?: string
  /** Whole days from the scan to the day of the dashboard. */
  age_days?: number
  git_sha?: string
  branch?: string
  rating?: Rating
  gate?: boolean
  /** The run that the gate ran in, where that is an earlier one of the same tree. */
  gate_run_id?: string
  /** Posture score, 0 to 100; of repositories in a run store. */
  posture?: number
  /** Findings that are not suppressed, those of the baseline included. */
  open?: number
  /** Those of them that are in the baseline; of repositories below a directory. */
  baseline?: number
  /** Of `open`; those of the baseline are missing where the run did not count them by severity. */
  by_severity?: SeverityCounts
  /** `open` minus that of the run before it; absent where there is none. */
  change?: number
  not_evaluated?: number
  /** Runs newer than the one shown, or all, that cannot be read. */
  unreadable_runs?: number
  frameworks: { id: string; name: string; coverage?: number; counts: StateCounts }[]
}

/** A framework over all repositories that evaluated it. */
export interface OrganizationFramework {
  id: string
  name: string
  projects: number
  counts: StateCounts
  coverage?: number
}

export interface Organization {
  /** The day that staleness is judged at, ISO 8601. */
  date: string
  stale_days: number
  statistics: {
    projects: number
    by_state: Record<ProjectState, number>
    open: number
    by_severity: SeverityCounts
    by_rating: Partial<Record<Rating, number>>
    gates_failed: number
    /** Repositories with more open findings than at the run before, and with fewer. */
    worse: number
    better: number
  }
  frameworks: OrganizationFramework[]
  /** Worst first; what is not known stands before what is good. */
  projects: OrganizationProject[]
  /** What was not searched or read, each in a sentence. */
  omitted: string[]
}

const WHOLE = 'everything'

/** What was read of a repository. */
export interface ReadProject {
  /** Newest first. */
  runs: readonly ProjectRun[]
  /** Ids of runs that were asked for and could not be read. */
  unreadable: readonly string[]
}

/** The repositories with the runs that were read of them, judged at a day (ISO 8601 date). */
export function makeOrganization(
  found: readonly FoundProject[],
  runsOf: ReadonlyMap<string, ReadProject>,
  { date, stale_days, omitted }: Pick<Organization, 'date' | 'stale_days' | 'omitted'>,
): Organization {
  const projects = found.map(project => describeProject(project, runsOf.get(project.path), date, stale_days))
  return summarize(projects, { date, stale_days, omitted })
}

/** The organization by the latest rows of a run store, judged at a day (ISO 8601 date). */
export function makeStoredOrganization(
  rows: readonly LatestRow[],
  { date, stale_days, omitted }: Pick<Organization, 'date' | 'stale_days' | 'omitted'>,
): Organization {
  const projects = rows.map(({ project, files: _f, bytes: _b, ...row }): OrganizationProject => {
    const age_days = Math.max(0, countDaysBetween(row.scanned_at.slice(0, 10), date))
    return { path: project, state: age_days > stale_days ? 'stale' : 'current', age_days, ...row }
  })
  return summarize(projects, { date, stale_days, omitted })
}

/** The figures over all repositories, which are sorted in place. */
function summarize(
  projects: OrganizationProject[],
  { date, stale_days, omitted }: Pick<Organization, 'date' | 'stale_days' | 'omitted'>,
): Organization {
  const by_state = Object.fromEntries(PROJECT_STATES.map(state => [state, 0])) as Record<ProjectState, number>
  const by_severity: SeverityCounts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 }
  const by_rating: Partial<Record<Rating, number>> = {}
  for (const { state, rating, by_severity: own } of projects) {
    by_state[state]++
    if (rating !== undefined) by_rating[rating] = (by_rating[rating] ?? 0) + 1
    if (own) for (const key of Object.keys(by_severity) as (keyof SeverityCounts)[]) by_severity[key] += own[key]
  }
  return {
    ...{ date, stale_days, omitted },
    statistics: {
      projects: projects.length,
      by_state,
      open: projects.reduce((sum, { open }) => sum + (open ?? 0), 0),
      by_severity,
      by_rating,
      gates_failed: projects.filter(({ gate }) => gate === false).length,
      worse: projects.filter(({ change }) => (change ?? 0) > 0).length,
      better: projects.filter(({ change }) => (change ?? 0) < 0).length,
    },
    frameworks: sumFrameworks(projects),
    projects: projects.sort(compareWorst),
  }
}

function describeProject(
  { path, runs, fault }: FoundProject,
  read: ReadProject | undefined,
  date: string,
  stale_days: number,
): OrganizationProject {
  if (fault !== undefined) return { path, state: 'settings_unreadable', frameworks: [] }
  const [latest, before] = (read?.runs ?? []).filter(({ scope }) => scope === WHOLE)
  const lost = (read?.unreadable ?? []).filter(id => latest === undefined || id > latest.id).length
  const unreadable_runs = lost > 0 ? { unreadable_runs: lost } : {}
  if (!latest) {
    const state = runs.length === 0 ? 'never_scanned' : lost > 0 ? 'unreadable' : 'partial'
    return { path, state, ...unreadable_runs, frameworks: [] }
  }
  const age_days = Math.max(0, countDaysBetween(latest.started_at.slice(0, 10), date))
  const open = latest.open + latest.baseline
  const { name, id, started_at, git_sha, branch, rating, gate, gate_run_id, by_severity, not_evaluated, frameworks } =
    latest
  return {
    ...{ path, state: age_days > stale_days ? 'stale' : 'current', name, run_id: id, scanned_at: started_at, age_days },
    ...(git_sha !== undefined && { git_sha }),
    ...(branch !== undefined && { branch }),
    ...(rating !== undefined && { rating }),
    ...(gate !== undefined && { gate }),
    ...(gate_run_id !== undefined && { gate_run_id }),
    ...{ open, baseline: latest.baseline, by_severity, not_evaluated, ...unreadable_runs, frameworks },
    ...(before && { change: open - before.open - before.baseline }),
  }
}

function sumFrameworks(projects: readonly OrganizationProject[]): OrganizationFramework[] {
  const sums = new Map<string, OrganizationFramework>()
  for (const { frameworks } of projects)
    for (const { id, name, counts } of frameworks) {
      const zero = { violated: 0, met: 0, manual: 0, not_applicable: 0, not_evaluated: 0 }
      const sum = sums.get(id) ?? { id, name, projects: 0, counts: zero }
      sum.projects++
      for (const key of Object.keys(sum.counts) as (keyof StateCounts)[]) sum.counts[key] += counts[key]
      sums.set(id, sum)
    }
  return [...sums.values()]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(sum => {
      const coverage = computeCoveragePercent(sum.counts)
      return { ...sum, ...(coverage !== undefined && { coverage }) }
    })
}

/** By rating, worst first; a repository without one stands behind D, since nobody knows; then by severities, then by path. */
function compareWorst(a: OrganizationProject, b: OrganizationProject): number {
  const rank = ({ rating }: OrganizationProject) => (rating === undefined ? UNRATED : RATINGS.indexOf(rating))
  const weigh = ({ by_severity: of }: OrganizationProject) =>
    of ? [of.critical, of.high, of.medium, of.low] : [0, 0, 0, 0]
  const [left, right] = [weigh(a), weigh(b)]
  const at = left.findIndex((count, at) => count !== right[at])
  return rank(b) - rank(a) || (at < 0 ? 0 : right[at]! - left[at]!) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)
}

const UNRATED = RATINGS.indexOf('D') - 0.5
