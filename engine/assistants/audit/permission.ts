import { realpathSync } from 'node:fs'
import { checkTrust } from '../../external/trust.ts'
import type { Server } from './discover.ts'
import { digestCommand, type Lock } from './lock.ts'

/** The name by which a user trusts the command of a server. No external scanner's name has a colon. */
export function nameTrust(server: string): string {
  return `mcp:${server}`
}

/** The words that starting a server runs. */
export function listWords({ command, args }: Pick<Server, 'command' | 'args'>): string[] {
  return command === undefined ? [] : [command, ...args]
}

export interface StartRequest {
  root: string
  /** Whether changed servers are to be pinned again. */
  update: boolean
  env: Readonly<Record<string, string | undefined>>
}

/**
 * Why a server of a configuration is not started; undefined where it may be. A configuration is the repository's, so its commands need a
 * user's trust as those of external scanners do; one that is not the pinned one has been reviewed by nobody, whatever is trusted.
 */
export function refuseStart(server: Server, lock: Lock, { root, update, env }: StartRequest): string | undefined {
  if (server.command === undefined) return 'a remote server is not asked'
  const pinned = lock.get(server.name)
  if (pinned && !update && pinned.command_digest !== digestCommand(server))
    return 'its command is not the pinned one; review it, then use --update-lock'
  const trust = checkTrust(realpathSync(root), nameTrust(server.name), listWords(server), env)
  return trust.trusted ? undefined : trust.because
}
