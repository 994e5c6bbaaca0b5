import { type Entry, ManifestFault, type Parsed } from '../parsed.ts'
import { splitLines } from '../syntax/lines.ts'

/** Reads an export of opam switch: `name.version`, one a line. Dune gives what it installs files of the same ending, which are none. */
export function parse(text: string, file: string): Parsed {
  const entries: Entry[] = []
  const faults: ManifestFault[] = []
  for (const [at, raw] of splitLines(text).entries()) {
    const line = raw.replace(/#.*$/, '').trim()
    if (line === '') continue
    const [, name, version] = /^([A-Za-z][\w+-]*)\.([^\s[\]"]+)$/.exec(line) ?? []
    if (name !== undefined) entries.push({ key: String(at), name, version: version!, line: at + 1 })
    else faults.push(new ManifestFault('a line must have the form name.version', at + 1))
  }
  if (file.endsWith('.install') && entries.length === 0 && faults.length > 0)
    return { detail: 'it is no export of an opam switch' }
  return { entries, faults }
}
