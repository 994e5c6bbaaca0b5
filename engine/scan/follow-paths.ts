import type { Listing, Skip, SourceFile } from '../base/records/source-file.ts'
import type { FileFacts } from '../sources/packs/file-facts.ts'
import type { Remembrance } from '../sources/repository/remembered.ts'
import type { ScanCache } from './cache.ts'
import { countTotals, type KeptFiles } from './kept-files.ts'
import type { ListingMemory } from './listing-memory.ts'
import {
  computePathFacts,
  type FactFiles,
  type FactRules,
  factsHold,
  joinPathFacts,
  makeFactsKey,
  type PathFacts,
} from './path-facts.ts'
import { joinPathMatches, type PathMatch } from './path-policies.ts'
import type { ScannedFiles } from './scanned-files.ts'

/** What a scan leaves for the next one, once its run is stored. */
export interface Leaving {
  memory: Omit<ListingMemory, 'parquet'>
}

/** What follows from the paths of a whole repository's files. */
export interface Followed {
  policies: PathMatch[]
  files: FileFacts
  leaving?: Leaving
}

/** What was looked at, and how it came about. */
export interface Looked {
  listing: Listing
  /** Files that were taken over as they were, and are not in the listing; with what is known of them. */
  kept?: KeptFiles
  memory?: ListingMemory
  files: ScannedFiles
  /** Listed and skipped while looking. */
  skipped: readonly Skip[]
  cache?: ScanCache
}

/** Follows what the paths come to, of the files that have not changed from what is known of them where that still holds. */
export function followPaths(
  by: FactRules,
  { listing, kept, memory, files, skipped, cache }: Looked,
  toRemember?: Remembrance & Pick<ListingMemory, 'exclude'>,
): Followed {
  const skippedPaths = [...listing.skipped, ...skipped].map(({ path }) => path)
  const join = (a: PathFacts, b: PathFacts) => joinPathFacts(by.rules, a, b)
  if (
    kept &&
    memory &&
    memory.facts_key === makeFactsKey(by) &&
    factsHold(memory.facts, by.rules, { kept, listed: listing.files, files })
  )
    return join(
      memory.facts,
      computePathFacts(by, partOf(listing.files, files.own, skippedPaths), Object.keys(memory.facts.files.with_files)),
    )
  if (kept || !cache?.saved || !toRemember) {
    const listed = kept ? kept.withOthers(listing.files) : listing.files
    const facts = computePathFacts(by, partOf(listed, files.all(), skippedPaths))
    return { policies: joinPathMatches(by.rules, facts.policies, facts.policies), files: facts.files }
  }
  // What is kept for the next time is set apart from the rest, which will be looked at again.
  const isRest = ({ path }: { path: string }) => cache.isUnkept(path)
  const isKept = ({ path }: { path: string }) => !cache.isUnkept(path)
  const facts = computePathFacts(by, partOf(listing.files.filter(isKept), files.own.filter(isKept), []))
  const rest = computePathFacts(by, partOf(listing.files.filter(isRest), files.own.filter(isRest), skippedPaths))
  const { digest, unlisted } = cache.saved
  const isPlain = (path: string) => !cache.isApart(path)
  const again = listing.files.filter(({ path, oid }) => oid !== undefined && cache.isUnkept(path))
  return {
    ...join(facts, rest),
    leaving: {
      memory: {
        ...toRemember,
        loose: [
          ...toRemember.loose,
          ...again.map(({ path, oid }) => ({ path, kind: 'file' as const, sparse: false, oid: oid! })),
        ],
        table: digest,
        unlisted,
        totals: countTotals(listing.files.filter(isKept), files.own, isPlain),
        rules_key: cache.rulesKey(),
        facts,
        facts_key: makeFactsKey(by),
        stored: {
          others: files.own.flatMap(({ path }, row) => (cache.isUnkept(path) ? row : [])),
          findings: files.own.filter(isKept).flatMap(({ path, findings }) => (isPlain(path) ? [] : findings)),
        },
      },
    },
  }
}

function partOf(listed: readonly SourceFile[], scanned: FactFiles['scanned'], skipped: readonly string[]): FactFiles {
  return { listed, scanned, paths: [...listed.flatMap(({ path, size }) => (size > 0 ? path : [])), ...skipped] }
}
