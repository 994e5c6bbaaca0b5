import type { Finding } from '../../base/records/finding.ts'
import type { Notice } from '../../base/records/run.ts'
import type { KeptFiles } from '../kept-files.ts'
import type { Merge } from '../merge.ts'
import { addMuted } from '../muted-rules.ts'
import type { ScanContext } from '../request.ts'
import type { Collected } from '../stages/collect.ts'
import { describeWhole, selectWhole } from '../whole-repository.ts'
import { hasCrossFileName } from './names.ts'

/**
 * Adds findings whose input comes from another file to those that `merge` has, and answers them. Only of a whole repository in a work tree: a part of it does not
 * have the files that names lead to. Nothing is loaded where no rule follows values or no file is of a language that is followed.
 */
export async function findAcrossFiles(
  collected: Collected,
  kept: KeptFiles | undefined,
  merge: Merge,
  context: ScanContext,
): Promise<{ findings: Finding[]; notices: Notice[] }> {
  const nothing = { findings: [], notices: [] }
  const { request, rules, languages } = collected
  const { listing, cache, dry_run } = request
  if (!rules.some(({ type }) => type === 'taint')) return nothing
  const named = selectWhole(collected, kept, merge, hasCrossFileName)
  if (!named || named.length < 2) return nothing
  const { dropKnown, followAcrossFiles, isFollowed } = await import('./follow.ts')
  const { CrossFileMemory } = await import('./memory.ts')
  const files = named.filter(isFollowed).sort((a, b) => (a.path < b.path ? -1 : 1))
  const own = addMuted(rules, languages).filter(({ type }) => type === 'taint')
  const paths = files.map(({ path }) => path)
  const memory = cache && CrossFileMemory.open(listing.root, own, paths, cache.seal)
  const { findings, excluded, notices, gone, surer } = await followAcrossFiles({
    ...describeWhole(collected, context),
    files,
    rules: own,
    found: merge.findings,
    ...(memory && { memory }),
  })
  if (!dry_run) memory?.save()
  merge.settle(gone, surer)
  for (const { rule, file, lines } of excluded) merge.aside.addExcluded(rule, file, lines)
  return { findings: merge.addFollowed(dropKnown(findings, merge.findings)), notices }
}
