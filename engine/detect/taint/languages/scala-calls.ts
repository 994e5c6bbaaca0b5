import type { Argument, Expression } from '../ir.ts'
import type { ScalaFile } from './scala.ts'
import { readType } from './scala-texts.ts'
import {
  makeDeclaration,
  makeExpression,
  makeFunction,
  makeLiteralAt,
  makeParameter,
  makeReference,
  makeStatement,
  type Syntax,
} from './syntax.ts'

/** Functions that make a list of what they are given. */
const LISTS = new Set('Seq List Vector Set Array IndexedSeq ListBuffer ArrayBuffer Queue LazyList Nil'.split(' '))
const MAPS = new Set('Map HashMap ListMap TreeMap'.split(' '))
/** What is worth what it is given: it may be missing, have failed, or come later. */
const HOLDERS = new Set(
  'Some Option Right Left Success Try Future Future.successful Future.apply locally identity blocking'.split(' '),
)

/** A call with all of its lists of arguments; a block or cases behind it are the last of them. */
export function lowerCall(file: ScalaFile, node: Syntax): Expression {
  const { called, lists, type } = readCall(node)
  const name = called.text.replace(/\s+/g, '')
  if (called.kind === 'instance_expression') return file.made(called, lists)
  const [first, ...more] = lists
  if (LISTS.has(name) || MAPS.has(name)) {
    const made = makeCollection(node, name, file.args(first))
    return more.reduce<Expression>(
      (object, list) => makeExpression(node, { kind: 'index', object, index: file.args(list)[0]?.value }),
      made,
    )
  }
  const args = lists.flatMap(list => file.args(list))
  if (HOLDERS.has(name) && args.length === 1 && !args[0]!.name) return args[0]!.value
  if (isLookUp(file, called, lists, args))
    return makeExpression(node, { kind: 'index', object: lowerLookedUp(file, called), index: args[0]!.value })
  const isNamed = called.kind === 'identifier' || /^(?:[A-Z]\w*\.)+[A-Z]\w*$/.test(name)
  if (isNamed && file.isConstructor(name)) return makeExpression(node, { kind: 'new', type: name, args })
  const known = lowerKnown(file, node, called, args)
  if (known) return known
  const call = makeExpression(node, { kind: 'call', callee: lowerCallee(file, called), args })
  return type === undefined ? call : makeExpression(node, { kind: 'cast', type, value: call })
}

/** What is called, with its lists of arguments in their order and the type that it is told to give. */
export function readCall(node: Syntax): { called: Syntax; lists: Syntax[]; type?: string } {
  const lists: Syntax[] = []
  let type: string | undefined
  let at = node
  while (at.kind === 'call_expression' || at.kind === 'generic_function') {
    if (at.kind === 'generic_function') type ??= readTypeArgument(at)
    else lists.unshift(at.at('arguments'))
    at = at.at('function')
  }
  return { called: at, lists, ...(type !== undefined && { type }) }
}

/** The only type that a call names, where that may be one of its result. */
function readTypeArgument(node: Syntax): string | undefined {
  const [type, ...more] = node.at('type_arguments').parts
  return type && more.length === 0 && /^[A-Z]\w{2,}$/.test(type.text) ? type.text : undefined
}

/** A member as it is called; what it stands on may be a package. */
export function lowerCallee(file: ScalaFile, node: Syntax): Expression {
  if (node.kind !== 'field_expression') return file.expression(node)
  const name = node.at('field').text
  const object = /^[A-Z]/.test(name) ? lowerPath(file, node.at('value')) : file.expression(node.at('value'))
  return makeExpression(node, { kind: 'member', object, name })
}

/** Names with dots between them. */
function lowerPath(file: ScalaFile, node: Syntax): Expression {
  if (node.kind !== 'field_expression') return file.expression(node)
  return makeExpression(node, {
    kind: 'member',
    object: lowerPath(file, node.at('value')),
    name: node.at('field').text,
  })
}

/** A member without arguments: a field, a part of a path, or a method that takes none. */
export function lowerField(file: ScalaFile, node: Syntax): Expression {
  const name = node.at('field').text
  const value = node.at('value')
  const tuple = /^_(\d)$/.exec(name)
  if (tuple) {
    const index = makeLiteralAt(node, Number(tuple[1]) - 1)
    return makeExpression(node, { kind: 'index', object: file.expression(value), index })
  }
  if (/^[A-Z]/.test(name)) return lowerPath(file, node)
  const object = file.expression(value)
  if (object.kind === 'this' || file.names.isField(name)) {
    const member = makeExpression(node, { kind: 'member', object, name })
    const type = object.kind === 'this' ? undefined : readType(file.names.findFieldType(name))
    return type !== undefined && /^[\w<>]+$/.test(type)
      ? makeExpression(node, { kind: 'cast', type, value: member })
      : member
  }
  const callee = makeExpression(node, { kind: 'member', object, name })
  return lowerKnown(file, node, node, []) ?? makeExpression(node, { kind: 'call', callee, args: [] })
}

/** What the language's own methods are worth: of what may be missing, what it holds; of a text with margins, the text. */
function lowerKnown(file: ScalaFile, node: Syntax, called: Syntax, args: readonly Argument[]): Expression | undefined {
  if (called.kind !== 'field_expression') return undefined
  const name = called.at('field').text
  const value = called.at('value')
  if (args.length === 0 && /^(?:get|stripMargin|toOption|some|asRight|asLeft)$/.test(name)) {
    const object = file.expression(value)
    return object.kind === 'literal' && typeof object.value === 'string'
      ? makeLiteralAt(node, object.value.replace(/\n\s*\|/g, '\n').replace(/^\s*\|/, ''))
      : object
  }
  if (args.length === 0 && /^head(?:Option)?$/.test(name))
    return makeExpression(node, { kind: 'index', object: file.expression(value), index: makeLiteralAt(node, 0) })
  // A compiled expression is worth its text.
  if (args.length === 0 && name === 'r' && value.kind === 'string')
    return makeExpression(node, { kind: 'cast', type: 'Regex', value: file.expression(value) })
  if (args.length === 1 && /^(?:filter|withFilter)$/.test(name)) return lowerFilter(file, node, value, args[0]!.value)
  if (args.length === 1 && /^(?:getOrElse|orElse)$/.test(name))
    return makeExpression(node, {
      kind: 'binary',
      operator: 'either',
      left: file.expression(value),
      right: args[0]!.value,
    })
  return undefined
}

/** What is left of a value by a function that asks for it: nothing where that does not hold, and what was asked where it does. */
function lowerFilter(file: ScalaFile, node: Syntax, value: Syntax, given: Expression): Expression | undefined {
  if (given.kind !== 'function') return undefined
  const [parameter, ...more] = given.function.parameters
  if (!parameter || more.length > 0 || file.names.isDeclared(parameter.name)) return undefined
  const [asked, ...rest] = given.function.body()
  if (asked?.kind !== 'return' || !asked.value || rest.length > 0) return undefined
  const yes = makeExpression(node, { kind: 'name', name: parameter.name })
  const body = [makeDeclaration(node, parameter.name, undefined, file.expression(value))]
  const left = makeExpression(node, { kind: 'conditional', test: asked.value, yes, no: makeLiteralAt(node, null) })
  return makeExpression(node, { kind: 'block', body, value: left })
}

/** Whether a call only looks something up in a collection: `args(0)`. */
function isLookUp(file: ScalaFile, called: Syntax, lists: readonly Syntax[], args: readonly Argument[]): boolean {
  if (lists.length !== 1 || args.length !== 1 || args[0]!.name !== undefined || lists[0]!.kind !== 'arguments')
    return false
  if (called.kind === 'identifier') return file.names.isValue(called.text)
  return (
    called.kind === 'field_expression' &&
    file.names.isField(called.at('field').text) &&
    !file.names.isFunction(called.at('field').text)
  )
}

function lowerLookedUp(file: ScalaFile, called: Syntax): Expression {
  return called.kind === 'field_expression' ? lowerField(file, called) : file.expression(called)
}

function makeCollection(node: Syntax, name: string, args: Argument[]): Expression {
  if (LISTS.has(name)) return makeExpression(node, { kind: 'list', items: args })
  const entries = args.map(({ value }) =>
    value.kind === 'list' && value.items.length === 2
      ? { key: value.items[0]!.value, value: value.items[1]!.value }
      : { value },
  )
  return makeExpression(node, { kind: 'map', entries })
}

/** What is handed over: under a name, spread out (`xs: _*`), as a method, or as a function with a gap in it (`_.trim`). */
export function lowerArgument(file: ScalaFile, node: Syntax): Argument {
  if (node.kind === 'assignment_expression' && node.at('left').kind === 'identifier')
    return { name: node.at('left').text, value: lowerGiven(file, node.at('right')) }
  if (node.kind === 'ascription_expression' && node.part('repeated_parameter_type'))
    return { value: file.expression(node.parts[0]!), spread: true }
  return { value: lowerGiven(file, node) }
}

export function lowerGiven(file: ScalaFile, node: Syntax): Expression {
  if (node.kind === 'identifier' && file.names.isMethod(node.text) && !file.names.isValue(node.text))
    return makeReference(node, file.expression(node))
  if (node.kind === 'wildcard' || !/(?<!\w)_(?!\w)/.test(node.text)) return file.expression(node)
  const gaps = listGaps(node)
  if (gaps.length === 0) return file.expression(node)
  for (const [at, gap] of gaps.entries()) file.gaps.set(gap.start, `_${at}`)
  const parameters = gaps.map((gap, at) => makeParameter(gap, `_${at}`))
  const form = makeFunction(node, {
    name: '',
    parameters,
    body: () => [makeStatement(node, { kind: 'return', value: file.expression(node) })],
  })
  return makeExpression(node, { kind: 'function', function: form })
}

/** The gaps of a function that is written by them; those of an argument within it are its own. */
function listGaps(node: Syntax): Syntax[] {
  if (node.kind === 'wildcard') return [node]
  if (
    /^(?:lambda_expression|case_block|block|indented_block|template_body|type_arguments|match_expression|for_expression|try_expression)$|_type$/.test(
      node.kind,
    )
  )
    return []
  if (node.kind === 'arguments') return node.parts.filter(({ kind }) => kind === 'wildcard')
  return node.parts.flatMap(listGaps)
}
