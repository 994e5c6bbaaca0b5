import type { Context } from '../../base/context.ts'
import type { Config } from '../../sources/config/load.ts'
import { DEVOPS_KINDS, type DevopsKind, TITLES } from '../providers/names.ts'
import { findClient, type OauthClient, openOauthClient } from './client.ts'
import { readTokens, type StoredTokens, storeTokens } from './store.ts'

/** Removes the tokens of a connection, and revokes them where the provider can; what is stored is gone either way. */
export async function disconnect(
  config: Config,
  kind: DevopsKind,
  context: Context,
): Promise<{ status: 'ok'; message: string }> {
  const title = TITLES[DEVOPS_KINDS[kind]]
  const tokens = readStored(config, kind, context)
  storeTokens(config.root, kind, undefined, context.env)
  if (!tokens) return { status: 'ok', message: `There were no usable tokens for ${title}; nothing is stored now.` }
  const revoked = await revoke(config, kind, tokens, context)
  return {
    status: 'ok',
    message: revoked
      ? `Disconnected from ${title}; the tokens were revoked and removed.`
      : `Disconnected from ${title}; the tokens were removed here, but not revoked: revoke them in the settings of ${title}.`,
  }
}

function readStored(config: Config, kind: DevopsKind, { env }: Context): StoredTokens | undefined {
  try {
    return readTokens(config.root, env)[kind]
  } catch {
    // What cannot be decrypted is removed all the same.
    return undefined
  }
}

async function revoke(config: Config, kind: DevopsKind, tokens: StoredTokens, context: Context): Promise<boolean> {
  let client: OauthClient | undefined
  try {
    client = await openOauthClient(config, kind, context)
    if (client.base_url !== tokens.base_url) return false
    if (kind === 'devops_a' && !client.configuration.serverMetadata().revocation_endpoint)
      return await revokeOnGithub(client, config, tokens, context)
    for (const token of [tokens.refresh_token, tokens.access_token])
      if (token !== undefined) await client.library.tokenRevocation(client.configuration, token)
    return true
  } catch {
    return false
  } finally {
    await client?.transport.close()
  }
}

/** GitHub revokes by its own API, with the application's credentials. */
async function revokeOnGithub(
  { transport, base_url }: OauthClient,
  config: Config,
  { access_token }: StoredTokens,
  { env }: Context,
): Promise<boolean> {
  const application = findClient(config, 'devops_a', env)
  if (!application?.secret) return false
  const basic = Buffer.from(`${application.id}:${application.secret}`).toString('base64')
  const answer = await transport.exchange({
    method: 'DELETE',
    url: `${base_url}/applications/${encodeURIComponent(application.id)}/token`,
    headers: { authorization: `Basic ${basic}`, accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ access_token }),
  })
  return answer.status === 204
}
