import type { Expression, Statement, Switch } from '../ir.ts'
import { asExpression, asLocalFunction, asNothing } from './statement-rows.ts'
import type { SwiftFile } from './swift.ts'
import { bindsAny, lowerFixed, lowerPattern } from './swift-patterns.ts'
import { listDeclared } from './swift-properties.ts'
import {
  makeDeclaration,
  makeExpression,
  makeLiteralAt,
  makeStatement,
  makeUnknown,
  type Syntax,
  type SyntaxTable,
} from './syntax.ts'
import { indexByKind } from './tree.ts'

/** Statements of Swift, by kind. */
export const STATEMENTS: SyntaxTable<SwiftFile, Statement[]> = indexByKind(asExpression, {
  property_declaration: lowerDeclaration,
  function_declaration: asLocalFunction,
  if_statement: (file, node) => [lowerIf(file, node, body => file.block(body))],
  guard_statement: lowerGuard,
  switch_statement: (file, node) => lowerSwitch(file, node, body => ({ body: file.block(body) })),
  for_statement: lowerFor,
  while_statement: lowerWhile,
  repeat_while_statement: lowerRepeat,
  do_statement: lowerDo,
  control_transfer_statement: lowerJump,
  'class_declaration protocol_declaration typealias_declaration import_declaration directive statement_label operator_declaration':
    asNothing,
})

/** The parts of what has conditions and blocks: what stands before the first brace, and each block; the one of `else if` is a statement. */
function splitBlocks(node: Syntax): { head: Syntax[]; blocks: (Syntax | undefined)[] } {
  const head: Syntax[] = []
  const blocks: (Syntax | undefined)[] = []
  let isOpen = false
  for (const child of node.all.slice(1)) {
    if (child.text === '{') {
      isOpen = true
      blocks.push(undefined)
    } else if (child.text === '}') isOpen = false
    else if (isOpen) {
      if (child.node.isNamed()) blocks[blocks.length - 1] ??= child
    } else if (blocks.length === 0) {
      if (child.kind !== 'else') head.push(child)
    } else if (child.kind === 'if_statement') blocks.push(child)
  }
  return { head, blocks }
}

/** Conditions with commas between them, all of which must hold. */
function lowerConditions(file: SwiftFile, node: Syntax, head: readonly Syntax[]): Expression {
  const conditions: Syntax[][] = [[]]
  let depth = 0
  for (const part of head) {
    if (part.text === '(') depth++
    else if (part.text === ')') depth--
    if (part.text === ',' && depth === 0) conditions.push([])
    else conditions.at(-1)!.push(part)
  }
  const tests = conditions.map(parts => lowerCondition(file, node, parts))
  return tests.reduce((left, right) =>
    makeExpression({ start: left.start, end: right.end }, { kind: 'binary', operator: 'and', left, right }),
  )
}

/** A condition, or names that are bound where a value is there or of a pattern. */
function lowerCondition(file: SwiftFile, node: Syntax, parts: readonly Syntax[]): Expression {
  const sign = parts.findIndex(({ text }) => text === '=')
  const [first] = parts
  if (sign === -1) {
    const isBound = !first || first.kind === 'value_binding_pattern'
    return isBound ? makeUnknown(first ?? node) : file.expression(first)
  }
  const given = parts[sign + 1]
  const value = given ? file.expression(given) : makeUnknown(node)
  const target = lowerPattern(first ?? node, parts.slice(0, sign), false)
  // `guard let self = self`
  if (!bindsAny(target) || (target.kind === 'name' && target.name === 'self')) return makeUnknown(node, [value])
  const span = { start: target.start, end: value.end }
  const type = file.type(parts.find(({ kind }) => kind === 'type_annotation'))
  return makeExpression(span, { kind: 'assign', target, value, declares: true, ...(type !== undefined && { type }) })
}

function lowerIf(file: SwiftFile, node: Syntax, lower: (body: Syntax | undefined) => Statement[]): Statement {
  const { head, blocks } = splitBlocks(node)
  const [yes, no] = blocks
  return makeStatement(node, {
    kind: 'if',
    test: lowerConditions(file, node, head),
    yes: lower(yes),
    no: no?.kind === 'if_statement' ? [lowerIf(file, no, lower)] : lower(no),
  })
}

/** What it binds holds behind it. */
function lowerGuard(file: SwiftFile, node: Syntax): Statement[] {
  const { head, blocks } = splitBlocks(node)
  return [
    makeStatement(node, { kind: 'if', test: lowerConditions(file, node, head), yes: [], no: file.block(blocks[0]) }),
  ]
}

function lowerDeclaration(file: SwiftFile, node: Syntax): Statement[] {
  return listDeclared(node).flatMap(({ name, pattern, type, value }) => {
    const made = value && file.expression(value)
    if (name !== '') return [makeDeclaration(node, name, file.type(type), made)]
    if (!made) return []
    const target = lowerPattern(pattern, pattern.all, true)
    const assigned = bindsAny(target)
      ? makeExpression(node, { kind: 'assign', target, value: made, declares: true })
      : made
    return [makeStatement(node, { kind: 'expression', value: assigned })]
  })
}

/** What a case comes to: statements, and what it is worth where that is asked. */
type LowerCase = (body: Syntax | undefined) => { body: Statement[]; yields?: Expression }

/** A subject that is more than a name is kept under a name that no program has, so that it is evaluated once. */
function lowerSwitch(file: SwiftFile, node: Syntax, lower: LowerCase): Statement[] {
  const { before, form } = lowerCases(file, node, lower)
  return [...before, makeStatement(node, { kind: 'switch', switch: form })]
}

function lowerCases(file: SwiftFile, node: Syntax, lower: LowerCase): { before: Statement[]; form: Switch } {
  const given = node.parts.find(({ kind }) => kind !== 'switch_entry')
  const value = given ? file.expression(given) : makeUnknown(node)
  const name = `#${value.start}`
  const isHeld = value.kind !== 'name' && value.kind !== 'member'
  const subject = isHeld ? makeExpression(value, { kind: 'name', name }) : value
  const cases = node.parts
    .filter(({ kind }) => kind === 'switch_entry')
    .map(entry => lowerEntry(file, entry, subject, lower))
  return {
    before: isHeld ? [makeDeclaration(value, name, undefined, value)] : [],
    form: { subject, fallsThrough: false, cases },
  }
}

function lowerEntry(file: SwiftFile, entry: Syntax, subject: Expression, lower: LowerCase): Switch['cases'][number] {
  const patterns = entry.findAll('switch_pattern').flatMap(({ parts }) => parts.slice(0, 1))
  const isDefault = entry.part('default_keyword') !== undefined
  const { all } = entry
  const where = all.findIndex(({ kind }) => kind === 'where_keyword')
  const condition = where === -1 ? undefined : all[where + 1]
  const bound = patterns
    .map(pattern => lowerPattern(pattern, pattern.all, false))
    .filter(bindsAny)
    .map(target =>
      makeStatement(target, {
        kind: 'expression',
        value: makeExpression(target, { kind: 'assign', target, value: subject, declares: true }),
      }),
    )
  const no = [makeStatement(entry, { kind: 'throw' })]
  const guard = condition ? [makeStatement(entry, { kind: 'if', test: file.expression(condition), yes: [], no })] : []
  const { body, yields } = lower(entry.part('statements'))
  return {
    tests: isDefault ? [] : patterns.map(pattern => lowerFixed(file, pattern) ?? makeUnknown(pattern)),
    isDefault,
    body: [...bound, ...guard, ...body],
    ...(yields && { yields }),
  }
}

/** A switch as a value. */
export function lowerSwitchValue(file: SwiftFile, node: Syntax): Expression {
  const { before, form } = lowerCases(file, node, part => splitValue(file, part))
  const value = makeExpression(node, { kind: 'switch', switch: form })
  return before.length === 0 ? value : makeExpression(node, { kind: 'block', body: before, value })
}

/** The statements of a block but the last, and what that is worth. */
function splitValue(file: SwiftFile, node: Syntax | undefined): { body: Statement[]; yields: Expression } {
  const parts = node?.kind === 'statements' ? node.parts : node ? [node] : []
  const last = parts.at(-1)
  return {
    body: parts.slice(0, -1).flatMap(part => file.statement(part)),
    yields: last ? lowerLast(file, last) : makeLiteralAt(node ?? { start: 0, end: 0 }, null),
  }
}

/** What ends a block as a value; what leaves the function gives none. */
function lowerLast(file: SwiftFile, node: Syntax): Expression {
  return node.kind === 'control_transfer_statement'
    ? makeExpression(node, { kind: 'block', body: file.statement(node) })
    : file.expression(node)
}

/** `if` as a value. */
export function lowerValue(file: SwiftFile, node: Syntax): Expression {
  const { head, blocks } = splitBlocks(node)
  const [yes, no] = blocks.map(block => {
    if (block?.kind === 'if_statement') return lowerValue(file, block)
    const { body, yields } = splitValue(file, block)
    return body.length === 0 ? yields : makeExpression(block ?? node, { kind: 'block', body, value: yields })
  })
  return makeExpression(node, {
    kind: 'conditional',
    test: lowerConditions(file, node, head),
    yes: yes ?? makeUnknown(node),
    no: no ?? makeUnknown(node),
  })
}

/** A body: what is its only expression, it returns. */
export function lowerReturned(file: SwiftFile, node: Syntax | undefined): Statement[] {
  if (!node) return []
  const [only, ...more] = node.kind === 'statements' ? node.parts : [node]
  if (!only || more.length > 0) return file.block(node)
  if (only.kind === 'if_statement') return [lowerIf(file, only, body => lowerReturned(file, body))]
  if (only.kind === 'switch_statement') return lowerSwitch(file, only, body => ({ body: lowerReturned(file, body) }))
  if (/_statement$|_declaration$|^assignment$|^directive$/.test(only.kind)) return file.statement(only)
  return [makeStatement(only, { kind: 'return', value: file.expression(only) })]
}

function lowerFor(file: SwiftFile, node: Syntax): Statement[] {
  const pattern = node.part('pattern')
  const { all } = node
  const source = all[all.findIndex(({ text }) => text === 'in') + 1]
  if (!pattern || !source) return []
  const body = file.block(node.part('statements'))
  const condition = node.part('where_clause')?.parts.at(-1)
  return [
    makeStatement(node, {
      kind: 'each',
      target: lowerPattern(pattern, pattern.all, true),
      source: file.expression(source),
      body: condition
        ? [makeStatement(node, { kind: 'if', test: file.expression(condition), yes: body, no: [] })]
        : body,
    }),
  ]
}

function lowerWhile(file: SwiftFile, node: Syntax): Statement[] {
  const { head, blocks } = splitBlocks(node)
  return [
    makeStatement(node, {
      kind: 'while',
      init: [],
      test: lowerConditions(file, node, head),
      step: [],
      body: file.block(blocks[0]),
      atLeastOnce: false,
    }),
  ]
}

function lowerRepeat(file: SwiftFile, node: Syntax): Statement[] {
  const test = node.parts.at(-1)
  return [
    makeStatement(node, {
      kind: 'while',
      init: [],
      test: test && file.expression(test),
      step: [],
      body: file.block(node.part('statements')),
      atLeastOnce: true,
    }),
  ]
}

function lowerDo(file: SwiftFile, node: Syntax): Statement[] {
  const body = file.block(node.part('statements'))
  const handlers = node.parts
    .filter(({ kind }) => kind === 'catch_block')
    .map(part => {
      const pattern = part.part('pattern')
      const target = pattern && lowerPattern(pattern, pattern.all, false)
      return {
        name: target?.kind === 'name' ? target.name : 'error',
        body: file.block(part.part('statements')),
      }
    })
  if (handlers.length === 0) return [makeStatement(node, { kind: 'block', body })]
  return [makeStatement(node, { kind: 'try', body, handlers, finally: [] })]
}

function lowerJump(file: SwiftFile, node: Syntax): Statement[] {
  const word = node.all[0]?.text
  if (word === 'break' || word === 'continue') return [makeStatement(node, { kind: word })]
  if (word === 'fallthrough') return []
  const value = node.parts.find(({ kind }) => kind !== 'throw_keyword')
  return [makeStatement(node, { kind: word === 'throw' ? 'throw' : 'return', value: value && file.expression(value) })]
}
