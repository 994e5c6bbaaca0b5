/** License tags of the repository's own files, by the specification of REUSE. */
export interface OwnFiles {
  /** Files that were asked about. */
  files: number
  tagged: number
  /** Files with a license that another file says: REUSE.toml, dep5, or a `.license` file. */
  annotated: number
  /** Files by their license's expression. */
  by_license: Record<string, number>
  untagged: { count: number; examples: string[] }
  /** Tags that are no SPDX expression. */
  invalid: { file: string; line: number; tag: string }[]
  /** Licenses that files name, without a text in LICENSES/. Only where the repository has such a directory, REUSE.toml or dep5. */
  missing_texts: string[]
  /** Texts in LICENSES/ that no file names. */
  unused_texts: string[]
  /** Files of the root with a license text, and what they say. */
  license_files: { file: string; license?: string }[]
  /** The license that manifests of the repository name. */
  declared: { file: string; license: string }[]
  /** Whether the repository follows REUSE: it has LICENSES/, and each file has a license. */
  reuse: boolean
  /** Files that could not be read. */
  unread: number
}
