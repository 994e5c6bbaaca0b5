import { parse, type SgNode } from '@ast-grep/napi'
import type { RuleFailure } from '../rules/file-outcome.ts'
import { grammarName } from './grammar.ts'
import { DEEPEST, isTooDeep, mayBeDeep, unparsable } from './nesting.ts'

/** The tree of a text, or why rules of syntax cannot be asked about it: it does not parse, or is nested too deeply for a parser. */
export function parsedText(language: string, text: string): { root: SgNode } | Omit<RuleFailure, 'rule'> {
  const mayBe = mayBeDeep(text)
  const harm = unparsable(language, text, mayBe)
  if (harm !== undefined) return { reason: 'too_deep', detail: harm }
  try {
    const root = parse(grammarName(language), text).root()
    return isTooDeep(root, text, mayBe) ? { reason: 'too_deep', detail: `more than ${DEEPEST} levels` } : { root }
  } catch (error) {
    return { reason: 'parse_failed', detail: String(error) }
  }
}
