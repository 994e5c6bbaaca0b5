import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { EngineError } from '../errors.ts'
import { ignoreAll } from '../own-folder.ts'

/** Where the records of governance are, relative to the repository's root. */
export const STATE_PATH = '.svc/local/state.db'

/** Without waiting for a reader, where a pipe stands there. */
const APPENDING = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0)

/** Whether the repository has records of governance. One look at the disk: it is asked by every command. */
export function stateExists(root: string): boolean {
  return existsSync(join(root, STATE_PATH))
}

/** The folder of what svc keeps for this checkout alone; absolute. */
export function localFolder(root: string): string {
  return join(root, '.svc/local')
}

/**
 * Makes `.svc/local` and an empty state.db of mode 0600, ignored by git before anything is in it. What is there stays.
 * FORBIDDEN where a symbolic link stands in the way, since records would then be kept where somebody else chose.
 */
export function makeStateFile(root: string): string {
  try {
    for (const folder of [join(root, '.svc'), localFolder(root)]) {
      refuseLink(folder)
      mkdirSync(folder, { recursive: true, mode: folder === localFolder(root) ? 0o700 : 0o755 })
    }
    ignoreAll(localFolder(root))
    const file = join(root, STATE_PATH)
    refuseLink(file)
    closeSync(openSync(file, APPENDING, 0o600))
    refuseSpecial(file)
    return file
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof EngineError || code === undefined) throw error
    throw new EngineError('DISK', `${STATE_PATH} cannot be written: ${code}.`, { cause: error })
  }
}

/** What stands in the place of the records and is no file: nothing could be kept in it. */
function refuseSpecial(path: string): void {
  if (lstatSync(path).isFile()) return
  throw new EngineError('FORBIDDEN', `${STATE_PATH} is not a regular file.`, {
    hint: 'Remove it, and ask who made it.',
  })
}

function refuseLink(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return
  throw new EngineError('FORBIDDEN', 'A symbolic link stands where svc keeps its records (.svc/local).', {
    hint: 'Remove the link, and ask who made it.',
  })
}
