import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import type { Context } from '../base/context.ts'
import type { CheckedPlace, DocumentCheckers } from '../base/records/document-check.ts'
import { findRepositoryRoot } from '../sources/config/load.ts'
import { ResidentChecker } from './resident.ts'

/** The checkers of the repositories that files were opened in, one for each. */
export class ResidentCheckers implements DocumentCheckers {
  readonly #env: Context['env']
  readonly #byRoot = new Map<string, ResidentChecker>()

  constructor(env: Context['env']) {
    this.#env = env
  }

  find(file: string, folder?: string): CheckedPlace {
    const real = join(resolveFolder(dirname(file)), basename(file))
    const found = findRepositoryRoot(dirname(real))
    const isRepository = existsSync(join(found, '.git'))
    const within = folder === undefined ? undefined : resolveFolder(folder)
    const isBelow = within !== undefined && real.startsWith(join(within, sep))
    const root = isRepository ? found : isBelow ? within : found
    // A folder that is neither a repository nor open in the editor may be anything, such as the user's home.
    const lists = isRepository || isBelow
    const key = `${lists} ${root}`
    let checker = this.#byRoot.get(key)
    if (!checker) {
      checker = new ResidentChecker(root, this.#env, lists)
      this.#byRoot.set(key, checker)
    }
    return { checker, path: real.slice(join(root, sep).length).split(sep).join('/') }
  }

  keep(used: ReadonlySet<unknown>): void {
    for (const [key, checker] of this.#byRoot) {
      if (used.has(checker)) continue
      checker.close()
      this.#byRoot.delete(key)
    }
  }
}

/** The folder with symlinks resolved; one that is not there yet below the nearest that is. */
function resolveFolder(path: string): string {
  if (existsSync(path) || dirname(path) === path) return realpathSync.native(path)
  return join(resolveFolder(dirname(path)), basename(path))
}
