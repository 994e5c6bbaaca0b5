import { join } from 'node:path'
import type { Context } from '../../base/context.ts'
import { writeOutput } from '../../base/disk/output-file.ts'
import { readOwn } from '../../base/disk/own-folder.ts'
import { EngineError } from '../../base/errors.ts'
import { type Config, loadConfig } from '../../sources/config/load.ts'
import { discover } from '../../sources/repository/discover.ts'
import { makeOut } from '../../sources/store/layout.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'
import type { Inventory } from '../inventory/component.ts'
import { readInventory } from '../inventory/read.ts'
import { assessLicenses } from './assess.ts'
import { type FindLocal, openLocalPackages } from './local/find.ts'
import { compileRules } from './overrides.ts'
import type { RegistryAnswer } from './registry/ask.ts'
import type { LicenseReport } from './report.ts'

/** The report of the last run, in the output directory. */
export const LICENSES_FILE = 'licenses.json'

export interface LicenseOptions {
  /** Ask the registries for what neither the lock file nor an installed package says. */
  registry: boolean
}

/** Finds the licenses of a repository's dependencies. */
export async function findLicenses(
  config: Config,
  { registry }: LicenseOptions,
  { env, signal, emit }: Pick<Context, 'env' | 'signal' | 'emit'>,
): Promise<{ report: LicenseReport; inventory: Inventory; findLocal: FindLocal }> {
  const now = Date.now()
  const rules = compileRules(config.licenses, now)
  const listing = await discover(config.root, { exclude: config.scan_exclude, signal })
  const inventory = await readInventory(listing, { signal })
  const findLocal = openLocalPackages(inventory, config.root, env)
  const base = { rules, findLocal, now }
  if (!registry) return { report: assessLicenses(inventory, { ...base, answers: NONE }), inventory, findLocal }
  const before = assessLicenses(inventory, { ...base, answers: NONE })
  const missing = new Set(before.dependencies.flatMap(({ kind, component }) => (kind === 'unknown' ? component : [])))
  const { askRegistries } = await import('./registry/ask.ts')
  const answers = await askRegistries(
    inventory.components.filter(({ id }) => missing.has(id)),
    config.root,
    {
      env,
      signal,
      onProgress: done =>
        emit({ type: 'progress', progress: { phase: 'registries', done, total: missing.size, bytes: 0, findings: 0 } }),
    },
  )
  const failed = [...answers.values()].filter(({ failure }) => failure !== undefined).length
  const unasked = missing.size - answers.size
  const notices = [
    ...(failed > 0 ? [`Registries did not say the license of ${failed} of ${answers.size} packages.`] : []),
    ...(unasked > 0
      ? [
          `No registry could be asked for ${unasked} packages: neither the lock file nor the settings of the package manager name one that svc reads.`,
        ]
      : []),
  ]
  return { report: assessLicenses(inventory, { ...base, answers, notices }), inventory, findLocal }
}

const NONE: ReadonlyMap<string, RegistryAnswer> = new Map()

/** The stored report; made anew where that is asked for or there is none. STORE_UNREADABLE where it cannot be read. */
export async function loadLicenseReport(
  { refresh, registry }: { refresh: boolean } & LicenseOptions,
  context: Context,
): Promise<LicenseReport> {
  const config = await loadConfig(context.cwd, { env: context.env })
  const out = locateOutput(config.root, context.env, config.output_dir)
  const stored = refresh ? undefined : readLicenseReport(out)
  if (stored) return stored
  const { report } = await findLicenses(config, { registry }, context)
  makeOut(out)
  writeOutput(join(out, LICENSES_FILE), `${JSON.stringify(report, null, 2)}\n`)
  return report
}

/** The report that an output directory has; undefined where it has none. STORE_UNREADABLE where what is there is no report. */
export function readLicenseReport(out: string): LicenseReport | undefined {
  const bytes = readOwn(join(out, LICENSES_FILE))
  if (!bytes) return undefined
  try {
    const report = JSON.parse(bytes.toString('utf8')) as LicenseReport
    if (Array.isArray(report.dependencies) && typeof report.total_dependencies === 'number') return report
  } catch {
    // Answered below: what is there is no report.
  }
  throw new EngineError('STORE_UNREADABLE', `${LICENSES_FILE} in the output directory is no report of licenses.`, {
    hint: 'Run `svc licenses` to write it anew.',
  })
}
