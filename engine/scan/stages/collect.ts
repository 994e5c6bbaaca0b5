import type { Listing } from '../../base/records/source-file.ts'
import { BASELINE_PATH } from '../../sources/config/paths.ts'
import { makeRunId } from '../../sources/store/run-id.ts'
import { type ActiveRules, selectActiveRules } from '../active-rules.ts'
import type { ScanContext, ScanRequest } from '../request.ts'

/** What is to be scanned, and by which rules. */
export interface Collected extends ActiveRules {
  request: ScanRequest
  id: string
  started: Date
}

/** Stage 1: the files and the rules of a scan. PACK_INVALID where the rules are broken. */
export async function collect(asked: ScanRequest, context: ScanContext): Promise<Collected> {
  const request = { ...asked, listing: removeBaseline(asked.listing) }
  const { listing, config, settings_folder, cache } = request
  const started = request.now()
  const id = asked.run_id ?? makeRunId(started)
  const others = cache?.kept?.namedLanguages()
  const rules = await selectActiveRules(listing, config, settings_folder, others, request.to_review)
  context.emit({ type: 'started', run_id: id, files: listing.files.length + (cache?.kept?.count ?? 0) })
  return { request, id, started, ...rules }
}

/** The baseline itself is not scanned: it is checked to hold fingerprints, ids and paths only, and would be found by rules for their sake. */
export function removeBaseline(listing: Listing): Listing {
  const files = listing.files.filter(({ path }) => path !== BASELINE_PATH)
  if (files.length === listing.files.length) return listing
  const skip = { path: BASELINE_PATH, reason: 'own_file' as const, detail: 'holds fingerprints and paths only' }
  return { ...listing, files, skipped: [...listing.skipped, skip] }
}
