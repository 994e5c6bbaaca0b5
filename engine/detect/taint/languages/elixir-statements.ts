import type { Expression, Statement } from '../ir.ts'
import type { ElixirFile } from './elixir.ts'
import { type Choice, type Clause, findChoice, readStab, type Section, splitSections } from './elixir-clauses.ts'
import { bind, lowerAssignment } from './elixir-patterns.ts'
import { asExpression, asNothing, asStatements } from './statement-rows.ts'
import { makeDeclaration, makeExpression, makeStatement, makeUnknown, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind } from './tree.ts'

/** Statements of Elixir, by kind. */
export const STATEMENTS: SyntaxTable<ElixirFile, Statement[]> = indexByKind(asExpression, {
  call: lowerCallStatement,
  binary_operator: lowerBinaryStatement,
  unary_operator: lowerAttribute,
  'block body': asStatements,
  stab_clause: asNothing,
})

/** The language's choices, by their words. `piped` is what stands before `|>`. */
const CHOICES: Readonly<Record<Choice, (file: ElixirFile, node: Syntax, piped?: Expression) => Statement[]>> = {
  if: lowerIf,
  unless: lowerIf,
  case: lowerCase,
  cond: lowerCond,
  with: lowerWith,
  try: lowerSections,
  receive: lowerReceive,
}

function lowerCallStatement(file: ElixirFile, node: Syntax): Statement[] {
  const choice = findChoice(node)
  if (choice) return CHOICES[choice](file, node)
  const target = node.field('target')
  const word = target?.kind === 'identifier' ? target.text : ''
  // Of a module, only its attributes are carried out where it stands.
  if (word === 'defmodule')
    return splitSections(node).do.flatMap(part => (part.kind === 'unary_operator' ? file.statement(part) : []))
  return /^(?:def\w*|alias|import|require|use)$/.test(word) ? [] : asExpression(file, node)
}

function lowerBinaryStatement(file: ElixirFile, node: Syntax): Statement[] {
  const sign = node.at('operator').text
  if (sign === '=') return lowerAssignment(file, node)
  const right = node.at('right')
  const choice = sign === '|>' ? findChoice(right) : undefined
  return choice ? CHOICES[choice](file, right, file.expression(node.at('left'))) : asExpression(file, node)
}

const DOCUMENTS =
  /^(?:doc|moduledoc|typedoc|spec|type|typep|opaque|callback|macrocallback|impl|behaviour|dialyzer|deprecated|since)$/

/** `@name value` is a variable of the file. */
function lowerAttribute(file: ElixirFile, node: Syntax): Statement[] {
  const operand = node.parts.at(-1)
  const [value, ...more] = operand?.kind === 'call' ? (operand.part('arguments')?.parts ?? []) : []
  const name = operand?.kind === 'call' ? operand.at('target').text : ''
  if (node.at('operator').text !== '@' || !value || more.length > 0) return asExpression(file, node)
  return DOCUMENTS.test(name) ? [] : [makeDeclaration(node, `@${name}`, undefined, file.expression(value))]
}

/** The statements of a part of a call; the whole call stands for the body of a function, with what it rescues. */
export function lowerSection(file: ElixirFile, section: Section): Statement[] {
  const [only] = section
  return only?.kind === 'call' && /^defp?$/.test(only.at('target').text)
    ? lowerSections(file, only)
    : section.flatMap(part => file.statement(part))
}

function lowerIf(file: ElixirFile, node: Syntax, piped?: Expression): Statement[] {
  const [condition] = node.part('arguments')?.parts ?? []
  const test = piped ?? (condition && condition.kind !== 'keywords' ? file.condition(condition) : makeUnknown(node))
  const sections = splitSections(node)
  const [first, second] = [file.section(sections.do), file.section(sections.else ?? [])]
  const [yes, no] = node.at('target').text === 'unless' ? [second, first] : [first, second]
  return [makeStatement(node, { kind: 'if', test, yes, no })]
}

const TRUTH = /^(?:true|false)$/

function lowerCase(file: ElixirFile, node: Syntax, piped?: Expression): Statement[] {
  const [written] = node.part('arguments')?.parts ?? []
  const subject = piped ?? (written ? file.expression(written) : makeUnknown(node))
  const clauses = splitSections(node)
    .do.filter(({ kind }) => kind === 'stab_clause')
    .map(readStab)
  const [first, second] = clauses
  // A choice by a condition.
  if (first && clauses.length === 2 && !first.guard && TRUTH.test(first.parameters[0]?.text ?? '')) {
    const [own, other] = [file.section(first.body!), file.section(second!.body!)]
    const [yes, no] = first.parameters[0]!.text === 'true' ? [own, other] : [other, own]
    return [makeStatement(node, { kind: 'if', test: subject, yes, no })]
  }
  if (subject.kind === 'name') return [lowerClauses(file, node, clauses, subject)]
  const name = makeExpression(written ?? node, { kind: 'name', name: 'case' })
  return [makeDeclaration(written ?? node, 'case', undefined, subject), lowerClauses(file, node, clauses, name)]
}

/** Clauses that take the subject apart, one after another. */
function lowerClauses(file: ElixirFile, node: Syntax, clauses: readonly Clause[], subject: Expression): Statement {
  const cases = clauses.map(clause => {
    const [pattern] = clause.parameters
    const isDefault = !clause.guard && pattern?.kind === 'identifier'
    return {
      tests: pattern && !isDefault ? [lowerTest(file, pattern)] : [],
      isDefault,
      body: lowerClause(file, clause, subject),
    }
  })
  return makeStatement(node, { kind: 'switch', switch: { subject, cases, fallsThrough: false } })
}

function lowerClause(file: ElixirFile, { node, parameters, guard, body }: Clause, subject: Expression): Statement[] {
  const bound = parameters[0] ? bind(file, parameters[0], subject) : []
  const own = file.section(body!)
  return guard
    ? [...bound, makeStatement(node, { kind: 'if', test: file.condition(guard), yes: own, no: [] })]
    : [...bound, ...own]
}

/** The fixed value that a pattern compares with. */
function lowerTest(file: ElixirFile, pattern: Syntax): Expression {
  return /^(?:string|charlist|atom|integer|float|boolean|nil)$/.test(pattern.kind)
    ? file.expression(pattern)
    : makeUnknown(pattern)
}

/** `cond` is a choice behind a choice. */
function lowerCond(file: ElixirFile, node: Syntax): Statement[] {
  const clauses = splitSections(node)
    .do.filter(({ kind }) => kind === 'stab_clause')
    .map(readStab)
  return clauses.reduceRight<Statement[]>((no, { node: clause, parameters, body }) => {
    const [test] = parameters
    const yes = file.section(body!)
    if (!test || test.text === 'true') return yes
    return [makeStatement(clause, { kind: 'if', test: file.condition(test), yes, no })]
  }, [])
}

/** Steps, each of which must fit its pattern for the next; `else` has what happens where one did not. */
function lowerWith(file: ElixirFile, node: Syntax): Statement[] {
  const steps = (node.part('arguments')?.parts ?? []).filter(({ kind }) => kind !== 'keywords')
  const sections = splitSections(node)
  const body = steps.reduceRight<Statement[]>((rest, step) => lowerStep(file, step, rest), file.section(sections.do))
  if (!sections.else) return body
  const others = sections.else
    .filter(({ kind }) => kind === 'stab_clause')
    .map(part => ({ tests: [], isDefault: false, body: lowerClause(file, readStab(part), makeUnknown(part)) }))
  const cases = [{ tests: [], isDefault: true, body }, ...others]
  return [makeStatement(node, { kind: 'switch', switch: { cases, fallsThrough: false } })]
}

function lowerStep(file: ElixirFile, step: Syntax, rest: Statement[]): Statement[] {
  const sign = step.kind === 'binary_operator' ? step.at('operator').text : ''
  if (sign === '=') return [...lowerAssignment(file, step), ...rest]
  if (sign !== '<-') return [...file.statement(step), ...rest]
  const [left, right] = [step.at('left'), step.at('right')]
  const isGuarded = left.kind === 'binary_operator' && left.at('operator').text === 'when'
  const pattern = isGuarded ? left.at('left') : left
  if (TRUTH.test(pattern.text)) {
    const [yes, no] = pattern.text === 'true' ? [rest, []] : [[], rest]
    return [makeStatement(step, { kind: 'if', test: file.condition(right), yes, no })]
  }
  const bound = bind(file, pattern, file.expression(right))
  const inner = isGuarded
    ? [makeStatement(step, { kind: 'if' as const, test: file.condition(left.at('right')), yes: rest, no: [] })]
    : rest
  return [...bound, ...inner]
}

/** What is tried, with what is rescued or caught and what happens in the end. */
function lowerSections(file: ElixirFile, node: Syntax): Statement[] {
  const sections = splitSections(node)
  const body = file.section(sections.do)
  const clauses = [...sections.rescue, ...sections.catch].filter(({ kind }) => kind === 'stab_clause').map(readStab)
  const last = file.section(sections.after)
  if (clauses.length === 0 && last.length === 0) return body
  const handlers = clauses.map(clause => ({ body: file.section(clause.body!) }))
  return [makeStatement(node, { kind: 'try', body, handlers, finally: last })]
}

/** What comes as a message is not known. */
function lowerReceive(file: ElixirFile, node: Syntax): Statement[] {
  const clauses = splitSections(node)
    .do.filter(({ kind }) => kind === 'stab_clause')
    .map(readStab)
  return [lowerClauses(file, node, clauses, makeUnknown(node))]
}
