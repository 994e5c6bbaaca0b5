import type { Configuration } from 'openid-client'
import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import { isLoopback } from '../../sources/http/secret-hosts.ts'
import { discoverIssuer } from '../oauth/issuer.ts'
import { openTransport, type Transport } from '../providers/transport.ts'
import { nameFailure } from './failure.ts'

/** A public client at one issuer. */
export interface LoginClient {
  library: typeof import('../oauth/library.ts')
  configuration: Configuration
  transport: Transport
}

/**
 * Opens the client at an issuer; the caller closes its transport. It is a public client, without a secret: the issuer may be named by a
 * repository, and no secret of the user's goes there. CONFIG_INVALID for plain http elsewhere, TOOL_MISSING where the issuer does not answer.
 */
export async function openLoginClient(
  { issuer, client_id }: { issuer: string; client_id: string },
  { env, signal }: Pick<Context, 'env' | 'signal'>,
): Promise<LoginClient> {
  if (!URL.canParse(issuer) || (new URL(issuer).protocol !== 'https:' && !isLoopback(new URL(issuer).hostname)))
    throw new EngineError('CONFIG_INVALID', `The issuer ${JSON.stringify(issuer)} is no https URL.`, {
      hint: 'Set login.issuer to the https URL of the issuer; plain http is for this machine only.',
    })
  const library = await import('../oauth/library.ts')
  const transport = await openTransport({ env, signal })
  let first: unknown
  for (const algorithm of ['oidc', 'oauth2'] as const)
    try {
      return {
        library,
        transport,
        configuration: await discoverIssuer(library, transport, { issuer, client_id, algorithm }),
      }
    } catch (error) {
      first ??= error
    }
  await transport.close()
  throw nameFailure(first, 'The description of the issuer', { issuer, client_id, signal })
}
