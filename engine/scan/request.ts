import type { Context } from '../base/context.ts'
import type { Finding } from '../base/records/finding.ts'
import type { Run } from '../base/records/run.ts'
import type { Listing } from '../base/records/source-file.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import type { Baseline } from '../findings/baseline.ts'
import type { Contribution, SearchedFiles } from '../findings/contribution.ts'
import type { SuppressionEntry } from '../findings/suppression-file.ts'
import type { Config } from '../sources/config/load.ts'
import type { Change } from '../sources/repository/changes.ts'
import type { OtherFiles } from '../sources/repository/other-files.ts'
import type { Remembrance } from '../sources/repository/remembered.ts'
import type { Seal } from '../sources/state/cache-seal.ts'
import type { FileReport } from './batch.ts'
import type { KnownResults } from './cache.ts'
import type { KeptFiles } from './kept-files.ts'
import type { ListingMemory } from './listing-memory.ts'
import type { ScannedFiles } from './scanned-files.ts'
import type { Threads } from './threads.ts'

/** A scan with all that it is given: the files, the settings, and what findings are judged by. */
export interface ScanRequest {
  listing: Listing
  config: Config
  /** Contents that stand in for files, by path. */
  contents?: Record<string, string>
  /** In words, for the run's record; `everything` where the listing is the whole repository. */
  scope: string
  /** The files of the repository that a change is of, and what the cache is sealed with; left out where they are not known. */
  others?: () => Promise<{ files: OtherFiles; seal: Seal | undefined }>
  /** The change that the listing's files are of: what was there before it is set aside, and it may be empty. */
  change?: Change
  /** Folder that holds the repository's own packs and rules, where it is not the listing's root. */
  settings_folder?: string
  /** Findings about what the change does to its own judgement, given those that it newly suppresses by a comment. */
  policy?: (suppressed: readonly Finding[]) => Promise<Finding[]>
  suppressions: readonly SuppressionEntry[]
  baseline?: Baseline
  /** Make the baseline anew: what is open is held from now on, and what is gone is taken out. */
  update_baseline?: boolean
  /** What contributors give, to be judged with the rest. */
  contributions?: Promise<readonly Contribution[]>
  /** Told what rules found, before contributions are waited for. */
  onSearched?: (searched: SearchedFiles) => void
  /** Told what the files came to, once all was found: what is still to come judges findings. */
  onFiles?: (files: ScannedFiles, kept?: KeptFiles) => void
  jobs?: number
  /** The run's id, where whoever started the scan has named it. */
  run_id?: string
  /** Results from before; left out where nothing is to be taken from them or kept. */
  cache?: KnownResults
  /** What of the listing may be remembered. */
  toRemember?: Remembrance & Pick<ListingMemory, 'exclude'>
  /** Metrics of the files are counted: of a scan that is stored. */
  measures?: boolean
  /** Secrets' findings say why they are held to be some. */
  explain_secrets?: boolean
  /** Rules with `review_sources` look for places to review, too. */
  to_review?: boolean
  /** Take from the cache and keep nothing. */
  dry_run?: boolean
  /** What the files came to, where they were scanned before and elsewhere (in shards); then none is looked into. */
  scanned?: (rules: readonly CompiledRule[]) => { reports: readonly FileReport[]; cache: Run['cache'] }
  now: () => Date
}

/** What a scan needs of its surface. */
export type ScanContext = Pick<Context, 'emit' | 'signal' | 'leftBehind'> & {
  /** Keeps the threads that search files for what is done after that; they end with the search where it is left out. */
  threads?: Threads
}
