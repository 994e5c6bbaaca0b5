import type { Argument, BinaryOperator, Expression, Statement } from '../ir.ts'
import type { CsharpFile } from './csharp.ts'
import { asBinary, asFunction, asNothingKnown, asNull, asQuoted, asSwitch, asThis, asTruth } from './expression-rows.ts'
import { WHOLE_OPERATORS } from './operators.ts'
import {
  makeExpression,
  makeLiteralAt,
  makeStatement,
  makeStep,
  makeUnknown,
  type Syntax,
  type SyntaxTable,
} from './syntax.ts'
import { indexByKind, unescapeText } from './tree.ts'

const OPERATORS: Record<string, BinaryOperator> = { ...WHOLE_OPERATORS, '??': 'either' }

/** The object itself is an operand, and the grammar gives it no name. */
const ITSELF = new Set(['this', 'base'])

/** The named children, and the object itself. */
export function listOperands(node: Syntax): Syntax[] {
  return node.partsWith(ITSELF)
}

/** Expressions of C#, by kind. */
export const EXPRESSIONS: SyntaxTable<CsharpFile, Expression> = indexByKind(lowerOtherExpression, {
  'identifier predefined_type': (_file, node) =>
    makeExpression(node, { kind: 'name', name: node.text.replace(/^@/, '') }),
  generic_name: (_file, node) => makeExpression(node, { kind: 'name', name: (listOperands(node)[0] ?? node).text }),
  'this base this_expression base_expression': asThis,
  string_literal: (_file, node) => makeLiteralAt(node, unescapeText(node.text.replace(/^"|"(?:u8)?$/g, ''))),
  verbatim_string_literal: (_file, node) => makeLiteralAt(node, node.text.slice(2, -1).replaceAll('""', '"')),
  raw_string_literal: (_file, node) => makeLiteralAt(node, node.text.replace(/^"+|"+$/g, '')),
  character_literal: asQuoted,
  'integer_literal real_literal': lowerNumber,
  boolean_literal: asTruth,
  'null_literal default_expression': asNull,
  interpolated_string_expression: lowerInterpolatedString,
  'parenthesized_expression await_expression checked_expression ref_expression declaration_expression argument':
    lowerInner,
  'member_access_expression qualified_name': lowerMemberAccess,
  member_binding_expression: (file, node) =>
    lowerMember(file.bound ?? makeUnknown(node), listOperands(node).at(-1)!, node),
  element_binding_expression: (file, node) => lowerElement(file.bound ?? makeUnknown(node), file.args(node), node),
  conditional_access_expression: lowerConditionalAccess,
  element_access_expression: lowerElementAccess,
  invocation_expression: lowerInvocation,
  'object_creation_expression implicit_object_creation_expression': lowerCreation,
  'initializer_expression collection_expression tuple_expression tuple_pattern': (file, node) =>
    lowerItems(file, node, node),
  'array_creation_expression implicit_array_creation_expression': (file, node) =>
    lowerItems(file, node, node.part('initializer_expression')),
  assignment_expression: lowerAssignment,
  binary_expression: asBinary(OPERATORS),
  postfix_unary_expression: lowerPostfix,
  prefix_unary_expression: lowerPrefix,
  'is_pattern_expression is_expression typeof_expression sizeof_expression': lowerInstance,
  cast_expression: (file, node) => lowerCast(file, node, listOperands(node)),
  as_expression: (file, node) => lowerCast(file, node, listOperands(node).slice(0, 2).reverse()),
  conditional_expression: lowerConditional,
  switch_expression: asSwitch(lowerSwitchExpression),
  'lambda_expression anonymous_method_expression': asFunction,
  throw_expression: asNothingKnown,
})

/** A number; the letters of its type stand at its end, where those of a hexadecimal one are not digits. */
function lowerNumber(_file: CsharpFile, node: Syntax): Expression {
  const plain = node.text.replaceAll('_', '')
  const value = Number(plain.replace(/^0[xX]/.test(plain) ? /[lLuU]+$/ : /[lLuUfFdDmM]+$/, ''))
  return Number.isNaN(value) ? makeUnknown(node) : makeLiteralAt(node, value)
}

function lowerInterpolatedString(file: CsharpFile, node: Syntax): Expression {
  const parts = listOperands(node).flatMap(part => {
    if (part.kind === 'string_content' || part.kind === 'escape_sequence')
      return [makeLiteralAt(part, unescapeText(part.text))]
    const inner = part.kind === 'interpolation' && part.parts.find(({ kind }) => !/^interpolation/.test(kind))
    return inner ? [file.expression(inner)] : []
  })
  return makeExpression(node, { kind: 'text', parts })
}

function lowerInner(file: CsharpFile, node: Syntax): Expression {
  const parts = listOperands(node)
  const inner = node.kind === 'declaration_expression' ? parts.at(-1) : parts[0]
  return inner ? file.expression(inner) : makeLiteralAt(node, null)
}

function lowerMemberAccess(file: CsharpFile, node: Syntax): Expression {
  const parts = listOperands(node)
  return lowerMember(lowerObject(file, node, parts), node.field('name') ?? parts.at(-1)!, node)
}

function lowerObject(file: CsharpFile, node: Syntax, parts: readonly Syntax[]): Expression {
  const object = node.field('expression')
  if (object) return file.expression(object)
  if (parts.length < 2 && /^(?:this|base)\b/.test(file.text.slice(node.start)))
    return makeExpression({ start: node.start, end: node.start + 4 }, { kind: 'this' })
  return file.expression(parts[0]!)
}

function lowerMember(object: Expression, name: Syntax, node: Syntax): Expression {
  const plain = name.kind === 'generic_name' ? (name.parts[0] ?? name) : name
  return makeExpression(node, { kind: 'member', object, name: plain.text })
}

function lowerConditionalAccess(file: CsharpFile, node: Syntax): Expression {
  const [object, access] = listOperands(node)
  const outer = file.bound
  file.bound = file.expression(object!)
  const value = file.expression(access!)
  file.bound = outer
  return value
}

function lowerElementAccess(file: CsharpFile, node: Syntax): Expression {
  const [object, list] = listOperands(node)
  return lowerElement(file.expression(object!), file.args(list), node)
}

function lowerElement(object: Expression, args: readonly Argument[], node: Syntax): Expression {
  // `Request["x"]` looks into all that the client sent.
  const holder =
    (object.kind === 'name' || object.kind === 'member') && object.name === 'Request'
      ? makeExpression(object, { kind: 'member', object, name: 'Params' })
      : object
  return makeExpression(node, {
    kind: 'index',
    object: holder,
    index: args.length === 1 ? args[0]!.value : undefined,
  })
}

function lowerInvocation(file: CsharpFile, node: Syntax): Expression {
  const parts = listOperands(node)
  const callee = file.expression(node.field('function') ?? parts[0]!)
  return makeExpression(node, { kind: 'call', callee, args: file.args(node.field('arguments') ?? parts[1]) })
}

function lowerItems(file: CsharpFile, node: Syntax, list: Syntax | undefined): Expression {
  return makeExpression(node, {
    kind: 'list',
    items: (list?.parts ?? []).map(value => ({ value: file.expression(value) })),
  })
}

function lowerAssignment(file: CsharpFile, node: Syntax): Expression {
  const parts = listOperands(node)
  const sign = node.all.find(({ text }) => /=$/.test(text) && text.length <= 4)?.text.slice(0, -1) ?? ''
  return makeExpression(node, {
    kind: 'assign',
    target: file.expression(parts[0]!),
    operator: sign === '' ? undefined : (OPERATORS[sign] ?? 'bits'),
    value: file.expression(parts.at(-1)!),
  })
}

function lowerPostfix(file: CsharpFile, node: Syntax): Expression {
  const value = file.expression(listOperands(node)[0]!)
  const sign = node.text.slice(-2)
  // What is left is the sign that a value is there (`x!`).
  return sign === '++' || sign === '--' ? makeStep(node, value, sign) : value
}

function lowerPrefix(file: CsharpFile, node: Syntax): Expression {
  const value = file.expression(listOperands(node)[0]!)
  const signs = node.text.slice(0, 2)
  if (signs === '++' || signs === '--') return makeStep(node, value, signs)
  const [sign] = signs
  return makeExpression(node, { kind: 'unary', operator: sign === '!' ? 'not' : sign === '-' ? '-' : '~', value })
}

function lowerInstance(file: CsharpFile, node: Syntax): Expression {
  const left = file.expression(listOperands(node)[0]!)
  return makeExpression(node, { kind: 'binary', operator: 'instance', left, right: makeLiteralAt(node, null) })
}

function lowerCast(file: CsharpFile, node: Syntax, [type, value]: readonly Syntax[]): Expression {
  return makeExpression(node, { kind: 'cast', type: file.type(type) ?? '', value: file.expression(value!) })
}

function lowerConditional(file: CsharpFile, node: Syntax): Expression {
  const [test, yes, no] = listOperands(node).map(part => file.expression(part))
  return makeExpression(node, { kind: 'conditional', test: test!, yes: yes!, no: no! })
}

function lowerSwitchExpression(file: CsharpFile, node: Syntax) {
  const [subject, ...arms] = listOperands(node)
  const cases = arms.map(arm => {
    const [test, ...rest] = arm.parts
    const isDefault = test?.kind === 'discard'
    const tests = test && !isDefault ? [lowerPattern(file, test)] : []
    return { tests, isDefault, body: [], yields: file.expression(rest.at(-1) ?? arm) }
  })
  return { subject: file.expression(subject!), cases, fallsThrough: false }
}

function lowerOtherExpression(file: CsharpFile, node: Syntax): Expression {
  const parts = listOperands(node).filter(({ kind }) => !/_type$|^modifier$|^type_/.test(kind))
  return makeUnknown(
    node,
    parts.map(part => file.expression(part)),
  )
}

/** `new()` makes what the variable is declared as. */
export function nameType(value: Expression, type: string | undefined): Expression {
  return value.kind === 'new' && value.type === '' && type !== undefined
    ? makeExpression(value, { kind: 'new', type, args: value.args })
    : value
}

export function lowerPattern(file: CsharpFile, node: Syntax): Expression {
  const [inner] = node.parts
  return node.kind === 'constant_pattern' && inner ? file.expression(inner) : makeUnknown(node)
}

/** `new T(…) { A = x }`: the members are written to what was made, by the name that the object has until it has one. */
function lowerCreation(file: CsharpFile, node: Syntax): Expression {
  const initial = node.part('initializer_expression')
  const type = file.type(node.field('type')) ?? ''
  const made = makeExpression(node, { kind: 'new', type, args: file.args(node.part('argument_list')) })
  if (!initial) return made
  const items = initial.parts
  if (items.some(({ kind }) => kind !== 'assignment_expression')) {
    const values = items.map(item => (item.kind === 'initializer_expression' ? item.parts.at(-1)! : item))
    const list = makeExpression(node, { kind: 'list', items: values.map(value => ({ value: file.expression(value) })) })
    return makeExpression(node, { kind: 'new', type, args: [{ value: list }] })
  }
  const own = `new ${node.start}`
  const name = makeExpression(node, { kind: 'name', name: own })
  const body: Statement[] = [makeStatement(node, { kind: 'declare', name: own, value: made })]
  for (const item of items) {
    const [left, right] = item.parts
    if (!left || !right) continue
    const target =
      left.kind === 'identifier'
        ? makeExpression(item, { kind: 'member', object: name, name: left.text })
        : lowerElement(name, file.args(left), item)
    const value = makeExpression(item, { kind: 'assign', target, value: file.expression(right) })
    body.push(makeStatement(item, { kind: 'expression', value }))
  }
  return makeExpression(node, { kind: 'block', body, value: name })
}
