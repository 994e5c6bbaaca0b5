import { existsSync, realpathSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import type { Context } from '../base/context.ts'
import { readSource } from '../base/disk/read.ts'
import { EngineError } from '../base/errors.ts'
import type { FileRecord } from '../base/records/run.ts'
import type { Listing, Skip, SourceFile } from '../base/records/source-file.ts'
import { measureWithFunctions, type NamedFunction } from '../detect/metrics/measure.ts'
import { loadConfig } from '../sources/config/load.ts'
import { compileExcludes } from '../sources/repository/exclude.ts'
import { Merge } from './merge.ts'
import { searchFiles } from './search-files.ts'
import { readSubject } from './subject.ts'
import { resolveTarget } from './target.ts'

/** The files that a scan would read, with their metrics; no rule looks at them and nothing is stored. */
export interface Measured {
  root: string
  files: FileRecord[]
  /** Listed files that were not measured, with the reason. */
  skipped: Skip[]
  /** By path, what the listing knows of each file. */
  sources: ReadonlyMap<string, SourceFile>
}

/**
 * Measures the files of a repository, or those that paths and globs name, on threads. NOTHING_TO_SCAN where no file is listed, NOT_FOUND where a
 * path or glob names none.
 */
export async function measureRepository(
  paths: readonly string[],
  jobs: number | undefined,
  context: Context,
): Promise<Measured> {
  const hasGlob = paths.some(path => isGlob(path, context.cwd))
  const target = resolveTarget(paths.length === 0 || hasGlob ? ['.'] : paths, context)
  const config = await loadConfig(target.start, { env: context.env })
  const subject = await readSubject({ repo_path: '.', cache: false }, target, config, context)
  const { scope } = subject
  const listing = hasGlob ? selectFiles(subject.listing, paths, context.cwd) : subject.listing
  if (listing.files.length === 0 && listing.skipped.length === 0)
    throw new EngineError('NOTHING_TO_SCAN', 'There is no file to measure.', {
      hint: 'Name a directory with files, or check scan.exclude and .gitignore.',
    })
  const merge = new Merge([], new Map(), () => false)
  const request = { listing, config, scope, suppressions: [], measures: true, now: () => new Date() }
  await searchFiles({ ...request, ...(jobs && { jobs }) }, [], new Set(), merge, context)
  return {
    root: listing.root,
    files: merge.files,
    skipped: [...listing.skipped, ...merge.skipped],
    sources: new Map(listing.files.map(file => [file.path, file])),
  }
}

/** Whether a path is a pattern: a file that has its characters in its name is a file. */
function isGlob(path: string, cwd: string): boolean {
  return /[*?[{]/.test(path) && !existsSync(resolve(cwd, path))
}

/** The files that paths and globs, relative to `cwd`, name. NOT_FOUND where one of them names none. */
function selectFiles(listing: Listing, paths: readonly string[], cwd: string): Listing {
  const below = relative(realpathSync.native(listing.root), realpathSync.native(cwd)).split(sep).join('/')
  const wanted = paths.map(path => {
    const takes = compileExcludes([join(below, path).split(sep).join('/')])
    if (!listing.files.some(file => takes(file.path)) && !listing.skipped.some(skip => takes(skip.path)))
      throw new EngineError('NOT_FOUND', `paths: ${JSON.stringify(path)} matches no file of the repository.`)
    return takes
  })
  const isWanted = ({ path }: { path: string }) => wanted.some(takes => takes(path))
  return { ...listing, files: listing.files.filter(isWanted), skipped: listing.skipped.filter(isWanted) }
}

/** The functions of a measured file; none where it has changed so that it cannot be read any more. */
export function measureFunctionsOf(
  { root, sources }: Measured,
  { path, language, bytes }: FileRecord,
): NamedFunction[] {
  const content = readSource(root, sources.get(path)!, bytes)
  return content instanceof Uint8Array ? measureWithFunctions(language, content).functions : []
}
