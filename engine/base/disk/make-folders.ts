import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a directory and those on the way to it, one at a time; returns the first one that was made, undefined where all were there.
 * Node's own `recursive` never ends in a file system that answers ENOENT for every new directory, such as /proc: here that is EPERM, as
 * mkdir(2) names a file system without directories of others. EEXIST or ENOTDIR where a file is on the way. A path may be bytes, as names that are
 * no UTF-8 are; what is returned then has a character for each byte.
 */
export function makeFolders(path: string | Buffer, { mode = 0o777 }: { mode?: number } = {}): string | undefined {
  const isBytes = typeof path !== 'string'
  const encode = (name: string) => (isBytes ? Buffer.from(name, 'latin1') : name)
  const missing: string[] = []
  for (let at = resolve(isBytes ? path.toString('latin1') : path); !isFolder(encode(at)); at = dirname(at)) {
    missing.push(at)
    if (dirname(at) === at) break
  }
  let first: string | undefined
  for (const folder of missing.reverse())
    try {
      mkdirSync(encode(folder), { mode })
      first ??= folder
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Another process made it at the same time.
      if (code === 'EEXIST' && isFolder(encode(folder))) continue
      if (code !== 'ENOENT') throw error
      throw Object.assign(new Error(`${folder}: the file system creates no directories here`, { cause: error }), {
        code: 'EPERM',
      })
    }
  return first
}

function isFolder(path: string | Buffer): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
