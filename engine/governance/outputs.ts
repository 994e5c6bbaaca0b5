import { existsSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import type { Context } from '../base/context.ts'
import { isInside } from '../base/disk/project-write.ts'
import { EngineError } from '../base/errors.ts'
import { isOwnOutput } from '../sources/repository/own-output.ts'
import { OUTPUT_VARIABLE, resolveOutputDirectory } from '../sources/store/output-directory.ts'
import { judgePath, resolveLinks } from './paths.ts'
import { ACTIONS, type Action, trustRank } from './trust.ts'
import { isProtected } from './zones.ts'

/** What it takes to write a file of the repository that svc does not have to itself: as much as to apply a fix there. */
export const WRITE_ACTION = 'auto_fix_high' satisfies Action

/** Whether who may do this may write files of the repository anyway. */
export function includesWriting(action: Action): boolean {
  return trustRank(ACTIONS[action].trust) >= trustRank(ACTIONS[WRITE_ACTION].trust)
}

/**
 * Those of the files to write that need permission: all outside the output directory, links resolved, and what is protected wherever
 * it is. A directory that was named for one command counts only once svc has made it its own: else any name would be free.
 */
export async function listGuardedOutputs(
  written: readonly string[],
  { root, folder, env }: { root: string; folder: string; env: Context['env'] },
): Promise<string[]> {
  if (written.length === 0) return []
  const out = await ownOutput(folder, env)
  return written.filter(path => {
    if (out === undefined) return true
    try {
      const real = resolveLinks(resolve(folder, path))
      return real === out || !isInside(out, real) || isProtected(relative(root, real).split(sep).join('/'))
    } catch {
      // The guard says why it cannot be followed.
      return true
    }
  })
}

/** The files to write that are in the repository, as they were named. */
export function keepInside({ root, folder }: { root: string; folder: string }, written: readonly string[]): string[] {
  return written.filter(given => 'paths' in judgePath(root, folder, given))
}

/** The protected paths among the files to write, links resolved. */
export function listProtectedOutputs(root: string, folder: string, written: readonly string[]): string[] {
  return written.flatMap(given => {
    const judged = judgePath(root, folder, given)
    return 'paths' in judged && judged.paths.some(isProtected) ? [given] : []
  })
}

/** The output directory with links resolved, if svc has it to itself. */
async function ownOutput(folder: string, env: Context['env']): Promise<string | undefined> {
  try {
    const out = await resolveOutputDirectory({ cwd: folder, env })
    if (!isOwnOutput(out) || (env[OUTPUT_VARIABLE] && !existsSync(out))) return undefined
    return resolveLinks(out)
  } catch (error) {
    // A directory that cannot be had makes nothing free; the operation names the fault where it needs it.
    if (error instanceof EngineError) return undefined
    throw error
  }
}
