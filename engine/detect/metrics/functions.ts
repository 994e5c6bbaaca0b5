import type { Spans } from '../lines/count.ts'
import { BraceReader } from './braces.ts'
import { IndentationReader } from './indentation.ts'
import { SYNTAXES } from './languages.ts'
import type { Syntax } from './syntax.ts'
import { Tally } from './tally.ts'
import { readTokens, type Skipped, type TokenReader, Words } from './tokens.ts'
import { WordReader } from './words.ts'

const words = new Map<Syntax, Words>()

/**
 * Measures the functions of a text in a language by its tokens, as lizard does: without a tree, in time that is linear in the text. Undefined
 * where it is not known how the language writes functions. `lists` asks for each function.
 */
export function measureFunctions(language: string, bytes: Uint8Array, spans: Spans, lists: boolean): Tally | undefined {
  const syntax = SYNTAXES[language]
  if (!syntax) return undefined
  let known = words.get(syntax)
  if (!known) {
    known = new Words(syntax.roles)
    words.set(syntax, known)
  }
  const tally = new Tally(lists)
  const reader = makeReader(bytes, syntax, tally)
  const skipped = spans.outside.length > 0 ? withOutside(spans) : spans
  const line = readTokens(bytes, skipped, known, reader, syntax.preprocessor && reader.direct)
  reader.conclude(line)
  return tally
}

function makeReader(bytes: Uint8Array, syntax: Syntax, tally: Tally): TokenReader & StructureReader {
  if (syntax.blocks === 'braces') return new BraceReader(bytes, syntax, tally)
  return syntax.blocks === 'indentation' ? new IndentationReader(bytes, tally) : new WordReader(bytes, syntax, tally)
}

interface StructureReader {
  conclude(line: number): void
  readonly direct: (start: number, end: number) => void
}

/** The spans, and the document around the code as comments. */
function withOutside({ starts, ends, kinds, outside, patterns }: Spans): Skipped {
  const all = [
    ...outside.map(({ start, end }) => [start, end, 0] as const),
    ...starts.map((start, index) => [start, ends[index]!, kinds[index]!] as const),
  ].sort((a, b) => a[0] - b[0])
  const merged: Skipped & { starts: number[]; ends: number[]; kinds: number[] } = {
    starts: [],
    ends: [],
    kinds: [],
    patterns,
  }
  let behind = 0
  for (const [start, end, kind] of all) {
    if (end <= behind) continue
    merged.starts.push(Math.max(start, behind))
    merged.ends.push(end)
    merged.kinds.push(kind)
    behind = end
  }
  return merged
}
