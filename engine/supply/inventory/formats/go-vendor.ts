import type { Entry, Parsed } from '../parsed.ts'
import { directoryOf } from '../paths.ts'
import { splitLines } from '../syntax/lines.ts'

/** Reads vendor/modules.txt: `# module version [=> replacement version]`, then its packages; `## explicit` marks what go.mod requires. */
export function parse(text: string, file: string): Parsed {
  const entries: Entry[] = []
  const direct: string[] = []
  for (const [at, raw] of splitLines(text).entries()) {
    const line = raw.trim()
    const last = entries.at(-1)
    if (/^## .*\bexplicit\b/.test(line)) {
      if (last) direct.push(last.key)
      continue
    }
    const [hash, name, ...rest] = line.split(/\s+/)
    if (hash !== '#' || name === undefined || rest.length === 0) continue
    const arrow = rest.indexOf('=>')
    const target = arrow === -1 ? undefined : rest[arrow + 1]
    const isLocal = target !== undefined && /^\.{0,2}\//.test(target)
    // A replacement for every version has none before its arrow.
    const release = target === undefined || isLocal ? rest[0] : (rest[arrow + 2] ?? rest[0])
    if (release === undefined || release === '=>' || (target === undefined && !/^v\d/.test(release))) continue
    entries.push({
      key: name,
      name: target === undefined || isLocal ? name : target,
      version: release.replace(/^v(?=\d)/, ''),
      line: at + 1,
      scope: 'production',
    })
  }
  const project = { directory: directoryOf(directoryOf(file)), edges: direct.map(to => ({ to })) }
  return { entries, projects: [project] }
}
