import type { Parsed } from '../parsed.ts'
import { splitLines } from '../syntax/lines.ts'

/** Reads go.work: the modules that it uses have a go.mod each, which is read for itself. */
export function parse(text: string): Parsed {
  const uses = splitLines(text).filter(line => /^\s*(?:use\s+)?\.\S*\s*(?:\/\/.*)?$/.test(line)).length
  return { detail: `a workspace of ${uses} ${uses === 1 ? 'module' : 'modules'}` }
}
