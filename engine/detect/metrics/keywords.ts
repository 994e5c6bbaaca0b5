import { FRAME, type Frame, STATE } from './frames.ts'
import { isNameStart, skipSpace } from './look-ahead.ts'
import type { Stack } from './stack.ts'
import type { Role } from './syntax.ts'
import { TOKEN } from './tokens.ts'

/** Reads a keyword; answers whether an operand ended with it. */
export function readKeyword(stack: Stack, bytes: Uint8Array, role: Role, start: number, end: number): boolean {
  const { tally } = stack
  switch (role) {
    case 'if':
    case 'elseif': {
      let flat = false
      if (stack.top.kind === FRAME.CONTROL && stack.top.role === 'else' && stack.top.state === STATE.READY) {
        stack.pop()
        flat = true
      } else if (role === 'elseif') {
        if (stack.top.kind === FRAME.CONTROL && stack.top.state === STATE.AFTER) stack.pop()
        flat = true
      }
      tally.current.cyclomatic++
      tally.current.cognitive += flat ? 1 : 1 + tally.current.nesting
      pushControl(stack, role)
      return false
    }
    case 'else':
      if (stack.top.kind === FRAME.CONTROL && stack.top.state === STATE.AFTER) {
        stack.pop()
        pushControl(stack, 'else').state = STATE.READY
      } else if (stack.top.kind === FRAME.CONTROL && stack.top.role === 'guard') stack.top.state = STATE.READY
      return false
    case 'guard':
    case 'loop':
    case 'switch':
    case 'catch':
      if (role === 'switch') tally.current.cognitive += 1 + tally.current.nesting
      else tally.decide()
      pushControl(stack, role)
      return false
    case 'while':
      if (stack.top.kind === FRAME.CONTROL && stack.top.role === 'do' && stack.top.state === STATE.AFTER) {
        stack.top.state = STATE.TAIL
        return false
      }
      tally.decide()
      pushControl(stack, role)
      return false
    case 'do':
      tally.decide()
      pushControl(stack, role).state = STATE.READY
      return false
    case 'try':
      pushControl(stack, role)
      return false
    case 'case':
      tally.current.cyclomatic++
      stack.top.isCase = true
      return false
    case 'function': {
      const frame = stack.push(FRAME.FUNCTION)
      frame.before = stack.before
      tally.begin(stack.line)
      const name = isSelfNamed(bytes, start, end) ? { start, end } : stack.namer?.ofValue
      if (name) tally.name(name.start, name.end)
      return false
    }
    case 'class':
    case 'interface':
      stack.top.members = true
      if (role === 'interface') stack.top.initializes = true
      return false
    case 'type':
      if (stack.size > 1 && stack.top.kind !== FRAME.BLOCK && stack.top.kind !== FRAME.FILE) return true
      if (isNameStart(bytes[skipSpace(bytes, end)])) stack.push(FRAME.TERNARY).typed = true
      else return true
      tally.current.nesting++
      return false
    case 'accessor':
      stack.nameStart = start
      stack.nameEnd = end
      return true
    case 'new':
      stack.isNew = true
      return false
    case 'jump':
      stack.jumps = true
      return true
    case 'and':
      join(stack, TOKEN.AND)
      return false
    case 'or':
      join(stack, TOKEN.OR)
      return false
    default:
      return false
  }
}

/** Words that begin a function and are its name: of Swift and Kotlin. */
const SELF_NAMED = new Set(['init', 'deinit', 'subscript', 'constructor'])

function isSelfNamed(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start
  return (
    (length === 4 || length === 6 || length === 9 || length === 11) &&
    SELF_NAMED.has(Buffer.from(bytes.subarray(start, end)).toString('latin1'))
  )
}

function pushControl(stack: Stack, role: Role): Frame {
  const frame = stack.push(FRAME.CONTROL)
  frame.role = role
  return frame
}

/** A logical operator joins two conditions. */
export function join(stack: Stack, type: number): void {
  const { current } = stack.tally
  const top = stack.top
  if (type === TOKEN.NULLISH) current.shortcuts++
  else current.cyclomatic++
  if (top.last !== type) {
    if (type !== TOKEN.NULLISH) current.cognitive++
    if (type === TOKEN.OR) current.alternatives++
  }
  top.last = type
}
