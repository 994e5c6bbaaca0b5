import { EngineError } from '../../base/errors.ts'
import { compileGlob } from '../../base/text/glob.ts'
import type { Component } from '../inventory/component.ts'
import { type LicenseTree, readLicense } from './expression.ts'
import { type CompiledPolicy, compilePolicy, type LicensePolicy } from './policy.ts'

/** An entry of `licenses.overrides`: what the license of a package is, whatever the package says. */
export interface LicenseOverride {
  /** A name, or a glob of names. */
  package: string
  version?: string
  ecosystem?: string
  license: string
  reason: string
  /** ISO 8601 date, the last day on which it holds. */
  expires?: string
}

/** `licenses` of the configuration. */
export interface LicenseSettings {
  policy: LicensePolicy
  overrides: readonly LicenseOverride[]
}

/** The settings, ready to use. */
export interface LicenseRules {
  policy: CompiledPolicy | undefined
  /** The override that holds for a component; it counts as used. */
  findOverride(component: Component): { override: LicenseOverride; expression: string; tree: LicenseTree } | undefined
  /** Overrides that have expired, or fit nothing of what was asked for. */
  listUnused(): string[]
}

/** Prepares the settings. CONFIG_INVALID where an entry names a license that is none. */
export function compileRules({ policy, overrides }: LicenseSettings, now: number): LicenseRules {
  const compiled = compilePolicy(policy)
  const faults = (compiled?.unknownEntries ?? []).map(({ list, entry }) => ({
    message: `licenses.policy.${list}: ${JSON.stringify(entry)} is no SPDX license id, no pattern such as GPL-*, and no kind of license.`,
  }))
  const ready = overrides.map((override, i) => {
    const read = readLicense(override.license)
    if (!('tree' in read))
      faults.push({
        message: `licenses.overrides[${i}].license: ${JSON.stringify(override.license)} is no SPDX expression.`,
      })
    const last = override.expires === undefined ? undefined : Date.parse(`${override.expires}T00:00:00Z`)
    // Some dates that are none (February 30) are read as another.
    if (last !== undefined && !(last > 0 && new Date(last).toISOString().startsWith(override.expires!)))
      faults.push({ message: `licenses.overrides[${i}].expires: ${override.expires} is no date.` })
    const isExpired = last !== undefined && now >= last + 86_400_000
    return { override, read, isExpired, takes: compileGlob(override.package), used: false }
  })
  if (faults.length > 0)
    throw new EngineError('CONFIG_INVALID', 'The settings of licenses are not valid.', {
      hint: 'Ids are those of spdx.org/licenses; kinds are permissive, weak-copyleft, strong-copyleft, network-copyleft and others.',
      faults,
    })
  return {
    policy: compiled,
    findOverride({ name, version, ecosystem }) {
      const found = ready.find(
        ({ override, isExpired, takes }) =>
          !isExpired &&
          (override.package === name || takes(name)) &&
          (override.version === undefined || override.version === version) &&
          (override.ecosystem === undefined || override.ecosystem.toLowerCase() === ecosystem.toLowerCase()),
      )
      if (!found || !('tree' in found.read)) return undefined
      found.used = true
      return { override: found.override, expression: found.read.expression, tree: found.read.tree }
    },
    listUnused: () =>
      ready.flatMap(({ override, isExpired, used }) =>
        isExpired
          ? `The override of ${override.package} expired on ${override.expires} and has no effect.`
          : used
            ? []
            : `The override of ${override.package} fits no dependency.`,
      ),
  }
}
