import type { BinaryOperator, Expression, Switch } from '../ir.ts'
import type { AnyFile } from './lowered-file.ts'
import { makeExpression, makeLiteralAt, makeStep, makeUnknown, type Syntax } from './syntax.ts'
import { unescapeText } from './tree.ts'

/**
 * Rows of the tables of expressions that languages share. Those that are named by an `as` alone are rows; those that are given names of fields,
 * under which a grammar has the parts, make one.
 */
type Row<File = AnyFile> = (file: File, node: Syntax) => Expression

/** What is only known by what it is made of. */
export const asUnknown: Row = (file, node) =>
  makeUnknown(
    node,
    node.parts.map(part => file.expression(part)),
  )

/** What carries nothing of what it is made of. */
export const asNothingKnown: Row = (_file, node) => makeUnknown(node)

export const asName: Row = (_file, node) => makeExpression(node, { kind: 'name', name: node.text })

export const asThis: Row = (_file, node) => makeExpression(node, { kind: 'this' })

export const asNull: Row = (_file, node) => makeLiteralAt(node, null)

/** `true` and `false`, in small or large letters. */
export const asTruth: Row = (_file, node) => makeLiteralAt(node, node.text.toLowerCase() === 'true')

/** A text between two quotes, with backslashes. */
export const asQuoted: Row = (_file, node) => makeLiteralAt(node, unescapeText(node.text.slice(1, -1)))

/** A number, without what is written between its digits or says its type. */
export function asNumber(noise = /_/g): Row {
  return (_file, node) => {
    const value = Number(node.text.replace(noise, ''))
    return Number.isNaN(value) ? makeUnknown(node) : makeLiteralAt(node, value)
  }
}

/** What is worth what stands in it first (`(x)`). */
export const asInner: Row = (file, node) => {
  const [inner] = node.parts
  return inner ? file.expression(inner) : makeLiteralAt(node, null)
}

/** What is worth what stands in it last. */
export const asLast: Row = (file, node) => {
  const inner = node.parts.at(-1)
  return inner ? file.expression(inner) : makeLiteralAt(node, null)
}

/** What is worth one of its fields. */
export function asField(name: string): Row {
  return (file, node) => file.expression(node.at(name))
}

export function asMember(object: string, name: string): Row {
  return (file, node) =>
    makeExpression(node, { kind: 'member', object: file.expression(node.at(object)), name: node.at(name).text })
}

export function asIndex(object: string, index: string): Row {
  return (file, node) =>
    makeExpression(node, {
      kind: 'index',
      object: file.expression(node.at(object)),
      index: file.expression(node.at(index)),
    })
}

/** A call of whatever stands before its arguments. */
export function asCall(callee: string, args: string): Row {
  return (file, node) =>
    makeExpression(node, { kind: 'call', callee: file.expression(node.at(callee)), args: file.args(node.at(args)) })
}

/** A list, tuple, set or array. */
export const asList: Row = (file, node) => makeExpression(node, { kind: 'list', items: file.args(node) })

/** A text that is put together from all that stands in it. */
export const asText: Row = (file, node) =>
  makeExpression(node, { kind: 'text', parts: node.parts.map(part => file.expression(part)) })

export const asFunction: Row = (file, node) => makeExpression(node, { kind: 'function', function: file.function(node) })

export function asConditional(test: string, yes: string, no: string): Row {
  return (file, node) =>
    makeExpression(node, {
      kind: 'conditional',
      test: file.condition(node.at(test)),
      yes: file.expression(node.at(yes)),
      no: file.expression(node.at(no)),
    })
}

export function asCast(type: string, value: string): Row {
  return (file, node) =>
    makeExpression(node, {
      kind: 'cast',
      type: file.type(node.at(type)) ?? '',
      value: file.expression(node.at(value)),
    })
}

/** Whether a value is of a type: which type, nobody asks. */
export function asInstance(value: string): Row {
  return (file, node) =>
    makeExpression(node, {
      kind: 'binary',
      operator: 'instance',
      left: file.expression(node.at(value)),
      right: makeLiteralAt(node, null),
    })
}

/** `left operator right`; what is no operator of the language's table works on bits. */
export function asBinary(operators: Record<string, BinaryOperator>): Row {
  return (file, node) =>
    makeExpression(node, {
      kind: 'binary',
      operator: operators[node.at('operator').text] ?? 'bits',
      left: file.expression(node.at('left')),
      right: file.expression(node.at('right')),
    })
}

const UNARY = { '!': 'not', not: 'not', '-': '-', '+': '+', '~': '~' } as const

/** `operator value`; the operators are those of `ir.ts`. */
export function asUnary(value: string): Row {
  return (file, node) =>
    makeExpression(node, {
      kind: 'unary',
      operator: UNARY[(node.field('operator')?.text ?? 'not') as keyof typeof UNARY],
      value: file.expression(node.at(value)),
    })
}

/** `left = right`, `left += right` and its like. */
export function asAssignment(operators: Record<string, BinaryOperator>): Row {
  return (file, node) => {
    const sign = node.field('operator')?.text.slice(0, -1) ?? ''
    return makeExpression(node, {
      kind: 'assign',
      target: file.expression(node.at('left')),
      operator: sign === '' ? undefined : (operators[sign] ?? 'bits'),
      value: file.expression(node.at('right')),
    })
  }
}

/** `x++` and `x--`. */
export const asStep: Row = (file, node) =>
  makeStep(node, file.expression(node.parts[0]!), node.text.includes('++') ? '++' : '--')

/** A choice among cases, as a value. */
export function asSwitch<File extends AnyFile>(lower: (file: File, node: Syntax) => Switch): Row<File> {
  return (file, node) => makeExpression(node, { kind: 'switch', switch: lower(file, node) })
}
