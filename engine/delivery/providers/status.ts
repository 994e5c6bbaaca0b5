import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import type { Config } from '../../sources/config/load.ts'
import { readStoredToken } from '../oauth/stored-token.ts'
import { detectCi } from './ci.ts'
import { nameApp } from './github/app-token.ts'
import { findKind } from './names.ts'
import type { ProviderName } from './provider.ts'
import { listConfigured, readOrigin, resolveProvider } from './settings.ts'
import { findToken, tokenMissing } from './tokens.ts'

/** A provider's state, as far as it can be told without asking it. */
export interface ProviderState {
  provider: ProviderName
  kind?: string
  base_url?: string
  repository?: string
  token_source?: string
  problem?: string
}

/** Providers that are named, each with what is missing for its use. */
export async function listProviderStates(
  config: Config,
  context: Context,
): Promise<{ configured: boolean; default?: ProviderName; providers: ProviderState[]; ci?: string }> {
  const { env, signal } = context
  const origin = await readOrigin(config.root, signal)
  const names = listConfigured(config, env, origin)
  const ci = detectCi(env)
  const providers: ProviderState[] = []
  for (const name of names) providers.push(await describeState(config, context, name))
  const byDefault =
    config.providers.default ?? (names.length === 1 || ci?.provider ? (ci?.provider ?? names[0]) : undefined)
  return {
    configured: providers.some(({ problem }) => problem === undefined),
    ...(byDefault && { default: byDefault }),
    providers,
    ...(ci && { ci: ci.name }),
  }
}

async function describeState(config: Config, context: Context, name: ProviderName): Promise<ProviderState> {
  const kind = findKind(name)
  const state: ProviderState = { provider: name, ...(kind && { kind }) }
  try {
    const { env, signal } = context
    const settings = await resolveProvider(config, { provider: name, env, signal })
    Object.assign(state, { base_url: settings.base_url, repository: settings.repository })
    // The token of an app is asked for when it is used.
    const app = name === 'github' ? nameApp(env) : undefined
    if (app !== undefined) return { ...state, token_source: app }
    const token = await findToken(settings, env, readStoredToken(config, context))
    if (!token) throw tokenMissing(name)
    state.token_source = token.source
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    state.problem = error.message
  }
  return state
}
