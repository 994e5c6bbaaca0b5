import type { Configuration } from 'openid-client'
import { isLoopback } from '../../sources/http/secret-hosts.ts'
import type { Transport } from '../providers/transport.ts'

type Library = typeof import('./library.ts')

/** Reads what an issuer says of itself (OpenID Connect Discovery, or RFC 8414 by `oauth2`). Plain http is taken from this machine alone. */
export async function discoverIssuer(
  library: Library,
  transport: Transport,
  {
    issuer,
    client_id,
    secret,
    algorithm = 'oidc',
  }: {
    issuer: string
    client_id: string
    secret?: string | undefined
    algorithm?: 'oidc' | 'oauth2'
  },
): Promise<Configuration> {
  const authentication = secret ? library.ClientSecretPost(secret) : library.None()
  const configuration = await library.discovery(new URL(issuer), client_id, undefined, authentication, {
    algorithm,
    [library.customFetch]: transport.fetch as never,
    ...(isLoopback(new URL(issuer).hostname) && { execute: [library.allowInsecureRequests] }),
  })
  configuration[library.customFetch] = transport.fetch as never
  return configuration
}
