import type { Span } from '../taint/ir.ts'
import type { Syntax } from '../taint/languages/syntax.ts'
import type { FunctionAnalysis } from './analysis.ts'
import { isCompared } from './comparisons.ts'
import { collectWords, makeSpan, stripParentheses } from './nodes.ts'
import {
  FREED,
  type Given,
  makeFact,
  NULL,
  OTHER,
  OWNED,
  STACK,
  type State,
  UNCHECKED,
  UNSET,
  type Values,
} from './state.ts'
import type { Variable } from './variables.ts'

/** A number from outside, and what was done with it since. */
export type Origin = Pick<Given, 'at' | 'signed' | 'isLength' | 'isProduct' | 'isField' | 'from'>

/** What an expression is worth, as far as it matters here. */
export type Worth =
  | { kind: 'block'; mask: number; at: Span; bytes?: number; sized?: ReadonlySet<string> }
  | { kind: 'null' }
  | { kind: 'array'; bytes?: number; at: Span }
  | { kind: 'name'; name: string }
  | ({ kind: 'number' } & Origin)
  | undefined

/** Frees what the node names; `at` is the call or operator that does. */
export function freePointer(analysis: FunctionAnalysis, node: Syntax, at: Syntax, s: State): void {
  const pointer = stripParentheses(node)
  if (pointer.kind !== 'identifier') {
    analysis.evaluate(pointer, s)
    return
  }
  const name = pointer.text
  const array = analysis.variables.get(name)
  if (array?.kind === 'array' && !array.isParameter && !analysis.isAddressed(name))
    analysis.report('free-of-stack', at, [])
  const known = s.facts.get(name)
  if (!known || !analysis.isTracked(name)) return
  if (isSurely(known.mask, FREED, known.on))
    analysis.report('double-free', at, [{ ...makeSpan(known.at), label: 'freed here' }])
  if (known.mask === STACK)
    analysis.report('free-of-stack', at, [{ ...makeSpan(known.at), label: 'points to a local array' }])
  if (known.mask === UNSET) analysis.report('unset', at, [])
  // To free NULL does nothing.
  if (known.mask !== NULL) s.facts.set(name, makeFact(FREED, at))
}

/** Dereferences a pointer. */
export function dereference(analysis: FunctionAnalysis, node: Syntax, s: State): undefined {
  if (s.isDead) return
  const pointer = stripParentheses(node)
  if (pointer.kind !== 'identifier') {
    analysis.evaluate(pointer, s)
    return
  }
  followName(analysis, pointer.text, pointer, s)
}

/** Dereferences a variable, which stands at a place. */
export function followName(analysis: FunctionAnalysis, name: string, pointer: Span, s: State): undefined {
  const known = s.facts.get(name)
  if (!analysis.isTracked(name) || !known || !analysis.isPointer(name)) return
  const from = (label: string) => [{ ...makeSpan(known.at), label }]
  if (known.mask & UNCHECKED && !(known.mask & OTHER)) {
    analysis.report('unchecked-null', pointer, from('may answer NULL'))
    s.facts.set(name, { ...known, mask: (known.mask & ~UNCHECKED) | OWNED })
  } else if (known.mask & NULL && known.mask !== NULL && isSurely(known.mask, NULL, known.on)) {
    if (!isCompared(analysis.text, name)) analysis.report('maybe-null', pointer, from('is NULL on one way'))
    s.forget(name)
  } else if (known.mask === NULL) {
    analysis.report('null-followed', pointer, from('is NULL'))
    s.forget(name)
  } else if (isSurely(known.mask, FREED, known.on)) {
    analysis.report('use-after-free', pointer, from('freed here'))
    s.forget(name)
  } else if (isSurely(known.mask, UNSET, known.on)) {
    analysis.report('unset', pointer, from('declared without a value'))
    s.forget(name)
  }
}

/** Evaluates what is passed to code that may keep it. */
export function passOn(analysis: FunctionAnalysis, node: Syntax, s: State): void {
  const inner = stripParentheses(node)
  const worth = inner.kind === 'identifier' ? evaluateName(analysis, inner, s, false) : analysis.evaluate(node, s)
  markEscaped(worth, s)
  if (worth?.kind === 'name') s.values.delete(worth.name)
}

/** A value escapes: code that is not seen may keep or release it. */
export function markEscaped(worth: Worth, s: State): void {
  if (worth?.kind !== 'name') return
  const known = s.facts.get(worth.name)
  if (known && known.mask !== OTHER) s.facts.set(worth.name, makeFact(OTHER, known.at))
  s.numbers.delete(worth.name)
}

/** Gives a variable its value; `values` are the numbers that it is, where they are known. */
export function assignVariable(
  analysis: FunctionAnalysis,
  name: string,
  worth: Worth,
  at: Span,
  s: State,
  values?: Values,
): void {
  s.numbers.delete(name)
  s.values.delete(name)
  if (!analysis.isTracked(name)) return
  const variable = analysis.variables.get(name)!
  const { kind } = variable
  let made = makeFact(OTHER, at)
  if (worth?.kind === 'block' && kind === 'pointer')
    made = { ...makeFact(worth.mask, worth.at, worth.bytes), sized: worth.sized }
  else if (worth?.kind === 'null' && kind === 'pointer') made = makeFact(NULL, at)
  else if (worth?.kind === 'array' && kind === 'pointer') made = makeFact(STACK, worth.at, worth.bytes)
  else if (worth?.kind === 'number' && kind === 'scalar' && !variable.isReal) {
    const { kind: _, ...origin } = worth
    const isCut = (worth.isLength || worth.from !== undefined) && isNarrow(variable)
    // What was computed of it is no divisor that is chosen.
    const asked = worth.from !== undefined
    s.numbers.set(name, { ...origin, signed: variable.signed, low: false, high: false, asked, ...(isCut && { isCut }) })
  } else if (worth?.kind === 'name') {
    const given = s.numbers.get(worth.name)
    const other = s.facts.get(worth.name)
    if (given && kind === 'scalar') s.numbers.set(name, copyNumber(given, analysis.variables.get(worth.name), variable))
    if (other?.mask === NULL || other?.mask === STACK) made = other
    else markEscaped(worth, s)
  }
  s.facts.set(name, made)
  if (values && kind === 'scalar' && !variable.isReal && fits(values, variable)) s.values.set(name, values)
}

/** Bytes of the widest number that is taken for a narrow one. */
const NARROW = 2

function isNarrow({ width }: Variable): boolean {
  return width !== undefined && width <= NARROW
}

/** What is known of a number in another variable. */
function copyNumber(given: Given, from: Variable | undefined, to: Variable): Given {
  const isNarrower = to.width !== undefined && to.width < (from?.width ?? 8)
  // What is not negative and has a bound has both.
  const low = given.low || (!given.signed && given.high && !isNarrower)
  return { ...given, signed: to.signed, low, ...(isNarrower && isNarrow(to) && { isCut: true }) }
}

function fits({ values }: Values, { width, signed }: Variable): boolean {
  if (width === undefined || width > 4) return true
  const most = 2 ** (8 * width - (signed ? 1 : 0))
  return values.every(value => value < most && value >= (signed ? -most : 0))
}

/** Everything in the node is handed to code that is not seen. */
export function forgetNames(node: Syntax, s: State): undefined {
  for (const name of collectWords(node.text)) if (s.facts.has(name) || s.numbers.has(name)) s.forget(name)
}

/** Evaluates a name; where it is not read, only what it names counts. */
export function evaluateName(analysis: FunctionAnalysis, node: Syntax, s: State, isRead = true): Worth {
  const name = node.text
  const variable = analysis.variables.get(name)
  if (variable?.kind === 'array') {
    const { count, element } = variable
    return {
      kind: 'array',
      at: node,
      ...(count !== undefined && element !== undefined && { bytes: count * element }),
    }
  }
  const known = s.facts.get(name)
  if (known && isRead && analysis.isTracked(name) && isSurely(known.mask, UNSET, known.on)) {
    analysis.report('unset', node, [{ ...makeSpan(known.at), label: 'declared without initialization' }])
    s.forget(name)
  }
  return variable ? { kind: 'name', name } : undefined
}

/** Whether a bit holds on a path of its own: not where it is unknown which paths there are. */
function isSurely(mask: number, bit: number, on: ReadonlySet<string>): boolean {
  if (!(mask & bit)) return false
  return mask === bit || on.size > 0
}

/** Variables without a value that the node names, or all of them, may have one now. */
export function forgetUnset(node: Syntax | undefined, s: State): void {
  let names: ReadonlySet<string> | undefined
  for (const [name, known] of s.facts) {
    if (!(known.mask & UNSET)) continue
    names ??= node && collectWords(node.text)
    if (names?.has(name) ?? true) s.facts.set(name, makeFact(OTHER, known.at))
  }
}

/** How many bytes there are where a buffer begins; undefined where that is not known. */
export function measureBuffer(analysis: FunctionAnalysis, node: Syntax, s: State): number | undefined {
  const inner = stripParentheses(node)
  if (inner.kind !== 'identifier') return measureRest(analysis, inner, s)
  const variable = analysis.variables.get(inner.text)
  if (variable?.kind === 'array')
    return variable.count !== undefined && variable.element !== undefined
      ? variable.count * variable.element
      : undefined
  return s.facts.get(inner.text)?.bytes
}

/** How many bytes there are behind a place within a buffer that is known as it is written: `buffer + 4`, `&buffer[4]`. */
function measureRest(analysis: FunctionAnalysis, node: Syntax, s: State): number | undefined {
  const element = node.kind === 'pointer_expression' && node.text.startsWith('&') ? node.at('argument') : undefined
  const isSum = node.kind === 'binary_expression' && node.at('operator').text === '+'
  const base = isSum ? node.at('left') : element?.kind === 'subscript_expression' ? element.at('argument') : undefined
  const offset = isSum ? node.at('right') : (element?.field('index') ?? element?.field('indices')?.parts[0])
  if (!base || !offset || stripParentheses(base).kind !== 'identifier') return undefined
  const size = analysis.variables.get(stripParentheses(base).text)?.element
  const before = analysis.foldConstant(offset)
  const room = measureBuffer(analysis, base, s)
  if (size === undefined || before === undefined || before < 0 || room === undefined) return undefined
  return Math.max(0, room - before * size)
}
