import type { Context } from '../base/context.ts'
import { isInside } from '../base/disk/project-write.ts'
import type { Listing } from '../base/records/source-file.ts'
import type { Config } from '../sources/config/load.ts'
import { CONFIG_PATH } from '../sources/config/paths.ts'
import type { Imported } from './run.ts'

/** Other scanners at work beside svc's own scan. */
export interface Started {
  imported: Promise<Imported>
  /** Ends what is still running; the promise then settles without anybody waiting for it. */
  stop(): void
}

/**
 * Starts the scanners that the configuration names, where a whole repository is scanned; undefined where there are none. Their
 * commands come from a file of the repository, so they are run only at the command line, in that repository, and where a user has
 * trusted them (trust.ts): neither a request, an agent's tool call, a scan of another repository nor a dry run starts a program that the
 * repository chose.
 */
export async function startScanners(
  { config, listing, scope, dry_run = false }: { config: Config; listing: Listing; scope: string; dry_run?: boolean },
  context: Pick<Context, 'cwd' | 'env' | 'signal' | 'surface'>,
): Promise<Started | undefined> {
  const enabled = Object.entries(config.external_scanners).filter(([, scanner]) => scanner.enabled)
  if (enabled.length === 0 || scope === 'staged' || listing.kind === 'bare') return undefined
  if (scope !== 'everything') {
    const names = enabled.map(([name]) => name).join(', ')
    const detail = `A part of the repository was scanned, so ${names} ${enabled.length === 1 ? 'was' : 'were'} not asked.`
    const notices = [{ kind: 'external_not_run' as const, file: CONFIG_PATH, detail }]
    return { imported: Promise.resolve({ findings: [], notices, not_evaluated: [] }), stop: () => {} }
  }
  const { runScanners } = await import('./run.ts')
  const ending = new AbortController()
  const signal = AbortSignal.any([context.signal, ending.signal])
  const imported = runScanners(
    { config, listing, ...mayRun(config.root, dry_run, context) },
    { env: context.env, signal },
  )
  // Whoever waits for the promise sees its rejection; nobody waits where the scan itself has failed.
  imported.catch(() => {})
  return { imported, stop: () => ending.abort() }
}

function mayRun(
  root: string,
  dryRun: boolean,
  { cwd, surface }: Pick<Context, 'cwd' | 'surface'>,
): { commands: boolean; refusal?: string } {
  if (dryRun) return { commands: false, refusal: 'a dry run starts no command' }
  if (surface !== 'cli') {
    const refusal = 'commands are run by `svc scan` at the command line only; name a report to have it read here'
    return { commands: false, refusal }
  }
  if (isInside(root, cwd)) return { commands: true }
  return { commands: false, refusal: 'its command comes from the scanned repository: stand in it to have it run' }
}
