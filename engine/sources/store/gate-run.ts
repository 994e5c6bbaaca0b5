import type { SeverityCounts } from '../../base/records/finding.ts'

/** What runs are compared by to tell whether they scanned the same tree. */
export interface ComparedRun {
  id: string
  scope: string
  git_sha?: string
  tool_version?: string
  gate?: unknown
  counts: {
    files: number
    bytes?: number
    open: number
    baseline: number
    suppressed: number
    by_severity: SeverityCounts
  }
}

/**
 * The run whose gate decided on what a run scanned: the run itself, else the newest earlier one of the same tree in which a gate ran.
 * Undefined where there is none. `earlier` are the runs before it, newest first.
 *
 * Two runs are of the same tree where commit, scope, version of svc, scanned files and bytes, and findings by severity agree: a work tree that was
 * changed between them differs in one of these, or in nothing that the gate evaluates.
 */
export function findGateRun<R extends ComparedRun>(run: R, earlier: Iterable<R>): R | undefined {
  if (run.gate !== undefined) return run
  if (run.git_sha === undefined) return undefined
  const tree = describeTree(run)
  for (const other of earlier) if (other.gate !== undefined && describeTree(other) === tree) return other
  return undefined
}

function describeTree({ scope, git_sha, tool_version, counts }: ComparedRun): string {
  const { files, bytes, open, baseline, suppressed, by_severity: by } = counts
  const severities = [by.critical, by.high, by.medium, by.low, by.info]
  return JSON.stringify([scope, git_sha, tool_version, files, bytes, open, baseline, suppressed, severities])
}
