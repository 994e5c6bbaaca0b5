import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import type { Config } from '../../sources/config/load.ts'
import { discover } from '../../sources/repository/discover.ts'
import { readInventory } from '../inventory/read.ts'
import { selectSubjects } from './assess.ts'
import { locateDatabase, locateDownloads } from './locations.ts'
import { indexDatabase, type SourceOptions } from './source.ts'
import { downloadExports } from './update.ts'

/** What an update ended with. */
export interface DatabaseUpdate {
  advisories: number
  ecosystems: string[]
  /** Records that could not be read. */
  faults: string[]
  /** Ecosystems whose export could not be downloaded, with the reason; their old export stays. */
  failed: string[]
}

/**
 * Brings the advisory database up to date: a configured or named directory is indexed anew; else the exports of the ecosystems that the
 * repository uses are downloaded and indexed.
 */
export async function updateDatabase(
  config: Config,
  options: SourceOptions,
  context: Pick<Context, 'cwd' | 'env' | 'signal' | 'emit' | 'notice'>,
): Promise<DatabaseUpdate> {
  const onProgress = (done: number) =>
    context.emit({ type: 'progress', progress: { phase: 'advisories', done, total: done, bytes: 0, findings: 0 } })
  const named = locateDatabase(config, options, context.cwd)
  const failed: string[] = []
  if (named === undefined) {
    const listing = await discover(config.root, { exclude: config.scan_exclude, signal: context.signal })
    const { components } = await readInventory(listing, { signal: context.signal })
    const ecosystems = [
      ...new Set(selectSubjects(components).subjects.map(({ query }) => query.ecosystem.split(':', 1)[0]!)),
    ].sort()
    if (ecosystems.length === 0)
      throw new EngineError(
        'NOT_FOUND',
        'The repository has no dependency that OSV has advisories of: there is nothing to download.',
      )
    context.notice(`Downloading advisories of ${ecosystems.join(', ')} …`)
    const updates = await downloadExports(config.vulns.export_url, ecosystems, locateDownloads(context.env), {
      ...context,
      onProgress,
    })
    failed.push(
      ...updates.flatMap(({ ecosystem, state, detail }) => (state === 'failed' ? [`${ecosystem}: ${detail}`] : [])),
    )
  }
  const { advisories, ecosystems, faults } = await indexDatabase(named ?? locateDownloads(context.env), {
    ...context,
    onProgress,
  })
  return { advisories, ecosystems, faults, failed }
}
