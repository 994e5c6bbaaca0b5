import { compareFindings, type Finding } from '../../base/records/finding.ts'
import { listNames, listRuleIds } from '../../base/records/rule-ids.ts'
import { brokenOffIn, makeGapKey, type NotEvaluated, type Notice } from '../../base/records/run.ts'
import type { Listing } from '../../base/records/source-file.ts'
import type { Updated } from '../../findings/baseline.ts'
import { judge as judgeFindings } from '../../findings/judge.ts'
import { findUnread, listMinifiedSources, type UnreadFile } from '../../gate/unread.ts'
import { makeZoning } from '../../governance/zones.ts'
import type { Config } from '../../sources/config/load.ts'
import type { Pack } from '../../sources/packs/pack.ts'
import type { Change } from '../../sources/repository/changes.ts'
import { isContributorRule } from '../contributions.ts'
import { isInline, listNewlySuppressed, markIntroduced } from '../introduced.ts'
import type { KeptFiles } from '../kept-files.ts'
import type { ScanContext } from '../request.ts'
import { scanBefore } from '../scan-before.ts'
import type { Collected } from './collect.ts'
import type { Detected } from './detect.ts'

/** What became of the findings. */
export interface Judged {
  /** Sorted by compareFindings. */
  findings: Finding[]
  /** What rules with `review` found, as long as no suppression covers it. */
  toReview: Finding[]
  notices: Notice[]
  /** Gaps that are in the baseline or were there before the change, by `makeGapKey`. */
  knownGaps: ReadonlySet<string>
  /** How many of the scan's gaps are among them. */
  known: number
  /** Source files of the change that could not be searched, unless `gate.unread` ignores them. */
  unread: readonly UnreadFile[]
  /** The baseline made anew, not yet written; only where that was asked for. */
  renewed?: Updated
}

/** Stage 3: suppressions, severities by place, the baseline; and of a change, what was there before it. */
export async function judge(collected: Collected, detected: Detected, context: ScanContext): Promise<Judged> {
  const { request } = collected
  const { failures, skipped, merge } = detected
  const { findings, toReview, notices, renewed } = await bySettings(collected, detected, context)
  const gaps = brokenOffIn({ not_evaluated: failures, skipped, partly: merge.partly })
  const judged = { findings, suppressed: [] as readonly Finding[], gaps: new Set<string>(), unread: [] as UnreadFile[] }
  if (request.change)
    Object.assign(judged, await byChange(collected, detected, { findings, gaps, change: request.change }, context))
  const policy = (await request.policy?.(judged.suppressed)) ?? []
  const knownGaps = new Set([...(request.baseline?.gaps?.map(makeGapKey) ?? []), ...judged.gaps])
  return {
    findings: policy.length > 0 ? [...judged.findings, ...policy].sort(compareFindings) : judged.findings,
    toReview,
    notices,
    knownGaps,
    known: gaps.filter(gap => knownGaps.has(makeGapKey(gap))).length,
    unread: judged.unread,
    ...(renewed && { renewed }),
  }
}

/** What the repository's settings make of the findings. */
function bySettings({ request, packs, started }: Collected, detected: Detected, { signal }: ScanContext) {
  const { config } = request
  const { merge, listing, kept, files, skipped, notEvaluated } = detected
  return judgeFindings(merge.findings, {
    ...request,
    toReview: merge.toReview,
    listing: kept ? listAll(listing, kept) : listing,
    ignores: merge.ignores,
    rescores: path => config.for(path).severity_rescoring_enabled,
    ...(config.governance.blast_radius.enabled && { zone: makeZoning(config.governance) }),
    isRule: nameRules(packs, config),
    rule_ids: () => listRuleIds(packs.flatMap(({ rules }) => rules.map(({ id }) => id))),
    maxBytes: config.scan.max_file_bytes,
    today: started.toISOString().slice(0, 10),
    whole: request.scope === 'everything',
    files,
    skipped,
    partly: merge.partly,
    notEvaluated,
    signal,
  })
}

/** What a change has brought: findings, suppressions of such as fail the gate, gaps, and source files that could not be searched. */
async function byChange(
  { request, rules, languages }: Collected,
  { merge, listing, skipped }: Detected,
  { findings, gaps, change }: { findings: Finding[]; gaps: Pick<NotEvaluated, 'file' | 'rule_id'>[]; change: Change },
  context: ScanContext,
) {
  const { config } = request
  const asked = findings.filter(finding => finding.status === 'open' || isInline(finding))
  const paths = [...[...asked, ...gaps].flatMap(({ file }) => file ?? []), ...listMinifiedSources(merge)]
  const before = await scanBefore(request, change, rules, languages, paths, context)
  const introduced = markIntroduced(findings, before.fingerprints)
  const failOn = (file: string) => config.for(file).gate.fail_on
  const foreign = new Set(listing.files.filter(file => file.class !== undefined).map(({ path }) => path))
  const known = { gaps: before.gaps, isForeign: (path: string) => foreign.has(path) }
  return {
    findings: introduced,
    suppressed: listNewlySuppressed(introduced, before).filter(({ file, severity }) => failOn(file).includes(severity)),
    gaps: before.gaps,
    unread: findUnread({ skipped, partly: merge.partly }, config, known),
  }
}

/** The listing with the kept files in it; they are made only where somebody asks for them. */
function listAll(listing: Listing, kept: KeptFiles): Listing {
  const { files, ...rest } = listing
  return {
    ...rest,
    get files() {
      return kept.withOthers(files)
    },
  }
}

/** Whether an id is that of a rule: of any pack, active or not, of a contributor, or of a scanner that the configuration names (`semgrep:…`). */
function nameRules(packs: readonly Pack[], { external_scanners }: Config): (id: string) => boolean {
  let known: Set<string> | undefined
  const isKnown = (id: string) => {
    // Asked only where something names a rule: it takes the parsing of every pack.
    known ??= new Set(packs.flatMap(({ rules }) => rules.flatMap(({ id }) => listNames(id))))
    return known.has(id)
  }
  return id => isKnown(id) || isContributorRule(id) || Object.hasOwn(external_scanners, id.split(':', 1)[0]!)
}
