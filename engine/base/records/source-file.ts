/** A file that discovery lists for scanning. Plain data: it crosses threads. */
export interface SourceFile {
  /** Repository-relative, forward slashes; bytes that are not UTF-8 stand as \xNN (a literal backslash then as \\). */
  path: string
  /** The path's bytes, only where `path` is not just their UTF-8 text. */
  raw?: Uint8Array
  /** Bytes on disk, or of the blob. */
  size: number
  /** Name in the languages table; null where neither name nor extension tells (the shebang may, once it is read). */
  language: string | null
  /** By path, as the specification's confidence table says. */
  in_test: boolean
  /** From .gitattributes working-tree-encoding. */
  encoding?: string
  /** From .gitattributes linguist-generated and linguist-vendored: it lowers the weight of what is found, and hides nothing severe. */
  class?: FileClass
  /** Git object id of the content to read; only where the content is not in the working tree (bare clone, index). */
  blob?: string
  /** Where the content is instead of the working tree: a file of many contents, and where in it; `size` is how much of it. */
  stored?: { file: string; offset: number }
  /** git's name of the file's content, where git says that the working file is as it was added: unchanged content is known without being read. */
  oid?: string
}

/** What is known of a file by its path and git's name of its content, from when it was looked at before. */
export type KnownFile = Pick<SourceFile, 'size' | 'language' | 'in_test'>

/** Who wrote a file, where it was not those who work on the repository. */
export type FileClass = 'generated' | 'vendored'

/** Why nothing searched a file. */
export const SKIP_REASONS = [
  'binary',
  /** An archive past the size that is opened. */
  'too_large',
  'unreadable',
  'undecodable',
  /** Installed by a package manager, in a directory without git. */
  'vendored',
  'excluded',
  /** Written by svc, and checked when it is read. */
  'own_file',
  'symlink',
  'special',
  'submodule_absent',
  /** A change adds, moves or updates a submodule, whose files are another repository's. */
  'submodule_changed',
  /** A repository in a directory of this one that git does not know as a submodule. */
  'nested_repository',
  /** A directory in which another version control system keeps its data. */
  'version_control',
  'sparse',
  'vanished',
  'timed_out',
  'crashed',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

/** Why only some detectors searched a file. */
export const PARTLY_REASONS = [
  'generated',
  'vendored',
  'minified',
  'too_large',
  /** It holds text in two encodings, of which one was searched. */
  'mixed_encoding',
  /** The content is kept elsewhere (git LFS): what stands here says where. */
  'lfs_pointer',
  /** Its files were searched for secrets, and for nothing else. */
  'archive',
  /** The same, and something in it was not searched. */
  'archive_part',
  'archive_damaged',
  /** Some rules were aborted on it or could not be evaluated. */
  'not_evaluated',
  'timed_out',
] as const
export type PartlyReason = (typeof PARTLY_REASONS)[number]

/** A file that only some detectors searched, with the reason; listed in the run. */
export interface PartlyScanned {
  path: string
  reason: PartlyReason
  /** For a person: which detectors searched it, or how many did not. */
  detail?: string
  /** What its first line says that it is, where its name says nothing. */
  language?: string
}

/** A file that nothing searched, with the reason; listed in the run. */
export interface Skip {
  path: string
  reason: SkipReason
  /** For a person: the limit that was passed, the system's error code. */
  detail?: string
  /** What its first line says that it is, where its name says nothing and it was read. */
  language?: string
}

/** What discovery found. Both lists are sorted by path. */
export interface Listing {
  /** Absolute, symlinks resolved. */
  root: string
  kind: 'git' | 'bare' | 'folder'
  git_sha?: string
  branch?: string
  files: SourceFile[]
  skipped: Skip[]
}
