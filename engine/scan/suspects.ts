import type { Skip, SourceFile } from '../base/records/source-file.ts'
import { AtWork } from './at-work.ts'
import type { FileReport } from './batch.ts'
import type { IsolatedTask } from './isolated.ts'
import type { ScanRequest } from './request.ts'

/**
 * Scans the files with notes of what threads are at, so that the next scan knows where this one ended if it ends in the middle. `scan` is given the
 * files apart that an earlier one ended at, and answers which of them did end a process. What is neither proved nor cleared stays suspect.
 */
export async function withNotes(
  { listing, scope, contents, dry_run }: Pick<ScanRequest, 'listing' | 'scope' | 'contents' | 'dry_run'>,
  files: readonly SourceFile[],
  scan: (
    trusted: readonly SourceFile[],
    suspects: readonly SourceFile[],
    notes: string | undefined,
  ) => Promise<readonly string[]>,
): Promise<void> {
  // A bare repository has no place for notes, and what was sent is no file that anybody comes upon again.
  if (files.length === 0 || contents !== undefined || listing.kind === 'bare') {
    await scan(files, [], undefined)
    return
  }
  const atWork = AtWork.begin(listing.root, dry_run === true)
  const { suspects } = atWork
  let still: readonly string[] = [...suspects]
  try {
    if (suspects.size === 0) {
      still = await scan(files, [], atWork.notes)
    } else {
      const isSuspect = ({ path }: SourceFile) => suspects.has(path)
      const guilty = await scan(
        files.filter(file => !isSuspect(file)),
        files.filter(isSuspect),
        atWork.notes,
      )
      const met = new Set(listing.files.filter(isSuspect).map(({ path }) => path))
      const unmet = scope === 'everything' ? [] : still.filter(path => !met.has(path))
      still = [...guilty, ...unmet]
    }
  } finally {
    atWork.end(still)
  }
}

/** Scans each file in a process of its own, one after the other; answers the paths of those that could not be scanned so. */
export async function scanAlone(
  tasks: readonly IsolatedTask[],
  signal: AbortSignal,
  take: (reports: readonly FileReport[]) => void,
  giveUp: (skip: Skip) => void,
): Promise<string[]> {
  const guilty: string[] = []
  for (const task of tasks) {
    const { scanIsolated } = await import('./isolated.ts')
    const { reports, skips } = await scanIsolated(task, signal)
    take(reports)
    for (const skip of skips) {
      giveUp(skip)
      guilty.push(skip.path)
    }
  }
  return guilty
}
