import { EngineError } from '../../base/errors.ts'
import { findNearest } from '../../base/text/nearest.ts'
import { PROVIDERS, type ProviderName } from './provider.ts'

/** The three kinds of the specification, and the provider that each is. */
export const DEVOPS_KINDS = { devops_a: 'github', devops_b: 'gitlab', devops_c: 'azure' } as const
export type DevopsKind = keyof typeof DEVOPS_KINDS

/** Every accepted name. */
export const PROVIDER_NAMES: readonly string[] = [...Object.keys(DEVOPS_KINDS), ...PROVIDERS]

export const TITLES: Record<ProviderName, string> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  azure: 'Azure DevOps',
  jira: 'Jira',
}

/** The provider of a name, kinds included; INPUT_INVALID lists the known ones. */
export function resolveProviderName(name: string): ProviderName {
  if (Object.hasOwn(DEVOPS_KINDS, name)) return DEVOPS_KINDS[name as DevopsKind]
  if ((PROVIDERS as readonly string[]).includes(name)) return name as ProviderName
  const meant = findNearest(name, [...PROVIDER_NAMES])
  throw new EngineError(
    'INPUT_INVALID',
    `${JSON.stringify(name)} is not a provider${meant ? `; did you mean ${meant}?` : '.'}`,
    { hint: `The providers are ${PROVIDER_NAMES.join(', ')}.` },
  )
}

/** The kind of a provider; undefined for Jira. */
export function findKind(name: ProviderName): DevopsKind | undefined {
  return (Object.keys(DEVOPS_KINDS) as DevopsKind[]).find(kind => DEVOPS_KINDS[kind] === name)
}
