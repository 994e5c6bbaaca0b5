import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import type { Config } from '../../sources/config/load.ts'
import { isLoopback } from '../../sources/http/secret-hosts.ts'
import { findAppToken } from './github/app-token.ts'
import type { CodeProvider, WorkItemProvider } from './provider.ts'
import { type ProviderSettings, resolveProvider } from './settings.ts'
import { findToken, type StoredToken, type Token, tokenMissing } from './tokens.ts'
import { openTransport, type TransportOptions } from './transport.ts'

/** A provider that is ready to be asked; the caller closes it. */
export interface Opened<P extends WorkItemProvider = WorkItemProvider> {
  provider: P
  settings: ProviderSettings
  /** Where the token came from: a variable's name, `oauth`, or the GitHub App. */
  token_source: string
}

export type OpenOptions = Pick<TransportOptions, 'timeoutMs' | 'pace'> & {
  provider?: string
  /** A token of the OAuth store. */
  stored?: StoredToken
}

/** Opens the provider of the configuration, of `provider`, or of the CI system. TOOL_MISSING where there is no token. */
export async function openProvider(
  config: Config,
  { env, signal }: Pick<Context, 'env' | 'signal'>,
  { provider, stored = async () => undefined, ...times }: OpenOptions = {},
): Promise<Opened> {
  const settings = await resolveProvider(config, { env, signal, ...(provider !== undefined && { provider }) })
  const options = { env, signal, ...paceOf(settings.base_url), ...times }
  const app = settings.name === 'github' ? await findAppToken(settings, options) : undefined
  const token = app ?? (await findToken(settings, env, stored))
  if (!token) throw tokenMissing(settings.name)
  const client = await connect(settings, token, { env, signal, ...times })
  return { provider: client, settings, token_source: token.source }
}

/** A client with a transport of its own, for settings and a token that are known. */
export async function connect(
  settings: ProviderSettings,
  token: Token,
  options: TransportOptions,
): Promise<WorkItemProvider> {
  const transport = await openTransport({
    ...paceOf(settings.base_url),
    ...options,
  })
  transport.protect(token.value)
  // The half of a Basic credential that is secret.
  if (token.scheme === 'basic') transport.protect(token.value.slice(token.value.indexOf(':') + 1))
  return openClient(settings, token, transport)
}

/** As `openProvider`, for what only a provider of repositories has. */
export async function openCodeProvider(
  config: Config,
  context: Pick<Context, 'env' | 'signal'>,
  options: OpenOptions = {},
): Promise<Opened<CodeProvider>> {
  const opened = await openProvider(config, context, options)
  if (opened.settings.name === 'jira') {
    await opened.provider.close()
    throw new EngineError('CONFIG_INVALID', 'Jira has no pull requests: a provider of repositories is needed.', {
      hint: 'Set providers.default to github, gitlab or azure.',
    })
  }
  return opened as Opened<CodeProvider>
}

function paceOf(base_url: string): { pace?: number } {
  return isLoopback(new URL(base_url).hostname) ? { pace: LOCAL_PACE } : {}
}

/** Pauses protect the services of providers; a server on this machine is none. */
const LOCAL_PACE = 0.001

async function openClient(
  settings: ProviderSettings,
  token: Token,
  transport: Awaited<ReturnType<typeof openTransport>>,
): Promise<WorkItemProvider> {
  switch (settings.name) {
    case 'github':
      return (await import('./github/client.ts')).openGithub(settings, token, transport)
    case 'gitlab':
      return (await import('./gitlab/client.ts')).openGitlab(settings, token, transport)
    case 'azure':
      return (await import('./azure/client.ts')).openAzure(settings, token, transport)
    case 'jira':
      return (await import('./jira/client.ts')).openJira(settings, token, transport)
  }
}
