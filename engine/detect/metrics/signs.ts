import { FRAME, STATE } from './frames.ts'
import { join } from './keywords.ts'
import { isNameStart, skipSpace } from './look-ahead.ts'
import { isAmongMembers } from './opening.ts'
import type { Stack } from './stack.ts'
import type { Syntax } from './syntax.ts'
import { TOKEN } from './tokens.ts'

/** Reads an operator, a comma or a semicolon. */
export function readSign(
  stack: Stack,
  syntax: Syntax,
  bytes: Uint8Array,
  type: number,
  start: number,
  end: number,
): void {
  switch (type) {
    case TOKEN.OTHER:
      if (stack.top.kind === FRAME.FUNCTION && stack.top.state === STATE.HEAD) {
        if (bytes[start] === 60) {
          // An operator that is a name opens nothing: `func < (a: A, b: A)`.
          if (end - start === 1 && opensTypes(bytes[skipSpace(bytes, end)])) stack.top.angles++
        } else if (bytes[start] === 62 && end - start === 1 && stack.top.angles > 0) stack.top.angles--
        if (
          !stack.top.hasGroup &&
          stack.top.angles === 0 &&
          stack.tally.current.nameEnd === 0 &&
          !syntax.arrowFunctions
        )
          nameOperator(stack, bytes, start)
      }
      break
    case TOKEN.COMMA:
      // Of the types of what a function returns.
      if (stack.top.kind === FRAME.FUNCTION && stack.top.state === STATE.HEAD && stack.top.angles > 0) break
      stack.endExpression()
      while (stack.top.kind === FRAME.CONTROL && stack.top.state === STATE.BARE && stack.isInExpression()) {
        stack.complete()
        stack.leaveFinished()
      }
      stack.endExpression()
      if (stack.top.kind === FRAME.PAREN) stack.top.parameters++
      if (stack.top.kind === FRAME.OBJECT) stack.top.restart()
      stack.top.last = 0
      break
    case TOKEN.SEMICOLON:
      stack.endExpression()
      if (stack.top.kind === FRAME.CONTROL && stack.top.state === STATE.READY) stack.enterBody(STATE.BARE)
      if (stack.top.kind !== FRAME.CONTROL || stack.top.state !== STATE.HEAD) stack.endStatement()
      stack.isNew = false
      break
    case TOKEN.COLON:
      readColon(stack, syntax)
      break
    case TOKEN.QUESTION:
      if (!isTernary(stack, syntax, bytes, start, end)) break
      stack.tally.decide()
      stack.top.last = 0
      stack.push(FRAME.TERNARY).state = STATE.FIRST
      stack.tally.current.nesting++
      break
    case TOKEN.AND:
    case TOKEN.OR:
    case TOKEN.NULLISH:
      join(stack, type)
      break
    case TOKEN.SHORT_ASSIGN:
      stack.tally.current.shortcuts++
      stack.top.last = 0
      break
    case TOKEN.OPTIONAL:
      stack.tally.current.shortcuts++
      break
    case TOKEN.ASSIGN:
      assign(stack, syntax)
      break
    case TOKEN.ARROW:
      readArrow(stack, syntax, bytes, bytes[start] === 61 ? '=>' : '->')
      break
  }
}

/** Whether a type or a lifetime begins with a byte. */
function opensTypes(byte: number | undefined): boolean {
  return isNameStart(byte) || byte === 39 || byte === 91 || byte === 64 || byte === 42 || byte === 38
}

/** The name of a function that is an operator: all up to its parentheses. */
function nameOperator(stack: Stack, bytes: Uint8Array, start: number): void {
  let end = start
  while (end < bytes.length && end - start < 8 && bytes[end]! > 32 && bytes[end] !== 40 && !isNameStart(bytes[end]))
    end++
  if (bytes[skipSpace(bytes, end)] === 40 || bytes[end] === 60) stack.tally.name(start, end)
}

function readColon(stack: Stack, syntax: Syntax): void {
  const top = stack.top
  if (top.kind === FRAME.FUNCTION && top.state === STATE.HEAD) return
  let at = stack.size - 1
  while (
    stack.frames[at]!.kind === FRAME.TERNARY ||
    (stack.frames[at]!.kind === FRAME.FUNCTION && stack.frames[at]!.state === STATE.BARE)
  )
    at--
  // The innermost ternary that waits for its colon.
  let waiting = stack.size - 1
  while (
    waiting > at &&
    !(stack.frames[waiting]!.kind === FRAME.TERNARY && stack.frames[waiting]!.state === STATE.FIRST)
  )
    waiting--
  if (waiting > at) {
    while (stack.size - 1 > waiting) stack.pop()
    stack.top.state = STATE.SECOND
    stack.top.last = 0
    return
  }
  // A colon of something else ends the expression before it.
  while (stack.size - 1 > at) stack.pop()
  if (stack.top.kind === FRAME.BLOCK) stack.top.restart()
  else if (stack.top.hasGroup && (stack.before === TOKEN.CLOSE || isAmongMembers(stack.top, syntax)))
    stack.top.initializes = true
  stack.top.last = 0
}

function isTernary(stack: Stack, syntax: Syntax, bytes: Uint8Array, start: number, end: number): boolean {
  const { ternary } = syntax
  if (!ternary || !stack.ended || stack.top.typed) return false
  if (ternary === 'spaced' && bytes[start - 1]! > 32) return false
  const next = bytes[skipSpace(bytes, end)]
  // An optional member or parameter; PHP's `?:` decides too.
  if (next === 58) return bytes[end] === 58 && syntax.arms === true
  return !(next === 41 || next === 44 || next === 59 || next === 61 || next === 62)
}

function assign(stack: Stack, syntax: Syntax): void {
  const top = stack.top
  if (top.kind === FRAME.FUNCTION && top.state === STATE.HEAD && syntax.expressionBodies === '=') {
    if (top.hasGroup || syntax.newlines) top.state = STATE.BARE
    return
  }
  top.assigned = true
  top.last = 0
  const { current } = stack.tally
  if (top.kind === FRAME.OBJECT || (top.kind === FRAME.SQUARE && !top.filled)) current.shortcuts++
  else if (top.kind === FRAME.PAREN) top.defaults++
}

function readArrow(stack: Stack, syntax: Syntax, bytes: Uint8Array, arrow: '=>' | '->'): void {
  if (arrow !== syntax.arrow || stack.top.typed) return
  const top = stack.top
  if (top.kind === FRAME.FUNCTION && top.state === STATE.HEAD) {
    if (syntax.expressionBodies === '=>') top.state = STATE.BARE
    return
  }
  if (syntax.arrowFunctions) {
    const group = top.hasGroup ? stack.groups[stack.size - 1] : undefined
    const fromGroup =
      stack.before === TOKEN.CLOSE || (group !== undefined && (top.initializes || stack.before !== TOKEN.NAME))
    if (fromGroup && group?.isType) return
    const named = group && fromGroup ? group : undefined
    stack.beginFunction(named, named ? named.parameters : 1, named ? named.line : stack.nameLine)
    stack.top.state = STATE.BARE
    return
  }
  if (syntax.expressionBodies === '=>' && top.hasGroup && !top.assigned && isAmongMembers(top, syntax)) {
    stack.beginFunction(stack.groups[stack.size - 1]!, stack.groups[stack.size - 1]!.parameters)
    stack.top.state = STATE.BARE
    return
  }
  if (syntax.arms && stack.beforeRole !== 'else' && stack.beforeRole !== 'default' && !isOther(stack, bytes))
    countArm(stack)
  top.isCase = false
}

/** `_`, which every value matches. */
function isOther(stack: Stack, bytes: Uint8Array): boolean {
  return stack.nameEnd - stack.nameStart === 1 && bytes[stack.nameStart] === 95 && stack.before === TOKEN.NAME
}

function countArm(stack: Stack): void {
  const below = stack.frames[stack.size - 2]
  if (stack.top.kind === FRAME.BLOCK && below?.kind === FRAME.CONTROL && below.role === 'switch')
    stack.tally.current.cyclomatic++
}
