import { listContainers } from './archive-path.ts'
import { resolveRuleId } from './rule-ids.ts'
import type { NotEvaluated } from './run.ts'
import type { PartlyReason, PartlyScanned, Skip, SkipReason } from './source-file.ts'

/** Reasons for which a file's findings are unknown rather than gone. */
const UNKNOWN: ReadonlySet<SkipReason> = new Set([
  'unreadable',
  'undecodable',
  'too_large',
  'submodule_absent',
  'sparse',
  'timed_out',
  'crashed',
  'binary',
  'submodule_changed',
  'nested_repository',
])

/** Reasons for which a part of a file's content was not searched even for secrets. */
const INCOMPLETE: ReadonlySet<PartlyReason> = new Set([
  'archive_part',
  'archive_damaged',
  'timed_out',
  'lfs_pointer',
  'mixed_encoding',
])

/** What is known of a scan's reach. */
export interface Reach {
  skipped: readonly Skip[]
  /** Files that only some detectors searched. */
  partly?: readonly PartlyScanned[]
  notEvaluated: readonly NotEvaluated[]
  /** Every file of the repository was to be scanned. */
  whole: boolean
  /** Whether a file was looked into. */
  isScanned: (file: string) => boolean
}

/**
 * Whether a rule had its look at a file, or the file is gone for good: then a finding of before that is not there now is mended, and not
 * merely unseen.
 */
export function lookedAt({
  skipped,
  partly = [],
  notEvaluated,
  whole,
  isScanned,
}: Reach): (place: { rule_id: string; file: string }) => boolean {
  const unknown = new Set<string>()
  const folders: string[] = []
  for (const { path, reason } of skipped) {
    if (!UNKNOWN.has(reason)) continue
    unknown.add(path)
    if (path.endsWith('/')) folders.push(path)
  }
  // In these only the detectors of secrets searched everything; the rules that were aborted in others are known by name.
  const secretsOnly = new Set<string>()
  for (const { path, reason } of partly) {
    if (INCOMPLETE.has(reason)) unknown.add(path)
    else if (reason !== 'not_evaluated') secretsOnly.add(path)
  }
  const failed = new Set(notEvaluated.map(({ rule_id, file }) => `${rule_id}\0${file ?? ''}`))
  return place => {
    const { file } = place
    const rule_id = resolveRuleId(place.rule_id)
    const around = listContainers(file)
    if (failed.has(`${rule_id}\0`) || around.some(path => failed.has(`${rule_id}\0${path}`))) return false
    if (failed.has(`${rule_id.split(':', 1)[0]}:*\0`)) return false
    if (around.some(path => unknown.has(path))) return false
    if (!rule_id.startsWith('secret-') && around.some(path => secretsOnly.has(path))) return false
    if (isScanned(file)) return true
    return whole && !folders.some(folder => file.startsWith(folder))
  }
}
