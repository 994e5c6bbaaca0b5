import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** A JavaScript regular expression under the flag u, parsed; undefined where it cannot be read. */
export function parsePattern(source: string): AST.Pattern | undefined {
  try {
    const flags = { unicode: true, unicodeSets: false }
    return new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, flags)
  } catch {
    return undefined
  }
}
