import { lstatSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BASELINE_PATH, CONFIG_PATH, LEGACY_PATH, SUPPRESSIONS_PATH } from '../sources/config/paths.ts'

/** Files that decide how files are judged, from the root. */
const SETTINGS = [
  ...[CONFIG_PATH, LEGACY_PATH, SUPPRESSIONS_PATH, BASELINE_PATH],
  ...['.gitattributes', '.gitignore', '.git/info/attributes', '.git/info/exclude'],
]
/** Directories of the repository's own rules. */
const RULES = ['.svc/packs', '.svc/rules']
/** Entries of those that are looked at; a repository with more is read anew when its settings are saved in the editor. */
const MOST_ENTRIES = 2000

/**
 * What tells that settings have changed: times and sizes of the files that decide how `path` is judged. It takes some ten looks at the
 * disk, and reads no file. `folders` are those with a configuration of their own.
 */
export function signSettings(root: string, folders: readonly string[], path: string): string {
  const names = new Set([...SETTINGS, ...folders.map(folder => `${folder}/${CONFIG_PATH}`)])
  for (let at = dirname(path); at !== '.' && at !== '/'; at = dirname(at)) {
    names.add(`${at}/${CONFIG_PATH}`)
    names.add(`${at}/.gitattributes`)
  }
  const signs = [...names].map(name => `${name} ${sign(join(root, name))}`).filter(text => !text.endsWith(' -'))
  let left = MOST_ENTRIES
  const walk = (folder: string) => {
    for (const entry of listEntries(folder)) {
      if (left-- <= 0) return
      const inner = join(folder, entry.name)
      signs.push(`${inner} ${sign(inner)}`)
      if (entry.isDirectory()) walk(inner)
    }
  }
  for (const folder of RULES) walk(join(root, folder))
  return signs.sort().join('\n')
}

function sign(path: string): string {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true })
    return stats === undefined ? '-' : `${stats.mtimeNs} ${stats.ctimeNs} ${stats.size} ${stats.ino}`
  } catch {
    // A part of the path is no directory, or may not be entered: whoever reads the file says so.
    return '-'
  }
}

function listEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // There are no rules of its own; where they cannot be read, reading them says so.
    return []
  }
}
