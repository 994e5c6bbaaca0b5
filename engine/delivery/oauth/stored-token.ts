import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../base/context.ts'
import type { Config } from '../../sources/config/load.ts'
import { findKind } from '../providers/names.ts'
import type { ProviderName } from '../providers/provider.ts'
import { readTokens, TOKEN_FILE } from './store.ts'

/** How providers read the token of an OAuth connection: nothing without one, or where it has expired. */
export function readStoredToken(config: Config, { env }: Pick<Context, 'env' | 'signal'>) {
  return async (name: ProviderName, base_url: string): Promise<string | undefined> => {
    const kind = findKind(name)
    if (!kind || !existsSync(join(config.root, TOKEN_FILE))) return undefined
    const tokens = readTokens(config.root, env)[kind]
    if (!tokens || tokens.base_url !== base_url) return undefined
    if (tokens.expires_at !== undefined && Date.parse(tokens.expires_at) <= Date.now()) return undefined
    return tokens.access_token
  }
}
