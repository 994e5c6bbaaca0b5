import { kind, parse, type SgNode } from '@ast-grep/napi'
import type { AstRule } from '../../base/records/rule.ts'
import type { OneLine } from '../lexer/layout.ts'
import { blankComments, isOfC } from '../lexer/without-comments.ts'
import type { Trees } from '../rules/detector.ts'
import type { RuleFailure } from '../rules/file-outcome.ts'
import { getGrammarName } from './grammar.ts'
import { parseSyntax } from './parsed.ts'
import { COMMENT_KINDS } from './tree-context.ts'

/** Kinds of what is written between parentheses or around operators, over all grammars. */
const HOLDERS = [
  'argument',
  'argument_list',
  'arguments',
  'array',
  'array_initializer',
  'attribute_argument_list',
  'annotation_argument_list',
  'binary_expression',
  'binary_operator',
  'call_expression',
  'call_suffix',
  'element_value_array_initializer',
  'formal_parameters',
  'initializer_list',
  'invocation_expression',
  'list',
  'macro_invocation',
  'member_call_expression',
  'method_invocation',
  'parameter_list',
  'parameters',
  'parenthesized_expression',
  'token_tree',
  'tuple',
  'tuple_expression',
  'value_argument',
  'value_arguments',
]

/** Whether a comment of the text begins or ends beside a sign of arguments or operands; most texts have none such. */
function mayHoldCommentBetween(text: string): boolean {
  return /[(,+&|][ \t\r\n]*(?:\/[*/]|#)|\*\/[ \t]*[),\w"'&|+]/.test(text)
}

/** The trees of a text, or why it cannot be parsed. */
export function parseTrees(language: string, text: string, tidy: OneLine): Trees | Omit<RuleFailure, 'rule'> {
  // Of C no comment is needed by more than a few rules, and to lay it out or search its tree for comments costs more than to parse it.
  if (isOfC(language)) return parseTreesWithout(language, text, blankComments(text))
  const parsed = parseSyntax(language, text)
  if ('reason' in parsed) return parsed
  return { whole: parsed.root, bare: withoutCommentsBetween(language, text, parsed.root, tidy) }
}

/** The trees of a text, of which `code` is without its comments. That with them is made only where it is asked for. */
export function parseTreesWithout(language: string, text: string, code: string): Trees | Omit<RuleFailure, 'rule'> {
  const parsed = parseSyntax(language, code)
  if ('reason' in parsed) return parsed
  let whole = code === text ? parsed.root : undefined
  return {
    bare: parsed.root,
    get whole() {
      whole ??= parse(getGrammarName(language), text).root()
      return whole
    },
  }
}

function withoutCommentsBetween(language: string, text: string, root: SgNode, tidy: OneLine): SgNode {
  if (!mayHoldCommentBetween(text) || !tidy.of(text)?.hasCommentBetween) return root
  const rule = commentsBetween(getGrammarName(language))
  const nodes = rule ? (root.findAll({ rule } as never) as SgNode[]) : []
  if (nodes.length === 0) return root
  let out = ''
  let from = 0
  for (const { start, end } of nodes.map(node => node.range()).sort((a, b) => a.start.index - b.start.index)) {
    if (start.index < from) continue
    out += text.slice(from, start.index) + text.slice(start.index, end.index).replace(/[^\r\n]/g, ' ')
    from = end.index
  }
  return parse(getGrammarName(language), out + text.slice(from)).root()
}

const rules = new Map<string, Record<string, unknown> | undefined>()

function commentsBetween(grammar: string): Record<string, unknown> | undefined {
  if (rules.has(grammar)) return rules.get(grammar)
  // ast-grep answers 0 for a kind that the grammar does not have.
  const any = (names: readonly string[]) =>
    names.filter(name => kind(grammar, name as never) > 0).map(name => ({ kind: name }))
  const [comments, holders] = [any(COMMENT_KINDS), any(HOLDERS)]
  const rule = comments.length && holders.length ? { any: comments, inside: { any: holders } } : undefined
  rules.set(grammar, rule)
  return rule
}

const asking = new WeakMap<AstRule, boolean>()

/** Whether the rule asks for comments, so that it needs the tree with all of them. */
export function asksForComments(rule: AstRule): boolean {
  let asks = asking.get(rule)
  if (asks === undefined) {
    asks = /"kind":"\w*comment"/.test(JSON.stringify([rule.rule, rule.constraints, rule.utils]))
    asking.set(rule, asks)
  }
  return asks
}
