import type { WordIndex } from './word-index.ts'
import type { SourceWords } from './words.ts'

/**
 * Words of which a function that asks for one of these sources has at least one, of those sources alone that may be in the text; undefined
 * where that cannot be told. A name that is a source's in the handlers of one framework is any name in a file without that framework.
 */
export function findAskingWords(sources: readonly SourceWords[], index: WordIndex): readonly string[] | undefined {
  const all = new Set<string>()
  for (const source of sources) {
    if (!index.hasSource(source)) continue
    if (!source.near) return undefined
    for (const word of source.near) all.add(word)
  }
  return [...all]
}
