import { compileFormats } from '../../supply/inventory/select.ts'
import type { Sides, Unread } from '../content.ts'

/** A dependency that a manifest declares after a change and none of the change's manifests before it. */
export interface NewDependency {
  file: string
  line: number
  ecosystem: string
  name: string
  requirement: string
}

/** The dependencies that a change declares anew, by its manifests; lock files say nothing of what was chosen. */
export async function findNewDependencies(
  files: readonly Sides[],
): Promise<{ added: NewDependency[]; unread: Unread[] }> {
  const formatOf = compileFormats()
  const before = new Set<string>()
  const after: NewDependency[] = []
  const unread: Unread[] = []
  for (const { path, before: old, after: now } of files) {
    const format = formatOf(path)
    if (format?.kind !== 'manifest' || format.load === undefined) continue
    const { parse } = await format.load()
    const read = (text: string) => (parse(text, path).projects ?? []).flatMap(({ declares = [] }) => declares)
    try {
      if (old !== undefined)
        for (const { name, ecosystem } of read(old)) before.add(`${ecosystem ?? format.ecosystem}\0${name}`)
    } catch {
      // A manifest that was broken before declared nothing: all that it declares now is new.
    }
    if (now === undefined) continue
    try {
      for (const { name, ecosystem, line, requirement, version, directory } of read(now))
        if (directory === undefined)
          after.push({
            ...{ file: path, line: line ?? 1, ecosystem: ecosystem ?? format.ecosystem, name },
            requirement: requirement ?? version ?? '',
          })
    } catch (error) {
      unread.push({ path, reason: `its dependencies cannot be read: ${(error as Error).message}` })
    }
  }
  return { added: after.filter(({ ecosystem, name }) => !before.has(`${ecosystem}\0${name}`)), unread }
}
