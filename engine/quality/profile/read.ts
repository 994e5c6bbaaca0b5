import { join, relative, resolve } from 'node:path'
import type { Context } from '../../base/context.ts'
import { isInside } from '../../base/disk/project-write.ts'
import { readRegular } from '../../base/disk/read.ts'
import { EngineError } from '../../base/errors.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { discover } from '../../sources/repository/discover.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'
import { readArchitectureFile } from '../architecture/load.ts'
import { loadProfile } from './cache.ts'
import { type DesignConstraints, listConstraints } from './constraints.ts'
import type { ProjectProfile } from './profile.ts'

const MOST_ADR_BYTES = 1 << 20

/** The profile of the repository that a folder is in, with the constraints of a path where one is given; nothing is written. */
export async function readProject(
  { cwd, env, signal, notice }: Pick<Context, 'cwd' | 'env' | 'signal' | 'notice'>,
  { path, config: file }: { path?: string; config?: string },
): Promise<{ profile: ProjectProfile; cached: boolean; root: string; out: string; constraints?: DesignConstraints }> {
  const config = await loadConfig(cwd, { path: file, env })
  for (const each of config.notices) notice(each)
  const { root } = config
  const asked = path === undefined ? undefined : locatePath(root, cwd, path)
  const listing = await discover(root, { exclude: config.scan_exclude, signal })
  const out = locateOutput(root, env, config.output_dir)
  const { profile, cached } = loadProfile(out, listing, signal)
  if (asked === undefined) return { profile, cached, root, out }
  const textOf = (adr: string) => {
    const content = readRegular(join(root, adr), MOST_ADR_BYTES)
    return content instanceof Uint8Array ? new TextDecoder().decode(content) : ''
  }
  return {
    profile,
    cached,
    root,
    out,
    constraints: listConstraints(asked, profile, readArchitectureFile(root), textOf),
  }
}

/** A path that a user named, from the root. PATH_ESCAPES where it leads out; it need not exist. */
function locatePath(root: string, cwd: string, path: string): string {
  const absolute = resolve(cwd, path)
  if (!isInside(root, absolute)) throw new EngineError('PATH_ESCAPES', `${path} is outside the project.`)
  return relative(root, absolute).split('\\').join('/') || '.'
}
