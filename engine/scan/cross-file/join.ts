import type { Finding } from '../../base/records/finding.ts'
import type { Notice } from '../../base/records/run.ts'
import type { KeptFiles } from '../kept-files.ts'
import type { Merge } from '../merge.ts'
import { addMuted } from '../muted-rules.ts'
import type { ScanContext } from '../request.ts'
import { readLimits } from '../search-files.ts'
import type { Collected } from '../stages/collect.ts'
import { hasCrossFileName } from './names.ts'

/**
 * Adds findings whose input comes from another file to those that `merge` has, and answers them. Only of a whole repository in a work tree: a part of it does not
 * have the files that names lead to. Nothing is loaded where no rule follows values or no file is of a language that is followed.
 */
export async function findAcrossFiles(
  { request, rules, languages, selection, applies }: Collected,
  kept: KeptFiles | undefined,
  merge: Merge,
  { signal }: ScanContext,
): Promise<{ findings: Finding[]; notices: Notice[] }> {
  const nothing = { findings: [], notices: [] }
  const { listing, config, cache, contents, scope, dry_run } = request
  if (scope !== 'everything' || contents || listing.kind === 'bare') return nothing
  if (!rules.some(({ type }) => type === 'taint')) return nothing
  const named = [
    ...listing.files.filter(({ path }) => hasCrossFileName(path)),
    ...(kept?.select(hasCrossFileName) ?? []),
  ]
  if (named.length < 2) return nothing
  const { dropKnown, followAcrossFiles, isFollowed } = await import('./follow.ts')
  const { CrossFileMemory } = await import('./memory.ts')
  const files = named.filter(isFollowed).sort((a, b) => (a.path < b.path ? -1 : 1))
  const own = addMuted(rules, languages).filter(({ type }) => type === 'taint')
  const paths = files.map(({ path }) => path)
  const memory = cache && CrossFileMemory.open(listing.root, own, paths, cache.seal)
  const { findings, excluded, notices } = await followAcrossFiles({
    root: listing.root,
    files,
    rules: own,
    limits: readLimits(config),
    controls: selection.controls,
    applies,
    signal,
    ...(memory && { memory }),
  })
  if (!dry_run) memory?.save()
  for (const { rule, file, lines } of excluded) merge.setAside(rule, file, lines)
  return { findings: merge.addFollowed(dropKnown(findings, merge.findings)), notices }
}
