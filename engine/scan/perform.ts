import { join, resolve } from 'node:path'
import { type Config, loadConfig, repositoryRoot } from '../config/load.ts'
import { isInside } from '../config/write.ts'
import type { Context } from '../context.ts'
import { EngineError } from '../errors.ts'
import { startScanners } from '../external/start.ts'
import type { Baseline } from '../findings/baseline.ts'
import { readBaseline } from '../findings/baseline-file.ts'
import { readSuppressions } from '../findings/suppression-file.ts'
import { type ScanResult, scan } from './scan.ts'
import { configFilesOf, excludeNested, subjectOf } from './subject.ts'

/** What a scan is asked for: the fields of POST /scan (spec "Core") and those that the command line adds. */
export interface ScanInput {
  repo_path: string
  config?: string
  jobs?: number
  /** Take over results of files that have not changed; so where left out. */
  cache?: boolean
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
}

export interface Performed extends ScanResult {
  config: Config
  root: string
  /** The baseline that findings were held by, as it was on disk. */
  baseline?: Baseline
  /** A change was judged, not a repository. */
  change: boolean
  /** Folder that the run belongs in, absolute; left out for what is only answered: contents sent, what is staged. */
  out?: string
}

/**
 * Finds the repository, loads its configuration and scans. What is staged and what was sent is only answered: the one
 * must cost a commit nothing, the other says nothing of the repository. Any other scan is to be stored in `out`, under its scope.
 */
export async function perform(input: ScanInput, context: Context): Promise<Performed> {
  const start = resolve(context.cwd, input.repo_path)
  const settings = {
    path: configPath(input.config, start, context),
    overrides: input.config_overrides,
    env: context.env,
  }
  let config = await loadConfig(start, settings)
  const subject = await subjectOf(input, start, config, context)
  const { listing, scope, change, cache } = subject
  const nested = input.files ? [] : configFilesOf(subject)
  if (nested.length > 0) {
    config = await loadConfig(start, { ...settings, files: nested })
    excludeNested(listing, config)
  }
  for (const notice of config.notices) context.notice(notice)

  const request = { listing, config, scope, change, cache, contents: input.files, jobs: input.jobs }
  const suppressions = await readSuppressions(config.root)
  const baseline = readBaseline(config.root)
  const external = input.files ? undefined : await startScanners({ config, listing, scope }, context)
  const judging = { suppressions, baseline, update_baseline: input.update_baseline, external: external?.imported }
  const result = await scan({ ...request, ...judging, now: () => new Date() }, context).finally(external?.stop)
  const performed: Performed = { ...result, config, baseline, root: listing.root, change: change !== undefined }
  if (!input.files && !input.staged) performed.out = join(listing.kind === 'bare' ? context.cwd : config.root, 'out')
  return performed
}

/** A path on the command line starts from where the person stands; a request may only name a file of the repository. */
function configPath(path: string | undefined, start: string, { cwd, surface }: Context): string | undefined {
  if (path === undefined) return undefined
  const absolute = resolve(cwd, path)
  if (surface !== 'cli' && !isInside(repositoryRoot(start), absolute)) {
    throw new EngineError('PATH_ESCAPES', `config: ${JSON.stringify(path)} leads outside the repository.`)
  }
  return absolute
}
