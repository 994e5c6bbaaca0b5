import type { ClassForm, Expression, FunctionForm } from '../ir.ts'
import {
  asAssignment,
  asBinary,
  asCast,
  asConditional,
  asFunction,
  asIndex,
  asInner,
  asInstance,
  asList,
  asName,
  asNull,
  asNumber,
  asQuoted,
  asStep,
  asSwitch,
  asThis,
  asTruth,
  asUnary,
  asUnknown,
} from './expression-rows.ts'
import type { JavaFile } from './java.ts'
import { lowerSwitch } from './java-blocks.ts'
import { WHOLE_OPERATORS } from './operators.ts'
import {
  makeClass,
  makeExpression,
  makeFunction,
  makeLiteralAt,
  makeParameter,
  makeReference,
  makeStatement,
  makeUnknown,
  type Syntax,
  type SyntaxTable,
} from './syntax.ts'
import { indexByKind, unescapeText } from './tree.ts'

/** Expressions of Java, by kind. */
export const EXPRESSIONS: SyntaxTable<JavaFile, Expression> = indexByKind(asUnknown, {
  'identifier type_identifier': asName,
  this: asThis,
  string_literal: lowerString,
  character_literal: asQuoted,
  'decimal_integer_literal decimal_floating_point_literal': asNumber(/[lLfFdD_]/g),
  hex_integer_literal: asNumber(/[lL_]/g),
  'true false': asTruth,
  null_literal: asNull,
  parenthesized_expression: asInner,
  'scoped_identifier scoped_type_identifier field_access': lowerPath,
  array_access: asIndex('array', 'index'),
  method_invocation: lowerCall,
  object_creation_expression: lowerNew,
  array_initializer: asList,
  array_creation_expression: lowerArray,
  binary_expression: asBinary(WHOLE_OPERATORS),
  unary_expression: asUnary('operand'),
  update_expression: asStep,
  assignment_expression: asAssignment(WHOLE_OPERATORS),
  ternary_expression: asConditional('condition', 'consequence', 'alternative'),
  cast_expression: asCast('type', 'value'),
  instanceof_expression: asInstance('left'),
  lambda_expression: asFunction,
  method_reference: lowerReference,
  switch_expression: asSwitch(lowerSwitch),
})

function lowerString(_file: JavaFile, node: Syntax): Expression {
  const { text } = node
  return makeLiteralAt(
    node,
    text.startsWith('"""') ? unescapeText(text.slice(3, -3).replace(/^[ \t]*\n/, '')) : unescapeText(text.slice(1, -1)),
  )
}

function lowerPath(file: JavaFile, node: Syntax): Expression {
  const { parts } = node
  return makeExpression(node, { kind: 'member', object: file.expression(parts[0]!), name: parts.at(-1)!.text })
}

/** Whether the value is a matcher that was just made. */
function isMatcher(value: Expression): value is Expression & { kind: 'call' } {
  return (
    value.kind === 'call' &&
    value.callee.kind === 'member' &&
    value.callee.name === 'matcher' &&
    value.args.length === 1
  )
}

/** Remembers a variable that holds a matcher. */
export function keepMatcher(file: JavaFile, name: string, value: Expression): void {
  if (isMatcher(value)) file.matchers.set(name, value)
  else file.matchers.delete(name)
}

function lowerCall(file: JavaFile, node: Syntax): Expression {
  const object = node.field('object')
  const name = node.at('name')
  if (object && /^(?:matches|find)$/.test(name.text)) {
    const on = file.expression(object)
    const matcher = on.kind === 'name' ? file.matchers.get(on.name) : on
    // `NAME.matcher(text).matches()` is a check of the text by the expression.
    if (matcher && isMatcher(matcher) && matcher.callee.kind === 'member') {
      const check = name.text === 'matches' ? 'isMatchOf' : 'hasMatchIn'
      const callee = makeExpression(matcher.callee, { kind: 'member', object: matcher.callee.object, name: check })
      return makeExpression(node, { kind: 'call', callee, args: matcher.args })
    }
  }
  const callee = object
    ? makeExpression(
        { start: object.start, end: name.end },
        { kind: 'member', object: file.expression(object), name: name.text },
      )
    : makeExpression(name, { kind: 'name', name: name.text })
  return makeExpression(node, { kind: 'call', callee, args: file.args(node.at('arguments')) })
}

function lowerNew(file: JavaFile, node: Syntax): Expression {
  const body = node.part('class_body')
  return makeExpression(node, {
    kind: 'new',
    type: node.at('type').text,
    args: file.args(node.field('arguments')),
    body: body && lowerAnonymous(file, body),
  })
}

/** Its methods see the variables around it, and have no owner of their own. */
function lowerAnonymous(file: JavaFile, body: Syntax): ClassForm {
  const form = makeClass(body, '')
  for (const child of body.parts) {
    if (child.kind === 'method_declaration') form.methods.push(file.method(child, ''))
    else if (child.kind === 'field_declaration') file.fields(child, form)
  }
  return form
}

function lowerArray(file: JavaFile, node: Syntax): Expression {
  const value = node.field('value') ?? node.part('array_initializer')
  if (value) return file.expression(value)
  const size = node.part('dimensions_expr')?.parts[0]
  const count = size ? Number(size.text) : Number.NaN
  // An array of a known small size has known places; of any other, elements are not told apart.
  const items =
    Number.isInteger(count) && count <= 32
      ? Array.from({ length: count }, () => ({ value: makeLiteralAt(node, null) }))
      : []
  return makeExpression(node, { kind: 'list', items })
}

export function lowerLambda(file: JavaFile, node: Syntax): FunctionForm {
  const parameters = node.at('parameters')
  const body = node.at('body')
  return makeFunction(node, {
    name: '',
    parameters:
      parameters.kind === 'identifier' ? [makeParameter(parameters, parameters.text)] : file.parameters(parameters),
    body: () => {
      if (body.kind === 'block') return file.block(body)
      const value = file.expression(body)
      return [makeStatement(value, { kind: 'return', value })]
    },
  })
}

/** `this::run`, `Type::of`. */
function lowerReference(file: JavaFile, node: Syntax): Expression {
  const { parts } = node
  const [object] = parts
  const name = parts.length > 1 ? parts.at(-1)!.text : 'new'
  if (!object || name === 'new') return makeUnknown(node)
  return makeReference(node, makeExpression(node, { kind: 'member', object: file.expression(object), name }))
}
