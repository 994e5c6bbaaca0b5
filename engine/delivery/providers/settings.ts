import { EngineError } from '../../base/errors.ts'
import type { Config } from '../../sources/config/load.ts'
import { isLoopback, listHosts } from '../../sources/http/secret-hosts.ts'
import { tryGit } from '../../sources/repository/git.ts'
import { type CiBuild, detectCi } from './ci.ts'
import { resolveProviderName, TITLES } from './names.ts'
import { PROVIDERS, type ProviderName } from './provider.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** A provider's settings as they are used: nothing of a token. */
export interface ProviderSettings {
  name: ProviderName
  /** Address of the API, without a slash at its end. */
  base_url: string
  /** `owner/name` on GitHub, the path on GitLab, `project/repository` on Azure DevOps, the project's key on Jira. */
  repository: string
  /** Environment variable of the token that the configuration names. */
  token_env?: string
  /** Repository's states of requirements to the provider's states of work items. */
  states: Readonly<Record<string, string>>
  ci?: CiBuild
}

const DEFAULT_URLS: Record<ProviderName, string | undefined> = {
  github: 'https://api.github.com',
  gitlab: 'https://gitlab.com/api/v4',
  azure: 'https://dev.azure.com',
  jira: undefined,
}
/** Hosts that belong to a provider itself; `*.` stands for one name. */
const KNOWN_HOSTS: Record<ProviderName, readonly string[]> = {
  github: ['api.github.com', '*.ghe.com'],
  gitlab: ['gitlab.com'],
  azure: ['dev.azure.com', '*.visualstudio.com'],
  jira: ['*.atlassian.net'],
}
/** Hosts that a user trusts with tokens, in addition. */
export const HOSTS_VARIABLE = 'GUARD_PROVIDER_HOSTS'

/** The remote `origin`, as host and path. */
export interface Origin {
  host: string
  path: string
}

/** Reads `origin` of the repository; undefined without one, or where it is a path. */
export async function readOrigin(root: string, signal?: AbortSignal): Promise<Origin | undefined> {
  const { code, stdout } = await tryGit(root, ['config', '--get', 'remote.origin.url'], signal ? { signal } : {})
  return code === 0 ? parseRemote(stdout.toString('utf8').trim()) : undefined
}

/** Host and path of a remote's address, in the form of a URL or of scp. CONFIG_INVALID where the path has a `%` that encodes nothing. */
export function parseRemote(address: string): Origin | undefined {
  const scp = /^(?:[^@/:\s]+@)?([^/:\s]+):(?!\/\/)(\S+)$/.exec(address)
  const clean = (path: string) =>
    path
      .replace(/^\/+/, '')
      .replace(/\/+$/, '')
      .replace(/\.git$/, '')
  if (scp) return { host: scp[1]!.toLowerCase(), path: clean(scp[2]!) }
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (!/^(https?|ssh|git):$/.test(url.protocol) || url.host === '') return undefined
  return { host: url.host.toLowerCase(), path: clean(decodePath(url.pathname)) }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw new EngineError('CONFIG_INVALID', `The path of the remote origin is not encoded as a URL: ${path}.`, {
      hint: 'Write % as %25: `git remote set-url origin <url>`.',
    })
  }
}

/** What a command asks for. */
export interface Wanted {
  provider?: string
  env: Environment
  signal: AbortSignal
}

/**
 * Which provider, where, and which repository: by what is asked, the configuration, the CI system, and the remote `origin`, in this order.
 * In a build on the provider's own CI system, address and repository are the build's: a pull request must not aim its token elsewhere.
 * CONFIG_INVALID where that does not say, and where the host is neither the provider's own, the CI system's, nor in GUARD_PROVIDER_HOSTS:
 * neither a configuration nor `origin` must choose who gets a token.
 */
export async function resolveProvider(config: Config, { provider, env, signal }: Wanted): Promise<ProviderSettings> {
  const ci = detectCi(env)
  const origin = await readOrigin(config.root, signal)
  const name =
    provider !== undefined
      ? resolveProviderName(provider)
      : (config.providers.default ?? guessProvider(config, ci, origin))
  if (!name)
    throw new EngineError('CONFIG_INVALID', 'No DevOps provider is configured.', {
      hint: 'Set `providers.default` in .svc/config.yaml, or pass --provider github, gitlab or azure.',
    })
  const own = config.providers[name] ?? {}
  const build = ci?.provider === name ? ci : undefined
  const base_url = (build?.api_url ?? own.base_url ?? guessUrl(name, origin))?.replace(/\/+$/, '')
  if (!base_url) throw missing(name, 'base_url', 'the address of the site, such as https://company.atlassian.net')
  refuseHost(name, base_url, build, env)
  const repository = build?.repository ?? own.repository ?? guessRepository(name, origin)
  if (!repository)
    throw missing(
      name,
      'repository',
      name === 'jira' ? 'the key of a project' : name === 'azure' ? 'organization/project/repository' : 'owner/name',
    )
  const parts = checkRepository(name, repository).split('/')
  // The organization is part of Azure's address.
  const organization = name === 'azure' && parts.length === 3 ? parts.shift() : undefined
  const hasOrganization = organization === undefined || base_url.endsWith(`/${organization}`)
  return {
    name,
    base_url: hasOrganization ? base_url : `${base_url}/${encodeURIComponent(organization)}`,
    repository: parts.join('/'),
    ...(own.token_env !== undefined && { token_env: own.token_env }),
    states: own.states ?? {},
    ...(ci && { ci }),
  }
}

/** Providers that the configuration, the CI system or `origin` names. */
export function listConfigured(config: Config, env: Environment, origin?: Origin): ProviderName[] {
  const guessed = guessProvider(config, detectCi(env), origin)
  return PROVIDERS.filter(name => config.providers[name] !== undefined || name === guessed)
}

function guessProvider(
  { providers }: Config,
  ci: CiBuild | undefined,
  origin: Origin | undefined,
): ProviderName | undefined {
  const configured = PROVIDERS.filter(name => providers[name] !== undefined)
  if (ci?.provider) return ci.provider
  if (configured.length === 1) return configured[0]
  const host = origin?.host ?? ''
  if (host === 'github.com' || host.endsWith('.ghe.com')) return 'github'
  if (host === 'gitlab.com' || host.startsWith('gitlab.')) return 'gitlab'
  if (host === 'dev.azure.com' || host === 'ssh.dev.azure.com' || host.endsWith('.visualstudio.com')) return 'azure'
  return undefined
}

function guessUrl(name: ProviderName, origin: Origin | undefined): string | undefined {
  const host = origin?.host
  if (host && name === 'gitlab' && host !== 'gitlab.com' && host.startsWith('gitlab.')) return `https://${host}/api/v4`
  if (host && name === 'github' && host.endsWith('.ghe.com')) return `https://api.${host}`
  return DEFAULT_URLS[name]
}

function guessRepository(name: ProviderName, origin: Origin | undefined): string | undefined {
  if (!origin || name === 'jira') return undefined
  if (name !== 'azure') return origin.path
  const parts = origin.path.split('/').filter(part => part !== '_git' && part !== 'v3')
  return parts.length === 3 ? parts.join('/') : undefined
}

const FORMS: Record<ProviderName, RegExp> = {
  github: /^[\w.-]+\/[\w.-]+$/,
  gitlab: /^(?:[\w.-]+(?:\/[\w.-]+)+|[0-9]+)$/,
  azure: /^[^/?#]+(?:\/[^/?#]+){1,2}$/,
  jira: /^[A-Z][A-Z0-9_]+$/,
}

function checkRepository(name: ProviderName, repository: string): string {
  if (FORMS[name].test(repository) && !repository.split('/').some(part => part === '.' || part === '..'))
    return repository
  throw new EngineError('CONFIG_INVALID', `providers.${name}.repository is not one: ${JSON.stringify(repository)}.`, {
    hint: `See docs/providers.md for the form on ${TITLES[name]}.`,
  })
}

function missing(name: ProviderName, key: string, what: string): EngineError {
  return new EngineError('CONFIG_INVALID', `${TITLES[name]} needs providers.${name}.${key}: ${what}.`, {
    hint: `Set it in .svc/config.yaml; see docs/providers.md.`,
  })
}

function refuseHost(name: ProviderName, base_url: string, ci: CiBuild | undefined, env: Environment): void {
  if (!URL.canParse(base_url))
    throw new EngineError('CONFIG_INVALID', `The address of ${TITLES[name]} is no URL: ${JSON.stringify(base_url)}.`, {
      hint: `Set providers.${name}.base_url, or the variable of the CI system, to an https address.`,
    })
  const { protocol, host, hostname } = new URL(base_url)
  if (protocol !== 'https:' && !isLoopback(hostname))
    throw new EngineError('CONFIG_INVALID', `providers.${name}.base_url has to be https: a token would be readable.`)
  const ciHost = ci?.api_url && URL.canParse(ci.api_url) ? new URL(ci.api_url).host : undefined
  const trusted = [...KNOWN_HOSTS[name], ...listHosts(env[HOSTS_VARIABLE]), ...(ciHost === undefined ? [] : [ciHost])]
  if (trusted.some(one => matchesHost(host, one))) return
  throw new EngineError(
    'CONFIG_INVALID',
    `${TITLES[name]} is at ${host} by providers.${name}.base_url or the remote origin, and svc has not been told to trust it with a token.`,
    { hint: `If it is yours, set ${HOSTS_VARIABLE}=${host} in the environment.` },
  )
}

function matchesHost(host: string, pattern: string): boolean {
  if (!pattern.startsWith('*.')) return host === pattern
  return host.endsWith(pattern.slice(1)) && !host.slice(0, 1 - pattern.length).includes('.')
}
