import { onTestFinished } from 'vitest'
import { connect } from '../../../engine/delivery/providers/open.ts'
import type { CodeProvider, ProviderName } from '../../../engine/delivery/providers/provider.ts'
import type { StandIn } from '../../made/providers/server.ts'

export const TOKEN = 'a-token-that-nobody-may-read-0123456789'

/** The environment of a process that may send the token to the stand-in. */
export function environmentOf(standIn: StandIn, name: ProviderName = 'github'): Record<string, string> {
  return { [`GUARD_${name.toUpperCase()}_TOKEN`]: TOKEN, GUARD_PROVIDER_HOSTS: standIn.host }
}

export const REPOSITORIES: Record<ProviderName, string> = {
  github: 'acme/shop',
  gitlab: 'acme/shop',
  azure: 'acme/store/shop',
  jira: 'SHOP',
}

/** The lines of a configuration that names the stand-in. */
export function configOf(standIn: StandIn, name: ProviderName = 'github', more = ''): string {
  return `providers:\n  default: ${name}\n  ${name}:\n    base_url: ${standIn.url}\n    repository: ${REPOSITORIES[name]}\n${more}`
}

/** A client of the stand-in; it starts no process. */
export async function opened(standIn: StandIn, name: ProviderName = 'github', signal = new AbortController().signal) {
  const isAzure = name === 'azure'
  const base_url = isAzure ? `${standIn.url}/acme` : standIn.url
  const repository = isAzure ? 'store/shop' : REPOSITORIES[name]
  const settings = { name, base_url, repository, states: {} }
  const token = { value: TOKEN, source: 'test', scheme: 'token' as const }
  const provider = await connect(settings, token, { env: {}, signal, timeoutMs: 2000 })
  onTestFinished(() => provider.close())
  return provider as CodeProvider
}
