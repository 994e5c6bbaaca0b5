import type { Severity } from '../../base/records/finding.ts'

/** A point at which a range begins or ends (OSV 1.6 `affected[].ranges[].events[]`). Exactly one field is present. */
export type RangeEvent = { introduced: string } | { fixed: string } | { last_affected: string } | { limit: string }

/** Versions that an advisory is about. */
export type Range =
  /** OSV's ranges; those of git commits are left out, since a component has no commit graph. */
  | { type: 'SEMVER' | 'ECOSYSTEM'; events: RangeEvent[] }
  /** RustSec's and RubySec's own form: everything is affected but what one of these requirements allows. */
  | { type: 'EXCEPT'; fixed: string[]; unaffected: string[] }

/** A CVSS vector as OSV has it: `CVSS_V2`, `CVSS_V3` or `CVSS_V4` with the vector as score. */
export interface SeverityVector {
  type: string
  score: string
}

/** What an advisory says of one package. */
export interface Affected {
  ecosystem: string
  /** As the advisory writes it. */
  name: string
  ranges: Range[]
  /** Affected versions one by one. */
  versions: string[]
  severity?: SeverityVector[]
  /** Import paths of a Go module in which the vulnerable code is, where the advisory says. */
  imports?: string[]
}

/** An advisory, without what svc does not show. */
export interface Advisory {
  id: string
  aliases: string[]
  summary: string
  modified: string
  published?: string
  /** When it was withdrawn: it is then no vulnerability. */
  withdrawn?: string
  severity: SeverityVector[]
  /** The database's own word for the severity, where it has one (GitHub's CRITICAL, HIGH, MODERATE, LOW). */
  rating?: Severity
  /** RustSec's kind of an advisory that is no vulnerability: unmaintained, unsound, notice. */
  informational?: string
  cwe: string[]
  /** Addresses of pages about it, the advisory's own first. */
  references: string[]
  affected: Affected[]
}

/**
 * The name under which a package is looked up: registries that fold names do so in their own way (PEP 503 for Python), others are exact.
 */
export function normalizeName(ecosystem: string, name: string): string {
  switch (ecosystem) {
    case 'PyPI':
      return name.toLowerCase().replace(/[-_.]+/g, '-')
    case 'NuGet':
    case 'Packagist':
    case 'Hex':
    case 'GitHub Actions':
      return name.toLowerCase()
    case 'SwiftURL':
      return name
        .toLowerCase()
        .replace(/^(?:https?|ssh|git):\/\/(?:[^/@]*@)?/, '')
        .replace(/^git@([^:/]+):/, '$1/')
        .replace(/\.git$/, '')
    default:
      return name
  }
}
