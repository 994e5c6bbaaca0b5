import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a directory and those on the way to it, one at a time; returns the first one that was made, undefined where all were there.
 * Node's own `recursive` never ends in a file system that answers ENOENT for every new directory, such as /proc: here that is EPERM, as
 * mkdir(2) names a file system without directories of others. EEXIST or ENOTDIR where a file is on the way.
 */
export function makeFolders(path: string, { mode = 0o777 }: { mode?: number } = {}): string | undefined {
  const missing: string[] = []
  for (let at = resolve(path); !isFolder(at); at = dirname(at)) {
    missing.push(at)
    if (dirname(at) === at) break
  }
  let first: string | undefined
  for (const folder of missing.reverse())
    try {
      mkdirSync(folder, { mode })
      first ??= folder
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Another process made it at the same time.
      if (code === 'EEXIST' && isFolder(folder)) continue
      if (code !== 'ENOENT') throw error
      throw Object.assign(new Error(`${folder}: the file system creates no directories here`, { cause: error }), {
        code: 'EPERM',
      })
    }
  return first
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
