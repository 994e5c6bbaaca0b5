import type { SgNode } from '@ast-grep/napi'
import type { BinaryOperator, Expression, Span, Statement, Switch } from '../ir.ts'
import { C_OPERATORS, lowerNumber, lowerUnknown, type Table } from './lowering.ts'
import type { RubyFile } from './ruby.ts'
import { lowerAnswer, lowerArgs, lowerSearch, lowerText } from './ruby-parts.ts'
import { indexByKind, listNamedChildren, makeLiteral, toSpan } from './tree.ts'

const OPERATORS: Record<string, BinaryOperator> = {
  ...C_OPERATORS,
  '**': '**',
  '===': '==',
  and: 'and',
  or: 'or',
  '||': 'either',
}

/** Expressions of Ruby, by kind. Symbols are texts; a block is the last argument of its call. */
export const EXPRESSIONS: Table<RubyFile, Expression> = indexByKind(lowerUnknown, {
  identifier: lowerIdentifier,
  'constant global_variable': (file, node, span) => ({ kind: 'name', name: file.of(node), ...span }),
  self: (_file, _node, span) => ({ kind: 'this', ...span }),
  'instance_variable class_variable': (file, node, span) => ({
    kind: 'member',
    object: { kind: 'this', ...span },
    name: file.of(node),
    ...span,
  }),
  'string bare_string chained_string delimited_symbol': lowerText,
  subshell: lowerSubshell,
  heredoc_beginning: lowerHeredocBeginning,
  simple_symbol: (file, node, span) => makeLiteral(span, file.of(node).slice(1)),
  'hash_key_symbol bare_symbol': (file, node, span) => makeLiteral(span, file.of(node)),
  regex: lowerText,
  'integer float': lowerNumber,
  'true false': (_file, node, span) => makeLiteral(span, (node.kind() as string) === 'true'),
  nil: (_file, _node, span) => makeLiteral(span, null),
  scope_resolution: lowerScopeResolution,
  element_reference: lowerElementReference,
  call: lowerCall,
  assignment: lowerAssignment,
  operator_assignment: lowerOperatorAssignment,
  'left_assignment_list right_assignment_list array': (file, node, span) =>
    lowerAnswer(file, listNamedChildren(node), { kind: 'list', items: lowerArgs(file, node), ...span }),
  destructured_left_assignment: (file, node, span) => ({ kind: 'list', items: lowerArgs(file, node), ...span }),
  'string_array symbol_array': lowerStringArray,
  hash: lowerHash,
  binary: lowerBinary,
  unary: lowerUnary,
  conditional: lowerConditional,
  'parenthesized_statements argument_list': lowerParenthesizedStatements,
  'if unless begin if_modifier unless_modifier': lowerIf,
  case: (file, node, span) => ({ kind: 'switch', switch: lowerCase(file, node), ...span }),
  'lambda block do_block': (file, node, span) => ({ kind: 'function', function: file.closure(node), ...span }),
  'method singleton_method class module': (_file, _node, span) => makeLiteral(span, null),
})

function lowerIdentifier(file: RubyFile, node: SgNode, span: Span): Expression {
  // Grape's own `headers` are those of the request, Rails' those of the answer.
  const own = file.of(node) === 'headers' && file.text.includes('Grape::API') ? 'the headers' : file.of(node)
  const name: Expression = { kind: 'name', name: own, ...span }
  return file.methods.has(file.of(node)) ? { kind: 'call', callee: name, args: [], ...span } : name
}

function lowerSubshell(file: RubyFile, node: SgNode, span: Span): Expression {
  return {
    kind: 'call',
    callee: { kind: 'name', name: '`', ...span },
    args: [{ value: lowerText(file, node, span) }],
    ...span,
  }
}

function lowerHeredocBeginning(file: RubyFile, _node: SgNode, span: Span): Expression {
  const body = file.heredocs.get(span.start)
  return body ? lowerText(file, body, span) : makeLiteral(span, '')
}

function lowerScopeResolution(file: RubyFile, node: SgNode, span: Span): Expression {
  const name = file.of(node).replace(/^::/, '').split('::')
  return name.slice(1).reduce<Expression>((object, part) => ({ kind: 'member', object, name: part, ...span }), {
    kind: 'name',
    name: name[0]!,
    ...span,
  })
}

function lowerElementReference(file: RubyFile, node: SgNode, span: Span): Expression {
  const [object, ...rest] = listNamedChildren(node)
  const before = lowerReferer(file, node, span)
  if (before) return before
  // `DB["SELECT …"]` and `Dir["*.rb"]` are calls, not look-ups.
  if (object?.kind() === 'constant' && /^(?:[A-Z]\w*_)?DB$|^Dir$/.test(file.of(object))) {
    const callee: Expression = { kind: 'name', name: /Dir/.test(file.of(object)) ? 'Dir[' : 'DB[', ...span }
    return { kind: 'call', callee, args: rest.map(part => ({ value: file.expression(part) })), ...span }
  }
  const index = rest.length === 1 && rest[0]!.kind() !== 'range' ? file.expression(rest[0]!) : undefined
  return { kind: 'index', object: file.expression(object!), ...(index && { index }), ...span }
}

function lowerAssignment(file: RubyFile, node: SgNode, span: Span): Expression {
  const [left, right] = [node.field('left') as SgNode, node.field('right') as SgNode]
  return { kind: 'assign', target: lowerTarget(file, left), value: file.expression(right), ...span }
}

function lowerOperatorAssignment(file: RubyFile, node: SgNode, span: Span): Expression {
  const operator = file.of(node.field('operator') as SgNode).slice(0, -1)
  const left = node.field('left') as SgNode
  const value = file.lowerField(node, 'right')
  return {
    kind: 'assign',
    target: lowerTarget(file, left),
    operator: OPERATORS[operator] ?? (operator === '<<' ? 'concat' : 'bits'),
    value,
    ...span,
  }
}

function lowerStringArray(file: RubyFile, node: SgNode, span: Span): Expression {
  return {
    kind: 'list',
    items: listNamedChildren(node).map(part => ({ value: makeLiteral(toSpan(part), file.of(part)) })),
    ...span,
  }
}

function lowerHash(file: RubyFile, node: SgNode, span: Span): Expression {
  return {
    kind: 'map',
    entries: listNamedChildren(node).map(part => {
      const key = file.field(part, 'key')
      const value = file.field(part, 'value') ?? listNamedChildren(part)[0] ?? part
      return { ...(key && { key: file.expression(key) }), value: file.expression(value) }
    }),
    ...span,
  }
}

function lowerUnary(file: RubyFile, node: SgNode, span: Span): Expression {
  const value = file.expression(listNamedChildren(node).at(-1)!)
  const sign = file.of(node)
  return {
    kind: 'unary',
    operator: /^(?:!|not\b)/.test(sign) ? 'not' : sign.startsWith('-') ? '-' : '~',
    value,
    ...span,
  }
}

function lowerConditional(file: RubyFile, node: SgNode, span: Span): Expression {
  const [test, yes, no] = ['condition', 'consequence', 'alternative'].map(name =>
    file.expression(node.field(name) as SgNode),
  )
  return { kind: 'conditional', test: test!, yes: yes!, no: no!, ...span }
}

function lowerParenthesizedStatements(file: RubyFile, node: SgNode, span: Span): Expression {
  const inner = listNamedChildren(node).at(-1)
  return inner ? file.expression(inner) : makeLiteral(span, null)
}

function lowerIf(file: RubyFile, node: SgNode, span: Span): Expression {
  const yes = lowerLast(file, file.field(node, 'consequence') ?? file.field(node, 'body') ?? node)
  const test = file.field(node, 'condition')
  const alternative = file.field(node, 'alternative')
  if (!test) return yes
  const no = alternative
    ? alternative.kind() === 'elsif'
      ? file.expression(alternative)
      : lowerLast(file, alternative)
    : makeLiteral(span, null)
  const isIf = !(node.kind() as string).startsWith('unless')
  return { kind: 'conditional', test: file.expression(test), yes: isIf ? yes : no, no: isIf ? no : yes, ...span }
}

/** What a branch is worth: its statements, and the value of the last. */
function lowerLast(file: RubyFile, node: SgNode): Expression {
  const span = toSpan(node)
  if (!/^(?:then|else|begin|do)$/.test(node.kind() as string)) return file.expression(node)
  const parts = listNamedChildren(node)
  const last = parts.at(-1)
  if (!last) return makeLiteral(span, null)
  const body = parts.slice(0, -1).flatMap(part => file.statement(part))
  return { kind: 'block', body, value: file.expression(last), ...span }
}

/** `case` with its values; a branch's last expression is what it yields. */
export function lowerCase(file: RubyFile, node: SgNode): Switch {
  const subject = file.field(node, 'value')
  const cases = listNamedChildren(node)
    .filter(part => part.kind() === 'when' || part.kind() === 'else')
    .map(part => {
      const body = part.kind() === 'else' ? part : file.field(part, 'body')
      const patterns = listNamedChildren(part).filter(each => each.kind() === 'pattern')
      return {
        tests: patterns.map(each => file.expression(listNamedChildren(each)[0] ?? each)),
        isDefault: part.kind() === 'else',
        body: [] as Statement[],
        yields: body ? lowerLast(file, body) : makeLiteral(toSpan(part), null),
      }
    })
  return { ...(subject && { subject: file.expression(subject) }), cases, fallsThrough: false }
}

/** What is written to: a name even where a method has it. */
function lowerTarget(file: RubyFile, node: SgNode): Expression {
  const span = toSpan(node)
  if (node.kind() === 'identifier') return { kind: 'name', name: file.of(node), ...span }
  if (node.kind() === 'call') {
    const object = file.field(node, 'receiver')
    if (object)
      return { kind: 'member', object: file.expression(object), name: file.of(node.field('method') as SgNode), ...span }
  }
  return file.expression(node)
}

function lowerBinary(file: RubyFile, node: SgNode, span: Span): Expression {
  const operator = file.of(node.field('operator') as SgNode)
  const [first, second] = [node.field('left') as SgNode, node.field('right') as SgNode]
  const left = file.expression(first)
  const right = file.expression(second)
  if (operator === '<<') {
    if (left.kind === 'name' && file.texts.has(left.name))
      return { kind: 'assign', target: left, operator: 'concat', value: right, ...span }
    return {
      kind: 'call',
      callee: { kind: 'member', object: left, name: '<<', ...toSpan(first) },
      args: [{ value: right }],
      ...span,
    }
  }
  if (operator === '=~' || operator === '!~') {
    const [pattern, value] = first.kind() === 'regex' ? [left, right] : [right, left]
    const call = lowerSearch(pattern, value, span)
    return operator === '=~' ? call : { kind: 'unary', operator: 'not', value: call, ...span }
  }
  return { kind: 'binary', operator: OPERATORS[operator] ?? 'bits', left, right, ...span }
}

/** The page before as a header of the request is the same as `request.referer`. */
function lowerReferer(file: RubyFile, node: SgNode, span: Span): Expression | undefined {
  const asked = /^((?:self\.)?(?:request|req))\.(?:headers|env)\[\s*["'](?:HTTP_)?Referer["']\s*\]$/i.exec(
    file.of(node),
  )
  if (!asked) return undefined
  const object: Expression = { kind: 'name', name: asked[1]!, start: span.start, end: span.start + asked[1]!.length }
  return { kind: 'call', callee: { kind: 'member', object, name: 'referer', ...span }, args: [], ...span }
}

function lowerCall(file: RubyFile, node: SgNode, span: Span): Expression {
  const object = file.field(node, 'receiver')
  const method = file.field(node, 'method')
  const block = file.field(node, 'block')
  const args = lowerArgs(file, file.field(node, 'arguments'))
  const name = method ? file.of(method) : 'call'
  const given: Expression | undefined = block && { kind: 'function', function: file.closure(block), ...toSpan(block) }
  // A thread hands what it is started with to its block.
  if (given && object && file.of(object) === 'Thread' && /^(?:new|start|fork)$/.test(name))
    return { kind: 'call', callee: given, args, ...span }
  if (given) args.push({ value: given })
  if (!object) return { kind: 'call', callee: { kind: 'name', name, ...toSpan(method ?? node) }, args, ...span }
  const receiver = file.expression(object)
  if (name === 'new' && /^(?:constant|scope_resolution)$/.test(object.kind() as string))
    return { kind: 'new', type: file.of(object).replace(/^::/, '').replaceAll('::', '.'), args, ...span }
  const pattern = args[0]?.value
  if (
    /^match\??$/.test(name) &&
    pattern &&
    listNamedChildren(file.field(node, 'arguments') ?? node)[0]?.kind() === 'regex'
  )
    return lowerSearch(pattern, receiver, span)
  const end = method ? toSpan(method).end : span.end
  return { kind: 'call', callee: { kind: 'member', object: receiver, name, start: span.start, end }, args, ...span }
}
