import type { Finding } from '../../base/records/finding.ts'
import { findKey } from '../../base/records/rule-ids.ts'
import type { Notice } from '../../base/records/run.ts'
import { followsInput } from '../../detect/taint/runs.ts'
import type { KeptFiles } from '../kept-files.ts'
import type { Merge } from '../merge.ts'
import { addMuted } from '../muted-rules.ts'
import type { ScanContext } from '../request.ts'
import type { Collected } from '../stages/collect.ts'
import { describeWhole, selectWhole } from '../whole-repository.ts'
import { hasCrossFileName } from './names.ts'

/**
 * Adds findings whose input comes from another file to those that `merge` has, and answers them. Only of a whole repository in a work tree: of a
 * change, functions of other files are asked about what was found. Nothing is loaded where no rule follows values or no file is of a language that is followed.
 */
export async function findAcrossFiles(
  collected: Collected,
  kept: KeptFiles | undefined,
  merge: Merge,
  context: ScanContext,
): Promise<{ findings: Finding[]; notices: Notice[]; asked?: Asked }> {
  const nothing = { findings: [], notices: [] }
  const { request, rules, languages } = collected
  const { listing, cache, dry_run } = request
  if (!rules.some(followsInput)) return nothing
  const named = selectWhole(collected, kept, merge, 'calls', hasCrossFileName)
  if (!named) return { ...nothing, ...(await settlePart(collected, merge, context)) }
  if (named.length < 2) return nothing
  const { dropKnown, followAcrossFiles, isFollowed } = await import('./follow.ts')
  const { CrossFileMemory } = await import('./memory.ts')
  const files = named.filter(isFollowed).sort((a, b) => (a.path < b.path ? -1 : 1))
  const own = addMuted(rules, languages).filter(followsInput)
  const paths = files.map(({ path }) => path)
  const memory = cache && CrossFileMemory.open(listing.root, own, paths, cache.seal)
  const { findings, excluded, notices, gone, surer } = await followAcrossFiles({
    ...describeWhole(collected, context),
    files,
    rules: own,
    found: merge.findings,
    ...(memory && { memory }),
    perform: context.threads?.perform,
  })
  if (!dry_run) memory?.save()
  merge.settle(gone, surer)
  for (const { rule, file, lines } of excluded) merge.aside.addExcluded(rule, file, lines)
  // Input takes the place of a value of unknown origin.
  const ids = new Set(own.map(({ id }) => id))
  const known = merge.findings.filter(finding => ids.has(findKey(finding)))
  return { findings: merge.addFollowed(dropKnown(findings, known)), notices }
}

/** How much was asked about findings of a change. */
export interface Asked {
  /** Other files that have functions which the findings' input was passed to. */
  files: number
  isCut: boolean
}

/**
 * Asks functions of other files about the findings of a change that they may disprove. Undefined, and nothing is loaded or listed, where no finding
 * is one that input flows to, and where the other files are not known.
 */
async function settlePart(
  collected: Collected,
  merge: Merge,
  context: ScanContext,
): Promise<{ asked: Asked } | undefined> {
  const { request, rules, languages } = collected
  const ids = new Set(rules.filter(followsInput).map(({ id }) => id))
  const found = merge.findings.filter(
    finding => finding.flow !== undefined && ids.has(findKey(finding)) && hasCrossFileName(finding.file),
  )
  if (found.length === 0 || !request.others) return undefined
  const { askOtherFiles } = await import('./part.ts')
  const { KnownFunctions } = await import('./memory.ts')
  const own = addMuted(rules, languages).filter(followsInput)
  const { files: others, seal } = await request.others()
  try {
    const { gone, surer, ...asked } = await askOtherFiles({
      ...describeWhole(collected, context),
      scanned: request.listing.files,
      found,
      rules: own,
      others,
      ...(seal && { openKnown: () => KnownFunctions.open(request.listing.root, own, seal) }),
    })
    merge.settle(gone, surer)
    return { asked }
  } finally {
    others.close()
  }
}
