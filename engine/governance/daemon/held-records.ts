import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { locateUserState } from '../../base/disk/user-state.ts'
import { locateLocalState, STATE_PATH } from '../../sources/state/local-folder.ts'
import { type OpenOptions, openState } from '../../sources/state/open.ts'
import type { State } from '../../sources/state/state.ts'

/** Variables that say with which key the log is signed, and where its witness is. */
const TELLING = ['XDG_STATE_HOME', 'HOME', 'GUARD_AUDIT_HMAC_KEY', 'GUARD_AUDIT_HMAC_KEY_PREVIOUS']

/**
 * The records of a repository, held open between answers: what is read and prepared once serves for all of them. They are
 * opened anew as soon as other files stand in their place, or another key is meant.
 */
export class HeldRecords {
  #state: State | undefined
  #place = ''

  /** The records for one answer, which closes them as if they were its own. */
  async open(root: string, options: OpenOptions): Promise<State> {
    if (!this.#state || this.#place !== placeOf(root, options)) {
      this.close()
      const state = await openState(root, options)
      // Another answer may have been quicker.
      this.close()
      this.#state = state
      this.#place = placeOf(root, options)
    }
    return this.#state.share()
  }

  close(): void {
    this.#state?.close()
    this.#state = undefined
  }
}

/** What the records depend on: which files they are and, of keys, when written; and what the environment says of them. */
function placeOf(root: string, { env, key }: OpenOptions): string {
  const mark = (file: string, isKey: boolean) => {
    const stat = lstatSync(file, { throwIfNoEntry: false })
    return stat ? [stat.dev, stat.ino, isKey ? stat.ctimeMs : 0] : null
  }
  const keys = [locateUserState(env), locateLocalState(root)].map(folder => mark(join(folder, 'audit.key'), true))
  return JSON.stringify([root, key, TELLING.map(name => env[name] ?? null), mark(join(root, STATE_PATH), false), keys])
}
