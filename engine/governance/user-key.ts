import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { userStateFolder } from '../audit/key.ts'
import { EngineError } from '../errors.ts'

/**
 * An Ed25519 key of the user's, outside every repository: made once, mode 0600, PKCS #8 in PEM. STORE_UNREADABLE, saying
 * `what` it is the key of, where there is a file that is no such key.
 */
export function userKey(env: Readonly<Record<string, string | undefined>>, name: string, what: string): KeyObject {
  const folder = userStateFolder(env)
  const file = join(folder, name)
  const read = () => createPrivateKey(readFileSync(file, 'utf8'))
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new EngineError('STORE_UNREADABLE', `The key of ${what} cannot be read.`, { cause: error })
  }
  const temporary = `${file}.${process.pid}.tmp`
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' })
  writeFileSync(temporary, pem, { mode: 0o600 })
  try {
    // A link never replaces the key that another process has just made.
    linkSync(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
  return read()
}
