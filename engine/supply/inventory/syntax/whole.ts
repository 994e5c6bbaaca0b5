import { ManifestFault } from '../parsed.ts'

/** The text without a byte order mark, and with line feeds alone: expressions of parsers end at them. */
export function normalizeText(text: string): string {
  const content = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  return content.includes('\r') ? content.replaceAll('\r\n', '\n') : content
}

/** Refuses what is no manifest though it has the name of one: a pointer of git LFS, and a file with conflict markers of a merge. */
export function refuseUnusable(text: string): void {
  if (text.startsWith('version https://git-lfs.github.com/spec/'))
    throw new ManifestFault('it is a pointer of git LFS: run `git lfs pull`', 1)
  const begins = findLineStart(text, '<<<<<<< ')
  if (begins !== undefined && findLineStart(text, '>>>>>>> ') !== undefined)
    throw new ManifestFault('it has conflict markers of a merge', begins)
}

/** The number of the first line that starts with a mark. */
function findLineStart(text: string, mark: string): number | undefined {
  const at = text.startsWith(mark) ? 0 : text.indexOf(`\n${mark}`) + 1
  if (at === 0 && !text.startsWith(mark)) return undefined
  return text.slice(0, at).split('\n').length
}
