import { posix } from 'node:path'
import type { Finding } from '../../base/records/finding.ts'
import type { Notice } from '../../base/records/run.ts'
import { judgesValues } from '../../detect/constants/value-rules.ts'
import { hasCrossFileName } from '../cross-file/names.ts'
import type { KeptFiles } from '../kept-files.ts'
import type { Merge } from '../merge.ts'
import type { ScanContext } from '../request.ts'
import { readLimits } from '../search-files.ts'
import type { Collected } from '../stages/collect.ts'
import { findSettingsKind, isManifest } from './names.ts'

/**
 * Adds what rules find by values that stand in other files to what `merge` has, and answers it. Only of a whole repository in a work tree: a
 * part of it does not have the files in which values stand. Nothing is loaded where no rule judges values, or no file can use or give one.
 */
export async function findByValues(
  { request, rules, selection, applies }: Collected,
  kept: KeptFiles | undefined,
  merge: Merge,
  { signal }: ScanContext,
): Promise<{ findings: Finding[]; notices: Notice[] }> {
  const nothing = { findings: [], notices: [] }
  const { listing, config, cache, contents, scope, dry_run } = request
  if (scope !== 'everything' || contents || listing.kind === 'bare') return nothing
  const own = rules.filter(judgesValues)
  if (own.length === 0) return nothing
  const isAsked = (path: string) => hasCrossFileName(path) || findSettingsKind(path) !== undefined || isManifest(path)
  const named = [...listing.files.filter(({ path }) => isAsked(path)), ...(kept?.select(isAsked) ?? [])]
  if (!named.some(({ path }) => hasCrossFileName(path)) || named.length < 2) return nothing
  const { isFollowed } = await import('../cross-file/follow.ts')
  const { Targets } = await import('../cross-file/targets.ts')
  const { dropReportedValues, lookUpValues } = await import('./look-up.ts')
  const { ConstantMemory } = await import('./memory.ts')
  const files = named.filter(isFollowed).sort((a, b) => (a.path < b.path ? -1 : 1))
  const settings = named.filter(
    ({ path, in_test, class: file_class, blob }) =>
      findSettingsKind(path) !== undefined && !in_test && file_class === undefined && blob === undefined,
  )
  const code = new Map(files.map(file => [file.path, file]))
  const paths = named.map(({ path }) => path)
  const memory = cache && ConstantMemory.open(listing.root, own, paths, cache.seal)
  const { findings, notices } = await lookUpValues({
    root: listing.root,
    files,
    code,
    settings: settings.sort((a, b) => (a.path < b.path ? -1 : 1)),
    projects: new Set(paths.filter(isManifest).map(path => posix.dirname(path))),
    targets: new Targets(code.keys()),
    rules: own,
    limits: readLimits(config),
    controls: selection.controls,
    applies,
    signal,
    ...(memory && { memory }),
  })
  if (!dry_run) memory?.save()
  return { findings: merge.addFollowed(dropReportedValues(findings, merge.findings)), notices }
}
