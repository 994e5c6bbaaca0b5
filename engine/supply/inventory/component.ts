/**
 * The ecosystem that a package belongs to, by OSV's name where OSV has one ("npm", "PyPI", "crates.io", "GitHub Actions"): its
 * registry decides what a name and a version mean. The full list is `ECOSYSTEMS` in ecosystems.ts.
 */
export type Ecosystem = string

/** What a component is for; CycloneDX and SPDX have a word for each. */
export type ComponentKind = 'library' | 'application' | 'container' | 'action' | 'module' | 'hook' | 'source'

/**
 * What a component is needed for: `production` where any path from a project to it is, `optional` where each path passes an optional
 * dependency, `test` and `development` where each path passes such a dependency, `unknown` where no file says.
 */
export type Scope = 'production' | 'optional' | 'test' | 'development' | 'unknown'

/** A line of a manifest or lock file that names a component. */
export interface Location {
  /** Repository-relative, forward slashes. */
  file: string
  /** Counted from 1; absent where the file is written on a single line or names the component as a whole. */
  line?: number
}

/** A digest of the package as it was downloaded, as the lock file has it. */
export interface Hash {
  algorithm: 'MD5' | 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512' | 'BLAKE2b-256'
  /** Lower-case hexadecimal. */
  value: string
}

/**
 * A package that the repository depends on. The same package, in the same version and from the same registry, is one component
 * however many files name it: each of them is a location.
 */
export interface Component {
  /** Unique in the inventory: the package URL where there is one. A component without a version is apart from those with one. */
  id: string
  ecosystem: Ecosystem
  /** As written in the file: package URLs of some ecosystems fold its case. Maven names are `group:artifact`. */
  name: string
  /** The resolved version. Absent where no lock file says it: such a component is matched with nothing. */
  version?: string
  /** The range that a manifest asks for, where `version` is absent. */
  requirement?: string
  /** Package URL (purl-spec), with a version where the component has one. */
  purl?: string
  kind: ComponentKind
  scope: Scope
  /** A project of the repository declares it itself. */
  direct: boolean
  /** In the order of path and line. */
  locations: Location[]
  hashes: Hash[]
  /** The license as the file has it: an SPDX expression or a name. */
  license?: string
  /** Ids of components that it depends on, sorted. Peer and optional dependencies are among them where they are installed. */
  dependencies: string[]
  /** Those of `dependencies` that it works without. */
  optional?: string[]
  /** Those of `dependencies` that the depending project is expected to provide. */
  peers?: string[]
  /** The address that it was downloaded from: an archive, a git URL with its commit, a registry. Credentials are removed. */
  resolved?: string
}

/** A project of the repository: what a manifest describes, or a member of a workspace. */
export interface Project {
  /** Unique in the inventory. */
  id: string
  ecosystem: Ecosystem
  name: string
  version?: string
  license?: string
  /** The manifest, or the lock file where the manifest is missing. */
  file: string
  /** Ids of the components that it declares, and of other projects of the repository, sorted. */
  dependencies: string[]
}

/** A manifest or lock file of the repository. */
export interface Manifest {
  file: string
  /** The format's id, such as `npm-lock` or `pom`. */
  format: string
  /**
   * `read`: whole. `failed`: it could not be read whole, so components may be missing. `unsupported`: a format, or a version of it,
   * that is known by its name and not read. `excluded`: left out of scans by the configuration.
   */
  state: 'read' | 'failed' | 'unsupported' | 'excluded'
  /** Why, for a person; absent where it was read. */
  detail?: string
  line?: number
  /** Packages that the file names. */
  packages: number
}

/** What a repository is made of. Everything is sorted: the same files give the same inventory. */
export interface Inventory {
  components: Component[]
  projects: Project[]
  manifests: Manifest[]
}
