import type { SgNode } from '@ast-grep/napi'
import type { Expression, Span, Statement } from '../ir.ts'
import type { JavaFile } from './java.ts'
import { lowerBody, lowerSwitch } from './java-blocks.ts'
import { keepMatcher, lowerArgs } from './java-expressions.ts'
import { lowerBlock, type Table } from './lowering.ts'
import { indexByKind, listNamedChildren, makeLiteral, toSpan } from './tree.ts'

/** Statements of Java, by kind. */
export const STATEMENTS: Table<JavaFile, Statement[]> = indexByKind(lowerOtherStatement, {
  expression_statement: lowerExpression,
  explicit_constructor_invocation: lowerExplicitConstructorInvocation,
  local_variable_declaration: lowerLocals,
  block: (file, node, span) => [{ kind: 'block', body: lowerBlock(file, node), ...span }],
  if_statement: lowerIf,
  'while_statement do_statement': lowerWhile,
  for_statement: (file, node) => [lowerFor(file, node)],
  enhanced_for_statement: lowerEnhancedFor,
  'switch_expression switch_statement': (file, node, span) => [
    { kind: 'switch', switch: lowerSwitch(file, node), ...span },
  ],
  'try_statement try_with_resources_statement': lowerTry,
  'return_statement yield_statement throw_statement': lowerReturn,
  'break_statement continue_statement': lowerBreak,
  labeled_statement: lowerLabeled,
  synchronized_statement: (file, node) => lowerBody(file, file.field(node, 'body')),
  'local_class_declaration class_declaration assert_statement line_comment': () => [],
})

function lowerExpression(file: JavaFile, node: SgNode): Statement[] {
  const [inner] = listNamedChildren(node)
  return inner ? lowerExpressionStatement(file, inner) : []
}

function lowerExplicitConstructorInvocation(file: JavaFile, node: SgNode, span: Span): Statement[] {
  const args = file.field(node, 'arguments')
  const name = file.of(node).startsWith('super') ? 'super' : 'constructor'
  const callee: Expression = { kind: 'member', object: { kind: 'this', ...span }, name, ...span }
  return [
    { kind: 'expression', value: { kind: 'call', callee, args: args ? lowerArgs(file, args) : [], ...span }, ...span },
  ]
}

function lowerIf(file: JavaFile, node: SgNode, span: Span): Statement[] {
  return [
    {
      kind: 'if',
      test: lowerCondition(file, node),
      yes: lowerBody(file, file.field(node, 'consequence')),
      no: lowerBody(file, file.field(node, 'alternative')),
      ...span,
    },
  ]
}

function lowerWhile(file: JavaFile, node: SgNode, span: Span): Statement[] {
  return [
    {
      kind: 'while',
      init: [],
      test: lowerCondition(file, node),
      step: [],
      body: lowerBody(file, file.field(node, 'body')),
      atLeastOnce: (node.kind() as string) === 'do_statement',
      ...span,
    },
  ]
}

function lowerEnhancedFor(file: JavaFile, node: SgNode, span: Span): Statement[] {
  const name = node.field('name') as SgNode
  const type = file.field(node, 'type')
  return [
    {
      kind: 'each',
      target: { kind: 'name', name: file.of(name), ...toSpan(name) },
      ...(type && { type: file.of(type) }),
      source: file.lowerField(node, 'value'),
      body: lowerBody(file, file.field(node, 'body')),
      ...span,
    },
  ]
}

function lowerReturn(file: JavaFile, node: SgNode, span: Span): Statement[] {
  const [value] = listNamedChildren(node)
  return [
    {
      kind: (node.kind() as string) === 'throw_statement' ? 'throw' : 'return',
      ...(value && { value: file.expression(value) }),
      ...span,
    },
  ]
}

function lowerBreak(file: JavaFile, node: SgNode, span: Span): Statement[] {
  const [label] = listNamedChildren(node)
  return [
    {
      kind: (node.kind() as string) === 'break_statement' ? 'break' : 'continue',
      ...(label && { label: file.of(label) }),
      ...span,
    },
  ]
}

function lowerLabeled(file: JavaFile, node: SgNode, span: Span): Statement[] {
  const [label, inner] = listNamedChildren(node)
  return [{ kind: 'block', label: file.of(label!), body: inner ? file.statement(inner) : [], ...span }]
}

function lowerOtherStatement(file: JavaFile, node: SgNode): Statement[] {
  return lowerExpressionStatement(file, node)
}

function lowerExpressionStatement(file: JavaFile, node: SgNode): Statement[] {
  if ((node.kind() as string) === 'switch_expression')
    return [{ kind: 'switch', switch: lowerSwitch(file, node), ...toSpan(node) }]
  const value = file.expression(node)
  return [{ kind: 'expression', value, start: value.start, end: value.end }]
}

function lowerLocals(file: JavaFile, node: SgNode): Statement[] {
  const type = file.field(node, 'type')
  const out: Statement[] = []
  for (const child of listNamedChildren(node)) {
    if ((child.kind() as string) !== 'variable_declarator') continue
    const written = file.field(child, 'value')
    const value = written && file.expression(written)
    const name = file.of(child.field('name') as SgNode)
    if (value) keepMatcher(file, name, value)
    out.push({ kind: 'declare', name, ...(type && { type: file.of(type) }), ...(value && { value }), ...toSpan(child) })
  }
  return out
}

function lowerCondition(file: JavaFile, node: SgNode): Expression {
  const condition = file.field(node, 'condition')
  return condition ? file.expression(condition) : makeLiteral(toSpan(node), true)
}

function lowerFor(file: JavaFile, node: SgNode): Statement {
  const many = (name: string): SgNode[] => node.fieldChildren(name) as SgNode[]
  const condition = file.field(node, 'condition')
  return {
    kind: 'while',
    init: many('init').flatMap(init => file.statement(init)),
    ...(condition && { test: file.expression(condition) }),
    step: many('update').flatMap(update => lowerExpressionStatement(file, update)),
    body: lowerBody(file, file.field(node, 'body')),
    atLeastOnce: false,
    ...toSpan(node),
  }
}

function lowerTry(file: JavaFile, node: SgNode): Statement[] {
  const body: Statement[] = []
  const handlers: (Statement & { kind: 'try' })['handlers'] = []
  let last: Statement[] = []
  for (const child of listNamedChildren(node)) {
    const kind = child.kind() as string
    if (kind === 'resource_specification') {
      for (const resource of listNamedChildren(child)) {
        const name = file.field(resource, 'name')
        const value = file.field(resource, 'value')
        const type = file.field(resource, 'type')
        if (name && value)
          body.push({
            kind: 'declare',
            name: file.of(name),
            ...(type && { type: file.of(type) }),
            value: file.expression(value),
            ...toSpan(resource),
          })
      }
    } else if (kind === 'block') body.push(...lowerBlock(file, child))
    else if (kind === 'catch_clause') {
      const parameter = listNamedChildren(child).find(part => (part.kind() as string) === 'catch_formal_parameter')
      const name = parameter && file.field(parameter, 'name')
      handlers.push({ ...(name && { name: file.of(name) }), body: lowerBody(file, file.field(child, 'body')) })
    } else if (kind === 'finally_clause') last = listNamedChildren(child).flatMap(part => lowerBody(file, part))
  }
  return [{ kind: 'try', body, handlers, finally: last, ...toSpan(node) }]
}
