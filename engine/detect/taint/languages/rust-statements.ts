import type { SgNode } from '@ast-grep/napi'
import type { Expression, Span, Statement, Switch } from '../ir.ts'
import { lowerAsStatement, type Table } from './lowering.ts'
import type { RustFile } from './rust.ts'
import { findBound, lowerPattern, lowerTests, takesAll } from './rust-patterns.ts'
import { indexByKind, listNamedChildren } from './tree.ts'

/** Statements of Rust, by kind. */
export const STATEMENTS: Table<RustFile, Statement[]> = indexByKind(lowerAsStatement, {
  expression_statement: (file, node) => listNamedChildren(node).flatMap(child => file.statement(child)),
  'block unsafe_block': (file, node, span) => [{ kind: 'block', body: lowerStatements(file, node), ...span }],
  let_declaration: lowerLet,
  'const_item static_item': (file, node, span) => {
    const value = file.field(node, 'value')
    const type = file.type(node.field('type') as SgNode)
    const name = file.of(node.field('name') as SgNode)
    return [{ kind: 'declare', name, type, ...(value && { value: file.expression(value) }), ...span }]
  },
  if_expression: (file, node, span) => {
    const otherwise = lowerElse(file, node)
    return [
      {
        kind: 'if',
        test: file.lowerField(node, 'condition'),
        yes: lowerStatements(file, node.field('consequence') as SgNode),
        no: otherwise ? file.statement(otherwise) : [],
        ...span,
      },
    ]
  },
  while_expression: (file, node, span) => [
    {
      kind: 'while',
      init: [],
      test: file.lowerField(node, 'condition'),
      step: [],
      body: lowerStatements(file, node.field('body') as SgNode),
      atLeastOnce: false,
      ...span,
    },
  ],
  loop_expression: (file, node, span) => {
    const body = lowerStatements(file, node.field('body') as SgNode)
    return [{ kind: 'while', init: [], step: [], body, atLeastOnce: false, ...span }]
  },
  for_expression: (file, node, span) => [
    {
      kind: 'each',
      target: lowerPattern(file, node.field('pattern') as SgNode),
      source: file.lowerField(node, 'value'),
      body: lowerStatements(file, node.field('body') as SgNode),
      ...span,
    },
  ],
  match_expression: (file, node, span) => {
    const { before, form } = lowerMatch(file, node, (_, value) => ({ body: file.statement(value) }))
    return [...before, { kind: 'switch', switch: form, ...span }]
  },
  return_expression: (file, node, span) => {
    const [value] = listNamedChildren(node)
    return [{ kind: 'return', ...(value && { value: file.expression(value) }), ...span }]
  },
  break_expression: (file, node, span) => {
    const value = listNamedChildren(node).find(each => each.kind() !== 'label')
    return [...(value ? lowerAsStatement(file, value, span) : []), { kind: 'break', ...span }]
  },
  continue_expression: (_file, _node, span) => [{ kind: 'continue', ...span }],
  function_item: (file, node, span) => [{ kind: 'function', function: file.function(node), ...span }],
  'attribute_item inner_attribute_item empty_statement use_declaration struct_item enum_item impl_item trait_item type_item macro_definition mod_item extern_crate_declaration label':
    () => [],
})

function lowerElse(file: RustFile, node: SgNode): SgNode | undefined {
  const clause = file.field(node, 'alternative')
  return clause && (clause.kind() === 'else_clause' ? listNamedChildren(clause)[0] : clause)
}

/** What stands in a block, or in the block of `unsafe` and its like. */
export function lowerStatements(file: RustFile, node: SgNode): Statement[] {
  return listNamedChildren(unwrapBlock(node)).flatMap(child => file.statement(child))
}

/** `unsafe { }` and `async move { }` are the block in them. */
export function unwrapBlock(node: SgNode): SgNode {
  if (node.kind() === 'block') return node
  return listNamedChildren(node).find(each => each.kind() === 'block') ?? node
}

/** A block's statements, and what it is worth: its last expression, which no semicolon ends. */
export function splitBlock(node: SgNode): { statements: SgNode[]; last?: SgNode } {
  const parts = listNamedChildren(unwrapBlock(node))
  const last = parts.at(-1)
  if (!last) return { statements: parts }
  if (last.kind() === 'expression_statement') {
    const [inner] = listNamedChildren(last)
    // Of what ends with a block the semicolon may be left out.
    if (inner && !/;\s*$/.test(last.text())) return { statements: parts.slice(0, -1), last: inner }
    return { statements: parts }
  }
  return NO_VALUE.test(last.kind() as string) ? { statements: parts } : { statements: parts.slice(0, -1), last }
}

const NO_VALUE = /_item$|_declaration$|_statement$|^macro_definition$/

/** Statements that return what the node is worth, each branch of a choice by itself. */
export function lowerReturned(file: RustFile, node: SgNode): Statement[] {
  const span = file.place(node)
  switch (node.kind() as string) {
    case 'block':
    case 'unsafe_block': {
      const { statements, last } = splitBlock(node)
      return [...statements.flatMap(each => file.statement(each)), ...(last ? lowerReturned(file, last) : [])]
    }
    case 'if_expression': {
      const otherwise = lowerElse(file, node)
      return [
        {
          kind: 'if',
          test: file.lowerField(node, 'condition'),
          yes: lowerReturned(file, node.field('consequence') as SgNode),
          no: otherwise ? lowerReturned(file, otherwise) : [],
          ...span,
        },
      ]
    }
    case 'match_expression': {
      const { before, form } = lowerMatch(file, node, (_, value) => ({ body: lowerReturned(file, value) }))
      return [...before, { kind: 'switch', switch: form, ...span }]
    }
    case 'return_expression':
    case 'loop_expression':
    case 'while_expression':
    case 'for_expression':
      return file.statement(node)
    default:
      return [{ kind: 'return', value: file.expression(node), ...span }]
  }
}

/** What an arm comes to: statements, and what it is worth where that is asked. */
type LowerArm = (file: RustFile, value: SgNode) => { body: Statement[]; yields?: Expression }

/**
 * A match: each arm binds what its pattern takes out of the subject. A subject that is more than a name is kept under a name that no program has, so
 * that it is evaluated once.
 */
export function lowerMatch(file: RustFile, node: SgNode, arm: LowerArm): { before: Statement[]; form: Switch } {
  const value = file.lowerField(node, 'value')
  const span = { start: value.start, end: value.end }
  const subject: Expression = isPlain(value) ? value : { kind: 'name', name: `#${span.start}`, ...span }
  const before: Statement[] = subject === value ? [] : [{ kind: 'declare', name: `#${span.start}`, value, ...span }]
  const arms = listNamedChildren(node.field('body') as SgNode).filter(each => each.kind() === 'match_arm')
  return {
    before,
    form: {
      subject,
      fallsThrough: false,
      cases: arms.map(each => {
        const pattern = each.field('pattern') as SgNode
        const condition = file.field(pattern, 'condition')
        const own = listNamedChildren(pattern).filter(part => part.id() !== condition?.id())
        const isDefault = !condition && takesAll(file, pattern)
        const { body, yields } = arm(file, each.field('value') as SgNode)
        return {
          tests: isDefault || !own[0] ? [] : lowerTests(file, own[0]),
          isDefault,
          body: [...bind(file, pattern, subject), ...(condition ? lowerGuard(file, condition) : []), ...body],
          ...(yields && { yields }),
        }
      }),
    },
  }
}

/** Whether an expression can be evaluated once more without anything done twice. */
function isPlain(value: Expression): boolean {
  return value.kind === 'member' ? isPlain(value.object) : value.kind === 'name' || value.kind === 'this'
}

/** `pattern = value`, where the pattern binds something. */
function bind(file: RustFile, pattern: SgNode, value: Expression): Statement[] {
  const bound = findBound(pattern)
  if (bound.length === 0) return []
  const span = file.place(pattern)
  const assigned: Expression = { kind: 'assign', target: lowerPattern(file, pattern), value, declares: true, ...span }
  return [{ kind: 'expression', value: assigned, ...span }]
}

/** The condition of an arm: where it does not hold, another arm goes on. */
function lowerGuard(file: RustFile, node: SgNode): Statement[] {
  const span = file.place(node)
  return [{ kind: 'if', test: file.expression(node), yes: [], no: [{ kind: 'throw', ...span }], ...span }]
}

function lowerLet(file: RustFile, node: SgNode, span: Span): Statement[] {
  const pattern = node.field('pattern') as SgNode
  const written = file.field(node, 'type')
  const given = file.field(node, 'value')
  const type = written && file.type(written)
  const value = given && file.expression(given)
  const otherwise = file.field(node, 'alternative')
  const isName = pattern.kind() === 'identifier'
  const declared: Statement[] = isName
    ? [
        {
          kind: 'declare',
          name: file.of(pattern),
          ...(type !== undefined && { type }),
          ...(value && { value }),
          ...span,
        },
      ]
    : bindAll(file, pattern, value, span)
  if (!otherwise) return declared
  const test: Expression = { kind: 'unknown', parts: [], ...span }
  return [...declared, { kind: 'if', test, yes: [], no: lowerStatements(file, otherwise), ...span }]
}

function bindAll(file: RustFile, pattern: SgNode, value: Expression | undefined, span: Span): Statement[] {
  if (!value) return findBound(pattern).map(name => ({ kind: 'declare', name: file.of(name), ...span }))
  const target = lowerPattern(file, pattern)
  return [{ kind: 'expression', value: { kind: 'assign', target, value, declares: true, ...span }, ...span }]
}

/** `let pattern = value` as a condition: it holds where the value is one of the pattern. */
export function lowerLetCondition(file: RustFile, node: SgNode, span: Span): Expression {
  const pattern = node.field('pattern') as SgNode
  const value = file.lowerField(node, 'value')
  const tests = lowerTests(file, pattern)
  const [test] = tests
  const isFixed = tests.length === 1 && test?.kind === 'literal'
  if (isFixed) return { kind: 'binary', operator: '==', left: value, right: test, ...span }
  if (isError(file, pattern)) return { kind: 'unary', operator: 'not', value, ...span }
  if (findBound(pattern).length === 0) return { kind: 'unknown', parts: [value], ...span }
  return { kind: 'assign', target: lowerPattern(file, pattern), value, declares: true, ...span }
}

function isError(file: RustFile, pattern: SgNode): boolean {
  const [type] = pattern.kind() === 'tuple_struct_pattern' ? listNamedChildren(pattern) : []
  return type !== undefined && file.of(type) === 'Err'
}
