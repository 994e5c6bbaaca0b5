import type { SgNode } from '@ast-grep/napi'
import type { Expression, Statement } from '../ir.ts'
import type { KotlinFile } from './kotlin.ts'
import { listNamedChildren, makeLiteral, toSpan } from './tree.ts'

/** What stands in a body, whether in braces or not. */
export function lowerBlock(file: KotlinFile, node: SgNode | undefined): Statement[] {
  if (!node) return []
  const kind = node.kind() as string
  if (/^(?:statements|control_structure_body|function_body|catch_block|finally_block)$/.test(kind))
    return listNamedChildren(node).flatMap(child => lowerBlock(file, child))
  return file.statement(node)
}

export function findBranches(file: KotlinFile, node: SgNode): { test?: SgNode; yes?: SgNode; no?: SgNode } {
  const out: { test?: SgNode; yes?: SgNode; no?: SgNode } = {}
  let isElse = false
  for (const child of node.children()) {
    if (file.of(child) === 'else' && !child.isNamed()) isElse = true
    if (!child.isNamed()) continue
    if (child.kind() !== 'control_structure_body') out.test ??= child
    else if (isElse) out.no = child
    else out.yes = child
  }
  return out
}

/** A body as a value: that of its last expression. */
export function lowerValue(file: KotlinFile, node: SgNode | undefined): Expression {
  if (!node) return { kind: 'unknown', parts: [], start: 0, end: 0 }
  const span = toSpan(node)
  if (!/^(?:statements|control_structure_body|catch_block)$/.test(node.kind() as string)) return file.expression(node)
  const body = lowerBlock(file, node)
  const last = body.at(-1)
  if (last?.kind === 'expression' && body.length === 1) return last.value
  if (last?.kind === 'expression') return { kind: 'block', body: body.slice(0, -1), value: last.value, ...span }
  // The last statement may be a choice, whose value it then is.
  const inner = listNamedChildren(node).at(-1)
  if (inner && body.length <= 1) return lowerValue(file, inner)
  return { kind: 'block', body, ...span }
}

export function lowerChoice(file: KotlinFile, node: SgNode): Expression {
  const span = toSpan(node)
  const parts = listNamedChildren(node)
  if (node.kind() === 'if_expression') {
    const { test, yes, no } = findBranches(file, node)
    return {
      kind: 'conditional',
      test: file.expression(test!),
      yes: lowerValue(file, yes),
      no: lowerValue(file, no),
      ...span,
    }
  }
  if (node.kind() === 'when_expression')
    return lowerCases(file, node).reduceRight<Expression>(
      (no, { test, body }) => {
        const yes = lowerValue(file, body)
        return test ? { kind: 'conditional', test, yes, no, ...span } : yes
      },
      { kind: 'unknown', parts: [], ...span },
    )
  const body = parts.find(part => part.kind() === 'statements')
  const caught = parts.find(part => part.kind() === 'catch_block')
  const handler = caught && listNamedChildren(caught).find(part => part.kind() === 'statements')
  const test: Expression = { kind: 'unknown', parts: [], ...span }
  return { kind: 'conditional', test, yes: lowerValue(file, body), no: lowerValue(file, handler), ...span }
}

/** The cases of a `when`, each with the condition under which it is taken; the default has none. */
export function lowerCases(file: KotlinFile, node: SgNode): { test?: Expression; body: SgNode | undefined }[] {
  const subject = listNamedChildren(node).find(part => part.kind() === 'when_subject')
  const inner = subject && listNamedChildren(subject).at(-1)
  return listNamedChildren(node)
    .filter(part => part.kind() === 'when_entry')
    .map(entry => {
      const parts = listNamedChildren(entry)
      const tests = parts
        .filter(part => part.kind() === 'when_condition')
        .flatMap(part => listNamedChildren(part))
        .map(part => lowerTest(file, part, inner))
      const body = parts.find(part => part.kind() === 'control_structure_body')
      if (tests.length === 0) return { body }
      const test = tests.reduce((left, right) => ({
        kind: 'binary',
        operator: 'or',
        left,
        right,
        start: left.start,
        end: right.end,
      }))
      return { test, body }
    })
}

function lowerTest(file: KotlinFile, node: SgNode, subject: SgNode | undefined): Expression {
  const span = toSpan(node)
  if (!subject) return file.expression(node)
  const left = file.expression(subject)
  const kind = node.kind() as string
  const inner = listNamedChildren(node).at(-1) ?? node
  if (kind === 'type_test')
    return { kind: 'binary', operator: 'instance', left, right: makeLiteral(span, null), ...span }
  if (kind === 'range_test') {
    const operator = file.of(node).startsWith('!') ? 'not in' : 'in'
    return { kind: 'binary', operator, left, right: file.expression(inner), ...span }
  }
  return { kind: 'binary', operator: '==', left, right: file.expression(node), ...span }
}
