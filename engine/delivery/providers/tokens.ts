import { ignoreUnreadable, readOwn } from '../../base/disk/own-folder.ts'
import { EngineError } from '../../base/errors.ts'
import { TITLES } from './names.ts'
import type { ProviderName } from './provider.ts'
import type { ProviderSettings } from './settings.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** A token, and where it came from. */
export interface Token {
  value: string
  /** What a user may read of it: the variable, or `oauth`. */
  source: string
  /** How the provider expects it. */
  scheme: 'token' | 'basic' | 'app'
}

/** Reads the token of an OAuth connection with the provider at an address. */
export type StoredToken = (name: ProviderName, base_url: string) => Promise<string | undefined>

/** Variables that a token is read from, the first that is set counts. `_FILE` behind a GUARD variable names a file instead. */
const VARIABLES: Record<ProviderName, readonly string[]> = {
  github: ['GUARD_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN'],
  gitlab: ['GUARD_GITLAB_TOKEN', 'GITLAB_TOKEN'],
  azure: ['GUARD_AZURE_TOKEN', 'AZURE_DEVOPS_EXT_PAT', 'SYSTEM_ACCESSTOKEN'],
  jira: ['GUARD_JIRA_TOKEN', 'JIRA_API_TOKEN'],
}
const MOST_TOKEN = 16 * 1024

/** Names that a configured variable may have: one that plainly is a token's, so that no repository asks for another secret. */
const TOKEN_NAME = /(?:TOKEN|_PAT)$/

/** Variables of the environment that a user lets a configuration name, separated by commas. */
const NAMED_VARIABLE = 'GUARD_PROVIDER_TOKEN_ENV'

/** The token for a provider: of the configured variable, of the known ones, of a file, else of the OAuth store by `stored`. */
export async function findToken(
  { name, token_env, base_url }: Pick<ProviderSettings, 'name' | 'token_env' | 'base_url'>,
  env: Environment,
  stored: StoredToken,
): Promise<Token | undefined> {
  if (token_env !== undefined && !TOKEN_NAME.test(token_env))
    throw new EngineError('CONFIG_INVALID', `providers.${name}.token_env has to end with TOKEN or _PAT.`, {
      hint: 'Name the variable so, and no repository can have another secret of the environment sent.',
    })
  if (token_env !== undefined && !VARIABLES[name].includes(token_env) && !listNamed(env).includes(token_env))
    throw new EngineError(
      'CONFIG_INVALID',
      `providers.${name}.token_env names ${token_env}, which is no variable for ${TITLES[name]}.`,
      { hint: `If the token in it is for ${TITLES[name]}, set ${NAMED_VARIABLE}=${token_env} in the environment.` },
    )
  for (const variable of [...(token_env === undefined ? [] : [token_env]), ...VARIABLES[name]]) {
    const value = env[variable]?.trim()
    if (value) return withScheme(name, value, variable, env)
    const file = variable.startsWith('GUARD_') ? env[`${variable}_FILE`] : undefined
    if (file) return withScheme(name, readTokenFile(file, `${variable}_FILE`), `${variable}_FILE`, env)
  }
  const value = await stored(name, base_url)
  return value === undefined ? undefined : { value, source: 'oauth', scheme: 'token' }
}

function listNamed(env: Environment): string[] {
  return (env[NAMED_VARIABLE] ?? '').split(',').map(one => one.trim())
}

/** The error where there is no token. */
export function tokenMissing(name: ProviderName): EngineError {
  return new EngineError('TOOL_MISSING', `There is no token for ${TITLES[name]}.`, {
    hint: `Set ${VARIABLES[name][0]} in the environment${name === 'jira' ? '' : `, or connect by OAuth in the dashboard`}.`,
  })
}

function withScheme(name: ProviderName, value: string, source: string, env: Environment): Token {
  if (/[\s\u0000-\u001f\u007f]/.test(value))
    throw new EngineError('CONFIG_INVALID', `${source} has white space or control characters in it.`)
  // A personal token of Azure DevOps goes by Basic; what a pipeline or Entra ID gives is a JSON Web Token.
  if (name === 'azure') return { value, source, scheme: value.startsWith('eyJ') ? 'token' : 'basic' }
  // An API token of Jira Cloud belongs to an account; a personal one of a server stands alone.
  if (name === 'jira' && env.JIRA_USER) return { value: `${env.JIRA_USER}:${value}`, source, scheme: 'basic' }
  return { value, source, scheme: 'token' }
}

function readTokenFile(file: string, variable: string): string {
  const value = ignoreUnreadable(() => readOwn(file, MOST_TOKEN))
    ?.toString('utf8')
    .trim()
  if (value) return value
  throw new EngineError('CONFIG_INVALID', `${variable} names no readable file with a token.`)
}
