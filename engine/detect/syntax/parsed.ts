import { parse, type SgNode } from '@ast-grep/napi'
import { countPart } from '../../base/spent.ts'
import type { RuleFailure } from '../rules/file-outcome.ts'
import { getGrammarName } from './grammar.ts'
import { DEEPEST, explainUnparsable, isTooDeep, mayBeDeep } from './nesting.ts'

/** The tree of a text, or why rules of syntax cannot be asked about it: it does not parse, or is nested too deeply for a parser. */
export function parseSyntax(language: string, text: string): { root: SgNode } | Omit<RuleFailure, 'rule'> {
  return countPart('parse', () => parseShallow(language, text))
}

function parseShallow(language: string, text: string): { root: SgNode } | Omit<RuleFailure, 'rule'> {
  const mayBe = mayBeDeep(text)
  const harm = explainUnparsable(language, text, mayBe)
  if (harm !== undefined) return { reason: 'too_deep', detail: harm }
  try {
    const root = parse(getGrammarName(language), text).root()
    return isTooDeep(root, text, mayBe) ? { reason: 'too_deep', detail: `more than ${DEEPEST} levels` } : { root }
  } catch (error) {
    return { reason: 'parse_failed', detail: String(error) }
  }
}
