import { PackageURL } from 'packageurl-js'
import type { Ecosystem } from './component.ts'
import type { Entry } from './parsed.ts'

interface EcosystemRow {
  /** The type of package URLs. */
  type: string
  /** How a name becomes namespace and name; a name without a namespace where absent. */
  split?: 'slash' | 'colon'
  /** One spelling of each name, by which manifests and lock files are compared. The exact name where absent. */
  normalize?: (name: string) => string
}

const lower = (name: string) => name.toLowerCase()

/** What is known of each ecosystem. Names are OSV's; those that OSV has not are marked. */
export const ECOSYSTEMS: Record<Ecosystem, EcosystemRow> = {
  npm: { type: 'npm', split: 'slash' },
  // PEP 503.
  PyPI: { type: 'pypi', normalize: name => name.toLowerCase().replace(/[-_.]+/g, '-') },
  Go: { type: 'golang', split: 'slash' },
  Maven: { type: 'maven', split: 'colon' },
  'crates.io': { type: 'cargo' },
  RubyGems: { type: 'gem' },
  Packagist: { type: 'composer', split: 'slash', normalize: lower },
  NuGet: { type: 'nuget', normalize: lower },
  SwiftURL: { type: 'swift', split: 'slash', normalize: lower },
  Pub: { type: 'pub' },
  Hex: { type: 'hex', normalize: lower },
  ConanCenter: { type: 'conan' },
  Hackage: { type: 'hackage' },
  CRAN: { type: 'cran' },
  'GitHub Actions': { type: 'githubactions', split: 'slash', normalize: lower },
  Julia: { type: 'julia' },
  opam: { type: 'opam' },
  // From here on OSV has no name, and no advisories.
  CocoaPods: { type: 'cocoapods' },
  CPAN: { type: 'cpan' },
  Carthage: { type: 'generic', split: 'slash' },
  Conda: { type: 'conda', normalize: lower },
  Deno: { type: 'generic', split: 'slash' },
  Docker: { type: 'docker', split: 'slash' },
  GitHub: { type: 'github', split: 'slash', normalize: lower },
  Git: { type: 'generic', split: 'slash' },
  Helm: { type: 'helm', split: 'slash' },
  JSR: { type: 'jsr', split: 'slash' },
  Terraform: { type: 'terraform', split: 'slash', normalize: lower },
  vcpkg: { type: 'vcpkg' },
}

/** The one spelling of a name in its ecosystem. */
export function normalizeName(ecosystem: Ecosystem, name: string): string {
  return ECOSYSTEMS[ecosystem]?.normalize?.(name) ?? name
}

type Named = Pick<Entry, 'name' | 'version' | 'qualifiers' | 'vcs'>

/** The package URL (purl-spec) of a package; undefined where its name cannot have one. */
export function formatPurl(ecosystem: Ecosystem, { name, version, qualifiers, vcs }: Named): string | undefined {
  const row = ECOSYSTEMS[ecosystem]
  if (row === undefined) return undefined
  const cut = row.split === 'colon' ? name.indexOf(':') : row.split === 'slash' ? name.lastIndexOf('/') : -1
  const namespace = cut === -1 ? undefined : name.slice(0, cut)
  // The specification folds names of PyPI, and the library only their case.
  const short = row.type === 'pypi' ? normalizeName(ecosystem, name) : name.slice(cut + 1)
  const all = { ...qualifiers, ...(vcs !== undefined && { vcs_url: vcs }) }
  try {
    return new PackageURL(
      row.type,
      namespace,
      short,
      version,
      Object.keys(all).length > 0 ? all : undefined,
      undefined,
    ).toString()
  } catch {
    return undefined
  }
}
