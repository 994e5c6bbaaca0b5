import { alpine } from './alpine.ts'
import { ORDERED_ECOSYSTEMS } from './covered.ts'
import { debian } from './debian.ts'
import { maven } from './maven.ts'
import { numbers } from './numbers.ts'
import type { VersionOrder } from './order.ts'
import { packagist } from './packagist.ts'
import { pypi } from './pypi.ts'
import { rpm } from './rpm.ts'
import { rubygems } from './rubygems.ts'
import { nuget, pub, semver } from './semver.ts'

/** The order of each ecosystem by the name that OSV gives it. */
const ORDERS: Record<(typeof ORDERED_ECOSYSTEMS)[number], VersionOrder> = {
  npm: semver,
  PyPI: pypi,
  Go: semver,
  Maven: maven,
  'crates.io': semver,
  RubyGems: rubygems,
  Packagist: packagist,
  NuGet: nuget,
  Pub: pub,
  Hex: semver,
  SwiftURL: semver,
  CocoaPods: rubygems,
  ConanCenter: semver,
  Hackage: numbers,
  GHC: numbers,
  CRAN: numbers,
  Bioconductor: semver,
  Bitnami: semver,
  Julia: semver,
  'GitHub Actions': semver,
  vcpkg: semver,
  Debian: debian,
  Ubuntu: debian,
  Alpine: alpine,
  Wolfi: alpine,
  Chainguard: alpine,
  MinimOS: alpine,
  'Red Hat': rpm,
  AlmaLinux: rpm,
  'Rocky Linux': rpm,
  SUSE: rpm,
  openSUSE: rpm,
  Mageia: rpm,
  openEuler: rpm,
  'Photon OS': rpm,
}

/** The order of an ecosystem as OSV names it, with or without a release (`Debian:12`); undefined where svc knows none. */
export function findOrder(ecosystem: string): VersionOrder | undefined {
  const [name] = ecosystem.split(':', 1)
  return findExact(ecosystem) ?? findExact(name!)
}

function findExact(name: string): VersionOrder | undefined {
  return Object.hasOwn(ORDERS, name) ? ORDERS[name as keyof typeof ORDERS] : undefined
}

/** The ecosystems whose versions svc can order. */
export function listOrderedEcosystems(): readonly string[] {
  return ORDERED_ECOSYSTEMS
}

/** Compares two versions of an ecosystem; undefined where there is no order, or one of them is no version. */
export function compareVersions(ecosystem: string, first: string, second: string): number | undefined {
  const order = findOrder(ecosystem)
  const a = order?.parse(first)
  const b = order?.parse(second)
  return a === undefined || b === undefined ? undefined : order!.compare(a, b)
}
