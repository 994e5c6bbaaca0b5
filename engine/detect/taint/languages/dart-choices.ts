import type { Expression, Span, Statement, Switch } from '../ir.ts'
import type { DartFile } from './dart.ts'
import { listGroups, lowerRun } from './dart-chains.ts'
import { bindPattern, makeTest, type Pattern } from './dart-patterns.ts'
import { makeDeclaration, makeExpression, makeStatement, makeUnknown, type Syntax } from './syntax.ts'

/** A switch as a value; each arm is a named argument, and its pattern stands where the name does. */
export function lowerArms(file: DartFile, list: Syntax | undefined, at: Span): Expression {
  const [given, ...arms] = list?.parts ?? []
  if (!given) return makeUnknown(at)
  const { subject, before } = holdSubject(file, given)
  const cases: Switch['cases'] = arms.flatMap(arm => {
    const [label, ...parts] = arm.parts
    if (arm.kind !== 'named_argument' || !label) return []
    const yields = lowerRun(file, parts, arm)
    return [makeCase(file.pattern(label.start), subject, label, [], yields)]
  })
  const chosen = makeExpression(at, { kind: 'switch', switch: { subject, cases, fallsThrough: false } })
  return before.length > 0 ? makeExpression(at, { kind: 'block', body: before, value: chosen }) : chosen
}

/** `switch (subject) { case pattern: … }`. No case goes on with the next one, unless nothing stands in it. */
export function lowerSwitch(file: DartFile, node: Syntax): Statement[] {
  const [given, block] = node.parts
  if (!given || !block) return []
  const { subject, before } = holdSubject(file, given)
  const cases: Switch['cases'] = []
  let isOpen = false
  for (const part of block.parts) {
    if (part.kind === 'switch_label') {
      const made = lowerLabel(file, part, subject)
      const last = cases.at(-1)
      if (isOpen && last) {
        last.tests.push(...made.tests)
        last.isDefault ||= made.isDefault
        last.body.push(...made.body)
      } else cases.push(made)
      isOpen = true
    } else {
      cases.at(-1)?.body.push(...file.statement(part))
      isOpen = false
    }
  }
  // What leaves the switch stands at the end of a case, or is a branch of it.
  return [...before, makeStatement(node, { kind: 'switch', switch: { subject, cases, fallsThrough: true } })]
}

function lowerLabel(file: DartFile, label: Syntax, subject: Expression): Switch['cases'][number] {
  const parts = label.parts.filter(({ kind }) => kind !== 'case_builtin')
  const [first] = parts
  if (!first) return { tests: [], isDefault: true, body: [] }
  const pattern = file.pattern(first.start)
  if (pattern) return makeCase(pattern, subject, first, [])
  const tests =
    first.kind === 'logical_or_expression'
      ? listGroups(first).map(each => lowerRun(file, each.parts, first))
      : [lowerRun(file, parts, label)]
  return { tests, isDefault: false, body: [] }
}

/** A case whose pattern may bind variables. */
function makeCase(
  pattern: (Pattern & { guard?: Expression }) | undefined,
  subject: Expression,
  at: Span,
  body: Statement[],
  yields?: Expression,
): Switch['cases'][number] {
  if (!pattern) return { tests: [makeUnknown(at)], isDefault: false, body, ...(yields && { yields }) }
  const { guard } = pattern
  const takesAll = pattern.target.kind === 'unknown' && pattern.tests[0]?.kind === 'unknown' && !guard
  const held = guard
    ? [makeStatement(at, { kind: 'if', test: guard, yes: [], no: [makeStatement(at, { kind: 'throw' })] })]
    : []
  return {
    tests: takesAll ? [] : pattern.tests,
    isDefault: takesAll,
    body: [...bindPattern(pattern, at, subject), ...held, ...body],
    ...(yields && { yields }),
  }
}

/** What is chosen by, under a name where it must not be evaluated twice. */
function holdSubject(file: DartFile, node: Syntax): { subject: Expression; before: Statement[] } {
  const value = lowerRun(file, node.parts, node)
  if (isPlain(value)) return { subject: value, before: [] }
  const name = `switch@${node.start}`
  return {
    subject: makeExpression(node, { kind: 'name', name }),
    before: [makeDeclaration(node, name, undefined, value)],
  }
}

function isPlain(value: Expression): boolean {
  return value.kind === 'member' ? isPlain(value.object) : value.kind === 'name' || value.kind === 'this'
}

/** A condition in which a value is compared with a pattern: what follows holds only if it is one of it. */
export function makeMatched(pattern: Pattern, place: Span, test: Expression): Expression {
  if (
    test.kind === 'binary' &&
    test.operator === 'and' &&
    test.left.end <= place.start &&
    test.right.start >= place.start
  )
    return makeExpression(test, {
      kind: 'binary',
      operator: 'and',
      left: makeTest(pattern, test.left, test.left),
      right: test.right,
    })
  return makeTest(pattern, test, test)
}
