import type { Limits } from '../rules/file-outcome.ts'
import type { FileScan } from './file-scan.ts'
import { watch } from './watchdog.ts'

/** Runs the textual steps of one file's scan, each within the time of a rule; what runs out of it is tried again as the scan says. */
export function runTextual(scan: FileScan, limits: Pick<Limits, 'rule_deadline_ms' | 'file_deadline_ms'>): void {
  let more = true
  watch(
    () => more && scan.nextTextual(),
    limits.rule_deadline_ms,
    () => {
      if (scan.isToBegin) return limits.file_deadline_ms
      more = scan.textualTimedOut()
      return undefined
    },
  )
}
