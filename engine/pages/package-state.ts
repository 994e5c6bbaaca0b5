import { lstatSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Listing } from '../base/records/source-file.ts'
import type { FileState } from './file-state.ts'

/** Languages whose imports are resolved in installed packages. */
const RESOLVED = new Set(['javascript', 'typescript', 'tsx', 'jsx', 'vue', 'svelte', 'astro'])

/**
 * Adds the packages that are installed where sources of a listing import them: git ignores them, and whether an import leads to a file of the
 * repository depends on them. Of each package its manifest is looked at, which says what it exports and changes with its version.
 */
export function addPackages(state: FileState, { root, files }: Listing): FileState {
  const directories = new Set<string>([''])
  for (const { path, language } of files) {
    if (language !== null && !RESOLVED.has(language)) continue
    for (let at = dirname(path); at !== '.' && !directories.has(at); at = dirname(at)) directories.add(at)
  }
  for (const directory of directories) {
    const installed = join(root, directory, 'node_modules')
    if (!lstatSync(installed, { throwIfNoEntry: false })) continue
    state.addFile(installed)
    for (const name of listNames(installed)) {
      const packages = name.startsWith('@') ? listNames(join(installed, name)).map(each => join(name, each)) : [name]
      for (const each of packages) state.addFile(join(installed, each)).addFile(join(installed, each, 'package.json'))
    }
  }
  return state
}

function listNames(path: string): string[] {
  try {
    return readdirSync(path).sort()
  } catch {
    return []
  }
}
