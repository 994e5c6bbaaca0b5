import { stripQualifiers } from '../taint/languages/c-expressions.ts'
import type { Syntax } from '../taint/languages/syntax.ts'
import type { FunctionAnalysis } from './analysis.ts'
import { splitCondition } from './conditions.ts'
import {
  ALLOCATES,
  ANSWERS_FIRST,
  ASSERTS,
  ENDS,
  FOLLOWS,
  FREES,
  MEASURES,
  NUMBERS,
  READS_NUMBER,
  UNEVALUATED,
} from './library.ts'
import { collectWords, listOperands, makeSpan, stripParentheses } from './nodes.ts'
import { dereference, evaluateName, forgetNames, forgetUnset, freePointer, passOn, type Worth } from './pointers.ts'
import { checkSizes } from './sizes.ts'
import { makeFact, OTHER, OWNED, type State, UNCHECKED } from './state.ts'

/** A macro that is given a statement that leaves (`SKIP(return, …)`). */
const LEAVES = /^(?:return|goto|break|continue)\b/

/** A method that throws what it is called on. */
const RAISES = /(?:\.|->)(?:raise|rethrow|throw[A-Z]?\w*)$/

/** Evaluates a call: what functions of libraries do with pointers, sizes and numbers, and what others may. */
export function evaluateCall(analysis: FunctionAnalysis, node: Syntax, s: State): Worth {
  const callee = node.at('function')
  const args = node.at('arguments').parts
  // What a macro makes of a type or a sign is not seen.
  const isLeaving = args[0] !== undefined && LEAVES.test(args[0].text)
  if (isLeaving) s.isDead = true
  if (isLeaving || args.some(({ kind }) => kind === 'ERROR')) return forgetNames(node, s)
  const name = /identifier$/.test(callee.kind) ? stripQualifiers(callee.text) : ''
  if (UNEVALUATED.test(name)) return undefined
  if (name === '') analysis.evaluate(callee, s)
  if (FREES.has(name) && args.length === 1) {
    freePointer(analysis, args[0]!, node, s)
    return undefined
  }
  const released = analysis.findReleased(name) ?? findReleasedElsewhere(analysis, callee, args)
  if (released !== undefined && args[released]) {
    for (const arg of args) if (arg !== args[released]) passOn(analysis, arg, s)
    freePointer(analysis, args[released], node, s)
    return undefined
  }
  if (ASSERTS.test(name) && args[0]) {
    const [yes, no] = splitCondition(analysis, args[0], s)
    s.become(name === 'BUG_ON' ? no : yes)
    return undefined
  }
  if (name === 'close' && args[0]) closeStream(analysis, args[0], s)
  checkSizes(analysis, name, args, node, s)
  const follows = Object.hasOwn(FOLLOWS, name) ? FOLLOWS[name]! : undefined
  const isAllocation = Object.hasOwn(ALLOCATES, name)
  // A macro may give values to what it is given, or ask for its type alone; one in capitals to anything.
  if (!follows && !isAllocation) forgetUnset(analysis.isMacro(name) ? undefined : node, s)
  args.forEach((arg, at) => {
    if (follows?.includes(at) && !isArray(analysis, arg)) dereference(analysis, arg, s)
    else if (follows || isAllocation || Object.hasOwn(NUMBERS, name)) analysis.evaluate(arg, s)
    else passOn(analysis, arg, s)
    // A macro may do anything with what it is given, and turn a condition about it round.
    if (!follows && analysis.isMacro(name)) for (const given of listOperands(arg)) s.forget(given)
  })
  if (
    RAISES.test(callee.text) ||
    ENDS.test(name) ||
    analysis.isEnding(name) ||
    (name === 'error' && args[0] && analysis.foldConstant(args[0]) !== 0)
  )
    s.isDead = true
  const reads = READS_NUMBER[name]
  if (reads && !asksForLength(name, args[reads.from - 1]))
    readNumbers(analysis, args.slice(reads.from, reads.rest ? undefined : reads.from + 1), node, s)
  if (MEASURES.test(name)) return { kind: 'number', at: node, signed: false, isLength: true }
  if (Object.hasOwn(NUMBERS, name)) return { kind: 'number', at: node, ...NUMBERS[name]! }
  if (ANSWERS_FIRST.test(name) && args[0] && stripParentheses(args[0]).kind === 'identifier')
    return evaluateName(analysis, stripParentheses(args[0]), s, false)
  return isAllocation ? evaluateAllocation(analysis, name, args, node) : undefined
}

/** What a function of another file frees: one that is called by its name alone, with a pointer. */
function findReleasedElsewhere(
  analysis: FunctionAnalysis,
  { kind, text }: Syntax,
  args: readonly Syntax[],
): number | undefined {
  const at = kind === 'identifier' ? analysis.findReleasedElsewhere(text) : undefined
  const arg = at === undefined ? undefined : args[at]
  return arg && analysis.isPointer(stripParentheses(arg).text) ? at : undefined
}

/** A stream that was made of a descriptor holds none any more where that is closed. */
function closeStream(analysis: FunctionAnalysis, descriptor: Syntax, s: State): void {
  for (const [name, { at }] of s.facts) {
    const made = analysis.text.slice(at.start, at.end)
    if (/^fdopen\b/.test(made) && collectWords(made).has(descriptor.text)) s.forget(name)
  }
}

/** Where a format asks how much was read (`%n`) the number is that; a format that is written elsewhere may. */
function asksForLength(name: string, format: Syntax | undefined): boolean {
  if (!name.endsWith('scanf') || !format) return false
  return !/^(?:string_literal|concatenated_string)$/.test(format.kind) || /%n|\b[A-Z_]{2,}\b/.test(format.text)
}

function isArray(analysis: FunctionAnalysis, node: Syntax): boolean {
  const inner = stripParentheses(node)
  return inner.kind === 'identifier' && analysis.variables.get(inner.text)?.kind === 'array'
}

function evaluateAllocation(analysis: FunctionAnalysis, name: string, args: readonly Syntax[], node: Syntax): Worth {
  if (args.some(({ text }) => text.includes('NOFAIL'))) return { kind: 'block', mask: OWNED, at: node }
  const { size } = ALLOCATES[name]!
  const bytes = size === undefined || !args[size] ? undefined : analysis.foldConstant(args[size])
  const sized = collectWords(args.map(({ text }) => text).join(' '))
  return { kind: 'block', mask: UNCHECKED, at: node, sized, ...(bytes !== undefined && { bytes }) }
}

function readNumbers(analysis: FunctionAnalysis, args: readonly Syntax[], at: Syntax, s: State): void {
  for (const arg of args) {
    const inner = arg.kind === 'pointer_expression' && arg.text.startsWith('&') ? arg.at('argument') : undefined
    const variable = inner && analysis.variables.get(inner.text)
    if (inner?.kind === 'identifier' && !variable)
      s.numbers.set(`${inner.text}.`, { at: makeSpan(at), signed: false, low: false, high: false, asked: false })
    if (inner && variable?.kind === 'scalar' && !variable.isReal) {
      s.facts.set(inner.text, makeFact(OTHER, at))
      const isFaint = at.at('function').text.endsWith('sscanf')
      const given = { at: makeSpan(at), signed: variable.signed, low: false, high: false, asked: false }
      s.numbers.set(inner.text, { ...given, ...(isFaint && { isFaint }) })
    }
  }
}
