import { computePercent } from '../../base/text/percent.ts'
import type { Requirement, RequirementSet, RequirementStatus } from '../requirements/model.ts'
import type { LastRun } from './match-runs.ts'

/** Best first; decisions of what counts are in `judge.ts`. */
export const TRACE_STATES = ['covered', 'partly', 'suspect', 'untested', 'unimplemented'] as const
export type TraceState = (typeof TRACE_STATES)[number]

/** Code or a test that a requirement is linked to. */
export interface TracedPlace {
  file: string
  /** From 1. */
  line: number
  symbol?: string
  origin: 'tag' | 'glob' | 'commit'
}

export interface TracedTest extends TracedPlace {
  /** What the last run says; absent where no report of one has the test. */
  last_run?: LastRun
}

/** One row of the matrix: a requirement with what it is linked to. */
export interface TraceRow {
  id: string
  title: string
  status: RequirementStatus
  level?: string
  file: string
  line: number
  url?: string
  parent: string[]
  children: string[]
  /** Absent for an obsolete requirement, which counts nowhere. */
  state?: TraceState
  /** Why it is not covered; empty where it is. */
  reasons: string[]
  code: TracedPlace[]
  /** Code that is not listed, since there is more of it than the matrix lists for one requirement. */
  more_code: number
  tests: TracedTest[]
  more_tests: number
  commits: { sha: string; subject: string }[]
  branches: string[]
  controls: string[]
  confirmed?: { at: string; by: string }
}

/** The other way: a file with the requirements that it is linked to. */
export interface TracedFile {
  file: string
  implements: string[]
  tests: string[]
}

/** A control with the requirements that it is met by. */
export interface TracedControl {
  control: string
  requirements: string[]
  /** The worst state of them; absent where all are drafts or obsolete. */
  state?: TraceState
}

export interface TraceSummary {
  requirements: number
  approved: number
  drafts: number
  obsolete: number
  /** Approved requirements in each state. */
  states: Record<TraceState, number>
  /** Covered ones of 100 approved; null where none is approved. */
  coverage: number | null
  orphans: number
}

/** What is wrong with a requirement or a link, each with its location. */
export interface TraceProblem {
  kind: 'invalid' | 'duplicate' | 'unknown_parent' | 'dangling' | 'outdated' | 'obsolete' | 'no_file' | 'cycle'
  file: string
  line: number
  column: number
  /** The id as it is written. */
  id?: string
  message: string
}

export interface TraceMatrix {
  summary: TraceSummary
  /** Coverage of the requirements of each level, where they have levels. */
  levels: { level: string; approved: number; covered: number; coverage: number }[]
  rows: TraceRow[]
  files: TracedFile[]
  controls: TracedControl[]
  /** Files that must be linked to a requirement (`requirements.require_links`) and are not. */
  orphans: string[]
  problems: TraceProblem[]
  sources: RequirementSet['sources']
  /** The reports of tests that were read. */
  test_reports: { path: string; ran_at: string; tests: number; fault?: string }[]
  /** What could not be read, so that a link in it is unknown. */
  not_evaluated: { file: string; reason: string }[]
}

/** The counts of a matrix. */
export function summarize(rows: readonly TraceRow[], orphans: number): TraceSummary {
  const states: Record<TraceState, number> = { covered: 0, partly: 0, suspect: 0, untested: 0, unimplemented: 0 }
  const approved = rows.filter(({ status }) => status === 'approved')
  for (const { state } of approved) if (state) states[state]++
  const count = (status: RequirementStatus) => rows.filter(row => row.status === status).length
  return {
    ...{ requirements: rows.length, approved: approved.length, drafts: count('draft'), obsolete: count('obsolete') },
    ...{ states, coverage: computeCoverage(states.covered, approved.length), orphans },
  }
}

/** Percent with one digit: 100 is all of them, 0 none. */
export function computeCoverage(covered: number, of: number): number | null {
  return computePercent(covered, of) ?? null
}

/** Whether the part of approved requirements that are covered is at least so many percent, before it is rounded; false of none. */
export function reachesCoverage(
  { approved, states }: Pick<TraceSummary, 'approved' | 'states'>,
  least: number,
): boolean {
  return approved > 0 && states.covered * 100 >= least * approved
}

/** Coverage of each level, in the order of the levels' names. */
export function summarizeLevels(rows: readonly TraceRow[]): TraceMatrix['levels'] {
  const levels = new Map<string, { approved: number; covered: number }>()
  for (const { level, status, state } of rows) {
    if (level === undefined || status !== 'approved') continue
    const counts = levels.get(level) ?? { approved: 0, covered: 0 }
    levels.set(level, counts)
    counts.approved++
    if (state === 'covered') counts.covered++
  }
  return [...levels]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([level, counts]) => ({ level, ...counts, coverage: computeCoverage(counts.covered, counts.approved)! }))
}

/** The controls of requirements, by name. */
export function groupControls(rows: readonly TraceRow[]): TracedControl[] {
  const controls = new Map<string, TraceRow[]>()
  for (const row of rows)
    for (const control of row.controls) {
      const list = controls.get(control)
      if (list) list.push(row)
      else controls.set(control, [row])
    }
  return [...controls]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([control, list]) => {
      const ranks = list.flatMap(({ status, state }) =>
        status === 'approved' && state ? TRACE_STATES.indexOf(state) : [],
      )
      const state = ranks.length === 0 ? undefined : TRACE_STATES[Math.max(...ranks)]
      return { control, requirements: list.map(({ id }) => id), ...(state && { state }) }
    })
}

/** The row of a requirement without links. */
export function makeRow(requirement: Requirement): TraceRow {
  const { id, title, status, level, file, line, source, parent, controls, confirmed } = requirement
  return {
    ...{ id, title, status, file, line, parent: [...parent], children: [], reasons: [], controls: [...controls] },
    ...(level !== undefined && { level }),
    ...(source?.url !== undefined && { url: source.url }),
    ...{ code: [], more_code: 0, tests: [], more_tests: 0, commits: [], branches: [] },
    ...(confirmed && { confirmed: { at: confirmed.at, by: confirmed.by } }),
  }
}
