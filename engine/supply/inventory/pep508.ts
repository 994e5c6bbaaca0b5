import type { Declaration } from './parsed.ts'
import { formatVcs } from './resolved.ts'

/** A requirement by PEP 508: `name[extra] >= 1.0, < 2 ; marker`, or `name @ address`. Undefined where the text is none. */
export function readPep508(text: string): Omit<Declaration, 'scope'> | undefined {
  const [, name, , rest = ''] =
    /^([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(\[[^\]]*\])?\s*(.*)$/s.exec(text.trim().replace(/\s+/g, ' ')) ?? []
  if (name === undefined) return undefined
  if (rest.startsWith('@')) {
    const address = rest
      .slice(1)
      .trim()
      .split(/\s*;|\s/)[0]!
    // A path has no registry: it is a project, and none that is found by this.
    if (/^(file:|\.{0,2}\/)/.test(address)) return { name, directory: address }
    const [, url = address, commit] = /^(git\+[^#]*?)(?:@([^@/#]+))?(?:#.*)?$/.exec(address) ?? []
    if (address.startsWith('git+')) return { name, resolved: address, vcs: formatVcs(url, commit) }
    return { name, resolved: address, qualifiers: { download_url: address } }
  }
  const range = rest
    .split(';')[0]!
    .trim()
    .replace(/^\((.*)\)$/, '$1')
    .trim()
  if (range === '') return { name }
  if (!/^(===?|~=|!=|[<>]=?)/.test(range)) return undefined
  const version = /^={2,3}\s*([^\s,*]+)$/.exec(range)?.[1]
  return { name, requirement: range, ...(version !== undefined && { version }) }
}
