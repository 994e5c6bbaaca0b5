import type { SourceFile } from '../../base/records/source-file.ts'

/** Files that are read with the sources that include them. */
const HEADER = /\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp|tpp|tcc|txx|inc)$/i

/** Whether a file is analyzed by itself: C or C++ that is no header, written by those who work on the repository. */
export function isCppSource({ path, language, class: origin }: SourceFile): boolean {
  return (language === 'c' || language === 'cpp') && !HEADER.test(path) && origin === undefined
}
