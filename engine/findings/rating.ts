import { type Finding, rankSeverity, type Severity } from '../base/records/finding.ts'
import type { Rating } from '../base/records/rating.ts'
import { brokenOffIn, type Run } from '../base/records/run.ts'
import type { SkipReason } from '../base/records/source-file.ts'

const BY_SEVERITY: Record<Severity, Rating> = { critical: 'E', high: 'D', medium: 'C', low: 'B', info: 'A' }

/** Reasons for which no rule has read a file that could have findings. */
const UNREAD: ReadonlySet<SkipReason> = new Set<SkipReason>(['unreadable', 'too_large', 'undecodable'])

/** What a run cannot speak for. */
export interface Gaps {
  /** Rules that were not evaluated on at least one file. */
  rules: number
  /** Files that no rule has read, or that were not scanned to their end. */
  files: number
}

/** Counts the rules and files that were not evaluated. */
export function countGaps(run: Pick<Run, 'not_evaluated' | 'skipped' | 'partly'>): Gaps {
  const unread = run.skipped.flatMap(({ path, reason }) => (UNREAD.has(reason) ? [path] : []))
  const broken = brokenOffIn(run).flatMap(({ rule_id, file }) => (rule_id === '*' && file !== undefined ? [file] : []))
  return {
    rules: new Set(run.not_evaluated.map(({ rule_id }) => rule_id)).size,
    files: new Set([...unread, ...broken]).size,
  }
}

type Evaluated = Pick<Run, 'counts' | 'not_evaluated' | 'skipped' | 'partly'>

/**
 * Rating by the most severe finding that is not suppressed, as in SonarQube: critical E, high D, medium C, low B, none or info alone A.
 * Findings in the baseline count: they are in the code, though the gate does not fail on them. `A?` where a rule or a file was not evaluated.
 */
export function computeRating(findings: Iterable<Pick<Finding, 'status' | 'severity'>>, run: Evaluated): Rating {
  let worst: Severity = 'info'
  for (const { status, severity } of findings) {
    if (status !== 'suppressed' && rankSeverity(severity) < rankSeverity(worst)) worst = severity
  }
  const rating = BY_SEVERITY[worst]
  return rating === 'A' && hasGaps(run) ? 'A?' : rating
}

function hasGaps(run: Evaluated): boolean {
  const { counts, not_evaluated, skipped } = run
  if (counts.rules === 0 || not_evaluated.length > 0) return true
  return skipped.some(({ reason }) => UNREAD.has(reason)) || brokenOffIn(run).length > 0
}
