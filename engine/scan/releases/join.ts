import type { Finding } from '../../base/records/finding.ts'
import type { Notice } from '../../base/records/run.ts'
import type { Merge } from '../merge.ts'
import type { ScanContext } from '../request.ts'
import { readLimits } from '../search-files.ts'
import type { Collected } from '../stages/collect.ts'
import { isOfReleases } from './release-rules.ts'

/**
 * Adds to what `merge` has what functions of other files free that is used or freed again, and answers it. Only of a whole repository in a work tree: a part of it does not
 * have the functions that names lead to. Nothing is loaded where no file asks for a function of another one.
 */
export async function findReleasedElsewhere(
  { request, rules, selection, applies }: Collected,
  merge: Merge,
  { signal, threads }: ScanContext,
): Promise<{ findings: Finding[]; notices: Notice[] }> {
  const { listing, config, cache, contents, scope, dry_run } = request
  const own = rules.filter(isOfReleases)
  if (scope !== 'everything' || contents || listing.kind === 'bare' || own.length === 0 || !merge.releases.areAsked)
    return { findings: [], notices: [] }
  const { dropKnown } = await import('../cross-file/follow.ts')
  const { findByReleases } = await import('./reanalyze.ts')
  const { ReleaseMemory } = await import('./memory.ts')
  const limits = readLimits(config)
  const memory = cache && ReleaseMemory.open(listing.root, own, limits, cache.seal)
  const { findings, notices } = await findByReleases({
    root: listing.root,
    shared: merge.releases,
    rules: own,
    limits,
    controls: selection.controls,
    applies,
    perform: threads?.perform,
    signal,
    ...(memory && { memory }),
  })
  if (!dry_run) memory?.save()
  return { findings: merge.addFollowed(dropKnown(findings, merge.findings)), notices }
}
