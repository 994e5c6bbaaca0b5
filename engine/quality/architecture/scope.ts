import { compileGlob } from '../../base/text/glob.ts'
import type { ImportGraph } from './graph.ts'
import { getFolder } from './imports/source-text.ts'
import type { Scoped } from './rules.ts'

/** Whether a path matches one of several globs. */
export function matchAny(globs: readonly string[]): (path: string) => boolean {
  const compiled = globs.map(compileGlob)
  return path => compiled.some(matches => matches(path))
}

/** 1 for each file of a graph that a rule is for: `paths` (all where absent) without `except`. */
export function markFiles({ paths }: Pick<ImportGraph, 'paths'>, { paths: globs, except = [] }: Scoped): Uint8Array {
  const isIn = globs ? matchAny(globs) : () => true
  const isOut = matchAny(except)
  return Uint8Array.from(paths, path => (isIn(path) && !isOut(path) ? 1 : 0))
}

/** The directories that globs name, with each file's: the deepest one around it, by its number; -1 for a file in none. */
export function groupByFolder(
  { paths }: Pick<ImportGraph, 'paths'>,
  globs: readonly string[],
): { folders: string[]; group: Int32Array } {
  const matches = matchAny(globs.map(glob => glob.replace(/\/+$/, '')))
  const known = new Map<string, string | undefined>()
  const find = (folder: string): string | undefined => {
    if (known.has(folder)) return known.get(folder)
    const found = folder === '' ? undefined : matches(folder) ? folder : find(getFolder(folder))
    known.set(folder, found)
    return found
  }
  const numbers = new Map<string, number>()
  const group = Int32Array.from(paths, path => {
    const folder = find(getFolder(path))
    if (folder === undefined) return -1
    if (!numbers.has(folder)) numbers.set(folder, numbers.size)
    return numbers.get(folder)!
  })
  return { folders: [...numbers.keys()], group }
}
