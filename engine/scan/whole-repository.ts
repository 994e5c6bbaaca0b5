import type { ControlRef } from '../base/records/finding.ts'
import type { SourceFile } from '../base/records/source-file.ts'
import type { Limits } from '../detect/rules/file-outcome.ts'
import type { KeptFiles } from './kept-files.ts'
import type { Merge } from './merge.ts'
import type { ScanContext } from './request.ts'
import { readLimits } from './search-files.ts'
import type { Collected } from './stages/collect.ts'

/** Why a file was skipped that must not be parsed once more. */
const FATAL: ReadonlySet<string> = new Set(['crashed', 'timed_out'])

/** What every search needs that looks at the files of a repository together. */
export interface WholeRepository {
  root: string
  limits: Limits
  controls: ReadonlyMap<string, ControlRef[]>
  /** Whether a rule is on for a path. */
  applies(rule: string, path: string): boolean
  signal: AbortSignal
}

/**
 * The files of a whole repository in a work tree that are asked for by their paths, without those on which a parser has ended or come to no end:
 * it would do so again; undefined of a part of it, which does not have the files that
 * names lead to, of contents that an editor sends, and of a repository without a work tree. `name` is that of what is asked, for `PathSelections`.
 */
export function selectWhole(
  { request: { listing, contents, scope } }: Collected,
  kept: KeptFiles | undefined,
  { skipped }: Pick<Merge, 'skipped'>,
  name: string,
  isAsked: (path: string) => boolean,
): SourceFile[] | undefined {
  if (scope !== 'everything' || contents || listing.kind === 'bare') return undefined
  const fatal = new Set(skipped.filter(({ reason }) => FATAL.has(reason)).map(({ path }) => path))
  const asked = [...listing.files.filter(({ path }) => isAsked(path)), ...(kept?.select(isAsked, name) ?? [])]
  return asked.filter(({ path }) => !fatal.has(path))
}

/** The repository of a scan, for a search over all of its files. */
export function describeWhole(
  { request: { listing, config }, selection, applies }: Collected,
  { signal }: ScanContext,
): WholeRepository {
  return { root: listing.root, limits: readLimits(config), controls: selection.controls, applies, signal }
}
