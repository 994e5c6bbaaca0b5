import type { External, ImportKind } from '../graph.ts'

/** What the readers of imports know of the repository. */
export interface Project {
  /** Absolute, symbolic links resolved. */
  root: string
  paths: readonly string[]
  numbers: ReadonlyMap<string, number>
  /** Every directory that has a file, below it or in it; '' is the root. */
  folders: ReadonlySet<string>
  /** The text of a file of the repository, such as a manifest; undefined where it cannot be read. */
  read(path: string): string | undefined
  notice(text: string): void
}

/** Where an import stands in its file, and what it says. */
export interface Site {
  specifier: string
  line: number
  column: number
  kind: ImportKind
}

/** What an import leads to. */
export type Target =
  | { file: number }
  | { external: External }
  | { state: 'outside' | 'computed' | 'missing'; reason: string }

/** Takes one resolved import of a file. */
export type Report = (file: number, site: Site, target: Target) => void

/** Reports all but what a file says of itself: where names are looked up, its own are among them. */
export function skipOwn(report: Report): Report {
  return (file, site, target) => {
    if (!('file' in target) || target.file !== file) report(file, site, target)
  }
}

/** Reads the imports of one repository in a family of languages: first every file, then the targets. */
export interface ImportReader {
  /** Reads a file; nothing of the text is kept but what is needed for the targets. */
  collect(file: number, text: string, language: string): void
  /** Reports every import of the files that were read. */
  resolve(report: Report): void
  /** The files that the language imports as one, each with the one that stands for it; left out where each file stands for itself. */
  units?(): Iterable<readonly [file: number, unit: number]>
}

/** What svc knows of the imports of a family of languages. One file in this directory each, found by `npm run generate`. */
export interface ImportLanguage {
  /** Stands in the graph for the files that were read by it. */
  name: string
  /** Names of the languages table. */
  languages: readonly string[]
  open(project: Project): Promise<ImportReader>
}

/** Thrown by `collect` where the imports of a source cannot be read; the message says why. */
export class UnreadableSource extends Error {}
