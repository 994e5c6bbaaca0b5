import type { Syntax } from '../taint/languages/syntax.ts'
import type { FunctionAnalysis } from './analysis.ts'
import { TRANSPARENT } from './library.ts'
import { collectWords, isWithin, mapAssignments, stripParentheses } from './nodes.ts'
import { FREED, makeFact, meet, NULL, OTHER, OWNED, STACK, type State, UNCHECKED } from './state.ts'
import { limitValues } from './values.ts'

/** Conditions that are written to hold, and not to: what follows `while (1)` is reached by its breaks alone. */
const ALWAYS = /^(?:true|TRUE|[1-9]\d*)$/
const NEVER = /^(?:false|FALSE|0)$/

const COMPARISONS: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
}

/** Kinds of expressions of which the operator says what a condition is. */
const OPERATIONS: ReadonlySet<string> = new Set(['unary_expression', 'binary_expression'])

function unreached(s: State): State {
  const out = s.copy()
  out.isDead = true
  return out
}

/** Both sides of a condition: what is known where it holds, and where it does not. The state that is given is used up. */
export function splitCondition(analysis: FunctionAnalysis, node: Syntax, s: State): [State, State] {
  analysis.countStep()
  if (s.isDead) return [s, s.copy()]
  if (node.kind === 'parenthesized_expression' || node.kind === 'condition_clause') {
    const inner = node.parts.at(-1)
    if (inner && inner.kind !== 'compound_statement' && node.parts.length === 1)
      return splitCondition(analysis, inner, s)
  }
  if (node.kind === 'comma_expression') {
    analysis.evaluate(node.at('left'), s)
    return splitCondition(analysis, node.at('right'), s)
  }
  const fixed = foldCondition(analysis, node)
  if (fixed !== undefined) return fixed ? [s, unreached(s)] : [unreached(s), s]
  const operator = OPERATIONS.has(node.kind) ? node.field('operator')?.text : undefined
  if (node.kind === 'unary_expression' && operator === '!') {
    const [yes, no] = splitCondition(analysis, node.at('argument'), s)
    return [no, yes]
  }
  if (node.kind === 'binary_expression' && (operator === '&&' || operator === '||')) {
    const [yes, no] = splitCondition(analysis, node.at('left'), s)
    const on = () => collectWords(node.text)
    if (operator === '&&') {
      const [then, otherwise] = splitCondition(analysis, node.at('right'), yes)
      return [then, meet(no, otherwise, on)]
    }
    const [then, otherwise] = splitCondition(analysis, node.at('right'), no)
    return [meet(yes, then, on), otherwise]
  }
  if (node.kind === 'call_expression' && TRANSPARENT.test(node.at('function').text)) {
    const first = node.at('arguments').parts[0]
    if (first) return splitCondition(analysis, first, s)
  }
  forgetDependent(analysis, node, s)
  if (node.kind === 'binary_expression' && (operator === '==' || operator === '!=')) {
    const [left, right] = [analysis.evaluate(node.at('left'), s), analysis.evaluate(node.at('right'), s)]
    const name =
      left?.kind === 'name' && right?.kind === 'null'
        ? left.name
        : right?.kind === 'name' && left?.kind === 'null'
          ? right.name
          : undefined
    if (name !== undefined && analysis.isPointer(name)) {
      const [yes, no] = splitByNull(analysis, name, node, s)
      return operator === '!=' ? [yes, no] : [no, yes]
    }
    // What a pointer is compared with decides what it is.
    for (const worth of [left, right]) {
      const known = worth?.kind === 'name' ? s.facts.get(worth.name) : undefined
      if (known?.mask === NULL || known?.mask === STACK) s.forget((worth as { name: string }).name)
    }
  } else if (node.kind !== 'binary_expression') {
    const worth = analysis.evaluate(node, s)
    if (worth?.kind === 'name' && analysis.isPointer(worth.name)) return splitByNull(analysis, worth.name, node, s)
  } else analysis.evaluate(node, s)
  markAsked(node, s)
  const no = s.copy()
  limitNumbers(node, s, no)
  limitValues(analysis, node, s, no)
  return [s, no]
}

/** Whether the condition holds always or never; undefined where that depends. */
function foldCondition(analysis: FunctionAnalysis, node: Syntax): boolean | undefined {
  if (ALWAYS.test(node.text)) return true
  if (NEVER.test(node.text)) return false
  if (node.kind !== 'binary_expression') return undefined
  const compares = COMPARISONS[node.at('operator').text]
  const left = compares && analysis.foldConstant(node.at('left'))
  const right = left === undefined ? undefined : analysis.foldConstant(node.at('right'))
  return right === undefined ? undefined : compares!(left!, right)
}

/** Evaluates a condition that is a value. */
export function evaluateCondition(analysis: FunctionAnalysis, node: Syntax, s: State): undefined {
  const [yes, no] = splitCondition(analysis, node, s.copy())
  s.become(meet(yes, no, () => collectWords(node.text)))
  return undefined
}

/** Both sides of the question whether a pointer is there. */
function splitByNull(analysis: FunctionAnalysis, name: string, node: Syntax, s: State): [State, State] {
  markAsked(node, s, name)
  const known = s.facts.get(name)
  const no = s.copy()
  if (!known || !analysis.isTracked(name)) return [s, no]
  if (known.mask === NULL) s.isDead = true
  else
    s.facts.set(name, {
      ...known,
      mask: known.mask & UNCHECKED ? (known.mask & ~(NULL | UNCHECKED)) | OWNED : known.mask & ~NULL,
    })
  if (known.mask === OWNED || known.mask === STACK) no.isDead = true
  else no.facts.set(name, makeFact(known.mask === FREED ? FREED : NULL, node))
  return [s, no]
}

/** What depends on names that a condition asks for, or on what these were made of, is no longer told apart. */
function forgetDependent(analysis: FunctionAnalysis, node: Syntax, s: State): void {
  let own: Set<string> | undefined
  let asked: Set<string> | undefined
  const isAsked = (name: string, on: Iterable<string>): boolean => {
    own ??= collectWords(node.text)
    if (own.has(name)) return false
    asked ??= addOrigins(analysis, own)
    for (const other of on) if (other !== name && asked.has(other)) return true
    return false
  }
  for (const [name, { on }] of s.values) if (on.size > 0 && isAsked(name, on)) s.values.delete(name)
  for (const [name, { on }] of s.numbers) if (on && isAsked(name, on)) s.numbers.delete(name)
  for (const [name, known] of s.facts) {
    if (known.on.size > 0 && isAsked(name, known.on)) s.facts.set(name, makeFact(OTHER, known.at))
  }
}

/** The names, and those that their values are made of. */
function addOrigins(analysis: FunctionAnalysis, own: ReadonlySet<string>): Set<string> {
  analysis.madeOf ??= mapAssignments(analysis.text)
  const out = new Set(own)
  for (const name of own) for (const part of analysis.madeOf.get(name) ?? []) out.add(part)
  return out
}

/** A condition asks for all that it names. */
export function markAsked(node: Syntax, s: State, except?: string): void {
  for (const name of collectWords(node.text)) {
    const given = s.numbers.get(name)
    if (given && !isWithin(given.at, node)) s.numbers.set(name, { ...given, asked: true })
    const known = s.facts.get(name)
    if (name !== except && known && known.mask & UNCHECKED)
      s.facts.set(name, { ...known, mask: (known.mask & ~UNCHECKED) | OTHER })
  }
}

/** What a comparison says of a number where it holds and where it does not. */
function limitNumbers(node: Syntax, yes: State, no: State): void {
  if (yes.numbers.size === 0) return
  const sign = node.kind === 'binary_expression' ? node.at('operator').text : undefined
  const limit = (state: State, name: string, limits: { low?: true; high?: true }): void => {
    const given = state.numbers.get(name)
    if (given) state.numbers.set(name, { ...given, ...limits })
  }
  const left = sign === undefined ? undefined : stripParentheses(node.at('left'))
  const right = sign === undefined ? undefined : stripParentheses(node.at('right'))
  const words = collectWords(node.text)
  for (const [name, given] of [...yes.numbers]) {
    // What is made of it has its limits, and a field of a record is one that it was asked for.
    if (given.from)
      for (const from of given.from)
        if (words.has(from) || node.text.includes(`${from}.`))
          for (const state of [yes, no]) limit(state, name, { low: true, high: true })
    if (!name.endsWith('.')) continue
    for (const [field] of node.text.matchAll(new RegExp(`\\b${name.slice(0, -1)}\\.\\w+`, 'g')))
      for (const state of [yes, no]) state.numbers.set(field, { ...given, low: true, high: true, asked: true })
  }
  for (const name of words) {
    const given = yes.numbers.get(name)
    // What the condition itself reads it does not ask for, but where it compares what it has read.
    const isRead = left?.kind === 'assignment_expression' && left.at('left').text === name
    if (!given || (isWithin(given.at, node) && !isRead)) continue
    const isLeft = isRead || left?.text === name
    if (sign === undefined || !/^[<>]=?$/.test(sign) || !(isLeft || right?.text === name)) {
      // A number that is asked for in another way is taken to be checked.
      for (const state of [yes, no]) limit(state, name, { low: true, high: true })
      continue
    }
    const isBelow = sign.startsWith('<') === isLeft
    limit(yes, name, isBelow ? { high: true } : { low: true })
    limit(no, name, isBelow ? { low: true } : { high: true })
  }
}
