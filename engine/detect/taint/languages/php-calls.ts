import type { Expression, Span } from '../ir.ts'
import { harmlessOnly } from '../safe-expression.ts'
import type { PhpFile } from './php.ts'
import { makeExpression, makeLiteralAt, makeStatement, readSpan, type Syntax } from './syntax.ts'

/** Functions that other languages have as methods of their first argument. */
const METHODS: Record<string, string> = {
  array_push: 'push',
  array_pop: 'pop',
  array_shift: 'shift',
  array_unshift: 'unshift',
  array_keys: 'keySet',
  array_values: 'values',
  end: 'last',
  reset: 'first',
  current: 'first',
  count: 'count',
  sizeof: 'count',
  strlen: 'length',
  strtolower: 'toLowerCase',
  strtoupper: 'toUpperCase',
  str_contains: 'contains',
  str_starts_with: 'startsWith',
  str_ends_with: 'endsWith',
}

/** A name that stands here. */
export function makeName(name: string, { start, end }: Span): Expression {
  return { kind: 'name', name, start, end }
}

/** A call of a function that the language has as a sign or word of its own (`echo`, a backquote, `](`). */
export function makeCall(name: string, values: readonly Expression[], { start, end }: Span): Expression {
  return {
    kind: 'call',
    callee: makeName(name, { start, end: start }),
    args: values.map(value => ({ value })),
    start,
    end,
  }
}

/** A call of a function, in the form in which what it does is best known. */
export function lowerCall(file: PhpFile, node: Syntax): Expression {
  const target = node.at('function')
  const args = file.args(node.field('arguments'))
  if (target.kind !== 'name' && target.kind !== 'qualified_name') {
    const callee = file.expression(target)
    const call = makeExpression(node, { kind: 'call', callee, args })
    const isHeld = target.kind === 'variable_name'
    if (callee.kind !== 'index' && !isHeld) return call
    // Which function is called is a value like others.
    const chosen = makeStatement(node, { kind: 'expression', value: makeCall(isHeld ? '$' : '](', [callee], node) })
    return makeExpression(node, { kind: 'block', body: [chosen], value: call })
  }
  const name = file.dotted(target)
  const call = makeExpression(node, { kind: 'call', callee: makeExpression(target, { kind: 'name', name }), args })
  if (args.some(({ spread, name: given }) => spread || given !== undefined)) return call
  const values = args.map(({ value }) => value)
  return special(name.toLowerCase(), values, readSpan(node)) ?? call
}

function special(name: string, values: readonly Expression[], span: Span): Expression | undefined {
  const [first, second, third] = values
  switch (name) {
    case 'in_array':
    case 'array_key_exists':
    case 'key_exists':
      return first && second && { kind: 'binary', operator: 'in', left: first, right: second, ...span }
    case 'isset': {
      const [only] = values
      if (values.length === 1 && only?.kind === 'index' && only.index && only.index.kind !== 'literal')
        return { kind: 'binary', operator: 'in', left: only.index, right: only.object, ...span }
      return { kind: 'unknown', parts: [], ...span }
    }
    case 'empty':
      return { kind: 'unknown', parts: [], ...span }
    case 'implode':
    case 'join': {
      if (!first) return undefined
      const [separator, list] = second ? [first, second] : [makeLiteralAt(span, ''), first]
      return method(
        list.kind === 'literal' ? list : separator,
        'join',
        [list.kind === 'literal' ? separator : list],
        span,
      )
    }
    case 'file_get_contents':
      return first && constantOf(first) === 'php://input' ? makeName('php://input', span) : undefined
    case 'filter_var':
      return first && filtered(first, second, span)
    case 'filter_input':
      return filtered(makeCall('filter_input', values.slice(0, 2), span), third, span)
    case 'array_map':
      return second && values.length === 2 && typeof constantOf(first) === 'string'
        ? makeCall(String(constantOf(first)), [second], span)
        : undefined
    case 'preg_replace':
      return first && second && third && isStripped(constantOf(first), constantOf(second))
        ? makeCall('as_number', [third], span)
        : undefined
    case 'preg_match':
      return first && second && matched(first, withoutDelimiters(constantOf(first)), second, span)
    case 'ereg':
    case 'eregi':
    case 'mb_ereg':
    case 'mb_eregi':
      return first && second && matched(first, constantOf(first), second, span)
    case 'define':
      return first && second && typeof constantOf(first) === 'string'
        ? { kind: 'assign', target: makeName(String(constantOf(first)), first), value: second, ...span }
        : undefined
    // The variables go into what is named for them.
    case 'parse_str':
    case 'mb_parse_str':
      return first && second && { kind: 'assign', target: second, value: first, ...span }
    case 'settype':
      return first && /^(?:int|float|bool|double)/.test(String(constantOf(second)))
        ? { kind: 'assign', target: first, value: { kind: 'cast', type: 'int', value: first, ...span }, ...span }
        : undefined
    default: {
      const own = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined
      return own === undefined || !first ? undefined : method(first, own, values.slice(1), span)
    }
  }
}

function method(object: Expression, name: string, values: readonly Expression[], span: Span): Expression {
  const callee: Expression = { kind: 'member', object, name, start: object.start, end: object.end }
  return { kind: 'call', callee, args: values.map(value => ({ value })), ...span }
}

function constantOf(expression: Expression | undefined): unknown {
  return expression?.kind === 'literal' ? expression.value : undefined
}

/** A filter that makes a number of what it is given, one that escapes, or another. */
function filtered(value: Expression, filter: Expression | undefined, span: Span): Expression {
  const name = String(constantOf(filter) ?? '')
  if (/_(?:INT|FLOAT|BOOL|BOOLEAN|IP|MAC|NUMBER_INT|NUMBER_FLOAT)$/.test(name))
    return makeCall('as_number', [value], span)
  if (/SPECIAL_CHARS$|SANITIZE_(?:STRING|STRIPPED|ENCODED)$/.test(name))
    return makeCall('htmlspecialchars', [value], span)
  return value
}

/** Whether a replacement leaves nothing but harmless characters. */
function isStripped(expression: unknown, replacement: unknown): boolean {
  if (typeof expression !== 'string' || typeof replacement !== 'string' || !/^[\w.-]*$/.test(replacement)) return false
  const kept = /^([^\w\s\\])\[\^((?:[^\]\\]|\\.)+)\][+*]?\1[a-z]*$/s.exec(expression)
  return kept !== null && harmlessOnly(`[${kept[2]}]`)
}

/** A search with a fixed expression that a whole text must match, or that finds what is not harmless, is one that guards know. */
function matched(expression: Expression, body: unknown, value: Expression, span: Span): Expression | undefined {
  if (typeof body !== 'string') return undefined
  const only = /^\[\^((?:[^\]\\]|\\.)+)\]\+?$/s.exec(body)
  if (only) {
    const inner = makeCall('preg_match', [makeLiteralAt(expression, `^[${only[1]}]*$`), value], span)
    return { kind: 'unary', operator: 'not', value: inner, ...span }
  }
  if (!/^(?:\^|\\A).*(?:\$|\\[zZ])$/s.test(body)) return undefined
  return makeCall('preg_match', [makeLiteralAt(expression, body), value], span)
}

/** The expression between its delimiters; undefined for what is none, and where lines are looked at one by one. */
function withoutDelimiters(text: unknown): string | undefined {
  const parts = typeof text === 'string' ? /^\s*([^\w\s\\])(.*)[^\w\s]([a-zA-Z]*)$/s.exec(text) : undefined
  return !parts || parts[3]!.includes('m') ? undefined : parts[2]
}
