import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../base/context.ts'
import { EngineError } from '../base/errors.ts'
import type { StagedSettings } from '../sources/config/staged-settings.ts'
import { findRepository } from '../sources/repository/repository-place.ts'
import type { ScanInput } from './perform.ts'

/** The git directory of a bare repository, where `root` is one or is in one; undefined elsewhere. */
export function findBareRepository(root: string): string | undefined {
  if (existsSync(join(root, '.git'))) return undefined
  const place = findRepository(root)
  return place && place.top === undefined ? place.gitDirectory : undefined
}

/**
 * The settings of HEAD, which are those of the files that a scan of a bare repository reads. What stands beside the objects is not in
 * any commit: it is ignored, and the notice names it. INPUT_INVALID where the baseline is to be updated, since no commit would have it.
 */
export async function readBareSettings(
  bare: string,
  { update_baseline }: Pick<ScanInput, 'update_baseline'>,
  { env, signal, notice }: Context,
): Promise<StagedSettings> {
  if (update_baseline) {
    throw new EngineError('INPUT_INVALID', 'A bare repository has no work tree for the baseline.', {
      hint: 'Run `svc scan --update-baseline` in a clone, commit .svc/baseline.json and push it.',
    })
  }
  const [{ loadBaseSettings }, { readStagedSettings }] = await Promise.all([
    import('../gate/change/settings-at.ts'),
    import('../sources/config/staged-settings.ts'),
  ])
  const head = await loadBaseSettings(bare, { base: 'HEAD', edits: [] }, { signal })
  const paths = head.entries.map(({ path }) => path)
  const settings = await readStagedSettings(bare, head, paths, { env, signal })
  const ignored = settings.differing.filter(path => existsSync(join(bare, path)))
  if (ignored.length > 0) {
    notice(
      `A bare repository is scanned with the settings in HEAD: ${ignored.slice(0, 3).join(', ')} in its directory ${ignored.length === 1 ? 'is' : 'are'} ignored.`,
    )
  }
  return settings
}
