import type { BinaryOperator, Expression } from '../ir.ts'
import type { ElixirFile } from './elixir.ts'
import { listEntries, readKey } from './elixir-arguments.ts'
import { lowerCall, lowerCapture, lowerPiped } from './elixir-calls.ts'
import { lowerAssignment } from './elixir-patterns.ts'
import { asValue } from './elixir-results.ts'
import {
  asFunction,
  asIndex,
  asList,
  asName,
  asNothingKnown,
  asNull,
  asNumber,
  asTruth,
  asUnknown,
} from './expression-rows.ts'
import { C_OPERATORS } from './operators.ts'
import { makeExpression, makeLiteralAt, makeUnknown, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind, unescapeText } from './tree.ts'

const OPERATORS: Record<string, BinaryOperator> = {
  ...C_OPERATORS,
  '===': '==',
  '!==': '!=',
  and: 'and',
  or: 'or',
  '||': 'either',
  '<>': 'concat',
  in: 'in',
  'not in': 'not in',
}

/** Expressions of Elixir, by kind. Atoms and lists of characters are texts. */
export const EXPRESSIONS: SyntaxTable<ElixirFile, Expression> = indexByKind(asUnknown, {
  identifier: (file, node) =>
    node.text === '__MODULE__' ? makeExpression(node, { kind: 'this' }) : asName(file, node),
  alias: (file, node) => makeExpression(node, { kind: 'name', name: file.resolve(node.text) }),
  'string charlist': lowerText,
  sigil: lowerSigil,
  atom: (_file, node) => makeLiteralAt(node, node.text.slice(1)),
  quoted_atom: (_file, node) => makeLiteralAt(node, node.text.slice(2, -1)),
  'keyword quoted_keyword': (_file, node) => makeLiteralAt(node, readKey(node)),
  'integer float': asNumber(),
  char: asNothingKnown,
  boolean: asTruth,
  nil: asNull,
  tuple: asList,
  list: lowerList,
  'map keywords': lowerMap,
  bitstring: (file, node) =>
    makeExpression(node, { kind: 'text', parts: node.parts.map(part => lowerSegment(file, part)) }),
  access_call: asIndex('target', 'key'),
  call: (file, node) => lowerCall(file, node),
  binary_operator: lowerBinary,
  unary_operator: lowerUnary,
  anonymous_function: asFunction,
  'block body': (file, node) => asValue(node, file.block(node)),
})

function lowerText(file: ElixirFile, node: Syntax): Expression {
  const isHeredoc = node.text.startsWith('"""') || node.text.startsWith("'''")
  return joinParts(file, node, isHeredoc ? /^\n[ \t]*/ : undefined, unescapeText)
}

/** A text, or what it is made of where something stands in it. */
function joinParts(
  file: ElixirFile,
  node: Syntax,
  beginning: RegExp | undefined,
  read: (text: string) => string,
): Expression {
  const parts = node.parts.flatMap((part, at): Expression[] => {
    if (part.kind === 'quoted_content')
      return [makeLiteralAt(part, at === 0 && beginning ? part.text.replace(beginning, '') : part.text)]
    if (part.kind === 'escape_sequence') return [makeLiteralAt(part, read(part.text))]
    return part.kind === 'interpolation' ? part.parts.map(inner => file.expression(inner)) : []
  })
  if (parts.every(part => part.kind === 'literal'))
    return makeLiteralAt(node, parts.map(part => (part.kind === 'literal' ? String(part.value) : '')).join(''))
  return makeExpression(node, { kind: 'text', parts })
}

/** A sigil is a text (`~s`, `~c`), an expression (`~r`), a list of words (`~w`), or a call of what it stands for (`~p`, which encodes what stands in it, and `~r` with something in it). */
function lowerSigil(file: ElixirFile, node: Syntax): Expression {
  const name = node.part('sigil_name')?.text ?? ''
  const text = joinParts(file, node, /^\n[ \t]*/, /^[rR]$/.test(name) ? same : unescapeText)
  if (/^[wW]$/.test(name) && text.kind === 'literal') {
    const words = String(text.value).split(/\s+/).filter(Boolean)
    return makeExpression(node, { kind: 'list', items: words.map(word => ({ value: makeLiteralAt(node, word) })) })
  }
  if (/^[sScCwW]$/.test(name) || (/^[rR]$/.test(name) && text.kind === 'literal')) return text
  const callee = makeExpression({ start: node.start, end: node.start }, { kind: 'name', name: `sigil_${name}` })
  return makeExpression(node, { kind: 'call', callee, args: [{ value: text }] })
}

function same(text: string): string {
  return text
}

/** A list, or a map where it holds nothing but keywords. */
function lowerList(file: ElixirFile, node: Syntax): Expression {
  const { parts } = node
  if (parts.length === 1 && parts[0]!.kind === 'keywords') return lowerMap(file, node)
  const items = parts.flatMap(part =>
    part.kind === 'binary_operator' && part.at('operator').text === '|'
      ? [{ value: file.expression(part.at('left')) }, { value: file.expression(part.at('right')), spread: true }]
      : [{ value: file.expression(part) }],
  )
  return makeExpression(node, { kind: 'list', items })
}

function lowerMap(file: ElixirFile, node: Syntax): Expression {
  const entries = listEntries(node).map(([key, value]) => ({
    key: key && file.expression(key),
    value: file.expression(value),
  }))
  return makeExpression(node, { kind: 'map', entries })
}

/** A part of a binary without what says its size. */
function lowerSegment(file: ElixirFile, node: Syntax): Expression {
  const isTyped = node.kind === 'binary_operator' && node.at('operator').text === '::'
  return file.expression(isTyped ? node.at('left') : node)
}

function lowerBinary(file: ElixirFile, node: Syntax): Expression {
  const sign = node.at('operator').text
  const [first, second] = [node.at('left'), node.at('right')]
  if (sign === '|>') return lowerPiped(file, node)
  if (sign === '=') return lowerMatch(file, node)
  const [left, right] = [file.expression(first), file.expression(second)]
  if (sign === '=~') {
    const callee = makeExpression({ start: node.start, end: node.start }, { kind: 'name', name: '=~' })
    return makeExpression(node, { kind: 'call', callee, args: [{ value: left }, { value: right }] })
  }
  // Lists that are put together; those of characters are texts.
  if (sign === '++')
    return [first, second].some(({ kind }) => kind === 'list')
      ? makeExpression(node, { kind: 'list', items: [left, right].map(value => ({ value, spread: true })) })
      : makeExpression(node, { kind: 'binary', operator: 'concat', left, right })
  if (sign === '..' || sign === '->' || sign === '<-') return makeUnknown(node, [left, right])
  if (sign === '--') return left
  return makeExpression(node, { kind: 'binary', operator: OPERATORS[sign] ?? 'bits', left, right })
}

/** `pattern = value` is worth the value. */
function lowerMatch(file: ElixirFile, node: Syntax): Expression {
  const [only, ...after] = lowerAssignment(file, node)
  const value = only?.kind === 'expression' ? only.value : makeUnknown(node)
  if (after.length === 0) return value
  return makeExpression(node, { kind: 'block', body: [only!, ...after], value: file.expression(node.at('right')) })
}

function lowerUnary(file: ElixirFile, node: Syntax): Expression {
  // Parentheses stand beside what is in them.
  const operand = node.parts.at(-1)
  if (!operand) return makeUnknown(node)
  switch (node.at('operator').text) {
    case '&':
      return lowerCapture(file, node, operand)
    case '@':
      return operand.kind === 'identifier'
        ? makeExpression(node, { kind: 'name', name: `@${operand.text}` })
        : makeUnknown(node)
    // The variable as it is.
    case '^':
      return file.expression(operand)
    case '-':
      return makeExpression(node, { kind: 'unary', operator: '-', value: file.expression(operand) })
    default:
      return makeExpression(node, { kind: 'unary', operator: 'not', value: file.condition(operand) })
  }
}
