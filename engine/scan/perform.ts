import type { Baseline } from '../findings/baseline.ts'
import { readBaseline } from '../findings/baseline-file.ts'
import type { ContributionRequest } from '../findings/contribution.ts'
import { readSuppressions } from '../findings/suppression-file.ts'
import type { GovernedContext } from '../governance/context.ts'
import type { Config } from '../sources/config/load.ts'
import { sortByPath } from '../sources/repository/gather.ts'
import { READS_OBJECTS } from './assign-shard.ts'
import { startContributors } from './contributions.ts'
import { closeJudged, type Judged, readJudgedChange } from './judged-change.ts'
import type { KeptFiles } from './kept-files.ts'
import { contributorsFor, type Prepared, prepare, targetOf } from './prepare.ts'
import type { ScanRequest } from './request.ts'
import { type ScanResult, scan } from './scan.ts'
import type { ScannedFiles } from './scanned-files.ts'
import type { StoredShard } from './shard-folder.ts'
import { removeBaseline } from './stages/collect.ts'
import type { FoundFiles } from './stored-files.ts'

/** What a scan is asked for: the fields of POST /scan (spec "Core") and those that the command line adds. */
export interface ScanInput {
  repo_path: string
  /** Further files and directories of the same repository. */
  paths?: readonly string[]
  config?: string
  jobs?: number
  /** Take over results of files that have not changed; so where left out. */
  cache?: boolean
  /** Secrets' findings say why they are held to be some. */
  explain_secrets?: boolean
  /** Look for the places that a reviewer decides on with the kinds of source that rules name for it, too. */
  to_review?: boolean
  /** Run the scanners that the configuration names beside svc; so where left out. */
  external?: boolean
  files?: Record<string, string>
  changed_files?: string[]
  config_overrides?: Record<string, unknown>
  /** The change to judge; findings that were there before it are set aside. */
  staged?: boolean
  git_range?: string
  diff?: string
  branch?: string
  /** Hold what is open from now on: `renewed` of the result is the baseline to write. */
  update_baseline?: boolean
  /** Reviewers of the change, named by whoever starts the scan. */
  reviewed_by?: string[]
  /** The gate judges, so that what the working tree changes of its settings without a commit is a finding. */
  is_gate?: boolean
  /** A person commits what is staged, and sees what it weakens: a gate asks a reviewer later. */
  isCommitter?: () => Promise<boolean>
  /** Write nothing: the cache stays as it is too. */
  dry_run?: boolean
  /** Count the metrics of files, where the scan is one to store; so where left out. */
  metrics?: boolean
}

export interface Performed extends ScanResult {
  config: Config
  root: string
  /** The baseline that findings were held by, as it was on disk. */
  baseline?: Baseline
  /** A change was judged, not a repository. */
  change: boolean
  /** A sentence about settings that stand otherwise on disk than they are staged, where that is what is judged. */
  unstaged?: string
  /** Folder that the run belongs in, absolute; left out for what is only answered: contents sent, what is staged. */
  out?: string
}

/**
 * Finds the repository, loads its configuration and scans. What is staged and what was sent is only answered: the one
 * must cost a commit nothing, the other says nothing of the repository. Any other scan is to be stored in `out`, under its scope.
 * Where `shards` are given, what they found stands for looking into the files; CONFLICT where they are not of this checkout.
 */
export async function perform(
  input: ScanInput,
  context: GovernedContext,
  { shards, onFiles }: PerformOptions = {},
): Promise<Performed> {
  const { start } = targetOf(input, context)
  // A change is judged by its own settings, not by what happens to stand on disk, and by those of its base where it weakens them.
  const judged = await readJudgedChange(input, start, context)
  try {
    if (shards && context.env[READS_OBJECTS] === '1') return await mergeObjects(input, context, shards)
    const prepared = await prepare(input, context, { leaveOut: shards?.folders, judged, mayKeep: !shards })
    return await carryOut(prepared, input, context, { stored: shards?.stored, judged, onFiles })
  } finally {
    closeJudged(judged)
  }
}

/** Merges shards in a sparse checkout that is made for it and removed then, so that no cache is kept. The files are checked out where somebody looks at them there. */
async function mergeObjects(
  input: ScanInput,
  context: GovernedContext,
  { stored, folders }: Shards,
): Promise<Performed> {
  const { bringContents, checkOutAll, needsCheckout } = await import('./absent-files.ts')
  const choice = { leaveOut: folders }
  const own = { ...input, cache: false }
  const prepared = await prepare(own, context, { ...choice, absentAsObjects: true })
  const { listing } = prepared.request
  if (await needsCheckout(prepared, contributorsFor(own, prepared.config, context.env))) {
    await checkOutAll(listing.root, context.signal)
    return carryOut(await prepare(own, context, choice), own, context, { stored })
  }
  const done = await bringContents(listing, context.signal)
  try {
    return await carryOut(prepared, own, context, { stored })
  } finally {
    done()
  }
}

/** What a scan is carried out with besides its input. */
interface PerformOptions {
  /** What was found in each part, which stands for looking into the files. */
  shards?: Shards
  /** Told what the files came to, before findings are judged. */
  onFiles?: (found: FoundFiles) => void
}

/** What was found in each part of the repository, and where it was brought to. */
interface Shards {
  stored: readonly StoredShard[]
  folders: readonly string[]
}

async function carryOut(
  { config, request, out }: Prepared,
  input: ScanInput,
  context: GovernedContext,
  { stored, judged: judgedBy, onFiles }: { stored?: readonly StoredShard[]; judged?: Judged } & PerformOptions,
): Promise<Performed> {
  const { listing, scope, change } = request
  const from = judgedBy?.settings?.folder ?? config.root
  const suppressions = await readSuppressions(from)
  const baseline = readBaseline(from)
  const contributors = contributorsFor(input, config, context.env)
  const contributing = startContributors(
    contributors,
    {
      config,
      listing,
      selectFiles: makeSelection(request),
      scope,
      dry_run: input.dry_run ?? false,
      cache: input.cache ?? true,
    },
    context,
  )
  const policy = judgedBy && policyOf(judgedBy, config, input, context)
  const judging = {
    suppressions,
    baseline,
    update_baseline: input.update_baseline,
    contributions: contributing?.contributions,
    onSearched: contributing?.tellSearched,
    onFiles: (files: ScannedFiles, kept?: KeptFiles) =>
      onFiles?.({ root: listing.root, files, kept, memory: request.cache?.memory }),
    ...(policy && { policy }),
  }
  const scanned = stored && (await collector(stored, request))
  const result = await scan({ ...request, ...judging, scanned, now: () => new Date() }, context).finally(
    contributing?.stop,
  )
  if (context.agent !== undefined) result.run.agent = context.agent
  // What is staged is judged in the middle of a commit; contents that were sent are no files of the session.
  if (context.governance && !input.staged && !input.files)
    await (await import('../governance/attribution.ts')).attributeFindings(result.findings, context)
  const performed: Performed = {
    ...result,
    config,
    baseline,
    root: listing.root,
    change: change !== undefined,
  }
  if (out !== undefined) performed.out = out
  if (judgedBy?.unstaged && judgedBy.unstaged.length > 0) {
    const { describeDifference } = await import('../sources/config/staged-settings.ts')
    performed.unstaged = describeDifference(judgedBy.unstaged)
  }
  return performed
}

/** Files by their paths, whether they are listed one by one or kept from the last scan. */
function makeSelection({ listing, cache }: Prepared['request']): ContributionRequest['selectFiles'] {
  return (wants, name) => {
    const found = listing.files.filter(({ path }) => wants(path))
    const kept = cache?.kept?.select(wants, name) ?? []
    if (kept.length === 0) return found
    const all = [...found, ...kept]
    sortByPath(all)
    return all
  }
}

/** What makes findings of what a change does to its own judgement: its settings, and comments that suppress what fails the gate. */
function policyOf(
  { own, change }: Judged,
  { gate, root }: Config,
  { reviewed_by, isCommitter }: ScanInput,
  { signal }: GovernedContext,
): ScanRequest['policy'] {
  return async suppressed => {
    const inline = gate.inline_suppressions === 'allow' ? [] : suppressed
    const weakenings = own?.weakenings ?? []
    if (inline.length + weakenings.length === 0) return []
    const { makePolicyFindings } = await import('../gate/change/policy-findings.ts')
    // Where the change edits no settings they are those of its base, CODEOWNERS left out.
    const rules = own?.rules ?? {
      trusted: gate.trusted,
      isProtected: gate.protected_branch,
      owners: await (await import('../gate/change/settings-at.ts')).readCommitOwners(root, change?.base, { signal }),
    }
    return makePolicyFindings(weakenings, inline, rules, { reviewed_by, isCommitter: await isCommitter?.() })
  }
}

async function collector(
  stored: readonly StoredShard[],
  request: Prepared['request'],
): Promise<NonNullable<ScanRequest['scanned']>> {
  const { computeIdentity } = await import('./shard.ts')
  const { mergeReports } = await import('./shard-merge.ts')
  const listing = removeBaseline(request.listing)
  return rules => mergeReports(stored, listing, computeIdentity(request, rules), rules)
}
