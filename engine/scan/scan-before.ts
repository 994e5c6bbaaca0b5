import { brokenOffIn, makeGapKey } from '../base/records/run.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import { applySuppressions } from '../findings/suppression.ts'
import { listMinifiedSources, makeMinifiedGap } from '../gate/unread.ts'
import type { Change } from '../sources/repository/changes.ts'
import { type Before, isInline, readFilesBefore } from './introduced.ts'
import { Merge } from './merge.ts'
import { judgePaths } from './path-policies.ts'
import type { ScanContext, ScanRequest } from './request.ts'
import { searchFiles } from './search-files.ts'

/** What the rules come to in these files as they were before the change; nothing is scanned twice that has neither finding nor gap now. */
export async function scanBefore(
  request: ScanRequest,
  change: Change,
  rules: readonly CompiledRule[],
  languages: ReadonlySet<string>,
  asked: readonly string[],
  { signal, leftBehind }: ScanContext,
): Promise<Before> {
  const files = readFilesBefore(change, asked, request.listing.files)
  if (files.length === 0) return { fingerprints: new Set(), suppressed: new Set(), gaps: new Set() }
  const merge = new Merge(rules, new Map(), () => true)
  const listing = { ...request.listing, files }
  await searchFiles({ ...request, listing, cache: undefined, measures: false }, rules, languages, merge, {
    signal,
    leftBehind,
    emit: () => {},
  })
  const samePath = new Set(change.files.flatMap(({ path, before }) => (before?.path === path ? path : [])))
  const paths = judgePaths(
    rules,
    files.filter(({ path }) => samePath.has(path)),
    false,
  ).filter(({ excluded }) => !excluded)
  const inline = { today: '', whole: false }
  const suppressed = applySuppressions(merge.findings, merge.ignores, [], inline).findings.filter(isInline)
  const { notEvaluated: not_evaluated, skipped, partly } = merge
  const gaps = [...brokenOffIn({ not_evaluated, skipped, partly }), ...listMinifiedSources(merge).map(makeMinifiedGap)]
  return {
    fingerprints: new Set(
      [...merge.findings, ...paths.map(({ match }) => match)].map(({ fingerprint }) => fingerprint),
    ),
    suppressed: new Set(suppressed.map(({ fingerprint }) => fingerprint)),
    gaps: new Set(gaps.map(makeGapKey)),
  }
}
