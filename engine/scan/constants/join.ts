import { posix } from 'node:path'
import type { Finding } from '../../base/records/finding.ts'
import type { Notice } from '../../base/records/run.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import { judgesValues } from '../../detect/constants/value-rules.ts'
import { hasCrossFileName } from '../cross-file/names.ts'
import type { KeptFiles } from '../kept-files.ts'
import type { Merge } from '../merge.ts'
import type { ScanContext } from '../request.ts'
import type { Collected } from '../stages/collect.ts'
import { describeWhole, selectWhole } from '../whole-repository.ts'
import { findSettingsKind, isManifest, isModuleFile } from './names.ts'

/**
 * Looks up what rules find by values that stand in other files; what is answered adds it to what `merge` has then. Only of a whole repository in a work tree: a
 * part of it does not have the files in which values stand. Nothing is loaded where no rule judges values, or no file can use or give one.
 */
export async function findByValues(
  collected: Collected,
  kept: KeptFiles | undefined,
  merge: Merge,
  context: ScanContext,
): Promise<() => { findings: Finding[]; notices: Notice[] }> {
  const nothing = () => ({ findings: [], notices: [] })
  const { request, rules } = collected
  const { listing, cache, dry_run } = request
  const own = rules.filter(judgesValues)
  if (own.length === 0) return nothing
  const isAsked = (path: string) =>
    hasCrossFileName(path) || findSettingsKind(path) !== undefined || isManifest(path) || isModuleFile(path)
  const named = selectWhole(collected, kept, merge, 'values', isAsked)
  if (!named?.some(({ path }) => hasCrossFileName(path) || isModuleFile(path)) || named.length < 2) return nothing
  const { isFollowed } = await import('../cross-file/follow.ts')
  const { dropReportedValues, lookUpValues } = await import('./look-up.ts')
  const { ConstantMemory } = await import('./memory.ts')
  const isOwn = ({ in_test, class: file_class, blob }: SourceFile) =>
    !in_test && file_class === undefined && blob === undefined
  const modules = new Map<string, SourceFile[]>()
  for (const file of named.filter(each => isModuleFile(each.path) && isOwn(each))) {
    const directory = posix.dirname(file.path)
    const known = modules.get(directory)
    if (known) known.push(file)
    else modules.set(directory, [file])
  }
  const code = new Map(named.filter(isFollowed).map(file => [file.path, file]))
  const resources = [...modules.values()]
    .flat()
    .filter(({ path, language }) => language === 'hcl' && path.endsWith('.tf'))
  const files = [...code.values(), ...resources].sort((a, b) => (a.path < b.path ? -1 : 1))
  const settings = named.filter(file => findSettingsKind(file.path) !== undefined && isOwn(file))
  const paths = named.map(({ path }) => path)
  const memory = cache && ConstantMemory.open(listing.root, own, paths, cache.seal)
  const { findings, notices } = await lookUpValues({
    ...describeWhole(collected, context),
    files,
    code,
    settings: settings.sort((a, b) => (a.path < b.path ? -1 : 1)),
    projects: new Set(paths.filter(isManifest).map(path => posix.dirname(path))),
    modules,
    rules: own,
    ...(memory && { memory }),
    perform: context.threads?.perform,
  })
  if (!dry_run) memory?.save()
  return () => ({ findings: merge.addFollowed(dropReportedValues(findings, merge.findings)), notices })
}
