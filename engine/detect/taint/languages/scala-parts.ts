import type { Decorator, Expression, Span, Statement } from '../ir.ts'
import { readCall } from './scala-calls.ts'
import { makeExpression, makeStatement, type Syntax } from './syntax.ts'

/** What declares a class, or an object of which there is one. */
export const CLASSES = [
  'class_definition',
  'object_definition',
  'trait_definition',
  'enum_definition',
  'full_enum_case',
  'package_object',
]

/** Cases that are a function, and not those of a `match` or `catch`. */
export function isLambdaNode(node: Syntax): boolean {
  return node.kind === 'lambda_expression' || !/^(?:match_expression|catch_clause)$/.test(node.parent?.kind ?? '')
}

/** `this.name = value`. */
export function makeKept(at: Span, name: string, value: Expression): Statement {
  const target = makeExpression(at, { kind: 'member', object: makeExpression(at, { kind: 'this' }), name })
  return makeStatement(at, { kind: 'expression', value: makeExpression(at, { kind: 'assign', target, value }) })
}

export function listBases(node: Syntax | undefined): string[] {
  return (node?.parts ?? [])
    .flatMap(part => (part.kind === 'compound_type' ? part.parts : [part]))
    .filter(({ kind }) => /type|identifier/.test(kind))
    .map(({ text }) => text.replace(/\[.*$/s, ''))
}

export function readAnnotations(node: Syntax): Decorator[] {
  return node.parts.filter(({ kind }) => kind === 'annotation').map(each => ({ name: each.at('name').text, args: [] }))
}

/** The class that something stands in. */
export function findOwner(node: Syntax): string | undefined {
  for (let at = node.parent; at; at = at.parent) if (CLASSES.includes(at.kind)) return at.at('name').text
  return undefined
}

/** The calls that a lambda is handed to, as its decorators: `path` of `path("a" / Segment) { name => … }`. */
export function findReceivers(node: Syntax): Decorator[] {
  let at = node.parent
  if (at && /^(?:block|arguments)$/.test(at.kind)) at = at.parent
  if (at?.kind === 'call_expression') return listCallees(at)
  // Cases that are all of a definition are what its type says.
  const type = at?.field('return_type') ?? (at?.kind === 'val_definition' ? at.field('type') : undefined)
  return type ? [{ name: type.text.replace(/\[.*$/s, ''), args: [] }] : []
}

/** What is called, by its name alone and with its first arguments; of several that are put together, each. */
export function listCallees(node: Syntax): Decorator[] {
  if (node.kind === 'parenthesized_expression') return node.parts.flatMap(listCallees)
  if (node.kind === 'infix_expression') return [node.at('left'), node.at('right')].flatMap(listCallees)
  if (node.kind === 'identifier') return [{ name: node.text, args: [] }]
  if (node.kind !== 'call_expression' && node.kind !== 'generic_function') return []
  const { called, lists } = readCall(node)
  if (called.kind === 'parenthesized_expression') return listCallees(called)
  const isPath = /^[\w.\s]+$/.test(called.text)
  const name = (isPath ? called : (called.field('field') ?? called)).text.replace(/\s+/g, '')
  const [first] = lists
  const written =
    first?.kind === 'arguments'
      ? [{ name: `${name}${first.text.slice(0, LONGEST_ARGUMENTS).replace(/\s+/g, ' ').replace('( ', '(')}`, args: [] }]
      : []
  return name.length > LONGEST_NAME ? [] : [{ name, args: [] }, ...written]
}

const LONGEST_NAME = 100
const LONGEST_ARGUMENTS = 200

/** `import a.b.{C, D => E}`, `import a.b.*`, and several behind one another. */
export function addImports(node: Syntax, imports: Map<string, string>): void {
  for (const written of node.text.replace(/^import\s+/, '').split(/,(?![^{]*\})/)) {
    const [, path = '', group] = /^\s*([\w.]*?)\.?(?:\{([^}]*)\}|(?:[_*]|given\b.*))?\s*$/s.exec(written) ?? []
    if (path === '') continue
    if (group === undefined && /[_*]\s*$/.test(written)) imports.set(`${path}.*`, `${path}.*`)
    else if (group === undefined) imports.set(path.slice(path.lastIndexOf('.') + 1), path)
    for (const each of group?.split(',') ?? []) {
      const [, name, alias] = /^\s*([\w*]+)(?:\s*(?:=>|\bas\b)\s*(\w+))?\s*$/.exec(each) ?? []
      if (name === undefined || alias === '_') continue
      if (/^[_*]$/.test(name)) imports.set(`${path}.*`, `${path}.*`)
      else imports.set(alias ?? name, `${path}.${name}`)
    }
  }
}
