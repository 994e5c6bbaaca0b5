import type { Parsed } from '../parsed.ts'

/** Reads go.work: the modules that it uses have a go.mod each, which is read for itself. */
export function parse(text: string): Parsed {
  const uses = [...text.matchAll(/^\s*(?:use\s+)?(\.\S*)\s*(?:\/\/.*)?$/gm)].length
  return { detail: `a workspace of ${uses} ${uses === 1 ? 'module' : 'modules'}` }
}
