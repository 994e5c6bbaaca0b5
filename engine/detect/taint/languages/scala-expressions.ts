import type { Argument, BinaryOperator, Expression } from '../ir.ts'
import { asFunction, asInner, asList, asNothingKnown, asNull, asTruth, asUnknown } from './expression-rows.ts'
import { WHOLE_OPERATORS } from './operators.ts'
import type { ScalaFile } from './scala.ts'
import { lowerCall, lowerField, lowerGiven, readCall } from './scala-calls.ts'
import { holdSubject, lowerCaseValues, lowerYield } from './scala-patterns.ts'
import { isYield } from './scala-statements.ts'
import { lowerInterpolated, lowerString } from './scala-texts.ts'
import { makeExpression, makeLiteralAt, makeReference, makeUnknown, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind } from './tree.ts'

const OPERATORS: Record<string, BinaryOperator> = { ...WHOLE_OPERATORS, eq: '==', ne: '!=', '===': '==', '=!=': '!=' }
const BITS = /^(?:[&|^]|<<|>>>?)$/

/** Expressions of Scala, by kind. */
export const EXPRESSIONS: SyntaxTable<ScalaFile, Expression> = indexByKind(asUnknown, {
  'identifier type_identifier operator_identifier': lowerName,
  wildcard: (file, node) => makeExpression(node, { kind: 'name', name: file.gaps.get(node.start) ?? '_' }),
  'string character_literal': lowerString,
  interpolated_string_expression: lowerInterpolated,
  'integer_literal floating_point_literal': lowerNumber,
  boolean_literal: asTruth,
  'null_literal unit': asNull,
  quote_expression: (_file, node) => makeLiteralAt(node, node.text.slice(1)),
  parenthesized_expression: (file, node) => (node.parts[0] ? lowerGiven(file, node.parts[0]) : asNull(file, node)),
  ascription_expression: asInner,
  tuple_expression: asList,
  call_expression: lowerCall,
  field_expression: lowerField,
  generic_function: lowerGeneric,
  infix_expression: lowerInfix,
  prefix_expression: lowerPrefix,
  postfix_expression: lowerPostfix,
  assignment_expression: lowerAssignment,
  instance_expression: (file, node) => file.made(node, []),
  'lambda_expression case_block indented_cases colon_argument': asFunction,
  'block indented_block': (file, node) =>
    file.isLambda(node) ? asFunction(file, node) : file.sequence(node, node.parts),
  if_expression: lowerIf,
  match_expression: lowerMatch,
  for_expression: (file, node) => (isYield(node) ? lowerYield(file, node) : asStatement(file, node)),
  try_expression: lowerTry,
  'return_expression throw_expression while_expression do_while_expression function_definition val_definition var_definition':
    asStatement,
  'class_definition object_definition trait_definition import_declaration': asNothingKnown,
})

/** What only does something. */
function asStatement(file: ScalaFile, node: Syntax): Expression {
  return makeExpression(node, { kind: 'block', body: file.statement(node) })
}

function lowerName(_file: ScalaFile, node: Syntax): Expression {
  const { text } = node
  if (text === 'this' || text === 'super') return makeExpression(node, { kind: 'this' })
  if (text === 'null' || text === 'None' || text === 'Nil') return makeLiteralAt(node, null)
  return makeExpression(node, { kind: 'name', name: text.replaceAll('`', '') })
}

function lowerNumber(_file: ScalaFile, node: Syntax): Expression {
  const value = Number(node.text.replace(/_/g, '').replace(/[lL]$|(?<!0[xX].*)[fFdD]$/, ''))
  return Number.isNaN(value) ? makeUnknown(node) : makeLiteralAt(node, value)
}

/** A method that is told a type and no arguments: what it gives is of that type. */
function lowerGeneric(file: ScalaFile, node: Syntax): Expression {
  const { called, type } = readCall(node)
  const inner = file.expression(called)
  const value = inner.kind === 'name' ? makeExpression(node, { kind: 'call', callee: inner, args: [] }) : inner
  return type === undefined ? value : makeExpression(node, { kind: 'cast', type, value })
}

function makeCall(node: Syntax, object: Expression, name: string, args: Argument[]): Expression {
  return makeExpression(node, { kind: 'call', callee: makeExpression(node, { kind: 'member', object, name }), args })
}

/** An operator, or a method between its object and its argument. */
function lowerInfix(file: ScalaFile, node: Syntax): Expression {
  const name = node.at('operator').text
  const given = node.at('right')
  const left = file.expression(node.at('left'))
  if (name === '->') return makeList(node, [{ value: left }, { value: lowerGiven(file, given) }])
  const operator = OPERATORS[name]
  if (operator || BITS.test(name)) {
    const right = file.expression(given)
    return makeExpression(node, { kind: 'binary', operator: operator ?? 'bits', left, right })
  }
  if (/^(?:\+|\+\+|-|--|\*|\/|%|&|\||::|:::)=$/.test(name)) return lowerGrowing(file, node, name, left)
  const right = lowerGiven(file, given)
  if (name === '::' || name === '+:') return makeList(node, [...spread(left, name), { value: right, spread: true }])
  if (name === ':+') return makeList(node, [{ value: left, spread: true }, { value: right }])
  if (name === ':::' || name === '++:' || (name === '++' && (left.kind === 'list' || right.kind === 'list')))
    return makeList(node, [
      { value: left, spread: true },
      { value: right, spread: true },
    ])
  if (name === '++') return makeExpression(node, { kind: 'binary', operator: '+', left, right })
  if (name === 'getOrElse' || name === 'orElse')
    return makeExpression(node, { kind: 'binary', operator: 'either', left, right })
  return makeCall(node, left, name, given.kind === 'tuple_expression' ? file.args(given) : [{ value: right }])
}

/** `a :: b :: Nil` comes from the left: what stands there is a list of the elements so far. */
function spread(left: Expression, name: string): Argument[] {
  return left.kind === 'list' && name === '::' ? left.items.map(({ value }) => ({ value })) : [{ value: left }]
}

function makeList(node: Syntax, items: Argument[]): Expression {
  return makeExpression(node, { kind: 'list', items })
}

/** `text += more` assigns to a variable; a buffer or map under a fixed name grows. */
function lowerGrowing(file: ScalaFile, node: Syntax, name: string, left: Expression): Expression {
  const value = lowerGiven(file, node.at('right'))
  const sign = name.slice(0, -1)
  const target = node.at('left')
  const last = target.kind === 'field_expression' ? target.at('field').text : target.text
  if (file.names.isVariable(last) || !/^\+/.test(sign)) {
    const operator = sign === '++' ? '+' : (OPERATORS[sign] ?? 'bits')
    return makeExpression(node, { kind: 'assign', target: left, operator, value })
  }
  if (value.kind === 'list' && value.items.length === 2 && sign === '+') return makeCall(node, left, 'put', value.items)
  return makeCall(node, left, sign === '++' && !file.names.isBuilder(last) ? 'addAll' : 'append', [{ value }])
}

function lowerPrefix(file: ScalaFile, node: Syntax): Expression {
  const operand = node.parts.at(-1)
  if (!operand) return makeUnknown(node)
  const sign = node.text[0]
  const operator = sign === '!' ? 'not' : sign === '~' || sign === '-' ? sign : '+'
  return makeExpression(node, { kind: 'unary', operator, value: file.expression(operand) })
}

/** A method behind its object (`"ls" !`), or a method as a value (`run _`). */
function lowerPostfix(file: ScalaFile, node: Syntax): Expression {
  const [operand, name] = node.parts
  if (!operand || !name) return makeUnknown(node)
  const object = file.expression(operand)
  if (name.text === '_') return makeReference(node, object.kind === 'call' ? object.callee : object)
  return makeCall(node, object, name.text, [])
}

function lowerAssignment(file: ScalaFile, node: Syntax): Expression {
  const left = node.at('left')
  const value = lowerGiven(file, node.at('right'))
  // A definition on the line of its lambda's parameter, which the grammar does not know.
  const [, name] = /^va[lr]\s+(\w+)/.exec(node.text) ?? []
  if (name !== undefined && /^va[lr]$/.test(left.text)) {
    const target = makeExpression(left, { kind: 'name', name })
    return makeExpression(node, { kind: 'assign', target, value, declares: true })
  }
  return makeExpression(node, { kind: 'assign', target: lowerTarget(file, left), value })
}

/** `map("key") = value` sets an element. */
function lowerTarget(file: ScalaFile, node: Syntax): Expression {
  if (node.kind === 'call_expression') {
    const { called, lists } = readCall(node)
    const index = file.args(lists[0])[0]?.value
    return makeExpression(node, { kind: 'index', object: file.expression(called), index })
  }
  if (node.kind === 'field_expression')
    return makeExpression(node, {
      kind: 'member',
      object: file.expression(node.at('value')),
      name: node.at('field').text,
    })
  return file.expression(node)
}

function lowerIf(file: ScalaFile, node: Syntax): Expression {
  const no = node.field('alternative')
  return makeExpression(node, {
    kind: 'conditional',
    test: file.condition(node.at('condition')),
    yes: file.expression(node.at('consequence')),
    no: no ? file.expression(no) : makeLiteralAt(node, null),
  })
}

function lowerMatch(file: ScalaFile, node: Syntax): Expression {
  const { subject, before } = holdSubject(file, node.at('value'))
  const value = lowerCaseValues(file, node.at('body'), subject)
  return before.length === 0 ? value : makeExpression(node, { kind: 'block', body: before, value })
}

function lowerTry(file: ScalaFile, node: Syntax): Expression {
  const caught = node.part('catch_clause')
  const cases = caught?.parts.find(({ kind }) => /^(?:case_block|indented_cases)$/.test(kind))
  const body = caught?.field('body')
  const no = cases ? lowerCaseValues(file, cases, makeUnknown(cases)) : body && file.expression(body)
  return makeExpression(node, {
    kind: 'conditional',
    test: makeUnknown(node),
    yes: file.expression(node.at('body')),
    no: no ?? makeUnknown(node),
  })
}
