import { compareFindings } from '../../base/records/finding.ts'
import { findLost } from '../../base/records/ledger.ts'
import type { NotEvaluated, Notice } from '../../base/records/run.ts'
import type { Listing, Skip } from '../../base/records/source-file.ts'
import { mapControlsByRule } from '../../sources/packs/pack.ts'
import { findByValues } from '../constants/join.ts'
import { findAcrossFiles } from '../cross-file/join.ts'
import { listNotFollowed } from '../cross-file/not-followed.ts'
import { type Followed, followPaths } from '../follow-paths.ts'
import type { KeptFiles } from '../kept-files.ts'
import { LiveFindings } from '../live-findings.ts'
import { Merge, toFinding } from '../merge.ts'
import { judgePaths } from '../path-policies.ts'
import { findReleasedElsewhere } from '../releases/join.ts'
import type { ScanContext } from '../request.ts'
import { ScannedFiles } from '../scanned-files.ts'
import { type Searched, searchFiles } from '../search-files.ts'
import { findWithoutGrammar, refuseEmptyScan, sortByReason, sortFailures } from '../tally.ts'
import { Threads } from '../threads.ts'
import type { Collected } from './collect.ts'

/** What was found, and of each file what became of it. */
export interface Detected {
  /** Findings, and what the files came to. */
  merge: Merge
  /** The listed files as they were searched. */
  listing: Listing
  files: ScannedFiles
  /** The files that were taken over as they were. */
  kept?: KeptFiles
  /** How many files came from the cache. */
  cached: Searched['counts']
  /** What the paths alone tell; only of a whole repository. */
  followed?: Followed
  /** Files in the scan's scope, skipped ones included. */
  scope: number
  skipped: Skip[]
  /** What was not evaluated in a file or by a contributor. */
  failures: NotEvaluated[]
  /** The same, and rules that no file of a language could be asked. */
  notEvaluated: NotEvaluated[]
  /** What contributors have to say. */
  notices: Notice[]
}

/**
 * Stage 2: everything that is found: by rules in files, by policies over their paths, by contributors. NOTHING_TO_SCAN where no file of a
 * repository could be read, with the reasons.
 */
export async function detect(collected: Collected, context: ScanContext): Promise<Detected> {
  const { request, rules, languages, selection, applies } = collected
  const merge = new Merge(rules, selection.controls, applies)
  const live = new LiveFindings(rules, event => context.emit(event))
  const searched = await searchAll(collected, merge, live, context)
  const { kept } = searched
  const listing = { ...request.listing, files: searched.files }
  const files = new ScannedFiles(merge.files, merge.plain)

  const followed = addPathFindings(collected, { searched, listing, files }, merge)
  request.onSearched?.({ findings: [...merge.findings], metricsOf: path => files.get(path) })
  const contributions = (await request.contributions) ?? []
  for (const { findings } of contributions) for (const finding of findings) merge.addFinding(finding)
  merge.findings.sort(compareFindings)
  request.onFiles?.(files, kept)

  const scope = listing.files.length + (kept?.count ?? 0) + listing.skipped.length
  const failures = sortFailures([...merge.notEvaluated, ...contributions.flatMap(({ notEvaluated }) => notEvaluated)])
  return {
    merge,
    listing,
    files,
    ...(kept && { kept }),
    cached: searched.counts,
    ...(followed && { followed }),
    scope,
    skipped: skippedOf(listing, merge, files, scope),
    failures,
    notEvaluated: [...findWithoutGrammar(rules, languages), ...failures],
    notices: contributions.flatMap(({ notices }) => notices),
  }
}

/** What rules find in each file by itself, and then by what other files have; the threads end with that. */
async function searchAll(
  collected: Collected,
  merge: Merge,
  live: LiveFindings,
  { emit, signal, leftBehind }: ScanContext,
): Promise<Searched> {
  const { request } = collected
  const threads = new Threads()
  const context = { emit, signal, leftBehind, threads }
  try {
    const searched = await search(collected, merge, { ...context, emit: event => live.take(event) })
    const isEmpty = new ScannedFiles(merge.files, merge.plain).count === 0 && merge.partly.length === 0
    if (isEmpty && !request.change) throw refuseEmptyScan([...request.listing.skipped, ...merge.skipped])
    const lookUp = () => findByValues(collected, searched.kept, merge, context)
    // One thread looks up values while another follows input. Where that fails, what was to be looked up is not waited for.
    const values = threads.perform && lookUp()
    values?.catch(() => {})
    const across = await findAcrossFiles(collected, searched.kept, merge, context)
    const addValues = await (values ?? lookUp())
    const byValues = addValues()
    const released = await findReleasedElsewhere(collected, merge, context)
    live.emitRest(merge.findings)
    merge.notices.push(
      ...across.notices,
      ...byValues.notices,
      ...released.notices,
      ...listNotFollowed(collected, across.asked),
    )
    return searched
  } finally {
    await threads.close()
  }
}

/** What rules find in the files: as it was found in shards, or now. */
async function search({ request, rules, languages }: Collected, merge: Merge, context: ScanContext): Promise<Searched> {
  const scanned = request.scanned?.(rules)
  if (!scanned) return searchFiles(request, rules, languages, merge, context)
  merge.add(scanned.reports)
  return { counts: scanned.cache, files: request.listing.files }
}

/** Adds what policies over paths find; answers what the paths tell, of a whole repository. */
function addPathFindings(
  { request, rules, selection }: Collected,
  { searched: { kept, cache }, listing, files }: { searched: Searched; listing: Listing; files: ScannedFiles },
  merge: Merge,
): Followed | undefined {
  const controls = rules === selection.rules ? selection.controls : mapControlsByRule(selection.packs, rules)
  const looked = { listing, kept, memory: request.cache?.memory, files, skipped: merge.skipped, cache }
  const followed =
    request.scope === 'everything'
      ? followPaths({ rules, packs: selection.packs, controls }, looked, request.toRemember)
      : undefined
  for (const { path, match, excluded } of followed?.policies ?? judgePaths(rules, listing.files, false)) {
    if (excluded) merge.aside.addExcluded(rules[match.rule]!.id, path, [match.line])
    else {
      const place = { path, language: 'text', in_test: false }
      merge.addFinding(toFinding(rules[match.rule]!, match, place, selection.controls))
    }
  }
  return followed
}

/** Every file of the scope that was not scanned, with the reason; one of which nothing was heard is lost, and said to be. */
function skippedOf(listing: Listing, merge: Merge, files: ScannedFiles, scope: number): Skip[] {
  const states = { partly: sortByReason(merge.partly), skipped: [...listing.skipped, ...merge.skipped] }
  const opened = merge.partly.filter(({ path }) => files.get(path) === undefined).length
  if (files.count + opened + states.skipped.length < scope)
    states.skipped.push(...findLost(listing.files, path => files.get(path) !== undefined, states))
  return sortByReason(states.skipped)
}
