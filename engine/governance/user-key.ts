import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFault } from '../base/disk/disk.ts'
import { makeOnce } from '../base/disk/private-file.ts'
import { locateUserState } from '../base/disk/user-state.ts'
import { EngineError } from '../base/errors.ts'

/**
 * An Ed25519 key of the user's, outside every repository: made once, mode 0600, PKCS #8 in PEM. STORE_UNREADABLE, saying
 * `what` it is the key of, where there is a file that is no such key; DISK where it cannot be written.
 */
export function loadUserKey(env: Readonly<Record<string, string | undefined>>, name: string, what: string): KeyObject {
  const folder = locateUserState(env)
  const file = join(folder, name)
  const read = () => createPrivateKey(readFileSync(file, 'utf8'))
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new EngineError('STORE_UNREADABLE', `The key of ${what} cannot be read.`, { cause: error })
  }
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' })
  try {
    makeOnce(file, pem.toString())
  } catch (error) {
    throw writeFault(error, folder, file)
  }
  return read()
}
