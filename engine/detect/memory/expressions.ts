import type { Span } from '../taint/ir.ts'
import type { Syntax } from '../taint/languages/syntax.ts'
import type { FunctionAnalysis } from './analysis.ts'
import { evaluateCall } from './calls.ts'
import { evaluateCondition, markAsked, splitCondition } from './conditions.ts'
import { collectWords, type FieldChain, listHeld, makeSpan, readFieldChain, stripParentheses } from './nodes.ts'
import {
  assignVariable,
  dereference,
  evaluateName,
  followName,
  forgetNames,
  freePointer,
  markEscaped,
  measureBuffer,
  type Origin,
  passOn,
  type Worth,
} from './pointers.ts'
import { meet, OTHER, OWNED, STACK, type State } from './state.ts'
import { findValues } from './values.ts'

/** Evaluates one kind of expression on what is known of pointers and numbers. */
type Evaluate = (analysis: FunctionAnalysis, node: Syntax, s: State) => Worth

/** Kinds of expressions of C and C++, each with what evaluates it; of what another does with its parts nothing is known. */
export const EXPRESSIONS: ReadonlyMap<string, Evaluate> = new Map<string, Evaluate>([
  ['argument_list', passOnParts],
  ['assignment_expression', evaluateAssignment],
  ['binary_expression', evaluateBinary],
  ['call_expression', evaluateCall],
  ['cast_expression', evaluateCast],
  ['char_literal', ignoreLiteral],
  ['comma_expression', evaluateComma],
  ['concatenated_string', ignoreLiteral],
  ['condition_clause', evaluateFirst],
  ['conditional_expression', evaluateConditional],
  ['delete_expression', evaluateDelete],
  ['field_expression', evaluateMember],
  ['identifier', evaluateName],
  ['initializer_list', passOnParts],
  ['initializer_pair', passOnParts],
  ['new_expression', evaluateNew],
  ['null', evaluateNull],
  ['nullptr', evaluateNull],
  ['number_literal', evaluateNumber],
  ['parenthesized_expression', evaluateParenthesized],
  ['pointer_expression', evaluatePointer],
  ['sizeof_expression', ignoreLiteral],
  ['string_literal', ignoreLiteral],
  ['subscript_expression', evaluateElement],
  ['unary_expression', evaluateUnary],
  ['update_expression', evaluateUpdate],
])

function ignoreLiteral(): undefined {}

function evaluateNull(): Worth {
  return { kind: 'null' }
}

function evaluateNumber(_: FunctionAnalysis, { text }: Syntax): Worth {
  return text === '0' ? { kind: 'null' } : undefined
}

function evaluateFirst(analysis: FunctionAnalysis, { parts: [inner] }: Syntax, s: State): Worth {
  return inner && analysis.evaluate(inner, s)
}

function evaluateParenthesized(analysis: FunctionAnalysis, node: Syntax, s: State): Worth {
  return node.parts[0]?.kind === 'compound_statement' ? forgetNames(node, s) : evaluateFirst(analysis, node, s)
}

function evaluateCast(analysis: FunctionAnalysis, node: Syntax, s: State): Worth {
  // `(void)x` says that nothing is done with it.
  if (node.at('type').text === 'void' && node.at('value').kind === 'identifier') return undefined
  return analysis.evaluate(node.at('value'), s)
}

function evaluatePointer(analysis: FunctionAnalysis, node: Syntax, s: State): Worth {
  const inner = node.at('argument')
  if (!node.text.startsWith('&')) return dereference(analysis, inner, s)
  if (inner.kind === 'identifier') for (const key of [inner.text, `${inner.text}.`]) s.numbers.delete(key)
  return evaluateAddress(analysis, inner, s)
}

function evaluateMember(analysis: FunctionAnalysis, node: Syntax, s: State): Worth {
  const chain = readFieldChain(node)
  if (chain) return evaluateChain(analysis, chain, node, s)
  const inner = node.at('argument')
  if (node.field('operator')?.text === '->' || /^.*->/s.test(node.text.slice(inner.text.length, inner.text.length + 3)))
    return dereference(analysis, inner, s)
  if (inner.kind !== 'identifier') {
    analysis.evaluate(inner, s)
    return undefined
  }
  return evaluateField(inner.text, node.text, s)
}

/** A field of a record that was read, which no condition asked for. */
function evaluateField(record: string, field: string, s: State): Worth {
  const known = s.numbers.get(`${record}.`)
  if (!known || s.numbers.get(field)?.high) return undefined
  return { kind: 'number', at: known.at, signed: false, isField: true, from: new Set([field]) }
}

/** Evaluates a field of a variable, as it would be field by field. */
function evaluateChain(
  analysis: FunctionAnalysis,
  { name, isFollowed, fields }: FieldChain,
  node: Syntax,
  s: State,
): Worth {
  for (let at = 1; at < fields; at++) analysis.countStep()
  if (!isFollowed) return fields === 1 ? evaluateField(name, node.text, s) : undefined
  if (s.isDead) return undefined
  // Where a node stands is asked only for what is reported.
  const variable: Span = {
    get start() {
      return node.start
    },
    get end() {
      return node.start + name.length
    },
  }
  return followName(analysis, name, variable, s)
}

/** Types whose constructor keeps the object nowhere else. */
const PLAIN_NEW =
  /^new\s+(?:unsigned |signed )?(?:char|short|int|long|float|double|bool|wchar_t|u?int\d+_t|size_t|std::string)\b/

function evaluateNew(analysis: FunctionAnalysis, node: Syntax, s: State): Worth {
  for (const part of node.field('arguments')?.parts ?? []) passOn(analysis, part, s)
  // What a constructor does with the object is not seen: it may be held elsewhere.
  return { kind: 'block', mask: PLAIN_NEW.test(node.text) ? OWNED : OTHER, at: node }
}

function evaluateDelete(analysis: FunctionAnalysis, node: Syntax, s: State): undefined {
  freePointer(analysis, node.parts.at(-1)!, node, s)
}

function evaluateUpdate(analysis: FunctionAnalysis, node: Syntax, s: State): undefined {
  const inner = node.at('argument')
  analysis.evaluate(inner, s)
  if (inner.kind === 'identifier') s.forget(inner.text)
}

function evaluateUnary(analysis: FunctionAnalysis, node: Syntax, s: State): undefined {
  if (node.at('operator').text === '!') evaluateCondition(analysis, node, s)
  else analysis.evaluate(node.at('argument'), s)
}

function evaluateConditional(analysis: FunctionAnalysis, node: Syntax, s: State): undefined {
  const [yes, no] = splitCondition(analysis, node.at('condition'), s)
  const given = node.field('consequence')
  if (given) passOn(analysis, given, yes)
  passOn(analysis, node.at('alternative'), no)
  s.become(meet(yes, no, () => collectWords(node.at('condition').text)))
}

function evaluateComma(analysis: FunctionAnalysis, node: Syntax, s: State): Worth {
  analysis.evaluate(node.at('left'), s)
  return analysis.evaluate(node.at('right'), s)
}

function passOnParts(analysis: FunctionAnalysis, { parts }: Syntax, s: State): undefined {
  for (const part of parts) passOn(analysis, part, s)
}

/** Takes the address of what the node names. */
function evaluateAddress(analysis: FunctionAnalysis, inner: Syntax, s: State): Worth {
  const array = inner.kind === 'subscript_expression' ? analysis.variables.get(inner.at('argument').text) : undefined
  if (array?.kind === 'array') {
    const bytes = measureBuffer(analysis, inner.parent!, s)
    const index = inner.field('index') ?? inner.field('indices')?.parts[0]
    if (index) analysis.evaluate(index, s)
    return { kind: 'array', at: inner, ...(bytes !== undefined && { bytes }) }
  }
  if (inner.kind === 'identifier') return analysis.variables.has(inner.text) ? { kind: 'array', at: inner } : undefined
  // A part of a block is held by whom it is given to, and with it the block.
  const chain = inner.kind === 'field_expression' ? readFieldChain(inner) : undefined
  if (chain) {
    markEscaped({ kind: 'name', name: chain.name }, s)
    return undefined
  }
  let base = inner
  for (;;) {
    const isElement = base.kind === 'subscript_expression'
    const index = isElement ? (base.field('index') ?? base.field('indices')) : undefined
    if (index)
      for (const part of index.kind === 'subscript_argument_list' ? index.parts : [index]) analysis.evaluate(part, s)
    const next = base.field('argument') ?? (base.kind === 'parenthesized_expression' ? base.parts[0] : undefined)
    if (!next) break
    base = next
  }
  if (base.kind === 'identifier') markEscaped({ kind: 'name', name: base.text }, s)
  else if (base !== inner || base.kind === 'compound_literal_expression') analysis.evaluate(base, s)
  return undefined
}

function evaluateElement(analysis: FunctionAnalysis, node: Syntax, s: State): Worth {
  const array = node.at('argument')
  const index = node.field('index') ?? node.field('indices')?.parts[0]
  const variable = array.kind === 'identifier' ? analysis.variables.get(array.text) : undefined
  const places = index && findValues(analysis, index, s)?.values
  if (variable?.kind === 'array') {
    const { count } = variable
    if (count !== undefined && count > 1 && places?.some(at => at >= count || at < 0))
      analysis.report('out-of-bounds', node, [])
  } else {
    const { mask, isLeast } = s.facts.get(array.text) ?? {}
    const room = mask === STACK && !isLeast ? measureBuffer(analysis, array, s) : undefined
    const size = variable?.element
    if (room !== undefined && size !== undefined && places?.some(at => (at + 1) * size > room))
      analysis.report('out-of-bounds', node, [])
    dereference(analysis, array, s)
  }
  if (!index) return undefined
  const worth = analysis.evaluate(index, s)
  if (worth?.kind === 'name') {
    const given = s.numbers.get(worth.name)
    if (given && !given.isLength && (!given.high || (given.signed && !given.low))) {
      analysis.report(given.isField ? 'unsure-size' : 'unchecked-index', node, [
        { ...makeSpan(given.at), label: 'untrusted input' },
      ])
      s.numbers.set(worth.name, { ...given, isFaint: true })
    }
  }
  return undefined
}

function evaluateAssignment(analysis: FunctionAnalysis, node: Syntax, s: State): Worth {
  const left = stripParentheses(node.at('left'))
  const operator = node.field('operator')?.text ?? '='
  const right = node.at('right')
  if (operator !== '=') {
    analysis.evaluate(left, s)
    analysis.evaluate(right, s)
    if (operator === '/=' || operator === '%=') checkDivisor(analysis, right, node, s)
    if (left.kind === 'identifier') s.forget(left.text)
    return undefined
  }
  const worth = analysis.evaluate(right, s)
  escapeDisplaced(right, s)
  if (left.kind !== 'identifier') {
    analysis.evaluate(left, s)
    markEscaped(worth, s)
    return undefined
  }
  if (!analysis.isTracked(left.text)) markEscaped(worth, s)
  assignVariable(analysis, left.text, worth, node, s, findValues(analysis, right, s))
  return { kind: 'name', name: left.text }
}

/** A place within or before a block that is kept is the block, for whoever knows how far it is off; so is its address with marks in it. */
export function escapeDisplaced(right: Syntax, s: State): void {
  const inner = stripParentheses(right)
  if (inner.kind !== 'binary_expression' || !/^[-+|&^]$/.test(inner.at('operator').text)) return
  for (const name of listHeld(inner)) markEscaped({ kind: 'name', name }, s)
}

function evaluateBinary(analysis: FunctionAnalysis, node: Syntax, s: State): Worth {
  const operator = node.at('operator').text
  if (operator === '&&' || operator === '||') return evaluateCondition(analysis, node, s)
  const left = analysis.evaluate(node.at('left'), s)
  if (operator === '>>' && isStreamRead(analysis, node, s)) return undefined
  const right = analysis.evaluate(node.at('right'), s)
  if (operator === '/' || operator === '%') checkDivisor(analysis, node.at('right'), node, s)
  if (operator === '==' || operator === '!=') markAsked(node, s)
  if (operator === '+' && left?.kind === 'array') {
    const bytes = measureBuffer(analysis, node, s)
    return { kind: 'array', at: left.at, ...(bytes !== undefined && { bytes }) }
  }
  return /^(?:[-+*]|<<)$/.test(operator) ? compute(operator, findOrigin(left, s) ?? findOrigin(right, s)) : undefined
}

/** The number from outside that an expression is; undefined where that has an upper bound. */
function findOrigin(worth: Worth, s: State): Origin | undefined {
  if (worth?.kind === 'number') return worth
  const given = worth?.kind === 'name' ? s.numbers.get(worth.name) : undefined
  if (!given || given.high || given.isFaint || worth?.kind !== 'name') return undefined
  const { at, signed, isLength, isProduct, isField, from = [] } = given
  return {
    at,
    signed,
    ...(isLength && { isLength }),
    ...(isProduct && { isProduct }),
    ...(isField && { isField }),
    from: new Set([worth.name, ...from]),
  }
}

function compute(operator: string, origin: Origin | undefined): Worth {
  if (!origin) return undefined
  const isProduct = origin.isProduct || (/^(?:\*|<<)$/.test(operator) && !origin.isLength)
  return { kind: 'number', ...origin, from: origin.from ?? new Set(), ...(isProduct && { isProduct }) }
}

/** Whether the sign reads a variable from a stream of C++, and does not shift a number; it has a value then. */
function isStreamRead(analysis: FunctionAnalysis, node: Syntax, s: State): boolean {
  let from = node.at('left')
  while (from.kind === 'binary_expression' && from.at('operator').text === '>>') from = from.at('left')
  const to = stripParentheses(node.at('right'))
  if (to.kind !== 'identifier' || !/identifier$/.test(from.kind) || analysis.variables.has(from.text)) return false
  if (analysis.variables.has(to.text)) s.forget(to.text)
  return true
}

function checkDivisor(analysis: FunctionAnalysis, divisor: Syntax, node: Syntax, s: State): void {
  const given = divisor.kind === 'identifier' ? s.numbers.get(divisor.text) : undefined
  if (given && !given.asked && !given.isLength)
    analysis.report('division', node, [{ ...makeSpan(given.at), label: 'untrusted input' }])
}
