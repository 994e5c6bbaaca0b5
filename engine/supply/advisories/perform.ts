import { existsSync, readdirSync } from 'node:fs'
import { basename, join, relative, resolve, sep } from 'node:path'
import type { Context } from '../../base/context.ts'
import { readNamedSettings, readSettings } from '../../base/disk/settings-file.ts'
import { EngineError } from '../../base/errors.ts'
import type { Config } from '../../sources/config/load.ts'
import { discover } from '../../sources/repository/discover.ts'
import type { Inventory } from '../inventory/component.ts'
import { readInventory } from '../inventory/read.ts'
import { type Assessment, assessInventory, selectSubjects } from './assess.ts'
import { readVulnIgnores } from './ignores.ts'
import { VEX_DIRECTORY } from './locations.ts'
import type { ReadImports } from './reachability.ts'
import { gatherAdvisories, type SourceOptions } from './source.ts'
import { readVex, type VexStatement } from './vex.ts'
import type { VulnerabilityReport } from './vulnerability.ts'

const MOST_VEX_BYTES = 64 * 1024 * 1024

export interface VulnerabilityOptions extends SourceOptions {
  /** VEX documents by their paths, from the working directory. */
  vex?: readonly string[]
  /** Reads what the code imports, for the reachability; unknown where absent. */
  readImports?: ReadImports
}

/** Finds the known vulnerabilities of a repository's dependencies. Errors are those of its sources: discovery, ignores, VEX, database. */
export async function findVulnerabilities(
  config: Config,
  options: VulnerabilityOptions,
  context: Pick<Context, 'cwd' | 'env' | 'signal' | 'notice' | 'emit'>,
): Promise<Assessment & { inventory: Inventory }> {
  const ignores = await readVulnIgnores(config.root)
  const vex = readVexFiles(config.root, options.vex ?? [], context.cwd)
  const progress = (phase: string, total: number) => (done: number) =>
    context.emit({ type: 'progress', progress: { phase, done, total: Math.max(done, total), bytes: 0, findings: 0 } })
  const listing = await discover(config.root, { exclude: config.scan_exclude, signal: context.signal })
  const inventory = await readInventory(listing, { signal: context.signal })
  const selected = selectSubjects(inventory.components)
  const packages = selected.subjects.map(({ query }) => query)
  const gathered = await gatherAdvisories(config, packages, options, {
    ...context,
    onProgress: progress('advisories', packages.length),
  })
  try {
    const assessment = await assessInventory(inventory, selected, gathered, {
      ...{ ignores, vex, now: Date.now(), names: [basename(config.root)] },
    })
    const { vulnerabilities } = assessment.report
    const { readImports } = options
    if (readImports && vulnerabilities.length > 0) {
      const limits = { maxBytes: config.scan.max_file_bytes, signal: context.signal }
      const { markReachability } = await import('./reachability.ts')
      await markReachability(vulnerabilities, inventory, () => readImports(listing, limits))
    }
    return { ...assessment, inventory }
  } finally {
    gathered.close()
  }
}

/** The statements of the named documents and of those in `.svc/vex`. NOT_FOUND where a named one is missing. */
export function readVexFiles(root: string, named: readonly string[], cwd: string): VexStatement[] {
  const directory = join(root, VEX_DIRECTORY)
  const own = existsSync(directory)
    ? readdirSync(directory)
        .filter(name => name.endsWith('.json'))
        .sort()
    : []
  return [
    ...own.flatMap(name => {
      const path = `${VEX_DIRECTORY}/${name}`
      const bytes = readSettings(root, path, { most: MOST_VEX_BYTES, code: 'INPUT_INVALID' })
      return bytes ? readVex(bytes.toString('utf8'), path) : []
    }),
    ...named.flatMap(name => {
      const bytes = readNamedSettings(resolve(cwd, name), name, { most: MOST_VEX_BYTES, code: 'INPUT_INVALID' })
      if (!bytes) throw new EngineError('NOT_FOUND', `There is no VEX document ${name}.`)
      const path = relative(root, resolve(cwd, name)).split(sep).join('/')
      return readVex(bytes.toString('utf8'), path.startsWith('..') ? name : path)
    }),
  ]
}

/**
 * The exit code of a report: 1 where a vulnerability is open; else 66 where a manifest could not be read whole, and 69 where packages could
 * not be looked up, since then nobody knows.
 */
export function decideExit({ vulnerable_count, unread_manifests, not_evaluated, source }: VulnerabilityReport): number {
  if (vulnerable_count > 0) return 1
  if (unread_manifests.some(({ state }) => state === 'failed')) return 66
  // A record that cannot be read may be about any of the packages.
  if (source.faults.length > 0) return 69
  return not_evaluated.some(({ reason }) => reason === 'no_data' || reason === 'source_failed') ? 69 : 0
}
