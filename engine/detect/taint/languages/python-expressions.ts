import type { SgNode } from '@ast-grep/napi'
import type { BinaryOperator, Each, Expression, FunctionForm, Span } from '../ir.ts'
import { lowerInner, lowerNumber, lowerUnknown, type Table } from './lowering.ts'
import type { PythonFile } from './python.ts'
import { lowerString } from './python-strings.ts'
import { indexByKind, listNamedChildren, makeLiteral, memoize } from './tree.ts'

const OPERATORS: Record<string, BinaryOperator> = {
  '+': '+',
  '-': '-',
  '*': '*',
  '/': '/',
  '//': '//',
  '%': '%',
  '**': '**',
  '==': '==',
  '!=': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  is: '==',
  'is not': '!=',
  in: 'in',
  'not in': 'not in',
  and: 'and',
  or: 'or',
}

/** Expressions of Python, by kind. */
export const EXPRESSIONS: Table<PythonFile, Expression> = indexByKind(lowerUnknown, {
  identifier: lowerIdentifier,
  'as_pattern_target dotted_name': lowerAsPatternTarget,
  string: (file, node) => lowerString(file.text, node, child => file.expression(child)),
  concatenated_string: (file, node, span) => ({
    kind: 'text',
    parts: listNamedChildren(node).map(child => file.expression(child)),
    ...span,
  }),
  'integer float': lowerNumber,
  'true false': (_file, node, span) => makeLiteral(span, (node.kind() as string) === 'true'),
  none: (_file, _node, span) => makeLiteral(span, null),
  'parenthesized_expression await type': lowerInner,
  interpolation: lowerInterpolation,
  yield: lowerYield,
  attribute: lowerAttribute,
  subscript: lowerSubscript,
  call: lowerCall,
  'binary_operator boolean_operator': (file, node) => file.binary(node, OPERATORS),
  comparison_operator: lowerComparison,
  not_operator: (file, node, span) => ({
    kind: 'unary',
    operator: 'not',
    value: file.lowerField(node, 'argument'),
    ...span,
  }),
  unary_operator: lowerUnaryOperator,
  conditional_expression: lowerConditional,
  assignment: lowerAssignment,
  augmented_assignment: lowerAugmentedAssignment,
  named_expression: lowerNamed,
  as_pattern: lowerAsPattern,
  'list tuple set expression_list pattern_list tuple_pattern list_pattern': (file, node, span) => ({
    kind: 'list',
    items: listNamedChildren(node).map(child => file.argument(child)),
    ...span,
  }),
  dictionary: (file, node, span) => ({
    kind: 'map',
    entries: listNamedChildren(node).map(child => lowerEntry(file, child)),
    ...span,
  }),
  'list_comprehension set_comprehension generator_expression dictionary_comprehension': lowerComprehension,
  lambda: lowerLambda,
})

function lowerIdentifier(file: PythonFile, _node: SgNode, span: Span): Expression {
  const name = file.text.slice(span.start, span.end)
  return name === file.self ? { kind: 'this', ...span } : { kind: 'name', name, ...span }
}

function lowerAsPatternTarget(file: PythonFile, node: SgNode, span: Span): Expression {
  const names = listNamedChildren(node)
  return names
    .slice(1)
    .reduce<Expression>(
      (object, part) => ({ kind: 'member', object, name: file.of(part), ...span }),
      names[0] ? file.expression(names[0]) : { kind: 'name', name: file.of(node), ...span },
    )
}

function lowerYield(file: PythonFile, node: SgNode, span: Span): Expression {
  const [inner] = listNamedChildren(node)
  const value = inner ? file.expression(inner) : makeLiteral(span, null)
  const isFrom = /^yield\s+from\b/.test(file.of(node))
  return { kind: 'yield', value: isFrom ? { kind: 'index', object: value, ...span } : value, ...span }
}

function lowerAttribute(file: PythonFile, node: SgNode, span: Span): Expression {
  return {
    kind: 'member',
    object: file.lowerField(node, 'object'),
    name: file.of(node.field('attribute') as SgNode),
    ...span,
  }
}

function lowerSubscript(file: PythonFile, node: SgNode, span: Span): Expression {
  const indexes = node.fieldChildren('subscript') as SgNode[]
  const [index] = indexes
  const isPlain = indexes.length === 1 && index && (index.kind() as string) !== 'slice'
  return {
    kind: 'index',
    object: file.lowerField(node, 'value'),
    ...(isPlain && { index: file.expression(index) }),
    ...span,
  }
}

function lowerCall(file: PythonFile, node: SgNode, span: Span): Expression {
  return {
    kind: 'call',
    callee: file.lowerField(node, 'function'),
    args: file.args(node.field('arguments') as SgNode),
    ...span,
  }
}

function lowerUnaryOperator(file: PythonFile, node: SgNode, span: Span): Expression {
  const operator = file.of(node.field('operator') as SgNode) as '-' | '+' | '~'
  return { kind: 'unary', operator, value: file.lowerField(node, 'argument'), ...span }
}

function lowerConditional(file: PythonFile, node: SgNode, span: Span): Expression {
  const [then, test, otherwise] = listNamedChildren(node)
  return {
    kind: 'conditional',
    test: file.expression(test!),
    yes: file.expression(then!),
    no: file.expression(otherwise!),
    ...span,
  }
}

function lowerAugmentedAssignment(file: PythonFile, node: SgNode, span: Span): Expression {
  const operator = file.of(node.field('operator') as SgNode).slice(0, -1)
  return {
    kind: 'assign',
    target: file.lowerField(node, 'left'),
    operator: OPERATORS[operator] ?? 'bits',
    value: file.lowerField(node, 'right'),
    ...span,
  }
}

function lowerNamed(file: PythonFile, node: SgNode, span: Span): Expression {
  return { kind: 'assign', target: file.lowerField(node, 'name'), value: file.lowerField(node, 'value'), ...span }
}

function lowerAsPattern(file: PythonFile, node: SgNode, span: Span): Expression {
  const [value, target] = listNamedChildren(node)
  return { kind: 'assign', target: file.expression(target!), value: file.expression(value!), ...span }
}

function lowerLambda(file: PythonFile, node: SgNode, span: Span): Expression {
  const parameters = file.field(node, 'parameters')
  const body = node.field('body') as SgNode
  const self = file.self
  const form: FunctionForm = {
    ...span,
    name: '',
    parameters: parameters ? file.parameters(parameters) : [],
    decorators: [],
    isStatic: false,
    body: memoize(() => {
      const value = file.as(self, () => file.expression(body))
      return [{ kind: 'return', value, start: value.start, end: value.end }]
    }),
  }
  return { kind: 'function', function: form, ...span }
}

/** What stands in the braces of an f-string; with `!r` it is quoted. */
function lowerInterpolation(file: PythonFile, node: SgNode, span: Span): Expression {
  const [inner, ...more] = listNamedChildren(node)
  if (!inner) return makeLiteral(span, null)
  const value = file.expression(inner)
  if (!more.some(part => (part.kind() as string) === 'type_conversion' && file.of(part) === '!r')) return value
  return { kind: 'call', callee: { kind: 'name', name: 'repr', ...span }, args: [{ value }], ...span }
}

function lowerAssignment(file: PythonFile, node: SgNode, span: Span): Expression {
  const left = file.lowerField(node, 'left')
  const right = file.field(node, 'right')
  const type = file.field(node, 'type')
  if (!right) return { kind: 'unknown', parts: [], ...span }
  return {
    kind: 'assign',
    target: left,
    value: file.expression(right),
    ...(type && { type: file.type(type) }),
    ...span,
  }
}

function lowerEntry(file: PythonFile, node: SgNode): { key?: Expression; value: Expression } {
  if ((node.kind() as string) !== 'pair') return { value: file.expression(listNamedChildren(node)[0] ?? node) }
  return { key: file.lowerField(node, 'key'), value: file.lowerField(node, 'value') }
}

/** `a < b < c` is `a < b and b < c`. */
function lowerComparison(file: PythonFile, node: SgNode, span: Span): Expression {
  const operands: Expression[] = []
  const operators: BinaryOperator[] = []
  for (const child of node.children()) {
    if (child.isNamed()) operands.push(file.expression(child))
    else operators.push(OPERATORS[file.of(child).replace(/\s+/g, ' ')] ?? 'bits')
  }
  const pairs = operators.map(
    (operator, at): Expression => ({
      kind: 'binary',
      operator,
      left: operands[at]!,
      right: operands[at + 1]!,
      ...span,
    }),
  )
  return pairs.reduce((left, right) => ({ kind: 'binary', operator: 'and', left, right, ...span }))
}

function lowerComprehension(file: PythonFile, node: SgNode, span: Span): Expression {
  const [body, ...clauses] = listNamedChildren(node)
  const loops: Each[] = []
  for (const clause of clauses) {
    const kind = clause.kind() as string
    if (kind === 'for_in_clause')
      loops.push({
        target: file.lowerField(clause, 'left'),
        source: file.lowerField(clause, 'right'),
        tests: [],
      })
    else if (kind === 'if_clause') loops.at(-1)?.tests.push(file.expression(listNamedChildren(clause)[0]!))
  }
  if ((body!.kind() as string) !== 'pair')
    return { kind: 'comprehension', loops, value: file.expression(body!), ...span }
  const { key, value } = lowerEntry(file, body!)
  return { kind: 'comprehension', loops, ...(key && { key }), value, ...span }
}
