import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { Context } from '../../base/context.ts'
import { isInside } from '../../base/disk/project-write.ts'
import { readSettings } from '../../base/disk/settings-file.ts'
import { EngineError } from '../../base/errors.ts'
import { findRepositoryRoot, loadConfig } from '../config/load.ts'
import { CONFIG_PATH, LEGACY_PATH } from '../config/paths.ts'
import { DEFAULT_OUTPUT } from '../repository/own-output.ts'

/** Where runs and reports go, for every command alike; beats the configuration. `--output-dir` sets it for one command. */
export const OUTPUT_VARIABLE = 'SVC_OUTPUT_DIR'

/**
 * The directory of a repository's runs and reports, absolute, for whatever reads or writes the last run: SVC_OUTPUT_DIR (from the root
 * where it is relative; it may lead anywhere), else `output_dir` of the configuration, else `out`. It need not exist.
 * PATH_ESCAPES where the repository's own choice leads out of it, CONFLICT where a directory is named that svc cannot have to itself: the
 * repository's root, git's own, and that of the settings.
 */
export async function resolveOutputDirectory({ cwd, env }: Pick<Context, 'cwd' | 'env'>): Promise<string> {
  const root = findRepositoryRoot(cwd)
  if (env[OUTPUT_VARIABLE]) return locateOutput(root, env)
  // The parser is loaded only where the key stands in a file.
  const isNamed = [CONFIG_PATH, LEGACY_PATH].some(path => readSettings(root, path)?.includes('output_dir'))
  return locateOutput(root, env, isNamed ? (await loadConfig(root, { env })).output_dir : DEFAULT_OUTPUT)
}

/** As `resolveOutputDirectory`, where the configuration was read already. */
export function locateOutput(root: string, env: Context['env'], configured: string = DEFAULT_OUTPUT): string {
  const given = env[OUTPUT_VARIABLE]
  if (given) return outsideOfSettings(root, resolve(root, given), given)
  const path = resolve(root, configured)
  const top = realpathSync.native(root)
  const target = linksResolved(path, configured)
  if (isInside(top, target) && target !== top) return target
  throw linked(configured, 'outside the repository')
}

/** Directories at the root that hold what git and svc rely on. */
const RELIED_ON = new Set(['.git', '.svc'])

/** The path, unless svc would replace files of the project there, or hide its settings from git. */
function outsideOfSettings(root: string, path: string, shown: string): string {
  const top = realpathSync.native(root)
  const target = linksResolved(path, shown)
  // A directory of settings that is a link out of the repository is one by its name.
  const inside = isInside(top, target) ? relative(top, target) : isInside(root, path) ? relative(root, path) : undefined
  const first = inside?.split(sep)[0]
  if (first === undefined || (first !== '' && !RELIED_ON.has(first.toLowerCase()))) return path
  throw new EngineError(
    'CONFLICT',
    `${first || "The repository's root"} is no output directory: svc replaces files there.`,
    {
      hint: 'Name another directory with --output-dir or SVC_OUTPUT_DIR, such as `out`.',
    },
  )
}

/** An output directory as a person finds it: from the repository's root where it is inside. */
export function formatOutput(root: string, out: string): string {
  return isInside(root, out) ? relative(root, out).split(sep).join('/') : out
}

/** The path with the links on the way resolved; what does not exist yet stays as it is written. */
function linksResolved(path: string, shown: string): string {
  const entry = lstatSync(path, { throwIfNoEntry: false })
  if (!entry && dirname(path) !== path) return join(linksResolved(dirname(path), shown), basename(path))
  if (entry?.isSymbolicLink() && !existsSync(path)) throw linked(shown, 'that does not exist')
  return realpathSync.native(path)
}

function linked(shown: string, where: string): EngineError {
  return new EngineError('PATH_ESCAPES', `${shown} is reached through a symbolic link to a target ${where}.`, {
    hint: `Replace it with a directory, or set another one: output_dir in ${CONFIG_PATH}, or --output-dir.`,
  })
}
