import type { SgNode } from '@ast-grep/napi'
import type { Expression, Span, Statement } from '../ir.ts'
import type { KotlinFile } from './kotlin.ts'
import { findBranches, lowerBlock, lowerCases, lowerValue } from './kotlin-choices.ts'
import { lowerAsStatement, type Table, WHOLE_OPERATORS } from './lowering.ts'
import { indexByKind, listNamedChildren, memoize, toSpan } from './tree.ts'

/** Statements of Kotlin, by kind. */
export const STATEMENTS: Table<KotlinFile, Statement[]> = indexByKind(lowerAsStatement, {
  property_declaration: (file, node, span) => lowerDeclaration(file, node, listNamedChildren(node), span),
  assignment: (file, node, span) => lowerAssignment(file, listNamedChildren(node), span),
  function_declaration: (file, node, span) => [{ kind: 'function', function: file.localFunction(node), ...span }],
  if_expression: lowerIf,
  when_expression: lowerWhen,
  try_expression: (file, node, span) => [lowerTry(file, listNamedChildren(node), span)],
  for_statement: lowerFor,
  'while_statement do_while_statement': lowerWhile,
  jump_expression: (file, node, span) => [lowerJump(file, node, listNamedChildren(node), span)],
  'label class_declaration object_declaration property_delegate type_alias': () => [],
  'statements control_structure_body': lowerBlock,
})

function lowerIf(file: KotlinFile, node: SgNode, span: Span): Statement[] {
  const { test, yes, no } = findBranches(file, node)
  return [{ kind: 'if', test: file.expression(test!), yes: lowerBlock(file, yes), no: lowerBlock(file, no), ...span }]
}

function lowerFor(file: KotlinFile, node: SgNode, span: Span): Statement[] {
  const parts = listNamedChildren(node)
  const target = parts.find(part => /variable_declaration$/.test(part.kind() as string))
  const source = parts[parts.indexOf(target!) + 1]
  if (!target || !source) return []
  return [
    {
      kind: 'each',
      target: lowerTarget(file, target),
      source: file.expression(source),
      body: lowerBlock(
        file,
        parts.find(part => part.kind() === 'control_structure_body'),
      ),
      ...span,
    },
  ]
}

function lowerWhile(file: KotlinFile, node: SgNode, span: Span): Statement[] {
  const parts = listNamedChildren(node)
  const body = parts.find(part => part.kind() === 'control_structure_body')
  const test = parts.find(part => part !== body)
  return [
    {
      kind: 'while',
      init: [],
      ...(test && { test: file.expression(test) }),
      step: [],
      body: lowerBlock(file, body),
      atLeastOnce: node.kind() === 'do_while_statement',
      ...span,
    },
  ]
}

/** The value that comes after `=`, or of what is made later (`by lazy { … }`). */
export function findInitial(file: KotlinFile, node: SgNode): SgNode | undefined {
  const children = node.children()
  const sign = children.findIndex(child => file.of(child) === '=')
  if (sign !== -1) return children.slice(sign + 1).find(child => child.isNamed())
  const delegate = children.find(child => child.kind() === 'property_delegate')
  const call = delegate && listNamedChildren(delegate)[0]
  const lambda = call?.find({ rule: { kind: 'lambda_literal' } } as never) as SgNode | null | undefined
  return (lambda && listNamedChildren(lambda).find(part => part.kind() === 'statements')) ?? undefined
}

function lowerTarget(file: KotlinFile, node: SgNode): Expression {
  const span = toSpan(node)
  const parts = listNamedChildren(node)
  if (node.kind() === 'multi_variable_declaration')
    return { kind: 'list', items: parts.map(part => ({ value: lowerTarget(file, part) })), ...span }
  return { kind: 'name', name: file.of(parts[0] ?? node), ...span }
}

function lowerDeclaration(file: KotlinFile, node: SgNode, parts: readonly SgNode[], span: Span): Statement[] {
  const target = parts.find(part => /variable_declaration$/.test(part.kind() as string))
  if (!target) return []
  const written = findInitial(file, node)
  const value = written && lowerValue(file, written)
  const place = lowerTarget(file, target)
  if (place.kind !== 'name')
    return value ? [{ kind: 'expression', value: { kind: 'assign', target: place, value, ...span }, ...span }] : []
  const type = listNamedChildren(target)[1]
  return [
    { kind: 'declare', name: place.name, ...(type && { type: file.type(type) }), ...(value && { value }), ...span },
  ]
}

/** What is written to a property of another object is given to its setter as well, which Java's libraries know. */
function lowerAssignment(file: KotlinFile, parts: readonly SgNode[], span: Span): Statement[] {
  const [left, right] = parts
  if (!left || !right) return []
  const target = file.expression(left)
  const value = file.expression(right)
  const sign = file.text.slice(toSpan(left).end, toSpan(right).start).trim()
  const operator = sign === '=' ? undefined : (WHOLE_OPERATORS[sign.slice(0, -1)] ?? 'bits')
  const out: Statement[] = [
    { kind: 'expression', value: { kind: 'assign', target, ...(operator && { operator }), value, ...span }, ...span },
  ]
  if (target.kind === 'member' && target.object.kind !== 'this' && !operator) {
    const own = target.name.replace(/^is(?=[A-Z])/, '')
    const callee: Expression = { ...target, name: `set${own[0]!.toUpperCase()}${own.slice(1)}` }
    out.unshift({ kind: 'expression', value: { kind: 'call', callee, args: [{ value }], ...span }, ...span })
  }
  return out
}

function lowerWhen(file: KotlinFile, node: SgNode, span: Span): Statement[] {
  return lowerCases(file, node).reduceRight<Statement[]>((no, { test, body }) => {
    const yes = lowerBlock(file, body)
    return test ? [{ kind: 'if', test, yes, no, ...span }] : yes
  }, [])
}

function lowerTry(file: KotlinFile, parts: readonly SgNode[], span: Span): Statement {
  const body = parts.find(part => part.kind() === 'statements')
  const last = parts.find(part => part.kind() === 'finally_block')
  return {
    kind: 'try',
    body: lowerBlock(file, body),
    handlers: parts
      .filter(part => part.kind() === 'catch_block')
      .map(part => {
        const [name] = listNamedChildren(part)
        const inner = listNamedChildren(part).find(each => each.kind() === 'statements')
        return { ...(name && { name: file.of(name) }), body: lowerBlock(file, inner) }
      }),
    finally: lowerBlock(file, last && listNamedChildren(last)[0]),
    ...span,
  }
}

function lowerJump(file: KotlinFile, node: SgNode, parts: readonly SgNode[], span: Span): Statement {
  const text = file.of(node)
  const label = parts.find(part => part.kind() === 'label')
  const value = parts.find(part => part.kind() !== 'label')
  if (/^(?:break|continue)/.test(text))
    return {
      kind: text.startsWith('break') ? 'break' : 'continue',
      ...(label && { label: file.of(label).replace(/^@|@$/g, '') }),
      ...span,
    }
  return {
    kind: text.startsWith('throw') ? 'throw' : 'return',
    ...(value && { value: lowerValue(file, value) }),
    ...span,
  }
}

/** A body of which the last expression is the value. */
export function lowerReturned(file: KotlinFile, node: SgNode | undefined): () => Statement[] {
  return memoize(() => {
    if (!node) return []
    const value = lowerValue(file, node)
    return [{ kind: 'return', value, start: value.start, end: value.end }]
  })
}
