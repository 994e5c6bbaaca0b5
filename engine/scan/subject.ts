import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { isAbsolute, normalize, resolve } from 'node:path'
import { type Config, folderConfigs } from '../config/load.ts'
import type { Context } from '../context.ts'
import { EngineError } from '../errors.ts'
import { type Change, type ChangeRequest, changesOf, workTreeTop } from '../repository/changes.ts'
import { compileExcludes } from '../repository/exclude.ts'
import { isTestPath, languageOf } from '../repository/languages.ts'
import type { Listing, SourceFile } from '../repository/source-file.ts'
import type { KnownResults } from './cache.ts'
import type { CacheTable } from './cache-file.ts'
import type { ScanInput } from './perform.ts'

/** What a scan looks at. */
export interface Subject {
  listing: Listing
  /** In words, for the run's record; `everything` for a whole repository. */
  scope: string
  /** The change that is judged, where one is. */
  change?: Change
  /** Results from before, where some may be used. */
  cache?: KnownResults
}

/** The files that the input means. INPUT_INVALID where it means two things at once. */
export async function subjectOf(input: ScanInput, start: string, config: Config, context: Context): Promise<Subject> {
  const asked = (['staged', 'git_range', 'diff', 'branch', 'changed_files', 'files'] as const).filter(
    key => input[key] !== undefined && input[key] !== false,
  )
  if (asked.length > 1) {
    const names = asked.map(key => (context.surface === 'cli' ? `--${key.replaceAll('_', '-')}` : key))
    throw new EngineError('INPUT_INVALID', `${names.join(' and ')} exclude each other.`, { hint: 'Give one of them.' })
  }
  if (input.files) return sent(config.root, input.files)
  context.emit({ type: 'progress', progress: { phase: 'discover', done: 0, total: 0, bytes: 0, findings: 0 } })
  const request = await changeRequest(input, context)
  if (request) return changed(config, request, context)

  const { discover } = await import('../repository/discover.ts')
  const { readCache } = await import('./cache.ts')
  const { prepareAhead } = await import('./ahead.ts')
  let table: CacheTable | undefined
  const listing = await discover(start, {
    exclude: config.scan_exclude,
    signal: context.signal,
    known: (path, oid) => table?.fileAt(table.find(path), oid),
    meanwhile: () => {
      if (input.cache !== false) table = readCache(config.root)
      prepareAhead(config, table?.languages ?? [], input.dry_run === true)
    },
  })
  if (input.changed_files) return narrowed(listing, input.changed_files)
  const from = realpathSync.native(start)
  const whole = listing.kind !== 'git' || from === listing.root
  const scope = whole ? 'everything' : `folder ${from.slice(listing.root.length + 1)}`
  // Only a work tree's files are known by their content's name.
  return { listing, scope, ...(table && listing.kind === 'git' ? { cache: { table, keeps: () => !whole } } : {}) }
}

async function changeRequest(
  { staged, git_range, diff, branch }: ScanInput,
  context: Context,
): Promise<ChangeRequest | undefined> {
  if (staged) return { staged }
  if (git_range !== undefined) return { git_range }
  if (branch !== undefined) return { branch }
  return diff === undefined ? undefined : { diff: await patchText(diff, context) }
}

/** The patch itself where it has lines, standard input for `-`, else the file of that name. */
async function patchText(diff: string, { cwd, readStdin, surface }: Context): Promise<string> {
  if (diff.includes('\n')) return diff
  if (diff === '-' && readStdin) return readStdin()
  if (surface === 'cli' && existsSync(resolve(cwd, diff))) return readFileSync(resolve(cwd, diff), 'utf8')
  throw new EngineError('NOT_FOUND', `diff: there is no patch file ${JSON.stringify(diff)}.`, {
    hint: 'Give a file, or - and the patch on standard input.',
  })
}

async function changed(config: Config, request: ChangeRequest, { env, signal }: Context): Promise<Subject> {
  const root = workTreeTop(config.root)
  const change = await changesOf(root, request, { env, signal })
  const { listChange } = await import('../repository/change-listing.ts')
  const listing = await listChange(root, change, compileExcludes(config.scan_exclude), {
    signal,
    commonFolder: `${root}/.git`,
  })
  return { listing, scope: change.scope, change }
}

function narrowed(listing: Listing, paths: readonly string[]): Subject {
  const wanted = new Set(paths.map(repositoryPath))
  const only = <T extends { path: string }>(items: T[]) => items.filter(({ path }) => wanted.has(path))
  const known = new Set([...listing.files, ...listing.skipped].map(({ path }) => path))
  const unknown = [...wanted].filter(path => !known.has(path))
  if (unknown.length > 0) {
    const which = unknown.length === 1 ? 'a file that is' : 'files that are'
    throw new EngineError(
      'NOT_FOUND',
      `changed_files names ${which} not in the repository: ${unknown.slice(0, 5).join(', ')}.`,
    )
  }
  return {
    listing: { ...listing, files: only(listing.files), skipped: only(listing.skipped) },
    scope: `${wanted.size} changed ${wanted.size === 1 ? 'file' : 'files'}`,
  }
}

/** Contents that were sent rather than read. */
function sent(root: string, contents: Record<string, string>): Subject {
  const files = Object.entries(contents).map(([path, text]): SourceFile => {
    const clean = repositoryPath(path)
    if (clean !== path) {
      throw new EngineError(
        'PATH_ESCAPES',
        `files: ${JSON.stringify(path)} must be a path from the repository's root, like ${JSON.stringify(clean)}.`,
      )
    }
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

/** Configuration files of folders that hold for the subject: those listed, and those above the files of a change, which does not list them. */
export function configFilesOf({ listing, change }: Subject): string[] {
  if (!change) return folderConfigs(listing.files.map(({ path }) => path))
  const candidates = new Set<string>()
  for (const { path } of listing.files) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
      candidates.add(`${path.slice(0, end)}/.svc/config.yaml`)
  }
  return [...candidates].filter(path => existsSync(`${listing.root}/${path}`)).sort()
}

/** Takes out what folders' own scan_exclude leaves out: the listing could not know it before their configuration was found. */
export function excludeNested(listing: Listing, config: Config): void {
  const byPatterns = new Map<unknown, (path: string) => boolean>()
  const excluded = ({ path }: SourceFile) => {
    const { scan_exclude } = config.for(path)
    let matches = byPatterns.get(scan_exclude)
    if (!matches) {
      matches = compileExcludes(scan_exclude)
      byPatterns.set(scan_exclude, matches)
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
