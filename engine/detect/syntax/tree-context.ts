import type { SgNode } from '@ast-grep/napi'
import { type Branch, getBranch } from '../simple-types/branch.ts'

/** Node kinds of comments, string literals, and the code inside string literals, over all grammars; a grammar has some of them. */
export const COMMENT_KINDS = [
  'comment',
  'line_comment',
  'block_comment',
  'multiline_comment',
  'doc_comment',
  'html_comment',
  'marginalia',
]
const STRING_KINDS = [
  'string',
  'string_literal',
  'raw_string_literal',
  'raw_string',
  'char_literal',
  'character_literal',
  'template_string',
  'interpreted_string_literal',
  'verbatim_string_literal',
  'interpolated_string_expression',
  'interpolated_string',
  'encapsed_string',
  'heredoc',
  'heredoc_body',
  'nowdoc',
  'line_string_literal',
  'multi_line_string_literal',
  'multiline_string_literal',
  'rune_literal',
]
const INTERPOLATION_KINDS = [
  'interpolation',
  'template_substitution',
  'interpolated_expression',
  'command_substitution',
]

type Context = 'code' | 'comment' | 'string'

/** What a node makes of what stands in it; a kind that is none of these changes nothing. */
const CONTEXTS: ReadonlyMap<string, Context> = new Map([
  ...COMMENT_KINDS.map(kind => [kind, 'comment'] as const),
  ...STRING_KINDS.map(kind => [kind, 'string'] as const),
  ...INTERPOLATION_KINDS.map(kind => [kind, 'code'] as const),
])

/** What stands at an offset, from the parsed tree: the innermost comment, string or interpolated code around it. */
export function makeTreeContext(root: SgNode): (offset: number) => Context {
  const whole = getBranch(root)
  return offset => {
    let context: Context = 'code'
    for (let at: Branch | undefined = whole; at; at = at.findAt(offset)) {
      const own = CONTEXTS.get(String(at.node.kind()))
      // Without a name it is a word of the language: the type `string`.
      if (own && at.node.isNamed()) context = own
    }
    return context
  }
}
