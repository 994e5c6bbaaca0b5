import type { Expression, Statement } from '../ir.ts'
import type { ScalaFile } from './scala.ts'
import { makeDeclaration, makeExpression, makeLiteralAt, makeStatement, makeUnknown, type Syntax } from './syntax.ts'

/** What a pattern asks of a value, and the names that it gives to parts of it. */
interface Pattern {
  tests: Expression[]
  binds: Statement[]
}

/** Patterns whose part is what they are asked of: what may be missing or have failed is worth what it holds. */
const HOLDERS = /^(?:Some|Right|Left|Success|Full|Valid|Just|Ok)$/
const SEQUENCES = /^(?:Seq|List|Array|Vector|IndexedSeq)$/
const NONE: Pattern = { tests: [], binds: [] }

/** The names that a pattern gives to parts of a value, and what has to hold for it. */
export function lowerPattern(file: ScalaFile, node: Syntax, subject: Expression): Pattern {
  switch (node.kind) {
    case 'identifier':
      if (/^[a-z_]\w*$/.test(node.text) && node.text !== 'null')
        return { tests: [], binds: [makeDeclaration(node, node.text, undefined, subject)] }
      return { tests: [makeSame(node, subject, file.expression(node))], binds: [] }
    case 'wildcard':
      return NONE
    case 'typed_pattern': {
      const { binds } = lowerPattern(file, node.at('pattern'), subject)
      const type = file.type(node.field('type'))
      const typed = binds.map(bind =>
        bind.kind === 'declare' && type ? makeDeclaration(bind, bind.name, type, subject) : bind,
      )
      return { tests: [makeUnknown(node)], binds: typed }
    }
    case 'capture_pattern': {
      const name = node.at('name')
      const inner = lowerPattern(file, node.at('pattern'), subject)
      return { tests: inner.tests, binds: [makeDeclaration(name, name.text, undefined, subject), ...inner.binds] }
    }
    case 'tuple_pattern':
      if (node.parts.length === 1) return lowerPattern(file, node.parts[0]!, subject)
      return merge(node.parts.map((part, at) => lowerPattern(file, part, makeElement(part, subject, at))))
    case 'case_class_pattern':
      return lowerExtractor(file, node, subject)
    case 'infix_pattern':
      return lowerInfixPattern(file, node, subject)
    case 'alternative_pattern': {
      const tests = node.parts.map(part => allOf(part, lowerPattern(file, part, subject).tests))
      if (tests.some(test => test === undefined)) return NONE
      const test = (tests as Expression[]).reduce((left, right) =>
        makeExpression(node, { kind: 'binary', operator: 'or', left, right }),
      )
      return { tests: [test], binds: [] }
    }
    case 'interpolated_string_expression':
      // A path or text that is taken apart: what stands in it are names.
      return {
        tests: [makeUnknown(node)],
        binds: node.findAll('interpolation').flatMap(part => {
          const inner = part.parts[0]
          const name = inner?.kind === 'block' ? inner.parts[0] : inner
          return name ? lowerPattern(file, name, subject).binds : []
        }),
      }
    case 'parenthesized_expression':
    case 'parenthesized_pattern':
    case 'repeat_pattern':
      return node.parts[0] ? lowerPattern(file, node.parts[0], subject) : NONE
    case 'given_pattern':
      return { tests: [makeUnknown(node)], binds: [] }
    default:
      return { tests: [makeSame(node, subject, file.expression(node))], binds: [] }
  }
}

function merge(parts: Pattern[]): Pattern {
  return { tests: parts.flatMap(({ tests }) => tests), binds: parts.flatMap(({ binds }) => binds) }
}

function makeSame(node: Syntax, left: Expression, right: Expression): Expression {
  return makeExpression(node, { kind: 'binary', operator: '==', left, right })
}

function makeElement(node: Syntax, object: Expression, at: number): Expression {
  return makeExpression(node, { kind: 'index', object, index: makeLiteralAt(node, at) })
}

/** `Some(name)`, a class of the file by what it is made of, or what any other extractor makes of the value. */
function lowerExtractor(file: ScalaFile, node: Syntax, subject: Expression): Pattern {
  const type = node.at('type')
  const name = type.text.replace(/\[.*$/s, '').replace(/^.*\./s, '')
  const parts = node.parts.filter(part => part.start !== type.start)
  const test = { tests: [makeUnknown(node)], binds: [] }
  const made = file.names.classes.get(name)
  const part = (inner: Syntax, at: number): Expression => {
    if (HOLDERS.test(name)) return subject
    if (SEQUENCES.test(name)) return makeElement(inner, subject, at)
    if (made?.[at] !== undefined) return makeExpression(inner, { kind: 'member', object: subject, name: made[at] })
    if (parts.length > 1) return makeUnknown(inner, [subject])
    const taken = file.names.findTaken(name)
    if (taken !== undefined) return makeExpression(inner, { kind: 'cast', type: taken, value: subject })
    const callee = makeExpression(type, { kind: 'name', name: type.text })
    return makeExpression(inner, { kind: 'call', callee, args: [{ value: subject }] })
  }
  return merge([test, ...parts.map((inner, at) => lowerPattern(file, inner, part(inner, at)))])
}

/** `head :: tail`, or a path that is taken apart (`GET -> Root / name`), whose fixed parts say nothing. */
function lowerInfixPattern(file: ScalaFile, node: Syntax, subject: Expression): Pattern {
  const operator = node.at('operator').text
  const isList = operator === '::'
  // Behind `as` stands who asks.
  const sides = [node.at('left'), ...(operator === 'as' ? [] : [node.at('right')])].map((side, at) => {
    const part = isList && at === 0 ? makeExpression(side, { kind: 'index', object: subject }) : subject
    return lowerPattern(file, side, part).binds
  })
  return { tests: [makeUnknown(node)], binds: sides.flat() }
}

function allOf(node: Syntax, tests: readonly Expression[]): Expression | undefined {
  const [first, ...more] = tests
  return (
    first && more.reduce((left, right) => makeExpression(node, { kind: 'binary', operator: 'and', left, right }), first)
  )
}

/** The value that cases are asked of, under a name, and the statements that give it that. */
export function holdSubject(file: ScalaFile, node: Syntax): { subject: Expression; before: Statement[] } {
  const value = file.expression(node)
  if (value.kind === 'name') return { subject: value, before: [] }
  const name = `match@${node.start}`
  return {
    subject: makeExpression(node, { kind: 'name', name }),
    before: [makeDeclaration(node, name, undefined, value)],
  }
}

interface Case {
  /** Names that the guard may ask for. */
  before: Statement[]
  test?: Expression
  /** The names that are given where the pattern fits, and the case's own statements. */
  binds: Statement[]
  body: Syntax[]
}

function lowerCase(file: ScalaFile, node: Syntax, subject: Expression): Case {
  const pattern = node.at('pattern')
  const guard = node.part('guard')
  const { tests, binds } = lowerPattern(file, pattern, subject)
  // An expression that takes a text apart was fitted by it.
  const regex = pattern.kind === 'case_class_pattern' ? pattern.at('type').text : ''
  if (file.names.isExpression(regex)) {
    const object = makeExpression(pattern, { kind: 'name', name: regex })
    const callee = makeExpression(pattern, { kind: 'member', object, name: 'matches' })
    tests[0] = makeExpression(pattern, { kind: 'call', callee, args: [{ value: subject }] })
    for (const [at, bind] of binds.entries())
      if (bind.kind === 'declare') binds[at] = makeDeclaration(bind, bind.name, undefined, subject)
  }
  const condition = guard?.field('condition')
  const test = allOf(pattern, condition ? [...tests, file.condition(condition)] : tests)
  const body = node.parts.filter(part => part.start !== pattern.start && part.kind !== 'guard')
  return condition ? { before: binds, test, binds: [], body } : { before: [], ...(test && { test }), binds, body }
}

/** The cases as choices one after another; those of a function return what they are worth. */
export function lowerCases(file: ScalaFile, cases: Syntax, subject: Expression, isFunction = false): Statement[] {
  return listCases(cases).reduceRight<Statement[]>((no, node) => {
    const { before, test, binds, body } = lowerCase(file, node, subject)
    const inner = isFunction
      ? [makeStatement(node, { kind: 'return', value: file.sequence(node, body) })]
      : body.flatMap(part => file.statement(part))
    const yes = [...binds, ...inner]
    return test ? [...before, makeStatement(node, { kind: 'if', test, yes, no })] : [...before, ...yes]
  }, [])
}

/** The same as a value. */
export function lowerCaseValues(file: ScalaFile, cases: Syntax, subject: Expression): Expression {
  return listCases(cases).reduceRight<Expression>((no, node) => {
    const { before, test, binds, body } = lowerCase(file, node, subject)
    const inner = file.sequence(node, body)
    const yes = binds.length > 0 ? makeExpression(node, { kind: 'block', body: binds, value: inner }) : inner
    const value = test ? makeExpression(node, { kind: 'conditional', test, yes, no }) : yes
    return before.length > 0 ? makeExpression(node, { kind: 'block', body: before, value }) : value
  }, makeUnknown(cases))
}

function listCases(node: Syntax): Syntax[] {
  return node.parts.filter(({ kind }) => kind === 'case_clause')
}

/** A loop over elements, or one after another of what is got from elsewhere. */
export function lowerFor(file: ScalaFile, node: Syntax): Statement[] {
  return listEnumerators(node).reduceRight<Statement[]>(
    (body, { pattern, value, guards, isLoop }) => {
      const inner = guards.reduceRight<Statement[]>(
        (yes, guard) => [makeStatement(guard, { kind: 'if', test: file.condition(guard), yes, no: [] })],
        body,
      )
      if (!pattern || !value) return inner
      const name = `each@${pattern.start}`
      const held = makeExpression(pattern, { kind: 'name', name })
      const { binds } = lowerPattern(file, pattern, held)
      if (!isLoop) return [makeDeclaration(pattern, name, undefined, file.expression(value)), ...binds, ...inner]
      return [
        makeStatement(node, { kind: 'each', target: held, source: file.expression(value), body: [...binds, ...inner] }),
      ]
    },
    file.body(node.at('body')),
  )
}

/** `for { … } yield …`: each name is what the value before holds, or one of its elements. */
export function lowerYield(file: ScalaFile, node: Syntax): Expression {
  return listEnumerators(node).reduceRight<Expression>(
    (rest, { pattern, value, guards, isLoop }) => {
      const inner = guards.reduceRight<Expression>(
        (yes, guard) =>
          makeExpression(guard, {
            kind: 'conditional',
            test: file.condition(guard),
            yes,
            no: makeLiteralAt(guard, null),
          }),
        rest,
      )
      if (!pattern || !value) return inner
      const name = `each@${pattern.start}`
      const held = makeExpression(pattern, { kind: 'name', name })
      const part = isLoop
        ? makeExpression(pattern, {
            kind: 'conditional',
            test: makeUnknown(pattern),
            yes: makeExpression(pattern, { kind: 'index', object: held }),
            no: held,
          })
        : held
      const body = [
        makeDeclaration(pattern, name, undefined, file.expression(value)),
        ...lowerPattern(file, pattern, part).binds,
      ]
      return makeExpression(node, { kind: 'block', body, value: inner })
    },
    file.expression(node.at('body')),
  )
}

interface Enumerator {
  pattern?: Syntax
  value?: Syntax
  guards: Syntax[]
  isLoop: boolean
}

function listEnumerators(node: Syntax): Enumerator[] {
  return node.fields('enumerators').flatMap(list =>
    list.parts
      .filter(({ kind }) => kind === 'enumerator')
      .map(each => {
        const guards = each.parts.filter(({ kind }) => kind === 'guard').map(guard => guard.at('condition'))
        const [pattern, value] = each.parts.filter(({ kind }) => kind !== 'guard')
        const isLoop = each.all.some(({ kind }) => kind === '<-')
        return { ...(pattern && { pattern }), ...(value && { value }), guards, isLoop }
      }),
  )
}
