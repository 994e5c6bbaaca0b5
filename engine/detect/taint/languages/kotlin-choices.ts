import type { Expression } from '../ir.ts'
import type { KotlinFile } from './kotlin.ts'
import { makeExpression, makeLiteralAt, makeUnknown, type Syntax } from './syntax.ts'

/** The condition and the branches of an `if`. */
export function findBranches(node: Syntax): { test?: Syntax; yes?: Syntax; no?: Syntax } {
  const out: { test?: Syntax; yes?: Syntax; no?: Syntax } = {}
  let isElse = false
  for (const child of node.all) {
    if (!child.node.isNamed()) isElse ||= child.text === 'else'
    else if (child.kind !== 'control_structure_body') out.test ??= child
    else if (isElse) out.no = child
    else out.yes = child
  }
  return out
}

/** A body as a value: that of its last expression. */
export function lowerValue(file: KotlinFile, node: Syntax | undefined): Expression {
  if (!node) return makeUnknown({ start: 0, end: 0 })
  if (!/^(?:statements|control_structure_body|catch_block)$/.test(node.kind)) return file.expression(node)
  const body = file.block(node)
  const last = body.at(-1)
  if (last?.kind === 'expression' && body.length === 1) return last.value
  if (last?.kind === 'expression')
    return makeExpression(node, { kind: 'block', body: body.slice(0, -1), value: last.value })
  // The last statement may be a choice, whose value it then is.
  const inner = node.parts.at(-1)
  return inner && body.length <= 1 ? lowerValue(file, inner) : makeExpression(node, { kind: 'block', body })
}

/** `if`, `when` or `try` as a value. */
export function lowerChoice(file: KotlinFile, node: Syntax): Expression {
  if (node.kind === 'if_expression') {
    const { test, yes, no } = findBranches(node)
    return makeExpression(node, {
      kind: 'conditional',
      test: file.expression(test!),
      yes: lowerValue(file, yes),
      no: lowerValue(file, no),
    })
  }
  if (node.kind === 'when_expression')
    return lowerCases(file, node).reduceRight<Expression>((no, { test, body }) => {
      const yes = lowerValue(file, body)
      return test ? makeExpression(node, { kind: 'conditional', test, yes, no }) : yes
    }, makeUnknown(node))
  return makeExpression(node, {
    kind: 'conditional',
    test: makeUnknown(node),
    yes: lowerValue(file, node.part('statements')),
    no: lowerValue(file, node.part('catch_block')?.part('statements')),
  })
}

/** The cases of a `when`, each with the condition under which it is taken; the default has none. */
export function lowerCases(file: KotlinFile, node: Syntax): { test?: Expression; body: Syntax | undefined }[] {
  const subject = node.part('when_subject')?.parts.at(-1)
  return node.parts
    .filter(({ kind }) => kind === 'when_entry')
    .map(entry => {
      const tests = entry.parts
        .filter(({ kind }) => kind === 'when_condition')
        .flatMap(({ parts }) => parts.map(part => lowerTest(file, part, subject)))
      const body = entry.part('control_structure_body')
      if (tests.length === 0) return { body }
      const test = tests.reduce((left, right) =>
        makeExpression({ start: left.start, end: right.end }, { kind: 'binary', operator: 'or', left, right }),
      )
      return { test, body }
    })
}

function lowerTest(file: KotlinFile, node: Syntax, subject: Syntax | undefined): Expression {
  if (!subject) return file.expression(node)
  const left = file.expression(subject)
  if (node.kind === 'type_test')
    return makeExpression(node, { kind: 'binary', operator: 'instance', left, right: makeLiteralAt(node, null) })
  if (node.kind === 'range_test') {
    const operator = node.text.startsWith('!') ? 'not in' : 'in'
    return makeExpression(node, { kind: 'binary', operator, left, right: file.expression(node.parts.at(-1) ?? node) })
  }
  return makeExpression(node, { kind: 'binary', operator: '==', left, right: file.expression(node) })
}
