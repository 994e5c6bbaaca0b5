import type { Context } from '../base/context.ts'
import type { SourceFile } from '../base/records/source-file.ts'
import type { Contribution, ContributionRequest } from '../findings/contribution.ts'
import type { Config } from '../sources/config/load.ts'
import type { CacheRequest, ScanCache } from './advisories/scan-cache.ts'
import type { ReadManifest } from './malice/sources.ts'

/** Everything that a scan says of dependencies: one inventory, read once, for signs of an attack, vulnerabilities and licenses. */
export async function contributeSupply(
  request: Omit<ContributionRequest, 'searched'>,
  manifests: SourceFile[],
  context: Pick<Context, 'cwd' | 'env' | 'signal'>,
): Promise<Contribution> {
  const { config, listing, selectFiles, scope, dry_run, cache: mayKeep = true } = request
  const { signal } = context
  const all: Contribution = { findings: [], notEvaluated: [], notices: [] }
  const add = (one: Partial<Contribution>) => {
    all.findings.push(...(one.findings ?? []))
    all.notEvaluated.push(...(one.notEvaluated ?? []))
    all.notices.push(...(one.notices ?? []))
  }
  const { vulns } = config
  const hasDatabase = vulns.in_scan && vulns.database !== undefined
  const judgesLicenses = hasLicensePolicy(config)
  const checksMalice = config.supply_chain.in_scan
  // Licenses follow from what is installed too, which is no part of the key.
  const isKept = mayKeep && scope === 'everything' && !judgesLicenses
  const cache = isKept ? await openCache({ config, listing, manifests, selectFiles, context }) : undefined
  const known = cache?.find()
  if (known) return known
  const includes: string[] = []
  if (vulns.in_scan && !hasDatabase) {
    const { reportNoDatabase } = await import('./advisories/contribute.ts')
    add({ notEvaluated: await reportNoDatabase(listing.root, manifests, signal) })
  }
  if (!hasDatabase && !judgesLicenses && !checksMalice) {
    if (!dry_run) cache?.keep(all, includes)
    return all
  }
  const { readInventory } = await import('./inventory/read.ts')
  const files: ReadManifest[] = []
  const inventory = await readInventory(
    { ...listing, files: selectFiles(() => true) },
    {
      signal,
      onInclude: path => includes.push(path),
      onRead: ({ file, format, text, parsed }) => {
        const { id, family, kind, ecosystem } = format
        if (checksMalice) files.push({ file, format: id, family, kind, ecosystem, text, parsed })
      },
    },
  )
  if (checksMalice) {
    const { findMalice } = await import('./malice/check.ts')
    add({ findings: findMalice({ root: listing.root, files, inventory }) })
  }
  if (hasDatabase) {
    const { contributeVulnerabilities } = await import('./advisories/contribute.ts')
    add(await contributeVulnerabilities(config, inventory, context))
  }
  if (judgesLicenses) {
    const { contributeLicenses } = await import('./licenses/contribute.ts')
    add(contributeLicenses(config, inventory, context))
  }
  if (!dry_run) cache?.keep(all, includes)
  return all
}

async function openCache(request: CacheRequest): Promise<ScanCache> {
  const { ScanCache } = await import('./advisories/scan-cache.ts')
  return new ScanCache(request)
}

/** Whether the configuration has a policy for licenses, which is what a scan looks at them for. */
export function hasLicensePolicy({ licenses: { policy, in_scan } }: Pick<Config, 'licenses'>): boolean {
  return in_scan && policy.allow.length + policy.deny.length + policy.review.length > 0
}
