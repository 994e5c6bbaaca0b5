import { realpathSync } from 'node:fs'
import { findRepository } from './repository-place.ts'

/**
 * What tells a repository from every other one, for seals: the address of its remote `origin` without user, scheme and `.git`, so that
 * clones on several machines have one name; without a remote, the directory of its work tree. Both are set on this machine, and not by
 * the files of the repository.
 */
export function nameRepository(root: string): string {
  const place = findRepository(root)
  const origin = place?.settings === undefined ? undefined : readOrigin(place.settings)
  if (origin !== undefined) return `origin ${origin}`
  return `directory ${resolveReal(place?.top ?? place?.gitDirectory ?? root)}`
}

/** The address in the section of the remote; linear to the text. */
function readOrigin(settings: string): string | undefined {
  let isOrigin = false
  for (const line of settings.split('\n')) {
    const text = line.trim()
    if (text.startsWith('[')) isOrigin = /^\[remote "origin"\]/.test(text)
    const url = isOrigin ? /^url\s?=\s?(\S{1,2000})$/.exec(text)?.[1] : undefined
    if (url !== undefined) return normalizeAddress(url)
  }
  return undefined
}

/** `git@host:owner/name.git` and `https://user@host/owner/name` are one address. */
function normalizeAddress(url: string): string {
  const bare = url.replace(/^[a-z+]{2,10}:\/\//i, '').replace(/^[^@/]{1,200}@/, '')
  return bare
    .replace(/^([\w.-]{1,255}):(?!\d)/, '$1/')
    .replace(/\/$/, '')
    .replace(/\.git$/, '')
}

function resolveReal(path: string): string {
  return realpathSync(path)
}
