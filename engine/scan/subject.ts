import { existsSync, realpathSync } from 'node:fs'
import { isAbsolute, normalize } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../base/context.ts'
import { EngineError } from '../base/errors.ts'
import { detectLanguageOfText, isTestPath } from '../base/languages/languages.ts'
import type { Listing, SourceFile } from '../base/records/source-file.ts'
import { type Config, listDirectoryConfigs } from '../sources/config/load.ts'
import { BASELINE_PATH } from '../sources/config/paths.ts'
import { type Change, locateWorkTree, readIndexEnvironment } from '../sources/repository/changes.ts'
import { compileExcludes } from '../sources/repository/exclude.ts'
import type { AbsentLink } from '../sources/repository/gather.ts'
import type { Remembrance } from '../sources/repository/remembered.ts'
import type { Seal } from '../sources/state/cache-seal.ts'
import type { KnownResults } from './cache.ts'
import type { CacheTable } from './cache-table.ts'
import type { Judged } from './judged-change.ts'
import type { ListingMemory } from './listing-memory.ts'
import type { ScanInput } from './perform.ts'
import type { ScanRequest } from './request.ts'
import { describeTarget, isBelow, isPlainTarget, type ScanTarget } from './target.ts'

/** Files whose content may be sent with one request (decisions "REST"). */
const MAX_SENT = 2000

/** What a scan looks at. */
export interface Subject {
  listing: Listing
  /** In words, for the run's record; `everything` for a whole repository. */
  scope: string
  /** The change that is judged, where one is. */
  change?: Change
  /** The files that the change is of. */
  others?: ScanRequest['others']
  /** Results from before, where some may be used. */
  cache?: KnownResults
  /** What of the listing may be remembered. */
  toRemember?: ScanRequest['toRemember']
  /** Symbolic links that are git's objects alone. */
  absentLinks?: readonly AbsentLink[]
}

/** How the files of a repository are listed. */
export interface ListingChoice {
  /** Unchanged files need not be listed one by one. */
  mayKeep?: boolean
  /** Files that a sparse checkout leaves out are read from git's objects. */
  absentAsObjects?: boolean
}

/** The files that the input means; `judged` where that is a change. */
export async function readSubject(
  input: ScanInput,
  target: ScanTarget,
  config: Config,
  context: Context,
  judged?: Judged,
  choice: ListingChoice = {},
): Promise<Subject> {
  if (input.files) return sent(config.root, input.files)
  context.emit({ type: 'progress', progress: { phase: 'discover', done: 0, total: 0, bytes: 0, findings: 0 } })
  if (judged?.change) return narrowChange(await changed(config, context, judged, judged.change), target)
  if (isPlainTarget(target)) return listed(input, target.start, config, context, choice)
  if (input.changed_files) {
    throw new EngineError('INPUT_INVALID', 'changed_files and several paths exclude each other.', {
      hint: 'Pass the files in one of them.',
    })
  }
  return named(target, config, context)
}

/** The part of a change that was asked for. */
function narrowChange(subject: Subject, { only }: ScanTarget): Subject {
  if (!only) return subject
  const { root } = subject.listing
  const isWanted = isBelow(root, only)
  const listing = {
    ...subject.listing,
    files: subject.listing.files.filter(isWanted),
    skipped: subject.listing.skipped.filter(isWanted),
  }
  return { ...subject, listing, scope: `${subject.scope} in ${describeTarget(root, only)}` }
}

/** The files and directories that were named. */
async function named({ start, only = [] }: ScanTarget, config: Config, { signal }: Context): Promise<Subject> {
  const { listNamed } = await import('./target-listing.ts')
  const listing = await listNamed(start, only, config, signal)
  return { listing, scope: describeTarget(listing.root, only) }
}

/** The files of the repository; where it may be, those that have not changed since the last scan as what it kept of them. */
async function listed(
  input: ScanInput,
  start: string,
  config: Config,
  { env, signal }: Context,
  { mayKeep = false, absentAsObjects = false }: ListingChoice,
): Promise<Subject> {
  const { discover } = await import('../sources/repository/discover.ts')
  const { readCache } = await import('./cache.ts')
  const { openSeal } = await import('../sources/state/cache-seal.ts')
  const { sealNotices } = await import('./seal-notices.ts')
  const { isBrought } = await import('./brought.ts')
  const { CacheTable: Table } = await import('./cache-table.ts')
  const { prepareAhead } = await import('./ahead.ts')
  const { readMemory } = await import('./listing-memory.ts')
  const { KeptFiles } = await import('./kept-files.ts')
  const { PathSelections } = await import('./path-selections.ts')
  const exclude = config.scan_exclude
  let table: CacheTable | undefined
  let seal: Seal | undefined
  let isTrusted = false
  let isForged = false
  const trusted = () => {
    if (table && table.size > 0 && !isTrusted && isBrought(config.root)) table = Table.refused
    isTrusted = true
    return table
  }
  let memory: ListingMemory | undefined
  const remembered = (index: string) => {
    memory =
      table &&
      readMemory(config.root, table.digest, seal, () => {
        isForged = true
      })
    // Checksums of an index come of times and inodes, too: what a repository brings cannot name that of this checkout.
    if (memory?.index === index) isTrusted = true
    const holds = memory?.index === index && isDeepStrictEqual(memory.exclude, exclude)
    if (!holds) return undefined
    const kept = new KeptFiles(table!, memory!, new PathSelections(config.root, table!, seal, input.dry_run === true))
    return { ...memory!, kept, loose: [...memory!.loose, ...kept.dropUnread()] }
  }
  const { kept, toRemember, absentLinks, ...listing } = await discover(start, {
    exclude,
    signal,
    known: (path, oid) => trusted()?.fileAt(table!.find(path), oid),
    meanwhile: () => {
      if (input.cache !== false) {
        seal = openSeal(env, input.dry_run)
        table = readCache(config.root, seal)
      }
      prepareAhead(config, table?.languages ?? [], input.dry_run === true)
    },
    ...(mayKeep && !input.changed_files && input.cache !== false && { remembered }),
    absentAsObjects,
  })
  if (input.changed_files) return narrowed(listing, input.changed_files)
  const from = realpathSync.native(start)
  const whole = listing.kind !== 'git' || from === listing.root
  const scope = whole ? 'everything' : `folder ${from.slice(listing.root.length + 1)}`
  // Only a work tree's files are known by their content's name.
  const results = listing.kind === 'git' ? trusted() : undefined
  const cache = results && {
    table: results,
    seal,
    notices: sealNotices(seal, results.isRefused || isForged, input.dry_run),
    keeps: () => !whole,
  }
  return {
    listing,
    scope,
    ...(cache && { cache: kept instanceof KeptFiles ? { ...cache, kept, memory } : cache }),
    ...(toRemember && { toRemember: { ...withOwn(toRemember, listing), exclude } }),
    ...(absentLinks && { absentLinks }),
  }
}

/** The baseline is listed and never scanned, so that the cache knows nothing of it: it is listed anew each time. */
function withOwn(toRemember: Remembrance, { files }: Listing): Remembrance {
  const own = files.find(({ path, oid }) => path === BASELINE_PATH && oid !== undefined)
  if (!own) return toRemember
  return { ...toRemember, loose: [...toRemember.loose, { path: own.path, kind: 'file', sparse: false, oid: own.oid! }] }
}

/** Lists the kept files one by one with the others: for what the kept ones are not prepared for. Nothing is remembered of it. */
export function unfold(subject: Subject): void {
  const { cache, listing } = subject
  delete subject.toRemember
  if (!cache?.kept) return
  listing.files = cache.kept.withOthers(listing.files)
  subject.cache = { table: cache.table, keeps: cache.keeps }
}

async function changed(
  config: Config,
  { env, signal }: Context,
  { indexed, own }: Judged,
  change: Change,
): Promise<Subject> {
  const root = locateWorkTree(config.root)
  const { listChange } = await import('../sources/repository/change-listing.ts')
  const index =
    own?.attributes ??
    (indexed && { attributes: indexed.attributes, file: readIndexEnvironment(root, env).GIT_INDEX_FILE ?? '' })
  const listing = await listChange(root, change, compileExcludes(config.scan_exclude), {
    signal,
    commonFolder: `${root}/.git`,
    ...(index && { index }),
  })
  const others = async () => {
    const { OtherFiles } = await import('../sources/repository/other-files.ts')
    const { openSeal } = await import('../sources/state/cache-seal.ts')
    const files = new OtherFiles(root, change, compileExcludes(config.scan_exclude), readIndexEnvironment(root, env))
    // Nothing is written, so no key is made for it.
    return { files, seal: openSeal(env, true) }
  }
  return { listing, scope: change.scope, change, others }
}

function narrowed(listing: Listing, paths: readonly string[]): Subject {
  const known = new Set([...listing.files, ...listing.skipped].map(({ path }) => path))
  // What discovery has written with backslashes is a path of POSIX, and no other way of writing one.
  const wanted = new Set(paths.map(path => (known.has(path) ? path : repositoryPath(path))))
  const only = <T extends { path: string }>(items: T[]) => items.filter(({ path }) => wanted.has(path))
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
  const count = Object.keys(contents).length
  if (count > MAX_SENT)
    throw new EngineError('INPUT_INVALID', `files must have at most ${MAX_SENT} entries, but has ${count}.`, {
      hint: 'Send the files in several requests.',
    })
  const files = Object.entries(contents).map(([path, text]): SourceFile => {
    const clean = repositoryPath(path)
    if (clean !== path) {
      throw new EngineError(
        'PATH_ESCAPES',
        `files: ${JSON.stringify(path)} must be a path from the repository's root, like ${JSON.stringify(clean)}.`,
      )
    }
    return {
      path,
      size: Buffer.byteLength(text),
      language: detectLanguageOfText(path, text.split('\n', 1)[0]!),
      in_test: isTestPath(path),
    }
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
    throw new EngineError('PATH_ESCAPES', `${JSON.stringify(path)} is outside the repository.`)
  }
  return clean
}

/** Configuration files of folders that hold for the subject: those listed, and those above the files of a change, which does not list them; `from` is the folder that they are read from. */
export function listConfigFiles({ listing, change }: Subject, from: string = listing.root): string[] {
  if (!change) return listDirectoryConfigs(listing.files.map(({ path }) => path))
  const candidates = new Set<string>()
  for (const { path } of listing.files) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
      candidates.add(`${path.slice(0, end)}/.svc/config.yaml`)
  }
  return [...candidates].filter(path => existsSync(`${from}/${path}`)).sort()
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
