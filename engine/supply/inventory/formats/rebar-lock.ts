import { type Entry, ManifestFault, type Parsed } from '../parsed.ts'
import { directoryOf } from '../paths.ts'
import { formatVcs, readDigest } from '../resolved.ts'
import { splitLines } from '../syntax/lines.ts'

/** Reads rebar.lock: tuples of Erlang. The last number of a tuple is the level, and 0 is direct. */
export function parse(text: string, file: string): Parsed {
  const entries: Entry[] = []
  const direct: string[] = []
  for (const [at, line] of splitLines(text).entries()) {
    const [, key, name, version] = /\{<<"([^"]+)">>,\s*\{pkg,\s*<<"([^"]+)">>,\s*<<"([^"]+)">>/.exec(line) ?? []
    const [, alias] = /\{<<"([^"]+)">>,\s*$/.exec(line) ?? []
    if (key !== undefined) entries.push({ key, name: name!, version: version!, line: at + 1 })
    else if (alias !== undefined) entries.push({ key: alias, name: alias, line: at + 1 })
    const last = entries.at(-1)
    const [, url] = /\{git,\s*"([^"]+)"/.exec(line) ?? []
    const [, commit] = /\{ref,\s*"([0-9a-f]+)"/.exec(line) ?? []
    if (last && url !== undefined) last.resolved = url
    if (last && commit !== undefined)
      Object.assign(last, { version: commit, vcs: formatVcs(last.resolved ?? last.name, commit) })
    if (last && /\},\s*0\}/.test(line)) direct.push(last.key)
  }
  if (text.trim() !== '' && !/[\]}]\s*\.\s*$/.test(text.slice(-200)))
    throw new ManifestFault('the list is not closed: the file ends too early')
  const byKey = new Map(entries.map(entry => [entry.key, entry]))
  // The archives' digests stand in a list of their own; the inner ones are listed before.
  for (const [, name, digest] of text
    .slice(Math.max(0, text.indexOf('pkg_hash_ext')))
    .matchAll(/\{<<"([^"]+)">>,\s*<<"([0-9A-Fa-f]{64})">>/g)) {
    const entry = byKey.get(name!)
    if (entry) entry.hashes = readDigest(digest, 'sha256')
  }
  return { entries, projects: [{ directory: directoryOf(file), edges: direct.map(to => ({ to })) }] }
}
