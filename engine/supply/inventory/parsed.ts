import { redactCredentials } from '../../base/text/credentials.ts'
import type { ComponentKind, Ecosystem, Hash, Scope } from './component.ts'

/** An error of a manifest: what is wrong, and where. Credentials in what it quotes are removed. */
export class ManifestFault extends Error {
  override name = 'ManifestFault'
  readonly line: number | undefined

  constructor(message: string, line?: number) {
    super(redactCredentials(message))
    this.line = line
  }
}

/** A dependency on an entry of the same file, by its key. */
export interface Edge {
  to: string
  /** `production` where absent. Only edges of projects have another. */
  scope?: Scope
  kind?: 'optional' | 'peer'
}

/** A package that a file names, with what the file says of it. */
export interface Entry {
  /** Unique in the file. */
  key: string
  name: string
  /** The resolved version. */
  version?: string
  /** What was asked for, where the file resolves nothing. */
  requirement?: string
  /** The format's own where absent. */
  ecosystem?: Ecosystem
  kind?: ComponentKind
  /** What the file says; counts where no project reaches the entry. */
  scope?: Scope
  line?: number
  hashes?: Hash[]
  license?: string
  /** Where it was downloaded from, as written. */
  resolved?: string
  /** A source other than the registry, for the package URL: a git URL with its commit. */
  vcs?: string
  /** Further qualifiers of the package URL. */
  qualifiers?: Record<string, string>
  edges?: Edge[]
}

/** A dependency as a manifest declares it, for a lock file to resolve. */
export interface Declaration {
  name: string
  /** As written, where there is a range. */
  requirement?: string
  /** The version, where the manifest allows no other. */
  version?: string
  scope: Scope
  line?: number
  /** The name that the project uses for it, where that is another. */
  alias?: string
  ecosystem?: Ecosystem
  kind?: ComponentKind
  resolved?: string
  vcs?: string
  hashes?: Hash[]
  qualifiers?: Record<string, string>
  /** The directory of a project of this repository, where it is one. */
  directory?: string
}

/** A project that a file describes. */
export interface ParsedProject {
  /** Repository-relative directory, '' for the root. */
  directory: string
  /** The file does not say the directory: that of the manifest which has the name. */
  byName?: true
  /** The key that entries' edges name it by; none where nothing depends on it. */
  key?: string
  name?: string
  version?: string
  license?: string
  line?: number
  declares?: Declaration[]
  edges?: Edge[]
  /** Globs of the directories of its workspace's members, from its own directory; `!` takes away. */
  workspaces?: string[]
}

/** Another file that this one names as a part of itself. */
export interface Include {
  /** Repository-relative. */
  file: string
  /** `constraints` only limit versions of what others declare. */
  as: 'part' | 'constraints'
  line?: number
  /** The id of the format that reads it, where its own name does not tell; that of the file which names it where absent. */
  format?: string
}

/** What a file says. */
export interface Parsed {
  entries?: Entry[]
  projects?: ParsedProject[]
  includes?: Include[]
  /** The entry that resolves a declaration, where names alone do not tell. */
  find?: (declaration: Declaration) => string | undefined
  /** What could not be read, where the rest could. */
  faults?: ManifestFault[]
  /** What only files of the same format read, to resolve each other: parents, catalogs. */
  model?: unknown
  /** For a person: why a file that was read counts for nothing. */
  detail?: string
}

/** A format's parser. It throws ManifestFault, or anything, where the file cannot be read at all. */
export interface Parser {
  parse(text: string, file: string): Parsed
  /** Completes what files say by what other files say; called once, when all are read. Changes the parsed records in place. */
  combine?(files: Map<string, Parsed>): void
}
