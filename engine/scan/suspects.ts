import type { SourceFile } from '../base/records/source-file.ts'
import { AtWork } from './at-work.ts'
import type { ScanRequest } from './request.ts'
import { type Batch, type BatchResult, type RunnerSetup, runBatches } from './runner.ts'

/**
 * Scans the files with notes of what threads are at, so that the next scan knows where this one ended if it ends in the middle. `scan` is given the
 * files apart that an earlier one ended at, and answers which of them did end a process. What is neither proved nor cleared stays suspect.
 */
export async function scanWithNotes(
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

/** Scans each batch, of one file, in a process of its own, one after the other; answers the paths of those that could not be scanned so. */
export async function scanAlone(
  batches: readonly Batch[],
  setup: RunnerSetup,
  signal: AbortSignal,
  take: (result: BatchResult) => void,
): Promise<string[]> {
  if (batches.length === 0) return []
  const { IsolatedRunner } = await import('./isolated.ts')
  const guilty: string[] = []
  await runBatches(new IsolatedRunner(setup, signal), batches, result => {
    take(result)
    for (const { path } of result.skips) guilty.push(path)
  })
  return guilty
}
