import type { Expression, Statement, StatementForm, Switch } from '../ir.ts'
import { type AnyFile, isBlock } from './lowered-file.ts'
import { makeLiteralAt, makeStatement, type Syntax } from './syntax.ts'

/**
 * Rows of the tables of statements that languages share. Those that are named by an `as` alone are rows; those that are given names of fields,
 * under which a grammar has the parts, make one.
 */
type Row<File = AnyFile> = (file: File, node: Syntax) => Statement[]

/** What does nothing, or is looked at elsewhere. */
export const asNothing: Row = () => []

/** An expression that is a statement. */
export const asExpression: Row = (file, node) => [
  makeStatement(node, { kind: 'expression', value: file.expression(node) }),
]

/** What only stands as a statement, and is one expression. */
export function asResult<File extends AnyFile>(lower: (file: File, node: Syntax) => Expression): Row<File> {
  return (file, node) => [makeStatement(node, { kind: 'expression', value: lower(file, node) })]
}

/** A statement of expressions, each of which is one. */
export const asExpressions: Row = (file, node) =>
  node.parts.map(part => makeStatement(node, { kind: 'expression', value: file.expression(part) }))

/** What is nothing but the first statement in it. */
export const asInner: Row = (file, node) => (node.parts[0] ? file.statement(node.parts[0]) : [])

/** What is nothing but the statements in it. */
export const asStatements: Row = (file, node) => file.block(node)

/** What stands behind a label or word. */
export const asLabeled: Row = (file, node) => node.parts.slice(1).flatMap(part => file.statement(part))

export const asBlock: Row = (file, node) => [makeStatement(node, { kind: 'block', body: file.block(node) })]

/** A choice by a condition; with none in a broken text it holds. */
export function asBranch(test: string, yes: string, no: string): Row {
  return (file, node) => [
    makeStatement(node, {
      kind: 'if',
      test: lowerTest(file, node, test),
      yes: file.body(node.field(yes)),
      no: file.body(node.field(no)),
    }),
  ]
}

/** A loop with a condition alone, which is asked before or (`do`) after a round. */
export function asWhile(test: string, body: string): Row {
  return (file, node) => [
    makeStatement(node, {
      kind: 'while',
      init: [],
      test: lowerTest(file, node, test),
      step: [],
      body: file.body(node.field(body)),
      atLeastOnce: node.kind.startsWith('do'),
    }),
  ]
}

/** A loop that begins with something and does something after each round. */
export function asFor(init: string, test: string, step: string, body: string): Row {
  return (file, node) => {
    const condition = node.field(test)
    return [
      makeStatement(node, {
        kind: 'while',
        init: node.fields(init).flatMap(part => file.statement(part)),
        test: condition && file.condition(condition),
        step: node.fields(step).flatMap(part => file.statement(part)),
        body: file.body(node.field(body)),
        atLeastOnce: false,
      }),
    ]
  }
}

/** A loop over elements. */
export function asEach(target: string, source: string, body: string): Row {
  return (file, node) => [
    makeStatement(node, {
      kind: 'each',
      target: file.expression(node.at(target)),
      type: file.type(node.field('type')),
      source: file.expression(node.at(source)),
      body: file.body(node.field(body)),
    }),
  ]
}

/** What leaves the function, with what stands behind the word. */
export function asLeaving(kind: 'return' | 'throw'): Row {
  return (file, node) => {
    const [value] = node.parts
    return [makeStatement(node, { kind, value: value && file.expression(value) })]
  }
}

/** What leaves a loop or a round of it. */
export function asJump(kind: 'break' | 'continue'): Row {
  return (_file, node) => [makeStatement(node, { kind })]
}

/** The same in a language whose loops have names. */
export function asJumpTo(kind: 'break' | 'continue'): Row {
  return (_file, node) => [makeStatement(node, { kind, label: node.parts[0]?.text })]
}

/** A function within another one, under its name. */
export const asLocalFunction: Row = (file, node) => [
  makeStatement(node, { kind: 'function', function: file.function(node) }),
]

/** What takes variables or elements away. */
export const asDelete: Row = (file, node) =>
  node.parts.map(part => makeStatement(node, { kind: 'delete', target: file.expression(part) }))

/** A choice among cases. */
export function asSwitch<File extends AnyFile>(lower: (file: File, node: Syntax) => Switch): Row<File> {
  return (file, node) => [makeStatement(node, { kind: 'switch', switch: lower(file, node) })]
}

/** What is tried, with what stands in each part before it; `name` finds under which name a handler has what it caught. */
export function asTry(name: (handler: Syntax) => Syntax | undefined): Row {
  return (file, node) => {
    const form: StatementForm & { kind: 'try' } = { kind: 'try', body: [], handlers: [], finally: [] }
    for (const part of node.parts) {
      if (/^(?:catch|except)_/.test(part.kind)) form.handlers.push({ name: name(part)?.text, body: file.blocks(part) })
      else if (part.kind === 'finally_clause') form.finally = file.blocks(part)
      else if (part.kind === 'else_clause' || part.kind === 'resource_specification') form.body.push(...file.body(part))
      else if (isBlock(part)) form.body.push(...file.block(part))
    }
    return [makeStatement(node, form)]
  }
}

function lowerTest(file: AnyFile, node: Syntax, name: string): Expression {
  const test = node.field(name)
  return test ? file.condition(test) : makeLiteralAt(node, true)
}
