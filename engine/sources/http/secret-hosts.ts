import { EngineError } from '../../base/errors.ts'

/** A secret of the environment that is sent to an address of the settings. */
export interface SentSecret {
  /** The secret's variable. */
  variable: string
  /** The setting that names the address. */
  key: string
  /** The variable that names the address in its place. */
  url_variable: string
  /** The variable with hosts that a user trusts with the secret, separated by commas. */
  hosts_variable: string
}

/** Whether a URL's host name is this machine. */
export function isLoopback(hostname: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(hostname) || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

/**
 * Refuses to send a secret to an address that the environment does not name: a repository under scan brings settings of its own. And only
 * by https, but on this machine. CONFIG_INVALID with the next step.
 */
export function refuseSecret(
  { variable, key, url_variable, hosts_variable }: SentSecret,
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): void {
  const { protocol, origin, host, hostname } = new URL(url)
  if (protocol !== 'https:' && !isLoopback(hostname))
    throw new EngineError('CONFIG_INVALID', `${key} has to be https: ${variable} would be readable.`, {
      hint: `Use an https address, or unset ${variable}.`,
    })
  const named = env[url_variable]?.trim() ?? ''
  if (URL.canParse(named) && new URL(named).origin === origin) return
  if (listHosts(env[hosts_variable]).includes(host)) return
  throw new EngineError(
    'CONFIG_INVALID',
    `${key} names ${host}, which svc has not been told to trust with ${variable}.`,
    {
      hint: `If it is yours, set ${hosts_variable}=${host} in the environment, or unset ${variable}.`,
    },
  )
}

/** Hosts of a variable, separated by commas. */
export function listHosts(list: string | undefined): string[] {
  return (list ?? '')
    .split(',')
    .map(one => one.trim().toLowerCase())
    .filter(one => one !== '')
}
