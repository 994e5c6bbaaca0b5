import { parse, type SgNode } from '@ast-grep/napi'
import type { Argument, Expression, Span } from '../ir.ts'
import type { RustFile } from './rust.ts'
import { readText } from './rust-texts.ts'
import { makeExpression, makeLiteralAt, makeUnknown, Syntax } from './syntax.ts'

/** What stands before the arguments of a macro when they are parsed by themselves: as elements of an array. */
const BEFORE = 'fn m(){['
const AFTER = ']}'

/** Macros that are the text that they put together. */
const TEXT = /^(?:format|format_args|concat|concat_str)$/

/** Longer arguments are a language of their own. */
const LONGEST = 20_000

/** `name!(…)`: a call with the arguments that the macro is given. A text with places for others is put together with them. */
export function lowerMacro(file: RustFile, node: Syntax): Expression {
  const named = node.at('macro')
  const tree = node.part('token_tree')
  const name = named.text.replace(/^.*::/s, '')
  if (!tree) return makeUnknown(node)
  if (/^(?:macro_rules|include_str|include_bytes|env|option_env|stringify|cfg|line|file)$/.test(name))
    return makeUnknown(node)
  const parts = parseArguments(tree)
  const makeMacro = (args: Argument[]) => makeExpression(node, { kind: 'call', callee: file.expression(named), args })
  if (!parts) return makeMacro(listParts(file, tree).map(value => ({ value })))
  if (name === 'vec' || name === 'array') return lowerItems(file, node, parts)
  if (name === 'matches') return lowerMatches(file, node, parts)
  const args = lowerArguments(file, parts)
  if (!TEXT.test(name)) return makeMacro(args)
  const [only, ...more] = args
  if (only && more.length === 0) return only.value
  return makeExpression(node, { kind: 'text', parts: args.map(({ value }) => value) })
}

/** The arguments as they are when they are parsed; undefined where they are no list of expressions. */
function parseArguments(tree: Syntax): Syntax[] | undefined {
  const written = tree.text
  if (written.length > LONGEST || written.startsWith('{')) return undefined
  // How a value of a log's field is shown (`name = %name`) is no operator.
  const text = written.slice(1, -1).replace(/((?:^|[=,])\s*)[%?](?=[\w&(])/g, '$1 ')
  const root = parse('rust', `${BEFORE}${text}${AFTER}`).root()
  const list = root.find({ rule: { kind: 'array_expression' } } as never) as SgNode | null
  if (!list || list.range().start.index !== BEFORE.length - 1 || hasError(root)) return undefined
  return new Syntax(list, tree.start + 1 - BEFORE.length).parts
}

function hasError(root: SgNode): boolean {
  return (root.find({ rule: { kind: 'ERROR' } } as never) as SgNode | null) !== null
}

function lowerItems(file: RustFile, node: Syntax, parts: readonly Syntax[]): Expression {
  return makeExpression(node, { kind: 'list', items: parts.map(part => ({ value: file.expression(part) })) })
}

/** `matches!(name, "a" | "b")`: the value is one of these. */
function lowerMatches(file: RustFile, node: Syntax, [subject, pattern]: readonly Syntax[]): Expression {
  if (!subject || !pattern) return makeUnknown(node)
  const left = file.expression(subject)
  const tests = listAlternatives(pattern)
  if (!tests.every(({ kind }) => kind.endsWith('literal'))) return makeUnknown(node, [left])
  return makeExpression(node, { kind: 'binary', operator: 'in', left, right: lowerItems(file, node, tests) })
}

/** `"a" | "b"` was parsed as an operation on bits. */
function listAlternatives(node: Syntax): Syntax[] {
  return node.kind === 'binary_expression' ? node.parts.flatMap(listAlternatives) : [node]
}

/** The arguments; what stands behind a text with places for values is put into it. */
function lowerArguments(file: RustFile, parts: readonly Syntax[]): Argument[] {
  const at = parts.findIndex(part => /^(?:raw_)?string_literal$/.test(part.kind))
  const format = parts[at]
  const before = at === -1 ? parts : parts.slice(0, at)
  const args = before.map(part => lowerArgument(file, part))
  if (!format) return args
  const rest = parts.slice(at + 1).map(part => lowerArgument(file, part))
  const text = lowerFormat(format, rest)
  return text ? [...args, { value: text }] : [...args, { value: file.expression(format) }, ...rest]
}

function lowerArgument(file: RustFile, part: Syntax): Argument {
  if (part.kind !== 'assignment_expression') return { value: file.expression(part) }
  return { name: part.at('left').text, value: file.expression(part.at('right')) }
}

/** A place for a value in a format: its name or position, and how it is shown. */
const PLACE = /\{\{|\}\}|\{\s*([\w.]*)\s*(?::([^{}]*))?\}/g

/** A format with its values; undefined where it has no place for one. */
function lowerFormat(node: Syntax, args: readonly Argument[]): Expression | undefined {
  const written = node.text
  const isRaw = node.kind === 'raw_string_literal'
  const open = written.indexOf('"') + 1
  const start = node.start + open
  const content = written.slice(open, written.lastIndexOf('"'))
  const parts: Expression[] = []
  const free = args.filter(({ name }) => name === undefined)
  let next = 0
  let from = 0
  let hasPlace = false
  const addText = (end: number): void => {
    if (end <= from) return
    const text = content.slice(from, end)
    const at = { start: start + from, end: start + end }
    parts.push(makeLiteralAt(at, isRaw ? text : readText(text)))
  }
  for (const match of content.matchAll(PLACE)) {
    const [whole, key, shown = ''] = match
    if (whole === '{{' || whole === '}}') {
      addText(match.index + 1)
      from = match.index + 2
      continue
    }
    hasPlace = true
    addText(match.index)
    from = match.index + whole.length
    const at = { start: start + match.index, end: start + from }
    const value = findValue(key ?? '', free, args, at, () => next++)
    if (value) parts.push(/\?$/.test(shown) ? makeDebug(at, value) : value)
  }
  if (!hasPlace) return undefined
  addText(content.length)
  return makeExpression(node, { kind: 'text', parts })
}

function findValue(
  key: string,
  free: readonly Argument[],
  args: readonly Argument[],
  at: Span,
  take: () => number,
): Expression | undefined {
  if (key === '') return free[take()]?.value
  if (/^\d+$/.test(key)) return free[Number(key)]?.value
  return (
    args.find(({ name }) => name === key)?.value ??
    makeExpression(at, key === 'self' ? { kind: 'this' } : { kind: 'name', name: key })
  )
}

/** How a value is shown to a developer (`{:?}`), as a call of what does that. */
function makeDebug(at: Span, value: Expression): Expression {
  const object = makeExpression(at, { kind: 'name', name: 'Debug' })
  const callee = makeExpression(at, { kind: 'member', object, name: 'fmt' })
  return makeExpression(at, { kind: 'call', callee, args: [{ value }] })
}

/** What is in a macro with a syntax of its own: texts, names, calls, and what stands in brackets. */
function listParts(file: RustFile, tree: Syntax): Expression[] {
  const out: Expression[] = []
  let named: Syntax | undefined
  for (const part of tree.parts) {
    if (part.kind !== 'token_tree') {
      if (named) out.push(file.expression(named))
      named = part.kind === 'identifier' ? part : undefined
      if (part.kind.endsWith('string_literal')) out.push(file.expression(part))
      continue
    }
    const values = parseArguments(part)?.map(each => file.expression(each)) ?? listParts(file, part)
    if (named && part.text.startsWith('(') && part.start === named.end) {
      const args = values.map(value => ({ value }))
      out.push(makeExpression(part, { kind: 'call', callee: file.expression(named), args }))
    } else out.push(...(named ? [file.expression(named)] : []), ...values)
    named = undefined
  }
  if (named) out.push(file.expression(named))
  return out
}
