import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import { makeRest } from '../../delivery/providers/rest.ts'
import { HOSTS_VARIABLE, resolveProvider } from '../../delivery/providers/settings.ts'
import { findToken, tokenMissing } from '../../delivery/providers/tokens.ts'
import { openTransport } from '../../delivery/providers/transport.ts'
import type { Config } from '../../sources/config/load.ts'

/**
 * The addresses of all repositories of an organization that are not archived: `github/<owner>`, `gitlab/<group>` with its subgroups,
 * `azure/<organization>` or `azure/<organization>/<project>`. By the provider layer: its address, its token, its trusted hosts.
 * INPUT_INVALID for another form, TOOL_MISSING without a token.
 */
export async function listOrganization(
  given: string,
  config: Config,
  { env, signal }: Pick<Context, 'env' | 'signal'>,
): Promise<string[]> {
  const [, kind, owner] = /^(github|gitlab|azure)\/([\w.-]+(?:\/[\w. -]+)*)$/.exec(given) ?? []
  if (
    (kind !== 'github' && kind !== 'gitlab' && kind !== 'azure') ||
    owner!.split('/').some(part => /^\.\.?$/.test(part))
  )
    throw new EngineError(
      'INPUT_INVALID',
      `--org must name a provider and an owner, but is ${JSON.stringify(given)}.`,
      {
        hint: 'For instance github/acme, gitlab/acme/platform or azure/acme.',
      },
    )
  // The settings of a repository: what is asked is its owner.
  const repository = kind === 'azure' ? `${owner!.split('/')[0]}/-/-` : `${owner}/-`
  const own = { ...config.providers[kind], repository }
  const settings = await resolveProvider(
    { ...config, root: config.root, providers: { ...config.providers, [kind]: own } } as Config,
    // Of the environment the hosts alone: in a CI system the build's own repository is not what is asked for.
    {
      provider: kind,
      env: env[HOSTS_VARIABLE] === undefined ? {} : { [HOSTS_VARIABLE]: env[HOSTS_VARIABLE] },
      signal,
    },
  )
  const token = await findToken(settings, env, async () => undefined)
  if (!token) throw tokenMissing(kind)
  const transport = await openTransport({ env, signal })
  transport.protect(token.value)
  const headers: Record<string, string> =
    token.scheme === 'basic'
      ? { authorization: `Basic ${Buffer.from(`:${token.value}`).toString('base64')}` }
      : { authorization: `Bearer ${token.value}` }
  const rest = makeRest(transport, { base_url: settings.base_url, headers, title: kind })
  try {
    const found =
      kind === 'github' ? await github(owner!) : kind === 'gitlab' ? await gitlab(owner!) : await azure(owner!)
    if (found.length === 0)
      throw new EngineError('NOT_FOUND', `${given} has no repository that the token may read.`, {
        hint: 'Check the name, and the permissions of the token.',
      })
    return found
  } finally {
    await transport.close()
  }

  async function github(name: string): Promise<string[]> {
    const encoded = encodeURIComponent(name)
    const probe = await rest.probe(`/orgs/${encoded}`)
    const path = probe.status === 200 ? `/orgs/${encoded}/repos` : `/users/${encoded}/repos`
    const all = await rest.list<{ clone_url: string; archived: boolean; size?: number }>(path, {
      type: 'all',
      sort: 'full_name',
    })
    return all.filter(({ archived }) => !archived).map(({ clone_url }) => clone_url)
  }

  async function gitlab(name: string): Promise<string[]> {
    const all = await rest.list<{ http_url_to_repo: string; empty_repo?: boolean }>(
      `/groups/${encodeURIComponent(name)}/projects`,
      { include_subgroups: true, archived: false, order_by: 'path', sort: 'asc' },
    )
    return all.filter(({ empty_repo }) => !empty_repo).map(({ http_url_to_repo }) => http_url_to_repo)
  }

  async function azure(name: string): Promise<string[]> {
    const project = name
      .split('/')
      .slice(1)
      .map(part => `/${encodeURIComponent(part)}`)
      .join('')
    const { value } = await rest.ask<{ value: { remoteUrl: string; isDisabled?: boolean; size?: number }[] }>(
      'GET',
      `${project}/_apis/git/repositories`,
      { query: { 'api-version': '7.1' } },
    )
    // It names its own account in the address, which is no secret, and no credential either.
    return value
      .filter(({ isDisabled, size }) => !isDisabled && size !== 0)
      .map(({ remoteUrl }) => remoteUrl.replace(/^https:\/\/[^@/]+@/, 'https://'))
  }
}
