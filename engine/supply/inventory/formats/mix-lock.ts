import { type Edge, type Entry, ManifestFault, type Parsed } from '../parsed.ts'
import { formatVcs, readDigest } from '../resolved.ts'
import { splitLines } from '../syntax/lines.ts'

const HEX = /^\s*"?([\w.-]+)"?\s*(?::|=>)\s*\{:hex,\s*:?"?([\w.-]+)"?,\s*"([^"]+)",\s*"([0-9a-f]*)"(.*)$/
const GIT = /^\s*"?([\w.-]+)"?\s*(?::|=>)\s*\{:git,\s*"([^"]+)",\s*"([0-9a-f]+)"/

/** Reads mix.lock: a map of Elixir with one package a line, a tuple of `:hex` or `:git`. */
export function parse(text: string): Parsed {
  const entries: Entry[] = []
  const faults: ManifestFault[] = []
  const needed = new Map<string, string[]>()
  for (const [at, line] of splitLines(text).entries()) {
    if (/^\s*(%\{\s*\}?|\})?\s*$/.test(line) || /^\s*#/.test(line)) continue
    const [, key, name, version, inner, rest = ''] = HEX.exec(line) ?? []
    if (key !== undefined) {
      // The second digest is of the archive, the first of what is in it.
      const outer = [...rest.matchAll(/"([0-9a-f]{64})"/g)].at(-1)?.[1]
      entries.push({ key, name: name!, version: version!, line: at + 1, hashes: readDigest(outer ?? inner, 'sha256') })
      needed.set(
        key,
        [...rest.matchAll(/\{:"?([\w.-]+)"?,/g)].map(([, to]) => to!),
      )
      continue
    }
    const [, alias, url, commit] = GIT.exec(line) ?? []
    if (alias !== undefined)
      entries.push({
        key: alias,
        name: alias,
        version: commit!,
        line: at + 1,
        resolved: url!,
        vcs: formatVcs(url!, commit),
      })
    else faults.push(new ManifestFault('a line must have the form "name": {:hex, …} or {:git, …}', at + 1))
  }
  const content = text.trim()
  if (content !== '' && !(content.startsWith('%{') && content.endsWith('}')))
    faults.push(new ManifestFault('the map is not closed: the file ends too early'))
  const known = new Set(entries.map(({ key }) => key))
  for (const entry of entries)
    entry.edges = (needed.get(entry.key) ?? []).flatMap((to): Edge[] => (known.has(to) ? [{ to }] : []))
  return { entries, faults }
}
