import {
  PARTLY_REASONS,
  type PartlyReason,
  type PartlyScanned,
  SKIP_REASONS,
  type Skip,
  type SkipReason,
} from './source-file.ts'

/**
 * Every file of a scan's scope in exactly one state: `scanned` by every rule that applies, `partly` by some detectors only, `skipped` by all.
 * scope = scanned + the sum of partly + the sum of skipped. A directory that was left out as a whole counts as one.
 */
export interface Ledger {
  scope: number
  scanned: number
  partly: Partial<Record<PartlyReason, number>>
  skipped: Partial<Record<SkipReason, number>>
}

/** What a scan came to, by the paths of its scope. */
export interface Outcomes {
  /** How many files and directories were listed, skipped ones included. */
  scope: number
  partly: readonly PartlyScanned[]
  skipped: readonly Skip[]
}

/** Counts the states. A file is in the list of `partly` or of `skipped` at most once, and in one of them only. */
export function countStates({ scope, partly, skipped }: Outcomes): Ledger {
  return {
    scope,
    scanned: scope - partly.length - skipped.length,
    partly: countReasons(PARTLY_REASONS, partly),
    skipped: countReasons(SKIP_REASONS, skipped),
  }
}

/** The files that were listed and of which nothing came back: they were lost on the way, and count as skipped. */
export function findLost(
  listed: readonly { path: string }[],
  isScanned: (path: string) => boolean,
  { partly, skipped }: Pick<Outcomes, 'partly' | 'skipped'>,
): Skip[] {
  const known = new Set([...partly, ...skipped].map(({ path }) => path))
  return listed.flatMap(({ path }) =>
    isScanned(path) || known.has(path)
      ? []
      : { path, reason: 'crashed' as const, detail: 'no result was returned for it' },
  )
}

/** In the order of the reasons, those that do not occur left out. */
function countReasons<Reason extends string>(
  reasons: readonly Reason[],
  files: readonly { reason: Reason }[],
): Partial<Record<Reason, number>> {
  const counts: Partial<Record<Reason, number>> = {}
  for (const reason of reasons) {
    const count = files.filter(file => file.reason === reason).length
    if (count > 0) counts[reason] = count
  }
  return counts
}
