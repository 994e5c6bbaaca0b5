import { relative, resolve, sep } from 'node:path'
import { isInside } from '../base/disk/project-write.ts'
import { EngineError } from '../base/errors.ts'
import type { Listing, SourceFile } from '../base/records/source-file.ts'
import type { Baseline } from '../findings/baseline.ts'
import { readBaseline } from '../findings/baseline-file.ts'
import type { Contributor } from '../findings/contribution.ts'
import { readSuppressions } from '../findings/suppression-file.ts'
import type { GovernedContext } from '../governance/context.ts'
import { type Config, findRepositoryRoot, loadConfig } from '../sources/config/load.ts'
import { type AbsentLink, sortByPath } from '../sources/repository/gather.ts'
import { locateOutput } from '../sources/store/output-directory.ts'
import { isRunId } from '../sources/store/run-id.ts'
import { READS_OBJECTS, type Shard } from './assign-shard.ts'
import { findContributors, startContributors } from './contributions.ts'
import { closeJudged, type Judged, readJudgedChange } from './judged-change.ts'
import type { ScanRequest } from './request.ts'
import { type ScanResult, scan } from './scan.ts'
import type { ScannedShard } from './shard.ts'
import type { StoredShard } from './shard-folder.ts'
import { removeBaseline } from './stages/collect.ts'
import { excludeNested, type ListingChoice, listConfigFiles, readSubject, unfold } from './subject.ts'
import { resolveTarget, type ScanTarget } from './target.ts'

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

/** What is looked at and with which configuration: all that a scan needs to know before it looks into a file. */
interface Prepared {
  config: Config
  request: Pick<
    ScanRequest,
    | 'listing'
    | 'config'
    | 'scope'
    | 'change'
    | 'others'
    | 'explain_secrets'
    | 'to_review'
    | 'cache'
    | 'measures'
    | 'toRemember'
    | 'contents'
    | 'jobs'
    | 'dry_run'
    | 'settings_folder'
    | 'run_id'
  >
  /** As Performed has it. */
  out?: string
  /** Symbolic links that are git's objects alone. */
  absentLinks?: readonly AbsentLink[]
}

/**
 * Finds the repository, loads its configuration and scans. What is staged and what was sent is only answered: the one
 * must cost a commit nothing, the other says nothing of the repository. Any other scan is to be stored in `out`, under its scope.
 * Where `shards` are given, what they found stands for looking into the files; CONFLICT where they are not of this checkout.
 */
export async function perform(input: ScanInput, context: GovernedContext, shards?: Shards): Promise<Performed> {
  const { start } = targetOf(input, context)
  // A change is judged by its own settings, not by what happens to stand on disk, and by those of its base where it weakens them.
  const judged = await readJudgedChange(input, start, context)
  try {
    if (shards && context.env[READS_OBJECTS] === '1') return await mergeObjects(input, context, shards)
    const prepared = await prepare(input, context, { leaveOut: shards?.folders, judged, mayKeep: !shards })
    return await carryOut(prepared, input, context, shards?.stored, judged)
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
    return carryOut(await prepare(own, context, choice), own, context, stored, undefined)
  }
  const done = await bringContents(listing, context.signal)
  try {
    return await carryOut(prepared, own, context, stored, undefined)
  } finally {
    done()
  }
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
  stored: readonly StoredShard[] | undefined,
  judgedBy: Judged | undefined,
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
function makeSelection({ listing, cache }: Prepared['request']): (wants: (path: string) => boolean) => SourceFile[] {
  return wants => {
    const found = listing.files.filter(({ path }) => wants(path))
    const kept = cache?.kept?.select(wants) ?? []
    if (kept.length === 0) return found
    const all = [...found, ...kept]
    sortByPath(all)
    return all
  }
}

/** Who contributes: of contents that were sent nobody, for they are no files of the repository. */
function contributorsFor({ files, external }: ScanInput, config: Config, env: GovernedContext['env']): Contributor[] {
  return files ? [] : findContributors(config, env, external === false ? ['external'] : [])
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

/** Scans one shard of the repository's files and writes what came out to `out`; answers it with the folder. */
export async function performShard(
  input: ScanInput,
  shard: Shard,
  context: GovernedContext,
): Promise<ScannedShard & { folder: string }> {
  const absentAsObjects = context.env[READS_OBJECTS] === '1'
  const { config, request, out } = await prepare(input, context, { absentAsObjects })
  // What the whole is judged by is of no use here, but a fault in it is better found now than when all shards are done.
  const judging = { suppressions: await readSuppressions(config.root), baseline: readBaseline(config.root) }
  const { scanShard } = await import('./shard.ts')
  const scanned = await scanShard({ ...request, ...judging, now: () => new Date() }, shard, context)
  const { openSeal } = await import('../sources/state/cache-seal.ts')
  const { writeShard } = await import('./shard-folder.ts')
  return { ...scanned, folder: writeShard(out!, scanned, openSeal(context.env)) }
}

/** Files below the folders to `leaveOut` (absolute, symlinks resolved) are not looked at. */
async function prepare(
  input: ScanInput,
  context: GovernedContext,
  { leaveOut = [], judged, ...choice }: { leaveOut?: readonly string[]; judged?: Judged } & ListingChoice = {},
): Promise<Prepared> {
  const target = targetOf(input, context)
  const { start } = target
  const settings = {
    path: configPath(input.config, start, context),
    overrides: input.config_overrides,
    env: context.env,
    from: judged?.settings?.folder,
  }
  let config = await loadConfig(start, settings)
  const isAlone = !contributorsFor(input, config, context.env).some(({ asksForEveryFile }) => asksForEveryFile)
  const subject = await readSubject(input, target, config, context, judged, {
    ...choice,
    mayKeep: choice.mayKeep === true && isAlone,
  })
  const { listing, scope, change } = subject
  for (const folder of leaveOut) excludeFolder(listing, folder)
  const nested = input.files ? [] : listConfigFiles(subject, judged?.settings?.folder)
  if (nested.length > 0) {
    config = await loadConfig(start, { ...settings, files: nested })
    unfold(subject)
    excludeNested(listing, config)
  }
  const { cache, toRemember } = subject
  for (const notice of config.notices) context.notice(notice)
  if (scope === 'everything' && config.scan_exclude.length > 0) {
    const { describeUnusedExclude, listUnusedExcludes } = await import('../sources/repository/unused-excludes.ts')
    for (const unused of listUnusedExcludes(config.scan_exclude, listing)) context.notice(describeUnusedExclude(unused))
  }
  const prepared: Prepared = {
    config,
    request: {
      listing,
      config,
      scope,
      change,
      others: subject.others,
      cache,
      toRemember: input.dry_run ? undefined : toRemember,
      contents: input.files,
      jobs: input.jobs,
      dry_run: input.dry_run,
      explain_secrets: input.explain_secrets,
      to_review: input.to_review,
      settings_folder: judged?.settings?.folder,
      ...nameRun(context),
      // A commit hook stores no run.
      measures: !input.files && !input.staged,
    },
  }
  if (subject.absentLinks) prepared.absentLinks = subject.absentLinks
  if (!input.files && !input.staged)
    prepared.out = locateOutput(listing.kind === 'bare' ? context.cwd : config.root, context.env, config.output_dir)
  return prepared
}

/** The id that whoever starts the command has named the run with in SVC_RUN_ID: a job that is done twice then gives one run. */
function nameRun({ env, surface }: GovernedContext): { run_id?: string } {
  const given = surface === 'cli' ? env.SVC_RUN_ID?.trim() : undefined
  if (!given) return {}
  if (isRunId(given)) return { run_id: given }
  throw new EngineError(
    'INPUT_INVALID',
    `SVC_RUN_ID cannot be the id of a run: ${JSON.stringify(given.slice(0, 120))}.`,
    {
      hint: 'Up to 100 letters, digits, dots, hyphens and underscores, with a letter or digit first.',
    },
  )
}

/** Shards that were brought here are no files of the repository. */
function excludeFolder(listing: Listing, folder: string): void {
  const below = `${relative(listing.root, folder).split(sep).join('/')}/`
  const isElsewhere = ({ path }: { path: string }) => !path.startsWith(below)
  listing.files = listing.files.filter(isElsewhere)
  listing.skipped = listing.skipped.filter(isElsewhere)
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

function targetOf({ repo_path, paths = [] }: ScanInput, context: GovernedContext): ScanTarget {
  return resolveTarget([repo_path, ...paths], context)
}

/** A path on the command line starts from where the person stands; a request may only name a file of the repository. */
function configPath(path: string | undefined, start: string, { cwd, surface }: GovernedContext): string | undefined {
  if (path === undefined) return undefined
  const absolute = resolve(cwd, path)
  if (surface !== 'cli' && !isInside(findRepositoryRoot(start), absolute)) {
    throw new EngineError('PATH_ESCAPES', `config: ${JSON.stringify(path)} is outside the repository.`)
  }
  return absolute
}
