import type { Context } from '../../base/context.ts'
import type { Config } from '../../sources/config/load.ts'
import { discover } from '../../sources/repository/discover.ts'
import type { Store } from '../../sources/store/open.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'
import { findCoverage } from '../coverage/find.ts'
import { measureDuplication } from '../duplicates/find.ts'
import { measureConventions } from '../profile/conventions.ts'
import { chooseConventionFiles, isProgramFile, readTexts } from '../sources.ts'
import { readDependencyHealth } from './dependencies.ts'
import { combineDimensions, type Dimension, scoreDimensions } from './dimensions.ts'
import { selectQualityExcludes } from './excludes.ts'
import { DUPLICATION_TOKENS, type Gathered, gatherInputs } from './gather.ts'
import type { QualityEntry } from './history.ts'

/** A quality score with what it is made of. */
export interface QualityScore extends Omit<QualityEntry, 'dimensions'> {
  dimensions: Dimension[]
  /** Dimensions without data, whose weights the others share. */
  no_data: string[]
  excluded_by: 'quality_exclude' | 'scan_exclude'
  files: number
}

/**
 * Measures the quality of the work tree: its files and coverage reports as they are now, findings and metrics of the latest scan of the whole
 * repository. `coverage` names the coverage reports, relative to `cwd`, instead of those that are found. INPUT_INVALID where a coverage
 * report is broken, NOT_FOUND where a named one does not exist.
 */
export async function measureQuality(
  config: Config,
  store: Store,
  { signal, cwd, env }: Pick<Context, 'signal' | 'cwd' | 'env'>,
  coverage: readonly string[] = [],
): Promise<QualityScore> {
  const out = locateOutput(config.root, env, config.output_dir)
  const listing = await discover(config.root, { exclude: [], signal })
  const excludes = selectQualityExcludes(
    config,
    listing.files.map(({ path }) => path),
  )
  const files = listing.files.filter(({ path }) => !excludes.isExcluded(path))
  const chosen = chooseConventionFiles(files)
  const isSample = chosen.length < files.filter(isProgramFile).length
  const run = await readRun(store)
  const { inputs, details } = gatherInputs({
    files,
    excludes,
    conventions: measureConventions(readTexts(listing.root, chosen, signal)),
    ...(isSample && { sampled: chosen.length }),
    coverage: await findCoverage(
      listing.root,
      files.map(({ path }) => path),
      { named: coverage, cwd },
    ),
    duplication: measureDuplication(listing.root, files, {
      most: config.scan.max_file_bytes,
      minTokens: DUPLICATION_TOKENS,
      signal,
    }),
    dependencies: readDependencyHealth(out),
    ...(run && { run }),
  })
  const dimensions = scoreDimensions(inputs, details)
  return {
    at: new Date().toISOString(),
    score: combineDimensions(dimensions),
    ...(listing.git_sha !== undefined && { git_sha: listing.git_sha }),
    ...(listing.branch !== undefined && { branch: listing.branch }),
    ...(run && { run_id: run.id }),
    dimensions,
    no_data: dimensions.filter(({ score }) => score === null).map(({ id }) => id),
    excluded_by: excludes.source,
    files: files.length,
  }
}

/** The latest scan of the whole repository; one of a part says nothing of the rest. */
async function readRun(store: Store): Promise<Gathered['run']> {
  const id = (await store.wholeRuns()).runs[0]?.id
  return id === undefined ? undefined : { id, files: await store.files(id), findings: await store.findingCounts(id) }
}
