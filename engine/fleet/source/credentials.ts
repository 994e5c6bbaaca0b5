import { EngineError } from '../../base/errors.ts'
import type { CodeProvider, ProviderName } from '../../delivery/providers/provider.ts'
import type { Config } from '../../sources/config/load.ts'
import type { Address } from './address.ts'
import type { Authorize } from './transfer.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Tokens of the provider layer, by host: the variables, the hosts that are trusted with them, and the form are those of `svc test-connection`.
 * Undefined where the host is no provider's or there is no token for it: then git's own means are left, an ssh agent or ~/.netrc.
 */
export function makeAuthorize(config: Config, { env, signal }: { env: Environment; signal: AbortSignal }): Authorize {
  const known = new Map<string, Promise<string | undefined>>()
  return address => {
    const { host } = address
    if (host === undefined || address.text.startsWith('ssh:')) return Promise.resolve(undefined)
    const name = findProviderName(config, host)
    if (name === undefined) return Promise.resolve(undefined)
    let found = known.get(host)
    if (!found) {
      found = authorization(config, name, address, { env, signal })
      known.set(host, found)
      found.catch(() => known.delete(host))
    }
    return found
  }
}

/** The provider at a host: by its name, or by providers.<name>.base_url. */
export function findProviderName(config: Pick<Config, 'providers'>, host: string): ProviderName | undefined {
  for (const name of ['github', 'gitlab', 'azure'] as const) {
    const base = config.providers[name]?.base_url
    if (base !== undefined && URL.canParse(base) && new URL(base).host.replace(/^api\./, '') === host) return name
  }
  if (host === 'github.com' || host.endsWith('.ghe.com')) return 'github'
  if (host === 'gitlab.com' || host.startsWith('gitlab.')) return 'gitlab'
  if (host === 'dev.azure.com' || host.endsWith('.visualstudio.com')) return 'azure'
  return undefined
}

async function authorization(
  config: Config,
  name: ProviderName,
  { name: path, host }: Address,
  { env, signal }: { env: Environment; signal: AbortSignal },
): Promise<string | undefined> {
  const { findToken } = await import('../../delivery/providers/tokens.ts')
  const { resolveProvider } = await import('../../delivery/providers/settings.ts')
  const repository = path
    .slice(host!.length + 1)
    .split('/')
    .filter(part => part !== '_git')
    .join('/')
  const own = { ...config.providers[name], repository }
  const settings = await resolveProvider(
    { ...config, root: config.root, providers: { ...config.providers, default: name, [name]: own } } as Config,
    { provider: name, env: withoutBuild(env), signal },
  )
  const token = await findToken(settings, env, async () => undefined)
  if (!token) return undefined
  const { connect } = await import('../../delivery/providers/open.ts')
  const provider = (await connect(settings, token, { env, signal })) as CodeProvider
  try {
    const push = provider.pushAddress()
    if (new URL(push.url).host === host) return push.authorization
    throw new EngineError('CONFIG_INVALID', `providers.${name}.base_url is of another host than ${host}.`)
  } finally {
    await provider.close()
  }
}

/** A worker that runs in a CI system fetches other repositories than that of the build. */
function withoutBuild(env: Environment): Environment {
  const left = new Set(['GITHUB_ACTIONS', 'GITLAB_CI', 'TF_BUILD'])
  return Object.fromEntries(Object.entries(env).filter(([name]) => !left.has(name)))
}
