import type { Span } from '../taint/ir.ts'
import type { Syntax } from '../taint/languages/syntax.ts'
import type { FunctionAnalysis } from './analysis.ts'
import { collectWords, makeSpan, stripParentheses } from './nodes.ts'
import { FREED, makeFact, NULL, OTHER, OWNED, STACK, type State, UNCHECKED, UNSET } from './state.ts'

/** What an expression is worth, as far as it matters here. */
export type Worth =
  | { kind: 'block'; mask: number; at: Span; bytes?: number; sized?: ReadonlySet<string> }
  | { kind: 'null' }
  | { kind: 'array'; bytes?: number; at: Span }
  | { kind: 'name'; name: string }
  | { kind: 'number'; signed: boolean; at: Span }
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
  const name = pointer.text
  const known = s.facts.get(name)
  if (!analysis.isTracked(name) || !known || !analysis.isPointer(name)) return
  const from = (label: string) => [{ ...makeSpan(known.at), label }]
  if (known.mask & UNCHECKED && !(known.mask & OTHER)) {
    analysis.report('unchecked-null', pointer, from('may answer NULL'))
    s.facts.set(name, { ...known, mask: (known.mask & ~UNCHECKED) | OWNED })
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
  markEscaped(inner.kind === 'identifier' ? evaluateName(analysis, inner, s, false) : analysis.evaluate(node, s), s)
}

/** A value escapes: code that is not seen may keep or release it. */
export function markEscaped(worth: Worth, s: State): void {
  if (worth?.kind !== 'name') return
  const known = s.facts.get(worth.name)
  if (known && known.mask !== OTHER) s.facts.set(worth.name, makeFact(OTHER, known.at))
  s.numbers.delete(worth.name)
}

/** Gives a variable its value. */
export function assignVariable(analysis: FunctionAnalysis, name: string, worth: Worth, at: Span, s: State): void {
  s.numbers.delete(name)
  if (!analysis.isTracked(name)) return
  const variable = analysis.variables.get(name)!
  const { kind } = variable
  let made = makeFact(OTHER, at)
  if (worth?.kind === 'block' && kind === 'pointer')
    made = { ...makeFact(worth.mask, worth.at, worth.bytes), sized: worth.sized }
  else if (worth?.kind === 'null' && kind === 'pointer') made = makeFact(NULL, at)
  else if (worth?.kind === 'array' && kind === 'pointer') made = makeFact(STACK, worth.at, worth.bytes)
  else if (worth?.kind === 'number' && kind === 'scalar' && !variable.isReal)
    s.numbers.set(name, { at: worth.at, signed: variable.signed, low: false, high: false, asked: false })
  else if (worth?.kind === 'name') {
    const given = s.numbers.get(worth.name)
    const other = s.facts.get(worth.name)
    if (given && kind === 'scalar') s.numbers.set(name, { ...given, signed: variable.signed })
    if (other?.mask === NULL || other?.mask === STACK) made = other
    else markEscaped(worth, s)
  }
  s.facts.set(name, made)
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
  if (inner.kind !== 'identifier') return undefined
  const variable = analysis.variables.get(inner.text)
  if (variable?.kind === 'array')
    return variable.count !== undefined && variable.element !== undefined
      ? variable.count * variable.element
      : undefined
  return s.facts.get(inner.text)?.bytes
}
