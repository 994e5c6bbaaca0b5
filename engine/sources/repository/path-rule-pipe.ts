import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** Commands for which git opens the ignore or attributes files of every directory. */
const READS_THEM = new Set([
  'status',
  'ls-files',
  'check-ignore',
  'check-attr',
  'add',
  'diff',
  'diff-files',
  'diff-index',
])
const FILES = new Set(['.gitignore', '.gitattributes'])
/** How long git is waited for before anybody asks why, in milliseconds. It decides when the answer comes, never what it is. */
const PATIENCE = 2000

/** Whether git may open such files for a call with these arguments. */
export function readsPathRules(args: readonly string[]): boolean {
  return args.some(word => READS_THEM.has(word))
}

/**
 * Finds a pipe or another special file named `.gitignore` or `.gitattributes` below a directory, relative to it: git would wait for
 * its writer for ever. Undefined where there is none.
 */
export async function findPipe(root: string, signal: AbortSignal): Promise<string | undefined> {
  const directories = [root]
  for (let at = directories.pop(); at !== undefined && !signal.aborted; at = directories.pop()) {
    let entries: Dirent[]
    try {
      entries = await readdir(at, { withFileTypes: true })
    } catch {
      // What cannot be listed, git cannot open either.
      continue
    }
    for (const entry of entries) {
      if (FILES.has(entry.name) && (entry.isFIFO() || entry.isCharacterDevice() || entry.isSocket()))
        return relative(root, join(at, entry.name))
      if (entry.isDirectory() && entry.name !== '.git') directories.push(join(at, entry.name))
    }
  }
  return undefined
}

/**
 * Calls `found` with the file for which git waits, once git takes so long that there may be one. Answers a function
 * that ends the watching.
 */
export function watchPathRules(root: string, found: (path: string) => void): () => void {
  const stopping = new AbortController()
  const timer = setTimeout(async () => {
    const path = await findPipe(root, stopping.signal)
    if (path !== undefined && !stopping.signal.aborted) found(path)
  }, PATIENCE)
  return () => {
    clearTimeout(timer)
    stopping.abort()
  }
}
