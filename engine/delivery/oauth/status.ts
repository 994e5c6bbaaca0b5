import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EngineError } from '../../base/errors.ts'
import type { Config } from '../../sources/config/load.ts'
import { DEVOPS_KINDS, type DevopsKind } from '../providers/names.ts'
import { findClient } from './client.ts'
import { readTokens, TOKEN_FILE, type TokenFile } from './store.ts'

/** One connection, without its tokens. */
export interface ConnectionState {
  provider: string
  configured: boolean
  connected: boolean
  connected_at?: string
  expires_at?: string
  renewable?: boolean
  scope?: string
  base_url?: string
  problem?: string
}

/** Every connection. */
export function listConnections(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): Record<DevopsKind, ConnectionState> {
  let stored: TokenFile = {}
  let problem: string | undefined
  try {
    if (existsSync(join(config.root, TOKEN_FILE))) stored = readTokens(config.root, env)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    problem = error.message
  }
  const describe = (kind: DevopsKind): ConnectionState => {
    const state = {
      provider: DEVOPS_KINDS[kind],
      configured: findClient(config, kind, env) !== undefined,
      ...(problem !== undefined && { problem }),
    }
    const tokens = stored[kind]
    if (!tokens) return { ...state, connected: false }
    const { access_token: _, refresh_token, ...rest } = tokens
    return { ...state, connected: true, renewable: refresh_token !== undefined, ...rest }
  }
  return { devops_a: describe('devops_a'), devops_b: describe('devops_b'), devops_c: describe('devops_c') }
}
