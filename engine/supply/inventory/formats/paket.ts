import { type Declaration, type Entry, ManifestFault, type Parsed } from '../parsed.ts'
import { directoryOf } from '../paths.ts'
import { splitLines } from '../syntax/lines.ts'

/** Reads paket.lock and paket.dependencies. */
export function parse(text: string, file: string): Parsed {
  return file.endsWith('.lock') ? readLock(text) : readManifest(text, directoryOf(file))
}

function readLock(text: string): Parsed {
  const entries: Entry[] = []
  let [section, group] = ['', '']
  for (const [at, raw] of splitLines(text).entries()) {
    const line = raw.trimEnd()
    if (/^\S/.test(line)) {
      if (line.startsWith('GROUP ')) group = line.slice(6)
      else if (!/^[A-Z][A-Z-]*(:|$)/.test(line))
        throw new ManifestFault(`${JSON.stringify(line.slice(0, 40))} is no section of paket.lock`, at + 1)
      section = line
      continue
    }
    const [, indent = '', name, version] = /^( {4}| {6})(\S+)(?: \(([^)]+)\))?/.exec(line) ?? []
    if (name === undefined || section !== 'NUGET') continue
    if (indent.length === 4)
      entries.push({
        key: `${group}/${name}`,
        name,
        version,
        line: at + 1,
        scope: /build|test|dev/i.test(group) ? 'development' : 'production',
        edges: [],
      })
    else entries.at(-1)?.edges?.push({ to: `${group}/${name}` })
  }
  return { entries }
}

function readManifest(text: string, directory: string): Parsed {
  const declares: Declaration[] = []
  let isMain = true
  for (const [at, raw] of splitLines(text).entries()) {
    const line = raw.replace(/\/\/.*$|#.*$/, '').trim()
    if (/^group\s/i.test(line)) isMain = /^group\s+main$/i.test(line)
    const [, origin, name, rest = ''] = /^(nuget|github|git|gist|clitool)\s+(\S+)\s*(.*)$/.exec(line) ?? []
    if (name === undefined) continue
    const common = { scope: isMain ? ('production' as const) : ('development' as const), line: at + 1 }
    if (origin === 'nuget' || origin === 'clitool') {
      const [, operator = '', requirement] = /^(~>|[<>=!]=?|@)?\s*([\d][\w.+-]*)/.exec(rest) ?? []
      const isExact = requirement !== undefined && /^={0,2}$/.test(operator)
      declares.push({
        name,
        ...common,
        ...(requirement !== undefined && { requirement: `${operator} ${requirement}`.trim() }),
        ...(isExact && { version: requirement }),
      })
    } else {
      const [path = name, version] = name.split(':')
      declares.push({
        name: path,
        ecosystem: 'GitHub',
        kind: 'source',
        ...common,
        ...(version !== undefined && { version }),
      })
    }
  }
  return { projects: [{ directory, declares }] }
}
