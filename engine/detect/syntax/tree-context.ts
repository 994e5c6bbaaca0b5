import { kind, type SgNode } from '@ast-grep/napi'

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

const known = new Map<string, { comments: string[]; strings: string[]; interpolations: string[] }>()

function kindsOf(grammar: string) {
  let found = known.get(grammar)
  if (!found) {
    // ast-grep answers 0 for a kind that the grammar does not have.
    const has = (name: string) => kind(grammar, name as never) > 0
    found = {
      comments: COMMENT_KINDS.filter(has),
      strings: STRING_KINDS.filter(has),
      interpolations: INTERPOLATION_KINDS.filter(has),
    }
    known.set(grammar, found)
  }
  return found
}

type Context = 'code' | 'comment' | 'string'

interface Span {
  start: number
  end: number
  context: Context
}

/** What stands at an offset, from the parsed tree: the innermost comment, string or interpolated code around it. */
export function makeTreeContext(grammar: string, root: SgNode): (offset: number) => Context {
  const { comments, strings, interpolations } = kindsOf(grammar)
  const spans: Span[] = []
  const collect = (kinds: string[], context: Context) => {
    if (kinds.length === 0) return
    for (const node of root.findAll({ rule: { any: kinds.map(name => ({ kind: name })) } } as never)) {
      const { start, end } = (node as SgNode).range()
      spans.push({ start: start.index, end: end.index, context })
    }
  }
  collect(comments, 'comment')
  collect(strings, 'string')
  collect(interpolations, 'code')
  spans.sort((a, b) => a.start - b.start || b.end - a.end)
  return innermost(spans)
}

/** Nodes nest, so the text falls into stretches that each have one innermost span; a stretch is found by bisection. */
function innermost(spans: readonly Span[]): (offset: number) => Context {
  const starts: number[] = [0]
  const contexts: Context[] = ['code']
  const open: Span[] = []
  const mark = (at: number) => {
    starts.push(at)
    contexts.push(open.at(-1)?.context ?? 'code')
  }
  const closeUntil = (at: number) => {
    while (open.length > 0 && open.at(-1)!.end <= at) {
      const { end } = open.pop()!
      mark(end)
    }
  }
  for (const span of spans) {
    closeUntil(span.start)
    open.push(span)
    mark(span.start)
  }
  closeUntil(Number.POSITIVE_INFINITY)
  return offset => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return contexts[low]!
  }
}
