import { FRAME, type Frame, type Group, STATE } from './frames.ts'
import type { Stack } from './stack.ts'
import type { Syntax } from './syntax.ts'
import { TOKEN } from './tokens.ts'

const GREATER = 62

/** Opens the frame that a brace is of: a body, members, values, or a function that its parentheses make. */
export function openBrace(stack: Stack, syntax: Syntax, bytes: Uint8Array, start: number): void {
  const { top, before } = stack
  if (
    top.kind === FRAME.CONTROL &&
    (top.state === STATE.READY || (top.state === STATE.HEAD && beginsBody(stack, syntax, bytes)))
  ) {
    stack.enterBody(STATE.BRACED)
    stack.pushBrace(FRAME.BLOCK)
  } else if (top.kind === FRAME.FUNCTION && top.state !== STATE.BRACED && mayBeBody(stack, syntax)) {
    if (top.state === STATE.HEAD && (before === TOKEN.COLON || isBraceType(stack, syntax, bytes)))
      stack.pushBrace(FRAME.OBJECT)
    else openBody(stack)
  } else openOther(stack, syntax, bytes, start)
}

/** Whether a brace may begin the body of the function at the top. */
function mayBeBody({ top, before }: Stack, syntax: Syntax): boolean {
  if (top.state === STATE.HEAD || before === TOKEN.ARROW) return true
  return before === TOKEN.ASSIGN && syntax.expressionBodies === '='
}

function openOther(stack: Stack, syntax: Syntax, bytes: Uint8Array, start: number): void {
  const { top, before } = stack
  const group = top.hasGroup ? stack.groups[stack.size - 1] : undefined
  const isLikeC = syntax.preprocessor === true && !syntax.arrow
  if (top.members && !(isLikeC && group)) openMembers(stack, top.initializes && syntax.roles.interface !== undefined)
  else if (syntax.methods && group && !top.assigned && isMethod(stack, syntax)) {
    const initializes = top.initializes && before === TOKEN.NAME && isLikeC
    if (initializes || isTypeOfValues(stack, syntax, bytes, start)) stack.pushBrace(FRAME.OBJECT)
    else openFunction(stack, group)
  } else if (stack.beforeRole === 'accessor') {
    openFunction(stack)
    stack.tally.name(stack.nameStart, stack.nameEnd)
  } else if (group?.isNew && before === TOKEN.CLOSE) openMembers(stack, false)
  else if (syntax.arrow && before === TOKEN.ARROW) openBehindArrow(stack)
  else if (top.kind === FRAME.MEMBERS && !top.assigned) {
    if (syntax.roles.accessor) openMembers(stack, false)
    else stack.pushBrace(FRAME.BLOCK)
  } else if (syntax.braceLambdas && before !== 0 && before !== TOKEN.SEMICOLON && top.kind !== FRAME.FILE)
    stack.nestLambda(stack.pushBrace(FRAME.BLOCK))
  else stack.pushBrace(isOfValues(stack, syntax) ? FRAME.OBJECT : FRAME.BLOCK)
}

function openFunction(stack: Stack, group?: Group): void {
  stack.beginFunction(group, group?.parameters ?? 0)
  openBody(stack)
}

function openBody(stack: Stack): void {
  stack.top.state = STATE.BRACED
  stack.pushBrace(FRAME.BLOCK)
}

/** A block behind an arrow: a lambda, or what is done for a value of a choice. */
function openBehindArrow(stack: Stack): void {
  const outer = stack.top
  const below = stack.frames[stack.size - 2]
  const block = stack.pushBrace(FRAME.BLOCK)
  if (outer.kind !== FRAME.BLOCK || below?.kind !== FRAME.CONTROL || below.role !== 'switch') stack.nestLambda(block)
}

function openMembers(stack: Stack, typed: boolean): void {
  const frame = stack.pushBrace(FRAME.MEMBERS)
  if (typed) frame.typed = true
  frame.ownsTally = true
  stack.tally.begin(stack.line)
}

/** Whether values are between the braces, and no statements. */
function isOfValues({ top, before, ended }: Stack, syntax: Syntax): boolean {
  if (top.kind === FRAME.PAREN) return syntax.preprocessor !== true
  if (top.kind === FRAME.SQUARE || top.kind === FRAME.OBJECT) return true
  if (ended || before === 0 || before === TOKEN.OPEN || before === TOKEN.SEMICOLON || before === TOKEN.CLOSE)
    return false
  return before !== TOKEN.COLON || (top.kind !== FRAME.BLOCK && top.kind !== FRAME.FILE)
}

/** Whether a brace begins the body of a control structure whose head is being read. */
function beginsBody(stack: Stack, syntax: Syntax, bytes: Uint8Array): boolean {
  const { role } = stack.top
  if (role === 'catch' || role === 'try') return true
  return syntax.bareHeads === true && !isBraceType(stack, syntax, bytes)
}

/** Whether a word stands before the brace that makes it a part of a type. */
function isBraceType({ before, nameStart, nameEnd }: Stack, { braceTypes }: Syntax, bytes: Uint8Array): boolean {
  if (!braceTypes || before !== TOKEN.NAME) return false
  return braceTypes.includes(Buffer.from(bytes.subarray(nameStart, nameEnd)).toString('latin1'))
}

/** Whether the braces are a type in the head of TypeScript's method: `f(): { a: string } {`. */
function isTypeOfValues({ before }: Stack, { roles }: Syntax, bytes: Uint8Array, start: number): boolean {
  if (!roles.interface) return false
  if (before === TOKEN.COLON) return true
  let at = start - 1
  while (at > 0 && bytes[at]! <= 32) at--
  return before === TOKEN.OTHER && bytes[at] !== GREATER
}

function isMethod({ top, before }: Stack, syntax: Syntax): boolean {
  return top.kind === FRAME.OBJECT ? before === TOKEN.CLOSE : isAmongMembers(top, syntax)
}

/** Whether functions may be declared in a frame without a word that says so. */
export function isAmongMembers({ kind }: Frame, { methods }: Syntax): boolean {
  return kind === FRAME.MEMBERS || (kind === FRAME.FILE && methods === 'top')
}
