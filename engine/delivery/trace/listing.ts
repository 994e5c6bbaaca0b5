import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import type { Listing } from '../../base/records/source-file.ts'
import { type Config, loadConfig } from '../../sources/config/load.ts'
import { discover } from '../../sources/repository/discover.ts'

/** The configuration and the files of the repository that an operation was called in. REPO_UNREADABLE where it has no work tree. */
export async function listRepository(
  { cwd, env, signal, notice }: Pick<Context, 'cwd' | 'env' | 'signal' | 'notice'>,
  path?: string,
): Promise<{ config: Config; listing: Listing }> {
  const config = await loadConfig(cwd, { env, ...(path !== undefined && { path }) })
  for (const each of config.notices) notice(each)
  const listing = await discover(config.root, { exclude: config.scan_exclude, signal })
  if (listing.kind === 'bare')
    throw new EngineError('REPO_UNREADABLE', 'Requirements are traced in a work tree, and this repository has none.')
  return { config, listing }
}

/** Reports progress as operations do. */
export function reportProgress({ emit }: Pick<Context, 'emit'>, phase: string): (done: number, total: number) => void {
  return (done, total) => emit({ type: 'progress', progress: { phase, done, total, bytes: 0, findings: 0 } })
}

/** The error of a command that needs requirements where there are none. */
export function refuseWithoutRequirements(): EngineError {
  return new EngineError('NOT_FOUND', 'The repository has no requirements.', {
    hint: 'Write a requirements.yaml (docs/requirements.md), or let `svc generate-reqs` draft one from the code.',
  })
}
