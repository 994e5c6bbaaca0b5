import { readSource } from '../base/disk/read.ts'
import type { SourceFile } from '../base/records/source-file.ts'
import { PROGRAM_LANGUAGES } from './languages.ts'
import type { ConventionFile } from './profile/conventions.ts'

/** Larger files are generated or data. */
const MOST_BYTES = 1 << 20
/** Files that are read for conventions; of more, every n-th by path, so that the same tree gives the same counts. */
const MOST_FILES = 3000

/** A file of a program, tests included, that was written here. */
export function isProgramFile({ language, class: by, size }: SourceFile): boolean {
  return language !== null && PROGRAM_LANGUAGES.has(language) && by === undefined && size > 0
}

/** The files of programs that conventions are counted in, evenly chosen where there are too many. */
export function chooseConventionFiles(files: readonly SourceFile[]): SourceFile[] {
  const fitting = files.filter(file => isProgramFile(file) && file.size <= MOST_BYTES)
  if (fitting.length <= MOST_FILES) return fitting
  const step = fitting.length / MOST_FILES
  return Array.from({ length: MOST_FILES }, (_, index) => fitting[Math.floor(index * step)]!)
}

/** Reads the texts one after the other; what cannot be read is passed over. */
export function* readTexts(
  root: string,
  files: readonly SourceFile[],
  signal?: AbortSignal,
): Generator<ConventionFile> {
  const decoder = new TextDecoder()
  for (const file of files) {
    signal?.throwIfAborted()
    const content = readSource(root, file, MOST_BYTES)
    if (!(content instanceof Uint8Array) || content.includes(0)) continue
    yield { path: file.path, language: file.language!, in_test: file.in_test, text: decoder.decode(content) }
  }
}
