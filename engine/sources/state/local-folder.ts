import { closeSync, constants, existsSync, lstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { ignoreAll } from '../../base/disk/own-folder.ts'
import { EngineError } from '../../base/errors.ts'

/** Where the records of governance are, relative to the repository's root. */
export const STATE_PATH = '.svc/local/state.db'

/** Without waiting for a reader, where a pipe stands there. */
const APPENDING = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0)

/**
 * Whether the repository has records of governance, or something stands where they belong: a link that leads nowhere too.
 * One look at the disk: it is asked by every command.
 */
export function stateExists(root: string): boolean {
  try {
    return lstatSync(join(root, STATE_PATH), { throwIfNoEntry: false }) !== undefined
  } catch {
    // A file stands where the folder belongs.
    return existsSync(locateLocalState(root))
  }
}

/** The folder of what svc keeps for this checkout alone; absolute. */
export function locateLocalState(root: string): string {
  return join(root, '.svc/local')
}

/** Makes `.svc/local`, ignored by git; what is there stays. FORBIDDEN where a symbolic link stands in the way. */
export function makeLocalFolder(root: string): string {
  for (const folder of [join(root, '.svc'), locateLocalState(root)]) {
    refuseLink(folder)
    makeFolders(folder, { mode: folder === locateLocalState(root) ? 0o700 : 0o755 })
  }
  ignoreAll(locateLocalState(root))
  return locateLocalState(root)
}

/**
 * Makes `.svc/local` and an empty state.db of mode 0600, ignored by git before anything is in it. What is there stays.
 * FORBIDDEN where a symbolic link stands in the way, since records would then be kept where somebody else chose.
 */
export function makeStateFile(root: string): string {
  try {
    makeLocalFolder(root)
    const file = join(root, STATE_PATH)
    // SQLite opens what lies beside it without a question.
    for (const path of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) refuseOther(path)
    closeSync(openSync(file, APPENDING, 0o600))
    return file
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof EngineError || code === undefined) throw error
    throw new EngineError('DISK', `${STATE_PATH} cannot be written: ${code}.`, { cause: error })
  }
}

/** A pipe would be waited for without an end, and a device read. */
function refuseOther(path: string): void {
  refuseLink(path)
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat || stat.isFile()) return
  throw new EngineError('FORBIDDEN', `${STATE_PATH} is not a regular file.`, {
    hint: 'Remove it, and find out who created it; `svc audit verify` then reports what is missing.',
  })
}

function refuseLink(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return
  throw new EngineError('FORBIDDEN', 'The directory of the records (.svc/local) is a symbolic link.', {
    hint: 'Remove the link, and find out who created it.',
  })
}
