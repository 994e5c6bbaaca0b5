import { homedir } from 'node:os'
import { join } from 'node:path'

/** The folder in which svc keeps what belongs to the user, not to a repository (XDG Base Directory, XDG_STATE_HOME). */
export function locateUserState(env: Readonly<Record<string, string | undefined>>): string {
  const base = env.XDG_STATE_HOME
  // The standard says that a relative path is to be ignored.
  return join(base?.startsWith('/') ? base : join(env.HOME || homedir(), '.local/state'), 'svc')
}

/** The folder of the witnesses: where the audit logs of this user's repositories had come to. */
export function locateWitnesses(env: Readonly<Record<string, string | undefined>>): string {
  return join(locateUserState(env), 'witness')
}

/** The folder for what can be fetched or computed again (XDG Base Directory, XDG_CACHE_HOME). */
export function locateUserCache(env: Readonly<Record<string, string | undefined>>): string {
  const base = env.XDG_CACHE_HOME
  return join(base?.startsWith('/') ? base : join(env.HOME || homedir(), '.cache'), 'svc')
}
