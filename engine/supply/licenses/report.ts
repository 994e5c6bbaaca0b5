import type { Location, Scope } from '../inventory/component.ts'
import type { LicenseKind, LicenseRisk } from './kinds.ts'
import type { PolicyVerdict } from './policy.ts'

/** Where a license was read. `override`: the configuration says it; `text`: a license file of the package, compared with SPDX's list. */
export type LicenseSource = 'override' | 'lock_file' | 'installed' | 'text' | 'registry' | 'none'

/** The license of one dependency. */
export interface LicenseRecord {
  package: string
  version?: string
  ecosystem: string
  purl?: string
  /** The component's id in the inventory. */
  component: string
  direct: boolean
  scope: Scope
  locations: Location[]
  /** An expression of SPDX; absent where the license is not known. */
  license?: string
  /** What was said, where that is not the expression. */
  declared?: string
  source: LicenseSource
  /** The file or address, where it is not the lock file. */
  source_file?: string
  kind: LicenseKind
  risk: LicenseRisk
  copyleft: boolean
  /** Why the license is not known, or why it was set. */
  reason?: string
  /** What `licenses.policy` says, where there is one. */
  policy?: PolicyVerdict
}

/** The licenses of a repository's dependencies. */
export interface LicenseReport {
  generated_at: string
  total_dependencies: number
  by_risk: Record<LicenseRisk, number>
  by_kind: Record<string, number>
  copyleft: number
  /** Dependencies whose license is not known. */
  unknown: number
  /** Dependencies that the policy denies; absent without a policy. */
  denied?: number
  /** Dependencies that the policy sends to a person for review. */
  review?: number
  /** The most risk first, then by name. */
  dependencies: LicenseRecord[]
  unread_manifests: { file: string; state: string; detail: string; line?: number }[]
  manifests: number
  /** What the user should know: overrides without effect, registries that did not answer. */
  notices: string[]
}

/**
 * The exit code: 1 where the policy denies a dependency; else 66 where a manifest could not be read whole, and 69 where a policy is set and
 * licenses are not known, since then nobody knows whether it holds.
 */
export function decideLicenseExit(report: LicenseReport): number {
  if ((report.denied ?? 0) > 0) return 1
  if (report.unread_manifests.some(({ state }) => state === 'failed')) return 66
  return report.dependencies.some(({ policy }) => policy === 'unknown') ? 69 : 0
}
