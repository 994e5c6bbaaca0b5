import { writeFault } from '../base/disk/disk.ts'
import { resolveOutputFile } from '../base/disk/output-file.ts'
import { writeNew } from '../base/disk/private-file.ts'
import { EngineError } from '../base/errors.ts'

/** Writes a credential to a new file that only its owner can read; CONFLICT where the file is there already. */
export function writeCredential(cwd: string, named: string, credential: string): void {
  const path = resolveOutputFile(cwd, named)
  try {
    writeNew(path, `${credential}\n`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw writeFault(error, cwd, path)
    throw new EngineError('CONFLICT', `${named} is there already, and a credential replaces no file.`, { cause: error })
  }
}
