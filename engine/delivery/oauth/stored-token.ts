import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import type { Config } from '../../sources/config/load.ts'
import { type DevopsKind, findKind } from '../providers/names.ts'
import type { StoredToken } from '../providers/tokens.ts'
import { readTokens, type StoredTokens, storeTokens, TOKEN_FILE } from './store.ts'

/** A token that expires within this time is renewed first. */
const EARLY_MS = 60_000

/** How providers read the token of an OAuth connection: renewed where it has expired, nothing without a connection. */
export function readStoredToken(config: Config, context: Pick<Context, 'env' | 'signal'>): StoredToken {
  return async (name, base_url) => {
    const kind = findKind(name)
    if (!kind || !existsSync(join(config.root, TOKEN_FILE))) return undefined
    const tokens = readTokens(config.root, context.env)[kind]
    // Tokens are sent to the server that gave them, whatever the configuration names now.
    if (!tokens || tokens.base_url !== base_url) return undefined
    if (tokens.expires_at === undefined || Date.parse(tokens.expires_at) > Date.now() + EARLY_MS)
      return tokens.access_token
    return renew(config, kind, tokens, context)
  }
}

async function renew(
  config: Config,
  kind: DevopsKind,
  tokens: StoredTokens,
  context: Pick<Context, 'env' | 'signal'>,
): Promise<string> {
  const expired = new EngineError('TOOL_MISSING', 'The OAuth connection has expired.', {
    hint: 'Connect again in the dashboard.',
  })
  if (tokens.refresh_token === undefined) throw expired
  const { openOauthClient } = await import('./client.ts')
  const { toStored } = await import('./connect.ts')
  const client = await openOauthClient(config, kind, context)
  try {
    const answer = await client.library.refreshTokenGrant(client.configuration, tokens.refresh_token)
    const renewed = toStored(answer, tokens.base_url, tokens)
    storeTokens(config.root, kind, renewed, context.env)
    return renewed.access_token
  } catch (error) {
    if (error instanceof EngineError) throw error
    throw expired
  } finally {
    await client.transport.close()
  }
}
