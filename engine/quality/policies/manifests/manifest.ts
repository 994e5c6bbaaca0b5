import { readComposer, readPackageJson } from './json.ts'
import { readGemfile, readGoMod, readRequirements } from './lines.ts'
import { readCargo, readPyproject } from './toml.ts'
import { readCsproj, readPom } from './xml.ts'

export type Ecosystem = 'npm' | 'pypi' | 'go' | 'cargo' | 'composer' | 'rubygems' | 'maven' | 'nuget'

/** What a dependency is for, in words that the ecosystems share. */
export type DependencyScope = 'runtime' | 'development' | 'optional' | 'peer' | 'build'

/** A dependency as a manifest declares it. */
export interface Declaration {
  /** As the ecosystem names it; of Maven `group:artifact`. */
  name: string
  /** As it is written; empty where the manifest has none. */
  version: string
  scope: DependencyScope
  /** From 1. */
  line: number
  /** It names one exact version, or something of this repository; undefined where the version is set in another file. */
  pinned: boolean | undefined
}

/** A declaration, with the manifest that it is in. */
export interface Dependency extends Declaration {
  ecosystem: Ecosystem
  manifest: string
}

/** How a manifest is read; the reader throws where it is not what its name says. */
interface Format {
  ecosystem: Ecosystem
  /** Of the file's name. */
  name: RegExp
  read: (text: string) => Declaration[]
}

/** The manifests that are read, by their names. Lock files are no manifests: they list what was resolved, not what was asked for. */
const FORMATS: readonly Format[] = [
  { ecosystem: 'npm', name: /^package\.json$/, read: readPackageJson },
  { ecosystem: 'pypi', name: /^(?:requirements|constraints)[\w.-]*\.(?:txt|in)$/, read: readRequirements },
  { ecosystem: 'pypi', name: /^pyproject\.toml$/, read: readPyproject },
  { ecosystem: 'go', name: /^go\.mod$/, read: readGoMod },
  { ecosystem: 'cargo', name: /^Cargo\.toml$/, read: readCargo },
  { ecosystem: 'composer', name: /^composer\.json$/, read: readComposer },
  { ecosystem: 'rubygems', name: /^(?:Gemfile|gems\.rb)$/, read: readGemfile },
  { ecosystem: 'maven', name: /^pom\.xml$/, read: readPom },
  { ecosystem: 'nuget', name: /^[\w.-]+\.(?:cs|fs|vb)proj$|^Directory\.Packages\.props$/, read: readCsproj },
]

/** The format of a manifest by its path; undefined for any other file. */
export function findManifestFormat(path: string): Format | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return FORMATS.find(format => format.name.test(name))
}

/**
 * A name, or a glob of names, in the form in which an ecosystem compares them: PyPI's by PEP 503, without regard to case in NuGet and Composer, as
 * they are elsewhere.
 */
export function foldName(ecosystem: Ecosystem, name: string): string {
  if (ecosystem === 'pypi') return name.toLowerCase().replace(/[-_.]+/g, '-')
  return ecosystem === 'nuget' || ecosystem === 'composer' ? name.toLowerCase() : name
}
