import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { EngineError } from '../base/errors.ts'
import { loadConfig } from '../sources/config/load.ts'
import { isOwnOutput } from '../sources/repository/own-output.ts'
import { formatOutput } from '../sources/store/output-directory.ts'
import { type Check, fail, passCheck, warn } from './check.ts'

const MIB = 1_048_576
/** A run of a large repository takes some tens of MiB; below the first figure none is sure to fit. */
const NEEDED = 100 * MIB
const COMFORTABLE = 1024 * MIB

export function checkRepository(root: string): Check {
  const next = 'Run svc in the directory of your project, as a user who can read it.'
  try {
    const entries = readdirSync(root)
    if (existsSync(join(root, '.git'))) return passCheck('repository', 'a git repository, readable')
    return entries.length > 0
      ? warn('repository', 'a directory without git', 'Run `git init`: svc scans changes only with git.')
      : warn('repository', 'an empty directory', next)
  } catch (error) {
    return fail('repository', `cannot be read (${(error as NodeJS.ErrnoException).code})`, next)
  }
}

/** Whether svc may write its runs and reports: the directory can be written, and holds nothing of the project's own. */
export function checkOutput(root: string, out: string): Check {
  const shown = formatOutput(root, out)
  const check = checkWritable(root, shown)
  if (check.state !== 'ok' || isOwnOutput(out)) return check
  return fail(shown, 'contains files that svc did not write', 'Name another directory: output_dir in .svc/config.yaml.')
}

/** Whether svc may write in a folder of the project, which need not exist yet. Nothing is written to find out. */
export function checkWritable(root: string, folder: string): Check {
  const wanted = resolve(root, folder)
  if (statSync(wanted, { throwIfNoEntry: false })?.isDirectory() === false)
    return fail(folder, 'is a file', `Move the file ${folder} away: svc needs a directory of that name.`)
  let at = wanted
  while (!existsSync(at) && at !== root && dirname(at) !== at) at = dirname(at)
  try {
    accessSync(at, constants.W_OK | constants.X_OK)
    return passCheck(folder, at === wanted ? 'writable' : 'can be created')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    return fail(
      folder,
      `cannot be written (${code})`,
      `Grant your user write permission on ${at === root ? 'the project directory' : folder}.`,
    )
  }
}

export async function checkDisk(root: string): Promise<Check> {
  const { bavail, bsize } = await statfs(root)
  const free = bavail * bsize
  const shown = free >= 1024 * MIB ? `${(free / 1024 / MIB).toFixed(1)} GiB free` : `${Math.floor(free / MIB)} MiB free`
  if (free >= COMFORTABLE) return passCheck('disk', shown)
  const next = 'Free some space, or lower history.keep.'
  return free >= NEEDED ? warn('disk', shown, next) : fail('disk', shown, next)
}

export async function checkConfig(cwd: string, env: Readonly<Record<string, string | undefined>>): Promise<Check> {
  try {
    const { sources, notices } = await loadConfig(cwd, { env })
    if (notices[0] !== undefined) return warn('configuration', sources.join(', '), notices[0])
    return passCheck(
      'configuration',
      sources.length > 0 ? `${sources.join(', ')} is valid` : 'none; the defaults apply',
    )
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'CONFIG_INVALID') throw error
    return fail('configuration', error.message, 'Run `svc validate-config` to see every fault with its line.')
  }
}
