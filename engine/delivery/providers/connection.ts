import type { Context } from '../../base/context.ts'
import type { Config } from '../../sources/config/load.ts'
import { readStoredToken } from '../oauth/stored-token.ts'
import { ProviderFailure } from './failure.ts'
import { findKind } from './names.ts'
import { openProvider } from './open.ts'
import type { Abilities, ProviderName } from './provider.ts'

/** A tested connection. */
export interface Connection {
  connected: boolean
  provider: ProviderName
  kind?: string
  base_url: string
  repository: string
  token_source: string
  account?: string
  scopes?: string[]
  abilities?: Omit<Abilities, 'account' | 'scopes'>
  problem?: string
  hint?: string
}

/** Tests the token of a provider; what the provider refuses is an answer, a missing token or setting an error. */
export async function describeConnection(config: Config, context: Context, provider?: string): Promise<Connection> {
  const {
    provider: client,
    settings,
    token_source,
  } = await openProvider(config, context, {
    stored: readStoredToken(config, context),
    ...(provider !== undefined && { provider }),
  })
  const kind = findKind(settings.name)
  const place = {
    provider: settings.name,
    ...(kind && { kind }),
    base_url: settings.base_url,
    repository: settings.repository,
    token_source,
  }
  try {
    const { account, scopes, ...abilities } = await client.test()
    return { connected: true, ...place, ...(account && { account }), ...(scopes && { scopes }), abilities }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return { connected: false, ...place, problem: error.message, hint: error.hint }
  } finally {
    await client.close()
  }
}
