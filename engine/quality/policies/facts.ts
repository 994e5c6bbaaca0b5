import type { FileMetrics } from '../../base/records/file-metrics.ts'
import type { Finding } from '../../base/records/finding.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import type { Dependency } from './manifests/manifest.ts'

/** Something that policies ask about, or why nobody knows it. */
export type Known<T> = { value: T } | { missing: string }

/** The last commit of the branch that is checked out. */
export interface GitFacts {
  branch: string
  commit: string
  last_author: string
  last_author_email: string
  days_since_last_commit: number
  /** The commit carries a signature; whether it is a good one is not verified. */
  signed: boolean
}

/** The last commit that changed a file. */
export interface LastChange {
  last_author: string
  days_since_change: number
}

/** The text of a file, or why it cannot be read. */
export type ReadText = { text: string } | { reason: string }

/** Dependencies as manifests declare them, and manifests that could not be read, each with the reason. */
export interface Declared {
  dependencies: readonly Dependency[]
  manifests: readonly string[]
  unread: readonly { manifest: string; reason: string }[]
}

/** What policies are evaluated over. What takes time to know is found out when the first policy asks for it. */
export interface PolicyFacts {
  /** The files that policies are about, by path. */
  files: readonly SourceFile[]
  /** Paths that exist and are not scanned: enough for a required file. */
  others: readonly string[]
  readText(file: SourceFile): ReadText
  /** The owners that CODEOWNERS names for a path. */
  owners(): Promise<Known<(path: string) => readonly string[]>>
  declared(): Promise<Declared>
  metrics(): Promise<Known<(path: string) => FileMetrics | undefined>>
  findings(): Promise<Known<readonly Finding[]>>
  git(): Promise<Known<GitFacts>>
  /** By path. */
  history(): Promise<Known<ReadonlyMap<string, LastChange>>>
}
