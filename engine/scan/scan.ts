import type { ControlRef, Finding } from '../base/records/finding.ts'
import type { Run } from '../base/records/run.ts'
import type { SourceFile } from '../base/records/source-file.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import type { Updated } from '../findings/baseline.ts'
import type { UnreadFile } from '../gate/unread.ts'
import type { Pack } from '../sources/packs/pack.ts'
import type { Leaving } from './follow-paths.ts'
import type { KeptFiles } from './kept-files.ts'
import type { ListingMemory } from './listing-memory.ts'
import type { ScanContext, ScanRequest } from './request.ts'
import type { ScannedFiles } from './scanned-files.ts'
import { collect } from './stages/collect.ts'
import { detect } from './stages/detect.ts'
import { judge } from './stages/judge.ts'
import { publish } from './stages/publish.ts'

/** What a scan came to. */
export interface ScanResult {
  run: Run
  /** Sorted by compareFindings. */
  findings: Finding[]
  files: ScannedFiles
  /** What was looked at. */
  listed: () => readonly SourceFile[]
  /** Every rule that was active, evaluated or not. */
  rules: readonly CompiledRule[]
  packs: readonly Pack[]
  controls: ReadonlyMap<string, ControlRef[]>
  /** Gaps that are in the baseline or were there before the change, by `makeGapKey`. */
  known_gaps: ReadonlySet<string>
  /** Source files of the change that could not be searched, unless `gate.unread` ignores them. */
  unread: readonly UnreadFile[]
  /** The baseline made anew, not yet written; only where that was asked for. */
  renewed?: Updated
  /** Files that were taken over as they were. */
  kept?: KeptFiles
  memory?: ListingMemory
  leaving?: Leaving
}

/**
 * Scans the listed files with the rules that the configuration selects. NOTHING_TO_SCAN where no file could be read, with
 * the reasons; nothing is written. Two scans of the same content give the same findings in the same order, on any number
 * of threads.
 */
export async function scan(request: ScanRequest, context: ScanContext): Promise<ScanResult> {
  const collected = await collect(request, context)
  const detected = await detect(collected, context)
  const judged = await judge(collected, detected, context)
  const run = publish(collected, detected, judged)

  const { rules, selection } = collected
  const { files, kept, listing, followed } = detected
  return {
    run,
    findings: judged.findings,
    files,
    listed: () => (kept ? kept.withOthers(listing.files) : listing.files),
    rules,
    packs: selection.packs,
    controls: selection.controls,
    known_gaps: judged.knownGaps,
    unread: judged.unread,
    ...(judged.renewed && { renewed: judged.renewed }),
    ...(kept && { kept, memory: request.cache?.memory }),
    ...(followed?.leaving && { leaving: followed.leaving }),
  }
}
