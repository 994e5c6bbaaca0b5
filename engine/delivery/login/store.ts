import { join } from 'node:path'
import { readEncrypted, writeEncrypted } from '../../base/disk/encrypted-file.ts'
import { locateUserState } from '../../base/disk/user-state.ts'
import { EngineError } from '../../base/errors.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** A login at one issuer. */
export interface StoredLogin {
  issuer: string
  client_id: string
  /** Who logged in, by the issuer's ID token: e-mail address, or the subject. */
  account?: string
  access_token: string
  refresh_token?: string
  scope?: string
  /** ISO time after which the access token is refused; absent where the issuer names none. */
  expires_at?: string
  logged_in_at: string
}

const FILE = 'logins.json'
const PURPOSE = 'login tokens'

/** Where the logins of this user are: they belong to a user, not to a repository that may be somebody else's. */
export function locateLogins(env: Environment): string {
  return join(locateUserState(env), FILE)
}

/** Every stored login. STORE_UNREADABLE where the file was altered, or is another user's or machine's. */
export function readLogins(env: Environment): StoredLogin[] {
  try {
    const found = readEncrypted(locateLogins(env), PURPOSE, env)
    return Array.isArray(found) ? (found as StoredLogin[]) : []
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'STORE_UNREADABLE') throw error
    throw new EngineError('STORE_UNREADABLE', 'The stored logins cannot be decrypted.', {
      hint: 'They were altered, or written by another user or on another machine. Remove them with `svc logout --all`.',
      cause: error.cause,
    })
  }
}

/** Replaces all stored logins, encrypted, mode 0600, in one step. */
export function writeLogins(logins: readonly StoredLogin[], env: Environment): void {
  writeEncrypted(locateLogins(env), PURPOSE, logins, env)
}
