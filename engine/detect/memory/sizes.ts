import type { Syntax } from '../taint/languages/syntax.ts'
import type { FunctionAnalysis } from './analysis.ts'
import { isCompared } from './comparisons.ts'
import { ALLOCATES, FILLS, READS } from './library.ts'
import { collectWords, makeSpan, stripParentheses } from './nodes.ts'
import { measureBuffer } from './pointers.ts'
import { OTHER, STACK, type State } from './state.ts'
import { findValues } from './values.ts'

/** Sizes that do not fit the place that is written to, or that nobody checked. */
export function checkSizes(
  analysis: FunctionAnalysis,
  name: string,
  args: readonly Syntax[],
  node: Syntax,
  s: State,
): void {
  const { size } = ALLOCATES[name] ?? {}
  if (size !== undefined && args[size]) checkAllocation(analysis, args[size], node, s)
  if (/^(?:strcpy|strcat|stpcpy)$/.test(name)) checkCopy(analysis, args, node, s)
  const fills = Object.hasOwn(FILLS, name) ? FILLS[name]! : undefined
  const count = fills && args[fills.size]
  const to = fills && args[fills.to]
  if (!fills || !count || !to) return
  const factor = fills.times === undefined ? 1 : args[fills.times] && analysis.foldConstant(args[fills.times]!)
  const bytes = findValues(analysis, count, s)?.values
  const room = measureBuffer(analysis, to, s)
  // Where both depend on the way it is not known which goes with which.
  const isLeast = bytes !== undefined && bytes.length > 1 && s.facts.get(stripParentheses(to).text)?.isLeast === true
  if (factor !== undefined && room !== undefined && !isLeast && bytes?.some(each => each * factor > room))
    analysis.report('overflow', node, [])
  const given = stripParentheses(count).kind === 'identifier' ? s.numbers.get(stripParentheses(count).text) : undefined
  // What is read into a block that was asked for with the same number has room.
  const isSized = READS.test(name) && s.facts.get(stripParentheses(to).text)?.sized?.has(stripParentheses(count).text)
  if (
    given &&
    !given.isLength &&
    !isSized &&
    !/snprintf|memset/.test(name) &&
    (!given.high || (given.signed && !given.low))
  )
    analysis.report(given.isField ? 'unsure-size' : 'unchecked-length', node, [
      { ...makeSpan(given.at), label: 'untrusted input' },
    ])
}

/** Sizes of types and of what pointers point to, in which a star is no product. */
const SIZES_OF = /sizeof\s*(?:\([^()]*\)|\*?\s*\w+)/g

/** A size that may have wrapped around, or that was cut. */
function checkAllocation(analysis: FunctionAnalysis, size: Syntax, node: Syntax, s: State): void {
  const text = size.text.replace(SIZES_OF, '')
  const isProduct = /\*|<</.test(text)
  const words = collectWords(text)
  for (const name of words) {
    const given = s.numbers.get(name)
    if (!given || given.high) continue
    const flow = [{ ...makeSpan(given.at), label: given.isLength ? 'the length of a text' : 'untrusted input' }]
    if (given.isCut) analysis.report('unsure-size', node, flow)
    else if (!given.isLength && (isProduct || given.isProduct))
      analysis.report(given.isField ? 'unsure-size' : 'allocation-overflow', node, flow)
    else continue
    return
  }
  if (!isProduct) return
  for (const [record, { at }] of s.numbers)
    if (record.endsWith('.') && listFields(text, record).some(field => !s.numbers.has(field))) {
      analysis.report('unsure-size', node, [{ ...makeSpan(at), label: 'untrusted input' }])
      return
    }
  if (analysis.isStatic || /sizeof\s*\(?\s*(?:unsigned\s+)?char\b/.test(size.text)) return
  for (const name of words) {
    const variable = analysis.variables.get(name)
    const { mask, at } = s.facts.get(name) ?? {}
    const isGiven =
      variable?.kind === 'scalar' && variable.isParameter && (variable.width ?? 0) >= 4 && !variable.isReal
    if (!isGiven || mask !== OTHER || !at || isCompared(analysis.text, name)) continue
    analysis.report('unsure-size', node, [{ ...makeSpan(at), label: 'parameter' }])
    return
  }
}

function listFields(text: string, record: string): string[] {
  return text.match(new RegExp(`\\b${record.slice(0, -1)}\\.\\w+`, 'g')) ?? []
}

/** A text that is copied whole: one that is written out, or one that a larger array holds and nobody measured. */
function checkCopy(analysis: FunctionAnalysis, [to, from]: readonly Syntax[], node: Syntax, s: State): void {
  const room = to && measureBuffer(analysis, to, s)
  if (room === undefined || !to || !from) return
  const text = stripParentheses(from)
  if (text.kind === 'string_literal' && !text.text.includes('\\') && text.text.length - 1 > room)
    analysis.report('overflow', node, [])
  const larger = text.kind === 'identifier' ? measureBuffer(analysis, text, s) : undefined
  if (larger !== undefined && larger > room && !analysis.isMeasured(text.text, stripParentheses(to).text, room))
    analysis.report('overflow', node, [])
  const isPointed = to && stripParentheses(to).kind !== 'identifier'
  const { mask } = s.facts.get(stripParentheses(to).text) ?? {}
  const isLocal = isPointed || mask === STACK || (analysis.isExpanded && !analysis.isAddressed(to.text))
  if (isLocal && larger === undefined && isAnyLength(analysis, text)) analysis.report('unbounded-copy', node, [])
}

/** Words that a name has of what is mostly written out by the caller. */
const PART = /(?:^|_)(?:prefix|suffix|magic(?:_string)?|verb|pat|pattern|fmt|format|sep|separator)$/i

/** A text of which the caller of the program or of the function chose the length, and for which the function does not ask. */
function isAnyLength(analysis: FunctionAnalysis, text: Syntax): boolean {
  if (/^(?:(?:std::)?getenv\s*\(|argv\s*\[|optarg$)/.test(text.text)) return true
  if (text.kind !== 'identifier' || analysis.isStatic || PART.test(text.text)) return false
  const variable = analysis.variables.get(text.text)
  if (variable?.kind !== 'pointer' || !variable.isParameter || (variable.element ?? 1) !== 1) return false
  return !new RegExp(`(?:str|wcs)\\w*len\\s*\\(\\s*${text.text}\\b|\\b${text.text}\\s*\\+?=(?!=)`).test(analysis.text)
}
