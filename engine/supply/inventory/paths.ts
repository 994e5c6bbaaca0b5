/** Characters that a path in a lock file may have: no system takes longer ones, and each part of it is looked up. */
export const LONGEST_PATH = 4096

/** The directory of a repository-relative path, '' for the root. */
export function directoryOf(path: string): string {
  const end = path.lastIndexOf('/')
  return end === -1 ? '' : path.slice(0, end)
}

/** What is found for a directory or the nearest one above it, the repository's own ('') the last. */
export function findAbove<T>(directory: string, find: (directory: string) => T | undefined): T | undefined {
  for (let at = directory; ; at = directoryOf(at)) {
    const found = find(at)
    if (found !== undefined || at === '') return found
  }
}

/** A path from a directory of the repository on, with `.` and `..` resolved; what leaves the repository keeps its `..`. */
export function joinPath(directory: string, path: string): string {
  const parts: string[] = []
  for (const part of `${directory}/${path}`.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else parts.push(part)
  }
  return parts.join('/')
}

/** Order by code units, the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
