import { rmSync } from 'node:fs'
import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import { openLoginClient } from './client.ts'
import { locateLogins, readLogins, type StoredLogin, writeLogins } from './store.ts'

/** What became of the tokens at the issuer: `unsupported` where it has no revocation endpoint. */
export type Revocation = 'revoked' | 'unsupported' | 'failed'

/** A login that was ended. */
export interface Ended {
  issuer: string
  revocation: Revocation
}

/**
 * Ends the login at an issuer, or every login without one. What is stored is removed first, whatever the issuer says; then the tokens are
 * revoked (RFC 7009) at the issuer that gave them, never at the one that the configuration names now.
 */
export async function logOut(
  issuer: string | undefined,
  context: Context,
): Promise<{ ended: Ended[]; unreadable: boolean }> {
  const { env } = context
  let all: StoredLogin[]
  try {
    all = readLogins(env)
  } catch (error) {
    if (issuer !== undefined || !(error instanceof EngineError) || error.code !== 'STORE_UNREADABLE') throw error
    rmSync(locateLogins(env), { force: true })
    return { ended: [], unreadable: true }
  }
  const ending = all.filter(one => issuer === undefined || one.issuer === issuer)
  const left = all.filter(one => !ending.includes(one))
  if (left.length > 0) writeLogins(left, env)
  else rmSync(locateLogins(env), { force: true })
  const ended: Ended[] = []
  for (const login of ending) ended.push({ issuer: login.issuer, revocation: await revokeLogin(login, context) })
  return { ended, unreadable: false }
}

/** Revokes the tokens of a login. Never throws: they are of no use here any more, and the answer says whether they are elsewhere. */
export async function revokeLogin(login: StoredLogin, context: Pick<Context, 'env' | 'signal'>): Promise<Revocation> {
  try {
    const { library, configuration, transport } = await openLoginClient(login, context)
    try {
      if (!configuration.serverMetadata().revocation_endpoint) return 'unsupported'
      // The refresh token first: where only one of them is reached, it is the one that lives longer.
      if (login.refresh_token !== undefined)
        await library.tokenRevocation(configuration, login.refresh_token, { token_type_hint: 'refresh_token' })
      await library.tokenRevocation(configuration, login.access_token, { token_type_hint: 'access_token' })
      return 'revoked'
    } finally {
      await transport.close()
    }
  } catch {
    return 'failed'
  }
}
