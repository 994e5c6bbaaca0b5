import { relative, resolve, sep } from 'node:path'
import { isInside } from '../base/disk/project-write.ts'
import { EngineError } from '../base/errors.ts'
import type { Listing } from '../base/records/source-file.ts'
import type { Contributor } from '../findings/contribution.ts'
import type { GovernedContext } from '../governance/context.ts'
import { type Config, findRepositoryRoot, loadConfig } from '../sources/config/load.ts'
import type { AbsentLink } from '../sources/repository/gather.ts'
import { locateOutput } from '../sources/store/output-directory.ts'
import { isRunId } from '../sources/store/run-id.ts'
import { findContributors } from './contributions.ts'
import type { Judged } from './judged-change.ts'
import type { ScanInput } from './perform.ts'
import type { ScanRequest } from './request.ts'
import { excludeNested, type ListingChoice, listConfigFiles, readSubject, unfold } from './subject.ts'
import { resolveTarget, type ScanTarget } from './target.ts'

/** What is looked at and with which configuration: all that a scan needs to know before it looks into a file. */
export interface Prepared {
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

/** Who contributes: of contents that were sent nobody, for they are no files of the repository. */
export function contributorsFor(
  { files, external }: ScanInput,
  config: Config,
  env: GovernedContext['env'],
): Contributor[] {
  return files ? [] : findContributors(config, env, external === false ? ['external'] : [])
}

/** Files below the folders to `leaveOut` (absolute, symlinks resolved) are not looked at. */
export async function prepare(
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
      measures: input.metrics !== false && !input.files && !input.staged,
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

export function targetOf({ repo_path, paths = [] }: ScanInput, context: GovernedContext): ScanTarget {
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
