import { isAbsolute, join, normalize, resolve } from 'node:path'
import { type Config, folderConfigs, loadConfig, repositoryRoot } from '../config/load.ts'
import { isInside } from '../config/write.ts'
import type { Context } from '../context.ts'
import { EngineError } from '../errors.ts'
import { readSuppressions } from '../findings/suppression-file.ts'
import { discover } from '../repository/discover.ts'
import { compileExcludes } from '../repository/exclude.ts'
import { isTestPath, languageOf } from '../repository/languages.ts'
import type { Listing, SourceFile } from '../repository/source-file.ts'
import { type ScanResult, scan } from './scan.ts'

/** What a scan is asked for: the fields of POST /scan (spec "Core") and those that the command line adds. */
export interface ScanInput {
  repo_path: string
  config?: string
  jobs?: number
  files?: Record<string, string>
  changed_files?: string[]
  config_overrides?: Record<string, unknown>
}

export interface Performed extends ScanResult {
  config: Config
  root: string
  /** Folder that the run belongs in, absolute; left out for contents that were sent. */
  out?: string
}

/**
 * Finds the repository, loads its configuration and scans. A scan of sent contents is only answered, since it says nothing
 * of the repository; any other is to be stored in `out`, under its scope.
 */
export async function perform(input: ScanInput, context: Context): Promise<Performed> {
  const start = resolve(context.cwd, input.repo_path)
  const settings = {
    path: configPath(input.config, start, context),
    overrides: input.config_overrides,
    env: context.env,
  }
  let config = await loadConfig(start, settings)
  const { listing, scope } = input.files
    ? inline(config.root, input.files)
    : await fromDisk(start, config, input.changed_files, context)
  const nested = input.files ? [] : folderConfigs(listing.files.map(({ path }) => path))
  if (nested.length > 0) {
    config = await loadConfig(start, { ...settings, files: nested })
    excludeNested(listing, config)
  }
  for (const notice of config.notices) context.notice(notice)

  const suppressions = await readSuppressions(config.root)
  const request = { listing, config, scope, suppressions, now: () => new Date() }
  const result = await scan(
    {
      ...request,
      ...(input.files ? { contents: input.files } : {}),
      ...(input.jobs === undefined ? {} : { jobs: input.jobs }),
    },
    context,
  )
  const performed: Performed = { ...result, config, root: listing.root }
  if (!input.files) performed.out = join(listing.kind === 'bare' ? context.cwd : config.root, 'out')
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

async function fromDisk(
  start: string,
  config: Config,
  changed: string[] | undefined,
  { signal, emit }: Context,
): Promise<{ listing: Listing; scope: string }> {
  emit({ type: 'progress', progress: { phase: 'discover', done: 0, total: 0, bytes: 0, findings: 0 } })
  const listing = await discover(start, { exclude: config.scan_exclude, signal })
  if (!changed)
    return {
      listing,
      scope:
        start === listing.root || listing.kind !== 'git' ? 'everything' : `folder ${relativeTo(listing.root, start)}`,
    }
  const wanted = new Set(changed.map(repositoryPath))
  const only = <T extends { path: string }>(items: T[]) => items.filter(({ path }) => wanted.has(path))
  const known = new Set([...listing.files, ...listing.skipped].map(({ path }) => path))
  const unknown = [...wanted].filter(path => !known.has(path))
  if (unknown.length > 0) {
    throw new EngineError(
      'NOT_FOUND',
      `changed_files names ${unknown.length === 1 ? 'a file that is' : 'files that are'} not in the repository: ${unknown.slice(0, 5).join(', ')}.`,
    )
  }
  return {
    listing: { ...listing, files: only(listing.files), skipped: only(listing.skipped) },
    scope: `${wanted.size} changed ${wanted.size === 1 ? 'file' : 'files'}`,
  }
}

function relativeTo(root: string, start: string): string {
  return start.startsWith(`${root}/`) ? start.slice(root.length + 1) : start
}

/** A listing of contents that were sent rather than read. */
function inline(root: string, contents: Record<string, string>): { listing: Listing; scope: string } {
  const files = Object.entries(contents).map(([path, text]): SourceFile => {
    const clean = repositoryPath(path)
    if (clean !== path)
      throw new EngineError(
        'PATH_ESCAPES',
        `files: ${JSON.stringify(path)} must be a path from the repository's root, like ${JSON.stringify(clean)}.`,
      )
    return { path, size: Buffer.byteLength(text), language: languageOf(path), in_test: isTestPath(path) }
  })
  files.sort((a, b) => (a.path < b.path ? -1 : 1))
  return {
    listing: { root, kind: 'folder', files, skipped: [] },
    scope: `${files.length} sent ${files.length === 1 ? 'file' : 'files'}`,
  }
}

/** The path as discovery writes it; PATH_ESCAPES where it leads out of the repository. */
function repositoryPath(path: string): string {
  const clean = normalize(path).replaceAll('\\', '/').replace(/^\.\//, '')
  if (path === '' || isAbsolute(path) || clean === '..' || clean.startsWith('../') || path.includes('\0')) {
    throw new EngineError('PATH_ESCAPES', `${JSON.stringify(path)} leads outside the repository.`)
  }
  return clean
}

/** Folders' own scan_exclude, which discovery could not know before it had found their configuration. */
function excludeNested(listing: Listing, config: Config): void {
  const byFolder = new Map<unknown, (path: string) => boolean>()
  const excluded = ({ path }: SourceFile) => {
    const { scan_exclude } = config.for(path)
    let matches = byFolder.get(scan_exclude)
    if (!matches) {
      matches = compileExcludes(scan_exclude)
      byFolder.set(scan_exclude, matches)
    }
    return matches(path)
  }
  const kept: SourceFile[] = []
  for (const file of listing.files) {
    if (excluded(file))
      listing.skipped.push({ path: file.path, reason: 'excluded', detail: 'by the configuration of its folder' })
    else kept.push(file)
  }
  listing.files = kept
}
