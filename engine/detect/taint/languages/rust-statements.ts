import type { Expression, Statement, Switch } from '../ir.ts'
import type { RustFile } from './rust.ts'
import { findBound, listUnconditional, lowerPattern, lowerTests, takesAll } from './rust-patterns.ts'
import { asBlock, asExpression, asJump, asLeaving, asLocalFunction, asNothing, asWhile } from './statement-rows.ts'
import { makeDeclaration, makeExpression, makeStatement, makeUnknown, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind } from './tree.ts'

/** Statements of Rust, by kind. */
export const STATEMENTS: SyntaxTable<RustFile, Statement[]> = indexByKind(asExpression, {
  expression_statement: (file, node) => node.parts.flatMap(child => file.statement(child)),
  'block unsafe_block': asBlock,
  let_declaration: lowerLet,
  'const_item static_item': (file, node) => {
    const value = node.field('value')
    return [makeDeclaration(node, node.at('name').text, file.type(node.at('type')), value && file.expression(value))]
  },
  if_expression: (file, node) => {
    const otherwise = findElse(node)
    return [lowerIf(file, node, file.block(node.at('consequence')), otherwise ? file.statement(otherwise) : [])]
  },
  while_expression: asWhile('condition', 'body'),
  loop_expression: (file, node) => {
    const body = file.block(node.at('body'))
    return [makeStatement(node, { kind: 'while', init: [], step: [], body, atLeastOnce: false })]
  },
  for_expression: (file, node) => [
    makeStatement(node, {
      kind: 'each',
      target: lowerPattern(file, node.at('pattern')),
      source: file.expression(node.at('value')),
      body: file.block(node.at('body')),
    }),
  ],
  match_expression: (file, node) => lowerMatchStatement(file, node, value => file.statement(value)),
  return_expression: asLeaving('return'),
  break_expression: (file, node) => {
    const value = node.parts.find(({ kind }) => kind !== 'label')
    const before = value && makeStatement(node, { kind: 'expression', value: file.expression(value) })
    return [...(before ? [before] : []), makeStatement(node, { kind: 'break' })]
  },
  continue_expression: asJump('continue'),
  function_item: asLocalFunction,
  'attribute_item inner_attribute_item empty_statement use_declaration struct_item enum_item impl_item trait_item type_item macro_definition mod_item extern_crate_declaration label':
    asNothing,
})

/** What stands behind `else`. */
export function findElse(node: Syntax): Syntax | undefined {
  const clause = node.field('alternative')
  return clause?.kind === 'else_clause' ? clause.parts[0] : clause
}

function lowerIf(file: RustFile, node: Syntax, yes: Statement[], no: Statement[]): Statement {
  return makeStatement(node, { kind: 'if', test: file.expression(node.at('condition')), yes, no })
}

/** `unsafe { }` and `async move { }` are the block in them. */
export function unwrapBlock(node: Syntax): Syntax {
  return node.kind === 'block' ? node : (node.part('block') ?? node)
}

/** A block's statements, and what it is worth: its last expression, which no semicolon ends. */
export function splitBlock(node: Syntax): { statements: Syntax[]; last?: Syntax } {
  const { parts } = unwrapBlock(node)
  const last = parts.at(-1)
  if (!last) return { statements: parts }
  if (last.kind === 'expression_statement') {
    const [inner] = last.parts
    // Of what ends with a block the semicolon may be left out.
    if (inner && !/;\s*$/.test(last.text)) return { statements: parts.slice(0, -1), last: inner }
    return { statements: parts }
  }
  return NO_VALUE.test(last.kind) ? { statements: parts } : { statements: parts.slice(0, -1), last }
}

const NO_VALUE = /_item$|_declaration$|_statement$|^macro_definition$/

/** Statements that return what the node is worth, each branch of a choice by itself. */
export function lowerReturned(file: RustFile, node: Syntax): Statement[] {
  switch (node.kind) {
    case 'block':
    case 'unsafe_block': {
      const { statements, last } = splitBlock(node)
      return [...statements.flatMap(each => file.statement(each)), ...(last ? lowerReturned(file, last) : [])]
    }
    case 'if_expression': {
      const otherwise = findElse(node)
      const yes = lowerReturned(file, node.at('consequence'))
      return [lowerIf(file, node, yes, otherwise ? lowerReturned(file, otherwise) : [])]
    }
    case 'match_expression':
      return lowerMatchStatement(file, node, value => lowerReturned(file, value))
    case 'return_expression':
    case 'loop_expression':
    case 'while_expression':
    case 'for_expression':
      return file.statement(node)
    default:
      return [makeStatement(node, { kind: 'return', value: file.expression(node) })]
  }
}

function lowerMatchStatement(file: RustFile, node: Syntax, body: (value: Syntax) => Statement[]): Statement[] {
  const { before, form } = lowerMatch(file, node, (_, value) => ({ body: body(value) }))
  return [...before, makeStatement(node, { kind: 'switch', switch: form })]
}

/** What an arm comes to: statements, and what it is worth where that is asked. */
type LowerArm = (file: RustFile, value: Syntax) => { body: Statement[]; yields?: Expression }

/**
 * A match: each arm binds what its pattern takes out of the subject. A subject that is more than a name is kept under a name that no program has, so
 * that it is evaluated once.
 */
export function lowerMatch(file: RustFile, node: Syntax, arm: LowerArm): { before: Statement[]; form: Switch } {
  const value = file.expression(node.at('value'))
  const name = `#${value.start}`
  const isHeld = !isPlain(value)
  const subject = isHeld ? makeExpression(value, { kind: 'name', name }) : value
  const arms = node.at('body').parts.filter(({ kind }) => kind === 'match_arm')
  const cases = arms.map(each => {
    const pattern = each.at('pattern')
    const condition = pattern.field('condition')
    const [own] = listUnconditional(pattern)
    const isDefault = !condition && takesAll(pattern)
    const { body, yields } = arm(file, each.at('value'))
    return {
      tests: isDefault || !own ? [] : lowerTests(file, own),
      isDefault,
      body: [...bind(file, pattern, subject), ...(condition ? lowerGuard(file, condition) : []), ...body],
      yields,
    }
  })
  return {
    before: isHeld ? [makeDeclaration(value, name, undefined, value)] : [],
    form: { subject, fallsThrough: false, cases },
  }
}

/** Whether an expression can be evaluated once more without anything done twice. */
function isPlain(value: Expression): boolean {
  return value.kind === 'member' ? isPlain(value.object) : value.kind === 'name' || value.kind === 'this'
}

/** `pattern = value`, where the pattern binds something. */
function bind(file: RustFile, pattern: Syntax, value: Expression): Statement[] {
  return findBound(pattern).length === 0 ? [] : [makeBinding(file, pattern, pattern, value)]
}

function makeBinding(file: RustFile, at: Syntax, pattern: Syntax, value: Expression): Statement {
  const target = lowerPattern(file, pattern)
  return makeStatement(at, {
    kind: 'expression',
    value: makeExpression(at, { kind: 'assign', target, value, declares: true }),
  })
}

/** The condition of an arm: where it does not hold, another arm goes on. */
function lowerGuard(file: RustFile, node: Syntax): Statement[] {
  const no = [makeStatement(node, { kind: 'throw' })]
  return [makeStatement(node, { kind: 'if', test: file.expression(node), yes: [], no })]
}

function lowerLet(file: RustFile, node: Syntax): Statement[] {
  const pattern = node.at('pattern')
  const type = file.type(node.field('type'))
  const given = node.field('value')
  const value = given && file.expression(given)
  const otherwise = node.field('alternative')
  const declared =
    pattern.kind === 'identifier'
      ? [makeDeclaration(node, pattern.text, type, value)]
      : value
        ? [makeBinding(file, node, pattern, value)]
        : findBound(pattern).map(name => makeDeclaration(node, name.text, undefined, undefined))
  if (!otherwise) return declared
  const no = file.block(otherwise)
  return [...declared, makeStatement(node, { kind: 'if', test: makeUnknown(node), yes: [], no })]
}

/** `let pattern = value` as a condition: it holds where the value is one of the pattern. */
export function lowerLetCondition(file: RustFile, node: Syntax): Expression {
  const pattern = node.at('pattern')
  const value = file.expression(node.at('value'))
  const [test, ...more] = lowerTests(file, pattern)
  if (more.length === 0 && test?.kind === 'literal')
    return makeExpression(node, { kind: 'binary', operator: '==', left: value, right: test })
  if (pattern.kind === 'tuple_struct_pattern' && pattern.parts[0]?.text === 'Err')
    return makeExpression(node, { kind: 'unary', operator: 'not', value })
  if (findBound(pattern).length === 0) return makeUnknown(node, [value])
  return makeExpression(node, { kind: 'assign', target: lowerPattern(file, pattern), value, declares: true })
}
