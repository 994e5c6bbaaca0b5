import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { EngineError } from '../errors.ts'
import { outputFile } from '../output-file.ts'

/** Writes a credential to a new file that only its owner can read; CONFLICT where the file is there already. */
export function writeCredential(cwd: string, named: string, credential: string): void {
  const path = outputFile(cwd, named)
  try {
    // `wx` follows no link and takes over no file whose mode somebody else chose.
    const handle = openSync(path, 'wx', 0o600)
    writeSync(handle, `${credential}\n`)
    fsyncSync(handle)
    closeSync(handle)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') {
      throw new EngineError('CONFLICT', `${named} is there already, and a credential replaces no file.`, {
        cause: error,
      })
    }
    throw new EngineError('DISK', `${named} cannot be written: ${code ?? 'unknown reason'}.`, { cause: error })
  }
}
