import type { Entry, Parsed } from '../parsed.ts'
import { splitLines } from '../syntax/lines.ts'

/** Reads an export of opam switch: `name.version`, one a line. */
export function parse(text: string): Parsed {
  const entries = splitLines(text).flatMap((raw, at): Entry[] => {
    const [, name, version] = /^([A-Za-z][\w+-]*)\.(\S+)/.exec(raw.replace(/#.*$/, '').trim()) ?? []
    return name === undefined ? [] : [{ key: String(at), name, version: version!, line: at + 1 }]
  })
  return { entries }
}
