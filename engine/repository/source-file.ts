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
  /** Git object id of the content to read; only where the content is not in the working tree (bare clone, index). */
  blob?: string
  /** git's name of the file's content, where git says that the working file is as it was added: unchanged content is known without being read. */
  oid?: string
}

/** What is known of a file by its path and git's name of its content, from when it was looked at before. */
export type KnownFile = Pick<SourceFile, 'size' | 'language' | 'in_test'>

/** Why a file was not looked at. */
export const SKIP_REASONS = [
  'binary',
  'too_large',
  'minified',
  'unreadable',
  'undecodable',
  'generated',
  'vendored',
  'excluded',
  'symlink',
  'special',
  'submodule_absent',
  'sparse',
  'vanished',
  /** Its files were looked into for secrets, and for nothing else. */
  'archive',
  /** The same, and something in it was not looked into. */
  'archive_part',
  'archive_damaged',
  'timed_out',
  'crashed',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

/** A file that was not scanned, with the reason; listed in the run. */
export interface Skip {
  path: string
  reason: SkipReason
  /** For a person: the limit that was passed, the system's error code. */
  detail?: string
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
