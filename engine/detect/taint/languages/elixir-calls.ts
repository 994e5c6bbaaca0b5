import type { Argument, Expression } from '../ir.ts'
import type { ElixirFile } from './elixir.ts'
import { gatherKeywords } from './elixir-arguments.ts'
import { findChoice, splitSections } from './elixir-clauses.ts'
import { lowerCollection } from './elixir-collections.ts'
import { bind } from './elixir-patterns.ts'
import { asValue } from './elixir-results.ts'
import { makeExpression, makeFunction, makeParameter, makeStatement, makeUnknown, type Syntax } from './syntax.ts'

/** What only tells the compiler something. */
const DECLARES = /^(?:def\w*|alias|import|require|use|quote|unquote|describe|test|setup)$/

/** A call, a field, or one of the words that the language has for choices and loops; `piped` is what stands before `|>`. */
export function lowerCall(file: ElixirFile, node: Syntax, piped?: Expression): Expression {
  const target = node.field('target')
  if (!target) return makeUnknown(node)
  if (target.kind === 'identifier') {
    const word = target.text
    if (word === 'for') return lowerFor(file, node)
    if (findChoice(node)) return asValue(node, file.statement(node))
    if (DECLARES.test(word)) return makeUnknown(node)
  }
  const list = node.part('arguments')
  // `conn.params` is a field, `Settings.root` a call.
  if (target.kind === 'dot' && !list && !piped && !/^(?:alias|atom)$/.test(target.at('left').kind))
    return lowerDot(file, target)
  const own = file.args(list)
  const block = node.part('do_block')
  if (block)
    own.push({
      value: makeUnknown(
        block,
        splitSections(node).do.map(part => file.expression(part)),
      ),
    })
  const args = piped ? [{ value: piped }, ...own] : own
  const callee = target.kind === 'dot' ? lowerDot(file, target) : file.expression(target)
  return (
    lowerCollection(node, callee, args) ??
    makeExpression(node, {
      kind: 'call',
      callee,
      args: target.kind === 'identifier' && file.declares(target.text) ? gatherKeywords(node, args) : args,
    })
  )
}

/** `object.name`, `Module.name`, `:module.name`, and the function itself in `function.(x)`. */
function lowerDot(file: ElixirFile, node: Syntax): Expression {
  const left = node.at('left')
  const right = node.field('right')
  const object = left.kind === 'atom' ? makeExpression(left, { kind: 'name', name: left.text }) : file.expression(left)
  return right ? makeExpression(node, { kind: 'member', object, name: right.text }) : object
}

/** `value |> call(more)`: the value is the first argument. */
export function lowerPiped(file: ElixirFile, node: Syntax): Expression {
  const right = node.at('right')
  if (findChoice(right)) return asValue(node, file.statement(node))
  const value = file.expression(node.at('left'))
  if (right.kind === 'call') return lowerCall(file, right, value)
  const callee = right.kind === 'dot' ? lowerDot(file, right) : file.expression(right)
  return makeExpression(node, { kind: 'call', callee, args: [{ value }] })
}

/** `&name/2` and `&Module.name/1` are functions that call it; `&(&1 <> "x")` is one of what stands in it; `&1` an argument of that. */
export function lowerCapture(file: ElixirFile, node: Syntax, operand: Syntax): Expression {
  if (operand.kind === 'integer') return makeExpression(node, { kind: 'name', name: `&${operand.text}` })
  const named = operand.kind === 'binary_operator' && operand.at('operator').text === '/' ? operand : undefined
  const isNamed = named?.at('right').kind === 'integer' && !named.text.includes('&')
  const count = isNamed
    ? Number(named.at('right').text)
    : Math.max(0, ...Array.from(node.text.matchAll(/&(\d)/g), ([, digit]) => Number(digit)))
  const names = Array.from({ length: Math.min(count, 9) }, (_, at) => `&${at + 1}`)
  const form = makeFunction(node, {
    name: '',
    isInner: true,
    parameters: names.map(name => makeParameter(node, name)),
    body: () => {
      const value = isNamed ? lowerNamed(file, node, named.at('left'), names) : file.expression(operand)
      return [makeStatement(node, { kind: 'return', value })]
    },
  })
  return makeExpression(node, { kind: 'function', function: form })
}

function lowerNamed(file: ElixirFile, node: Syntax, name: Syntax, names: readonly string[]): Expression {
  const target = name.kind === 'call' ? name.at('target') : name
  const callee = target.kind === 'dot' ? lowerDot(file, target) : file.expression(target)
  const args: Argument[] = names.map(each => ({ value: makeExpression(node, { kind: 'name', name: each }) }))
  return lowerCollection(node, callee, args) ?? makeExpression(node, { kind: 'call', callee, args })
}

/** `for pattern <- list, condition, into: map, do: value`. */
function lowerFor(file: ElixirFile, node: Syntax): Expression {
  const parts = node.part('arguments')?.parts ?? []
  const loops: (Expression & { kind: 'comprehension' })['loops'] = []
  const bound = []
  for (const part of parts) {
    if (part.kind === 'keywords') continue
    if (part.kind !== 'binary_operator' || part.at('operator').text !== '<-') {
      loops.at(-1)?.tests.push(file.condition(part))
      continue
    }
    const element = makeExpression(part, { kind: 'name', name: `element ${part.start}` })
    const [taken, ...after] = bind(file, part.at('left'), element)
    const isPlain = after.length === 0 && taken?.kind === 'expression' && taken.value.kind === 'assign'
    const target = isPlain ? (taken.value as Expression & { kind: 'assign' }).target : element
    if (!isPlain) bound.push(taken!, ...after)
    loops.push({ target, source: file.expression(part.at('right')), tests: [] })
  }
  const value = asValue(node, [...bound, ...file.section(splitSections(node).do)])
  return makeExpression(node, { kind: 'comprehension', loops, value })
}
