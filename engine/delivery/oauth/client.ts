import type { Configuration } from 'openid-client'
import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import type { Config } from '../../sources/config/load.ts'
import { isLoopback } from '../../sources/http/secret-hosts.ts'
import { DEVOPS_KINDS, type DevopsKind } from '../providers/names.ts'
import type { ProviderName } from '../providers/provider.ts'
import { resolveProvider } from '../providers/settings.ts'
import { openTransport, type Transport } from '../providers/transport.ts'
import { discoverIssuer } from './issuer.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Access that is asked for; Azure DevOps is a resource of Entra ID. */
const SCOPES = {
  github: 'repo',
  gitlab: 'api',
  azure: '499b84ac-1321-427f-aa17-267ca6975798/.default offline_access',
} as const satisfies Partial<Record<ProviderName, string>>

/** An OAuth client for one provider. */
export interface OauthClient {
  library: typeof import('./library.ts')
  configuration: Configuration
  transport: Transport
  scope: string
  /** Address of the provider's API that the tokens are for. */
  base_url: string
}

/** Client id of the environment or the configuration; the secret of the environment alone. */
export function findClient(
  config: Config,
  kind: DevopsKind,
  env: Environment,
): { id: string; secret?: string } | undefined {
  const name = DEVOPS_KINDS[kind]
  const prefix = `GUARD_OAUTH_${name.toUpperCase()}`
  const id = env[`${prefix}_CLIENT_ID`] || config.providers[name]?.client_id
  const secret = env[`${prefix}_CLIENT_SECRET`]
  return id ? { id, ...(secret && { secret }) } : undefined
}

/** Opens the client of a provider; the caller closes its transport. CONFIG_INVALID without a client id. */
export async function openOauthClient(
  config: Config,
  kind: DevopsKind,
  { env, signal }: Pick<Context, 'env' | 'signal'>,
): Promise<OauthClient> {
  const name = DEVOPS_KINDS[kind]
  const client = findClient(config, kind, env)
  if (!client)
    throw new EngineError('CONFIG_INVALID', `No OAuth client is configured for ${name}.`, {
      hint: `Register an application with ${name}, and set GUARD_OAUTH_${name.toUpperCase()}_CLIENT_ID.`,
    })
  const { base_url } = await resolveProvider(config, { provider: name, env, signal })
  const library = await import('./library.ts')
  const transport = await openTransport({ env, signal })
  if (client.secret) transport.protect(client.secret)
  const authentication = client.secret ? library.ClientSecretPost(client.secret) : library.None()
  const issuer = env[`GUARD_OAUTH_${name.toUpperCase()}_ISSUER`]
  try {
    const configuration = issuer
      ? await discoverIssuer(library, transport, { issuer, client_id: client.id, secret: client.secret })
      : new library.Configuration(describeServer(name, base_url, env), client.id, undefined, authentication)
    if (isLoopback(new URL(base_url).hostname)) library.allowInsecureRequests(configuration)
    configuration[library.customFetch] = transport.fetch as never
    return { library, configuration, transport, scope: issuer ? 'openid' : SCOPES[name], base_url }
  } catch (error) {
    await transport.close()
    throw error
  }
}

/** The endpoints of a provider; none of the three describes what svc needs by OpenID Connect. */
function describeServer(name: keyof typeof SCOPES, base_url: string, env: Environment) {
  const { origin, host, pathname } = new URL(base_url)
  if (name === 'github') {
    const site = host === 'api.github.com' ? 'https://github.com' : origin.replace('//api.', '//')
    return {
      issuer: site,
      authorization_endpoint: `${site}/login/oauth/authorize`,
      token_endpoint: `${site}/login/oauth/access_token`,
    }
  }
  if (name === 'gitlab') {
    const site = origin + pathname.replace(/\/api\/v4\/?$/, '')
    return {
      issuer: site,
      authorization_endpoint: `${site}/oauth/authorize`,
      token_endpoint: `${site}/oauth/token`,
      revocation_endpoint: `${site}/oauth/revoke`,
    }
  }
  const site = `https://login.microsoftonline.com/${encodeURIComponent(env.GUARD_OAUTH_AZURE_TENANT || 'organizations')}`
  return {
    issuer: `${site}/v2.0`,
    authorization_endpoint: `${site}/oauth2/v2.0/authorize`,
    token_endpoint: `${site}/oauth2/v2.0/token`,
  }
}
