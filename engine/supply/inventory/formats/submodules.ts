import type { Declaration, Parsed } from '../parsed.ts'
import { directoryOf } from '../paths.ts'
import { formatVcs } from '../resolved.ts'
import { splitLines } from '../syntax/lines.ts'

/** Reads .gitmodules. The commit stands in git's index and not in the file: the version is unknown. */
export function parse(text: string, file: string): Parsed {
  const modules: { line: number; fields: Map<string, string> }[] = []
  for (const [at, raw] of splitLines(text).entries()) {
    if (/^\s*\[submodule\s/.test(raw)) modules.push({ line: at + 1, fields: new Map() })
    const [, key, value] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(raw) ?? []
    if (key !== undefined) modules.at(-1)?.fields.set(key, value!)
  }
  const declares = modules.flatMap(({ line, fields }): Declaration[] => {
    const [url, branch] = [fields.get('url'), fields.get('branch')]
    if (url === undefined) return []
    return [
      {
        ...nameRepository(url),
        scope: 'production',
        kind: 'source',
        line,
        resolved: url,
        ...(branch !== undefined && { requirement: branch }),
      },
    ]
  })
  return { projects: [{ directory: directoryOf(file), name: '.gitmodules', declares }] }
}

/** Name and ecosystem of a repository by its address: those of GitHub have package URLs of their own. */
export function nameRepository(url: string): Pick<Declaration, 'name' | 'ecosystem' | 'vcs'> {
  const [, host, path] = /^(?:[a-z+]+:\/\/)?(?:[^@/]+@)?([^/:]+)[/:](.+?)(?:\.git)?\/?$/.exec(url) ?? []
  if (host === undefined || path === undefined || /^\.{1,2}$/.test(host)) return { name: url, ecosystem: 'Git' }
  return host === 'github.com'
    ? { name: path, ecosystem: 'GitHub' }
    : { name: `${host}/${path}`, ecosystem: 'Git', vcs: formatVcs(url) }
}
