import { filesAround } from '../repository/archive-path.ts'
import type { Skip, SkipReason } from '../repository/source-file.ts'
import type { NotEvaluated } from '../scan/run.ts'

/** Reasons for which a file's findings are unknown rather than gone. */
const UNKNOWN: ReadonlySet<SkipReason> = new Set([
  'unreadable',
  'undecodable',
  'too_large',
  'submodule_absent',
  'sparse',
  'timed_out',
  'crashed',
  'archive_part',
  'archive_damaged',
])

/** What is known of a scan's reach. */
export interface Reach {
  skipped: readonly Skip[]
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
  const failed = new Set(notEvaluated.map(({ rule_id, file }) => `${rule_id}\0${file ?? ''}`))
  return ({ rule_id, file }) => {
    const around = filesAround(file)
    if (failed.has(`${rule_id}\0`) || around.some(path => failed.has(`${rule_id}\0${path}`))) return false
    if (failed.has(`${rule_id.split(':', 1)[0]}:*\0`)) return false
    if (isScanned(file)) return true
    return whole && !around.some(path => unknown.has(path)) && !folders.some(folder => file.startsWith(folder))
  }
}
