import { parse, type SgNode } from '@ast-grep/napi'
import type { Argument, Expression, Span } from '../ir.ts'
import type { RustFile } from './rust.ts'
import { readText } from './rust-texts.ts'
import { listNamedChildren, makeLiteral } from './tree.ts'

/** What stands before the arguments of a macro when they are parsed by themselves: as elements of an array. */
const BEFORE = 'fn m(){['
const AFTER = ']}'

/** Macros that are the text that they put together. */
const TEXT = /^(?:format|format_args|concat|concat_str)$/

/** Longer arguments are a language of their own. */
const LONGEST = 20_000

/** `name!(…)`: a call with the arguments that the macro is given. A text with places for others is put together with them. */
export function lowerMacro(file: RustFile, node: SgNode, span: Span): Expression {
  const named = node.field('macro') as SgNode
  const tree = listNamedChildren(node).find(each => each.kind() === 'token_tree')
  const name = file.of(named).replace(/^.*::/s, '')
  if (!tree) return { kind: 'unknown', parts: [], ...span }
  if (/^(?:macro_rules|include_str|include_bytes|env|option_env|stringify|cfg|line|file)$/.test(name))
    return { kind: 'unknown', parts: [], ...span }
  const { inner, parts } = parseArguments(file, tree)
  if (!parts) {
    const args = listParts(file, tree).map(value => ({ value }))
    return { kind: 'call', callee: file.expression(named), args, ...span }
  }
  if (name === 'vec' || name === 'array') return lowerItems(inner, parts, span)
  if (name === 'matches') return lowerMatches(inner, parts, span)
  const args = lowerArguments(inner, parts)
  if (TEXT.test(name)) {
    const [only, ...more] = args
    return only && more.length === 0 ? only.value : { kind: 'text', parts: args.map(({ value }) => value), ...span }
  }
  return { kind: 'call', callee: file.expression(named), args, ...span }
}

/** The arguments as they are when they are parsed; none where they are no list of expressions. */
function parseArguments(file: RustFile, tree: SgNode): { inner: RustFile; parts?: SgNode[] } {
  const { start } = file.place(tree)
  const written = file.of(tree)
  const offset = start + 1 - BEFORE.length
  const inner = file.within({ offset })
  if (written.length > LONGEST || written.startsWith('{')) return { inner }
  // How a value of a log's field is shown (`name = %name`) is no operator.
  const text = written.slice(1, -1).replace(/((?:^|[=,])\s*)[%?](?=[\w&(])/g, '$1 ')
  const root = parse('rust', `${BEFORE}${text}${AFTER}`).root()
  const list = root.find({ rule: { kind: 'array_expression' } } as never) as SgNode | null
  if (!list || list.range().start.index !== BEFORE.length - 1 || hasError(root)) return { inner }
  return { inner, parts: listNamedChildren(list) }
}

function hasError(root: SgNode): boolean {
  return (root.find({ rule: { kind: 'ERROR' } } as never) as SgNode | null) !== null
}

function lowerItems(file: RustFile, parts: readonly SgNode[], span: Span): Expression {
  return { kind: 'list', items: parts.map(part => ({ value: file.expression(part) })), ...span }
}

/** `matches!(name, "a" | "b")`: the value is one of these. */
function lowerMatches(file: RustFile, [subject, pattern]: readonly SgNode[], span: Span): Expression {
  if (!subject || !pattern) return { kind: 'unknown', parts: [], ...span }
  const left = file.expression(subject)
  const tests = listAlternatives(pattern)
  if (!tests.every(each => /literal$/.test(each.kind() as string))) return { kind: 'unknown', parts: [left], ...span }
  const items = tests.map(each => ({ value: file.expression(each) }))
  return { kind: 'binary', operator: 'in', left, right: { kind: 'list', items, ...span }, ...span }
}

/** `"a" | "b"` was parsed as an operation on bits. */
function listAlternatives(node: SgNode): SgNode[] {
  return node.kind() === 'binary_expression' ? listNamedChildren(node).flatMap(listAlternatives) : [node]
}

/** The arguments; what stands behind a text with places for values is put into it. */
function lowerArguments(file: RustFile, parts: readonly SgNode[]): Argument[] {
  const at = parts.findIndex(part => /^(?:raw_)?string_literal$/.test(part.kind() as string))
  const format = parts[at]
  const before = at === -1 ? parts : parts.slice(0, at)
  const args = before.map(part => lowerArgument(file, part))
  if (!format) return args
  const rest = parts.slice(at + 1).map(part => lowerArgument(file, part))
  const text = lowerFormat(file, format, rest)
  return text ? [...args, { value: text }] : [...args, { value: file.expression(format) }, ...rest]
}

function lowerArgument(file: RustFile, part: SgNode): Argument {
  if (part.kind() !== 'assignment_expression') return { value: file.expression(part) }
  return { name: file.of(part.field('left') as SgNode), value: file.lowerField(part, 'right') }
}

/** A place for a value in a format: its name or position, and how it is shown. */
const PLACE = /\{\{|\}\}|\{\s*([\w.]*)\s*(?::([^{}]*))?\}/g

/** A format with its values; undefined where it has no place for one. */
function lowerFormat(file: RustFile, node: SgNode, args: readonly Argument[]): Expression | undefined {
  const written = file.of(node)
  const span = file.place(node)
  const isRaw = node.kind() === 'raw_string_literal'
  const open = isRaw ? written.indexOf('"') + 1 : written.indexOf('"') + 1
  const content = written.slice(open, written.lastIndexOf('"'))
  const parts: Expression[] = []
  const free = args.filter(({ name }) => name === undefined)
  let next = 0
  let from = 0
  let hasPlace = false
  const addText = (end: number): void => {
    if (end <= from) return
    const text = content.slice(from, end)
    const at = { start: span.start + open + from, end: span.start + open + end }
    parts.push(makeLiteral(at, isRaw ? text : readText(text)))
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
    const at = { start: span.start + open + match.index, end: span.start + open + from }
    const value = findValue(key ?? '', free, args, at, () => next++)
    if (value) parts.push(/\?$/.test(shown) ? { kind: 'call', callee: DEBUG(at), args: [{ value }], ...at } : value)
  }
  if (!hasPlace) return undefined
  addText(content.length)
  return { kind: 'text', parts, ...span }
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
    (key === 'self' ? { kind: 'this', ...at } : { kind: 'name', name: key, ...at })
  )
}

/** How a value is shown to a developer (`{:?}`), as a call of what does that. */
const DEBUG = (at: Span): Expression => ({
  kind: 'member',
  object: { kind: 'name', name: 'Debug', ...at },
  name: 'fmt',
  ...at,
})

/** What is in a macro with a syntax of its own: texts, names, calls, and what stands in brackets. */
function listParts(file: RustFile, tree: SgNode): Expression[] {
  const out: Expression[] = []
  let named: SgNode | undefined
  for (const part of listNamedChildren(tree)) {
    const kind = part.kind() as string
    if (kind !== 'token_tree') {
      if (named) out.push(file.expression(named))
      named = kind === 'identifier' ? part : undefined
      if (/string_literal$/.test(kind)) out.push(file.expression(part))
      continue
    }
    const { inner, parts } = parseArguments(file, part)
    const values = parts ? parts.map(each => inner.expression(each)) : listParts(file, part)
    const isCall = named && file.of(part).startsWith('(') && file.place(part).start === file.place(named).end
    if (isCall) {
      const args = values.map(value => ({ value }))
      out.push({ kind: 'call', callee: file.expression(named!), args, ...file.place(part) })
    } else out.push(...(named ? [file.expression(named)] : []), ...values)
    named = undefined
  }
  if (named) out.push(file.expression(named))
  return out
}
