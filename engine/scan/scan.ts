import type { Context } from '../base/context.ts'
import { type ControlRef, compareFindings, type Finding } from '../base/records/finding.ts'
import { countStates, findLost } from '../base/records/ledger.ts'
import { brokenOffIn, gapKey, type Notice, type Run } from '../base/records/run.ts'
import type { Listing, SourceFile } from '../base/records/source-file.ts'
import { VERSION } from '../base/version.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import type { Baseline, Updated } from '../findings/baseline.ts'
import type { Contribution } from '../findings/contribution.ts'
import { judge } from '../findings/judge.ts'
import { complianceScore } from '../findings/score.ts'
import type { SuppressionEntry } from '../findings/suppression-file.ts'
import { findUnread, minifiedSources, type UnreadFile } from '../gate/unread.ts'
import { zoning } from '../governance/zones.ts'
import type { Config } from '../sources/config/load.ts'
import { BASELINE_PATH } from '../sources/config/paths.ts'
import { coverageFrom } from '../sources/packs/coverage.ts'
import { controlsByRule, type Pack } from '../sources/packs/pack.ts'
import type { Change } from '../sources/repository/changes.ts'
import type { Remembrance } from '../sources/repository/remembered.ts'
import { newRunId } from '../sources/store/run-id.ts'
import { activeRules } from './active-rules.ts'
import type { FileReport } from './batch.ts'
import type { KnownResults } from './cache.ts'
import { type Detected, detect } from './detect.ts'
import { followPaths, type Leaving } from './follow-paths.ts'
import { isInline, markIntroduced, newlySuppressed } from './introduced.ts'
import type { KeptFiles } from './kept-files.ts'
import type { ListingMemory } from './listing-memory.ts'
import { Merge, toFinding } from './merge.ts'
import { judgePaths } from './path-policies.ts'
import { scanBefore } from './scan-before.ts'
import { ScannedFiles } from './scanned-files.ts'
import {
  clockNotices,
  countAll,
  evaluatedRules,
  nothingToScan,
  sortByReason,
  sortFailures,
  sortNotices,
  withoutGrammar,
} from './tally.ts'

export interface ScanRequest {
  listing: Listing
  config: Config
  /** Contents that stand in for files, by path. */
  contents?: Record<string, string>
  /** In words, for the run's record; `everything` where the listing is the whole repository. */
  scope: string
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
  jobs?: number
  /** Results from before; left out where nothing is to be taken from them or kept. */
  cache?: KnownResults
  /** What of the listing may be remembered. */
  toRemember?: Remembrance & Pick<ListingMemory, 'exclude'>
  /** Secrets' findings say why they are held to be some. */
  explain_secrets?: boolean
  /** Take from the cache and keep nothing. */
  dry_run?: boolean
  /** What the files came to, where they were scanned before and elsewhere; then none is looked into. */
  collected?: (rules: readonly CompiledRule[]) => { reports: readonly FileReport[]; cache: Run['cache'] }
  now: () => Date
}

/** What a scan needs of its surface. */
export type ScanContext = Pick<Context, 'emit' | 'signal' | 'leftBehind'>

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
  /** Gaps that are in the baseline or were there before the change, by `gapKey`. */
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
export async function scan(asked: ScanRequest, context: ScanContext): Promise<ScanResult> {
  const request = { ...asked, listing: withoutBaseline(asked.listing) }
  const { config } = request
  const asIs = request.cache?.kept
  const started = request.now()
  const id = newRunId(started)
  const { languages, packs, selection, rules, applies } = await activeRules(
    request.listing,
    config,
    request.settings_folder,
    asIs?.namedLanguages(),
  )
  context.emit({ type: 'started', run_id: id, files: request.listing.files.length + (asIs?.count ?? 0) })

  const merge = new Merge(rules, selection.controls, applies)
  const collected = request.collected?.(rules)
  if (collected) merge.add(collected.reports)
  const detected: Detected = collected
    ? { counts: collected.cache, files: request.listing.files }
    : await detect(request, rules, languages, merge, context)
  const { kept, cache } = detected
  const listing = { ...request.listing, files: detected.files }
  const files = new ScannedFiles(merge.files, merge.plain)
  const isEmpty = files.count === 0 && merge.partly.length === 0
  if (isEmpty && !request.change) throw nothingToScan([...listing.skipped, ...merge.skipped])

  const whole = request.scope === 'everything'
  const controls = rules === selection.rules ? selection.controls : controlsByRule(selection.packs, rules)
  const looked = { listing, kept, memory: request.cache?.memory, files, skipped: merge.skipped, cache }
  const followed = whole
    ? followPaths({ rules, packs: selection.packs, controls }, looked, request.toRemember)
    : undefined
  for (const { path, match, excluded } of followed?.policies ?? judgePaths(rules, listing.files, false)) {
    if (excluded) merge.setAside(rules[match.rule]!.id, path, [match.line])
    else {
      const place = { path, language: 'text', in_test: false }
      merge.addFinding(toFinding(rules[match.rule]!, match, place, selection.controls))
    }
  }
  const contributions = (await request.contributions) ?? []
  for (const { findings } of contributions) for (const finding of findings) merge.addFinding(finding)
  merge.findings.sort(compareFindings)
  const states = { partly: sortByReason(merge.partly), skipped: [...listing.skipped, ...merge.skipped] }
  const scope = listing.files.length + (kept?.count ?? 0) + listing.skipped.length
  const opened = merge.partly.filter(({ path }) => files.get(path) === undefined).length
  if (files.count + opened + states.skipped.length < scope)
    states.skipped.push(...findLost(listing.files, path => files.get(path) !== undefined, states))
  const skipped = sortByReason(states.skipped)
  const failures = sortFailures([...merge.notEvaluated, ...contributions.flatMap(({ notEvaluated }) => notEvaluated)])
  const notEvaluated = [...withoutGrammar(rules, languages), ...failures]
  const evaluated = evaluatedRules(rules, files, notEvaluated)
  const judged = await judge(merge.findings, {
    ...request,
    listing: kept ? allListed(listing, kept) : listing,
    ignores: merge.ignores,
    rescores: path => config.for(path).severity_rescoring_enabled,
    ...(config.governance.blast_radius.enabled && { zone: zoning(config.governance) }),
    isRule: ruleNames(packs, config),
    rule_ids: () => packs.flatMap(({ rules }) => rules.map(({ id }) => id)),
    maxBytes: config.scan.max_file_bytes,
    today: isoDate(started),
    whole,
    files,
    skipped,
    partly: merge.partly,
    notEvaluated,
    signal: context.signal,
  })
  const gaps = brokenOffIn({ not_evaluated: failures, skipped, partly: merge.partly })
  const knownGaps = new Set(request.baseline?.gaps?.map(gapKey))
  let suppressed: readonly Finding[] = []
  let unread: UnreadFile[] = []
  if (request.change) {
    const asked = judged.findings.filter(finding => finding.status === 'open' || isInline(finding))
    const paths = [...[...asked, ...gaps].flatMap(({ file }) => file ?? []), ...minifiedSources(merge)]
    const then = await scanBefore(request, request.change, rules, languages, paths, context)
    for (const key of then.gaps) knownGaps.add(key)
    judged.findings = markIntroduced(judged.findings, then.fingerprints)
    const failOn = (file: string) => config.for(file).gate.fail_on
    suppressed = newlySuppressed(judged.findings, then).filter(({ file, severity }) => failOn(file).includes(severity))
    const foreign = new Set(listing.files.filter(file => file.class !== undefined).map(({ path }) => path))
    const known = { gaps: then.gaps, isForeign: (path: string) => foreign.has(path) }
    unread = findUnread({ skipped, partly: merge.partly }, config, known)
  }
  const policy = (await request.policy?.(suppressed)) ?? []
  if (policy.length > 0) judged.findings = [...judged.findings, ...policy].sort(compareFindings)
  const known = gaps.filter(gap => knownGaps.has(gapKey(gap))).length
  const finished = request.now()

  const run: Run = {
    id,
    started_at: started.toISOString(),
    finished_at: finished.toISOString(),
    duration_ms: finished.getTime() - started.getTime(),
    tool_version: VERSION,
    root_name: listing.root.split('/').at(-1) || listing.root,
    ...(listing.git_sha === undefined ? {} : { git_sha: listing.git_sha }),
    ...(listing.branch === undefined ? {} : { branch: listing.branch }),
    scope: request.scope,
    packs: selection.packs.map(pack => ({
      id: pack.id,
      version: pack.version,
      rules: rules.filter(rule => rule.pack_id === pack.id).length,
    })),
    packs_reason: selection.reason,
    ...(selection.disabled.length > 0 && { packs_disabled: selection.disabled }),
    counts: countAll(judged.findings, files, skipped, evaluated.length, merge.bytes),
    ledger: countStates({ scope, partly: merge.partly, skipped }),
    skipped,
    partly: merge.partly,
    not_evaluated: notEvaluated,
    ...(known > 0 && { known_gaps: known }),
    silent_in_tests: merge.silentInTests(),
    excluded_by_rule: merge.excludedByRule(),
    notices: [
      ...judged.notices,
      ...contributions.flatMap(({ notices }) => notices),
      ...(request.cache?.notices ?? []),
      ...sortNotices(merge.notices),
      ...clockNotices([...skipped, ...merge.partly], notEvaluated),
      ...unreadNotices(unread),
    ],
    cache: detected.counts,
  }
  const partly = new Set(notEvaluated.map(({ rule_id }) => rule_id))
  const score = complianceScore(evaluated, judged.findings, partly)
  if (score !== undefined) run.score = score
  // A part of the repository can show that a control is violated, but never that it is met.
  if (followed && selection.packs.some(({ framework }) => framework))
    run.frameworks = coverageFrom(selection.packs, { rules, findings: judged.findings, notEvaluated }, followed.files)
  return {
    run,
    findings: judged.findings,
    files,
    listed: () => (kept ? kept.withOthers(listing.files) : listing.files),
    rules,
    packs: selection.packs,
    controls: selection.controls,
    known_gaps: knownGaps,
    unread,
    renewed: judged.renewed,
    ...(kept && { kept, memory: request.cache?.memory }),
    ...(followed?.leaving && { leaving: followed.leaving }),
  }
}

/** What the change has of source files that could not be searched, said where the scan is shown; once for all that were built. */
function unreadNotices(unread: readonly UnreadFile[]): Notice[] {
  const built = unread.filter(({ isBuilt }) => isBuilt)
  const said = unread.filter(file => !file.isBuilt || file === built[0])
  return said.map(({ path, detail, ...file }): Notice => {
    const reason = file.reason === 'minified' ? 'minified' : (detail ?? file.reason.replaceAll('_', ' '))
    const others = file.isBuilt && built.length > 1 ? `, as are ${built.length - 1} more files that were built` : ''
    return { kind: 'unread_file', file: path, detail: `not searched as source code: ${reason}${others}` }
  })
}

/** The listing with the kept files in it; they are made only where somebody asks for them. */
function allListed(listing: Listing, kept: KeptFiles): Listing {
  const { files, ...rest } = listing
  return {
    ...rest,
    get files() {
      return kept.withOthers(files)
    },
  }
}

/** The baseline itself is not scanned: it is checked to hold fingerprints, ids and paths only, and would be found by rules for their sake. */
export function withoutBaseline(listing: Listing): Listing {
  const files = listing.files.filter(({ path }) => path !== BASELINE_PATH)
  if (files.length === listing.files.length) return listing
  const skip = { path: BASELINE_PATH, reason: 'own_file' as const, detail: 'holds fingerprints and paths only' }
  return { ...listing, files, skipped: [...listing.skipped, skip] }
}

/** Whether an id is that of a rule: of any pack, active or not, or of a scanner that the configuration names (`semgrep:…`). */
function ruleNames(packs: readonly Pack[], { external_scanners }: Config): (id: string) => boolean {
  let known: Set<string> | undefined
  const isKnown = (id: string) => {
    // Asked only where something names a rule: it takes the parsing of every pack.
    known ??= new Set(packs.flatMap(({ rules }) => rules.map(each => each.id)))
    return known.has(id)
  }
  return id => isKnown(id) || Object.hasOwn(external_scanners, id.split(':', 1)[0]!)
}

function isoDate(date: Date): string {
  return date.toISOString().slice(0, 10)
}
