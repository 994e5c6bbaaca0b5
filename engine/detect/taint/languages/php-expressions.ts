import type { BinaryOperator, Expression, Span, Switch } from '../ir.ts'
import { asAssignment, asFunction, asLast, asNull, asNumber, asSwitch, asThis, asTruth } from './expression-rows.ts'
import type { PhpFile } from './php.ts'
import { lowerCall, makeCall } from './php-calls.ts'
import { joinParts, lowerArray, lowerConstant, lowerParts, lowerPattern } from './php-parts.ts'
import { makeExpression, makeLiteralAt, makeStatement, makeUnknown, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind } from './tree.ts'

const OPERATORS: Record<string, BinaryOperator> = {
  '==': '==',
  '===': '==',
  '!=': '!=',
  '!==': '!=',
  '<>': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '&&': 'and',
  and: 'and',
  '||': 'or',
  or: 'or',
  '??': 'either',
  instanceof: 'instance',
}

const ARITHMETIC: Record<string, BinaryOperator> = { '+': '+', '-': '-', '*': '*', '/': '/', '%': '%', '**': '**' }

/** What `$_FILES` says of an upload without the client having a say in it. */
const OWN_PARTS = new Set(['size', 'error', 'tmp_name'])

/** Expressions of PHP, by kind. */
export const EXPRESSIONS: SyntaxTable<PhpFile, Expression> = indexByKind(lowerOtherExpression, {
  variable_name: lowerVariableName,
  'name qualified_name namespace_name': (file, node) => lowerConstant(file.dotted(node), node),
  relative_scope: asThis,
  string: lowerString,
  encapsed_string: (file, node) => joinParts(lowerParts(file, node), node),
  'heredoc nowdoc': lowerHeredoc,
  shell_command_expression: (file, node) => makeCall('`', [joinParts(lowerParts(file, node), node)], node),
  'integer float': asNumber(),
  boolean: asTruth,
  null: asNull,
  'parenthesized_expression error_suppression_expression clone_expression by_ref yield_expression variadic_unpacking':
    asLast,
  subscript_expression: lowerSubscript,
  'member_access_expression nullsafe_member_access_expression scoped_property_access_expression class_constant_access_expression':
    (file, node) => lowerMember(file, node, node),
  'member_call_expression nullsafe_member_call_expression scoped_call_expression': lowerMemberCall,
  function_call_expression: lowerCall,
  object_creation_expression: lowerCreation,
  print_intrinsic: (file, node) => lowerWord(file, 'print', node),
  'include_expression include_once_expression require_expression require_once_expression': (file, node) =>
    lowerWord(file, node.kind.replace('_expression', ''), node),
  binary_expression: lowerBinary,
  unary_op_expression: lowerUnary,
  update_expression: lowerUpdate,
  cast_expression: lowerCast,
  conditional_expression: lowerConditional,
  'assignment_expression reference_assignment_expression': lowerAssignment,
  augmented_assignment_expression: asAssignment({ '.': 'concat', '??': 'either' }),
  array_creation_expression: lowerArray,
  list_literal: lowerPattern,
  match_expression: asSwitch(lowerMatch),
  'anonymous_function anonymous_function_creation_expression arrow_function': asFunction,
  throw_expression: (file, node) => lowerWord(file, 'throw', node),
})

function lowerVariableName(_file: PhpFile, node: Syntax): Expression {
  const name = node.text
  return makeExpression(node, name === '$this' ? { kind: 'this' } : { kind: 'name', name })
}

function lowerString(_file: PhpFile, node: Syntax): Expression {
  const { text } = node
  return makeLiteralAt(node, text.slice(text.indexOf("'") + 1, -1).replace(/\\([\\'])/g, '$1'))
}

function lowerHeredoc(file: PhpFile, node: Syntax): Expression {
  return joinParts(
    node.parts.flatMap(child => (child.kind.endsWith('_body') ? lowerParts(file, child) : [])),
    node,
  )
}

function lowerMemberCall(file: PhpFile, node: Syntax): Expression {
  const callee = lowerMember(file, node, { start: node.start, end: node.at('name').end })
  return makeExpression(node, { kind: 'call', callee, args: file.args(node.field('arguments')) })
}

/** A word of the language that is given values, as a call of that name. */
export function lowerWord(file: PhpFile, word: string, node: Syntax): Expression {
  return makeCall(
    word,
    node.parts.map(child => file.expression(child)),
    node,
  )
}

function lowerUnary(file: PhpFile, node: Syntax): Expression {
  const inner = node.parts.at(-1)
  if (!inner) return makeLiteralAt(node, null)
  const value = file.expression(inner)
  const [sign] = node.text
  return makeExpression(node, { kind: 'unary', operator: sign === '!' ? 'not' : sign === '-' ? '-' : '~', value })
}

function lowerCast(file: PhpFile, node: Syntax): Expression {
  const type = node.at('type').text.toLowerCase()
  const value = file.expression(node.at('value'))
  return /^(?:string|array|object|binary)$/.test(type) ? value : makeExpression(node, { kind: 'cast', type, value })
}

function lowerConditional(file: PhpFile, node: Syntax): Expression {
  const test = file.expression(node.at('condition'))
  const yes = node.field('body')
  const no = file.expression(node.at('alternative'))
  return yes
    ? makeExpression(node, { kind: 'conditional', test, yes: file.expression(yes), no })
    : makeExpression(node, { kind: 'binary', operator: 'either', left: test, right: no })
}

function lowerOtherExpression(file: PhpFile, node: Syntax): Expression {
  const parts = node.parts.filter(({ kind }) => kind !== 'name')
  return makeUnknown(
    node,
    parts.map(child => file.expression(child)),
  )
}

/** `$i++` and its like, which make a number of whatever it was. */
function lowerUpdate(file: PhpFile, node: Syntax): Expression {
  const target = file.expression(node.parts[0]!)
  const operator = node.text.includes('++') ? '+' : '-'
  const sum = makeExpression(node, { kind: 'binary', operator, left: target, right: makeLiteralAt(node, 1) })
  const value = makeExpression(node, { kind: 'cast', type: 'int', value: sum })
  return makeExpression(node, { kind: 'assign', target, value })
}

function lowerSubscript(file: PhpFile, node: Syntax): Expression {
  const [base, index] = node.parts
  if (!base) return makeUnknown(node)
  const object = file.expression(base)
  if (!index) return makeExpression(node, { kind: 'index', object })
  const key = file.expression(index)
  const name = key.kind === 'literal' && typeof key.value === 'string' ? key.value : undefined
  if (name !== undefined) {
    if (object.kind === 'name' && object.name === '$_SERVER') {
      const member = makeExpression(node, { kind: 'member', object, name })
      // They lead to this site whatever a client sends.
      return /^(?:REQUEST_URI|PHP_SELF)$/.test(name)
        ? makeExpression(node, { kind: 'text', parts: [makeLiteralAt(node, '/'), member] })
        : member
    }
    if (name === 'tmp_name' || (OWN_PARTS.has(name) && base.text.startsWith('$_FILES'))) return makeUnknown(node)
  }
  return makeExpression(node, { kind: 'index', object, index: key })
}

function lowerMember(file: PhpFile, node: Syntax, at: Span): Expression {
  const [first, second] = node.parts
  const object = file.expression(node.field('object') ?? node.field('scope') ?? first!)
  const name = node.field('name') ?? second ?? first!
  if (name.kind === 'name') return makeExpression(at, { kind: 'member', object, name: name.text })
  // A static field is written with its `$`, a name in a variable has it as well.
  if (name.kind === 'variable_name' && /^(?:scoped_property|class_constant)/.test(node.kind))
    return makeExpression(at, { kind: 'member', object, name: name.text.slice(1) })
  return makeExpression(at, { kind: 'index', object, index: file.expression(name) })
}

function lowerCreation(file: PhpFile, node: Syntax): Expression {
  const type = node.parts.find(({ kind }) => kind === 'name' || kind === 'qualified_name')
  const args = file.args(node.part('arguments'))
  const made = makeExpression(node, { kind: 'new', type: type ? file.dotted(type) : '', args })
  const [name] = node.parts
  if (type || !name || !/^(?:variable_name|parenthesized_expression|subscript_expression)$/.test(name.kind)) return made
  // Which class is meant is a value like others.
  const chosen = makeStatement(node, { kind: 'expression', value: makeCall('new', [file.expression(name)], node) })
  return makeExpression(node, { kind: 'block', body: [chosen], value: made })
}

function lowerBinary(file: PhpFile, node: Syntax): Expression {
  const operator = node.at('operator').text.toLowerCase()
  if (operator === '.') return joinParts(flattenChain(file, node), node)
  const left = file.expression(node.at('left'))
  const right = file.expression(node.at('right'))
  const known = OPERATORS[operator]
  if (known) return makeExpression(node, { kind: 'binary', operator: known, left, right })
  // Arrays are added as well: what one of them holds stays.
  const isArray = ({ kind }: Expression) => kind === 'list' || kind === 'map'
  if (operator === '+' && (isArray(left) || isArray(right))) return makeUnknown(node, [left, right])
  const value = makeExpression(node, { kind: 'binary', operator: ARITHMETIC[operator] ?? 'bits', left, right })
  return makeExpression(node, { kind: 'cast', type: 'int', value })
}

/** The parts of `a . b . c`, however long: as a list, so that depth is no matter. */
function flattenChain(file: PhpFile, node: Syntax): Expression[] {
  const out: Expression[] = []
  let at = node
  while (at.kind === 'binary_expression' && at.at('operator').text === '.') {
    out.push(...flattenText(file.expression(at.at('right'))))
    at = at.at('left')
  }
  out.push(...flattenText(file.expression(at)))
  return out.reverse()
}

function flattenText(part: Expression): Expression[] {
  return part.kind === 'text' ? [...part.parts].reverse() : [part]
}

function lowerAssignment(file: PhpFile, node: Syntax): Expression {
  const left = node.at('left')
  const value = file.expression(node.at('right'))
  const [base, index] = left.kind === 'subscript_expression' ? left.parts : []
  const target = file.expression(base && !index ? base : left)
  // `$list[] = x`
  if (base && !index && (target.kind === 'name' || target.kind === 'member')) {
    const place = makeExpression(left, { kind: 'index', object: target })
    return makeExpression(node, { kind: 'assign', target: place, value })
  }
  return makeExpression(node, { kind: 'assign', target: base && !index ? file.expression(left) : target, value })
}

function lowerMatch(file: PhpFile, node: Syntax): Switch {
  const subject = node.field('condition')
  const cases = (node.field('body')?.parts ?? []).map(each => {
    const isDefault = each.kind === 'match_default_expression'
    const tests = isDefault ? [] : each.parts[0]!.parts.map(part => file.expression(part))
    return { tests, isDefault, body: [], yields: file.expression(each.parts.at(-1)!) }
  })
  return { subject: subject && file.expression(subject), cases, fallsThrough: false }
}
