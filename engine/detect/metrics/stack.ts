import { FRAME, Frame, type Group, STATE } from './frames.ts'
import type { Namer } from './namer.ts'
import type { Role } from './syntax.ts'
import type { Tally } from './tally.ts'

/** Control structures in which what follows costs more. */
const NESTING: ReadonlySet<string> = new Set([
  'if',
  'elseif',
  'else',
  'guard',
  'loop',
  'while',
  'do',
  'switch',
  'catch',
])

/** The frames that are open where a text is read, the innermost at the top, and the token before. */
export class Stack {
  // First: V8 may make a hash table of an object that gets a private field behind a dozen others, and metrics then take twice as long.
  /** Where the frames with brackets are. */
  readonly #brackets: number[] = []
  readonly tally: Tally
  /** Only where functions are listed. */
  readonly namer: Namer | undefined
  readonly frames: Frame[] = [new Frame()]
  size = 1
  top: Frame = this.frames[0]!
  /** How many frames with braces, and frames of code in strings, are open. */
  braces = 0
  insides = 0
  /** Of each depth of frames the group that was closed last. */
  readonly groups: Group[] = []
  /** Of the token before: its type and role, and whether an operand ended with it. */
  before = 0
  beforeRole: Role | undefined
  ended = false
  /** The last name. */
  nameStart = 0
  nameEnd = 0
  nameLine = 1
  line = 1
  /** `new` was read, and what it makes is not yet known. */
  isNew = false
  /** A jump was read, whose label may follow. */
  jumps = false

  constructor(tally: Tally, namer?: Namer) {
    this.tally = tally
    this.namer = namer
  }

  /** Opens a frame. */
  push(kind: number): Frame {
    const typed = this.top.typed
    if (this.size === this.frames.length) this.frames.push(new Frame())
    const frame = this.frames[this.size++]!
    frame.reset(kind, this.before, typed)
    this.top = frame
    if (kind <= FRAME.INSIDE) this.#brackets.push(this.size - 1)
    return frame
  }

  /** Opens a frame with braces. */
  pushBrace(kind: number): Frame {
    this.braces++
    return this.push(kind)
  }

  /** Leaves the frame at the top, and the function with it. */
  pop(): void {
    const frame = this.top
    this.size--
    if (frame.kind <= FRAME.INSIDE) this.#brackets.pop()
    this.top = this.frames[this.size - 1]!
    switch (frame.kind) {
      case FRAME.CONTROL:
        this.#leaveBody(frame)
        break
      case FRAME.TERNARY:
        this.tally.current.nesting--
        break
      case FRAME.FUNCTION:
        this.tally.end(this.line, frame.state !== STATE.HEAD)
        break
      case FRAME.INSIDE:
        this.insides--
        break
      case FRAME.BLOCK:
      case FRAME.OBJECT:
        this.braces--
        if (frame.isLambda) this.tally.current.nesting--
        break
      case FRAME.MEMBERS:
        this.braces--
        if (frame.ownsTally) this.tally.end(this.line, false)
        break
    }
  }

  /** The body of the control structure at the top begins. */
  enterBody(state: number): void {
    const top = this.top
    top.state = state
    if (top.role === 'else') this.tally.current.cognitive++
    top.nests = NESTING.has(top.role!)
    top.enters = true
    this.tally.enter(top.nests)
  }

  #leaveBody(frame: Frame): void {
    if (!frame.enters) return
    this.tally.leave(frame.nests)
    frame.enters = false
  }

  /** The body of the control structure at the top is over. */
  complete(): void {
    for (;;) {
      const top = this.top
      if (
        top.kind !== FRAME.CONTROL ||
        top.state === STATE.HEAD ||
        top.state === STATE.READY ||
        top.state === STATE.AFTER
      )
        return
      this.#leaveBody(top)
      if (top.role === 'if' || top.role === 'elseif' || (top.role === 'do' && top.state !== STATE.TAIL)) {
        top.state = STATE.AFTER
        return
      }
      this.pop()
    }
  }

  /** Leaves a control structure that something could still follow. */
  leaveFinished(): void {
    if (this.top.kind === FRAME.CONTROL && this.top.state === STATE.AFTER) this.pop()
  }

  /** Leaves what an expression has opened without brackets. */
  endExpression(): void {
    for (;;) {
      const { kind, state } = this.top
      if (kind === FRAME.TERNARY || (kind === FRAME.FUNCTION && state !== STATE.BRACED)) this.pop()
      else return
    }
  }

  /** Ends the statement that is being read, and what ends with it. */
  endStatement(): void {
    this.endExpression()
    while (this.top.kind === FRAME.CONTROL && (this.top.state === STATE.BARE || this.top.state === STATE.TAIL)) {
      const before = this.size
      this.complete()
      if (this.size === before) break
      this.endExpression()
    }
    this.top.restart()
  }

  /** Keeps what is known of parentheses that have been closed, for what they may belong to. */
  keepGroup(frame: Frame): Group {
    const at = this.size - 1
    while (this.groups.length <= at) this.groups.push(new Frame())
    const group = this.groups[at]!
    group.parameters = frame.filled ? frame.parameters + 1 : 0
    group.defaults = frame.defaults
    group.cyclomatic = frame.cyclomatic
    group.cognitive = frame.cognitive
    group.shortcuts = frame.shortcuts
    group.alternatives = frame.alternatives
    group.line = frame.line
    group.nameStart = frame.nameStart
    group.nameEnd = frame.nameEnd
    group.isNew = frame.isNew
    group.isType = frame.isType
    return group
  }

  /** Begins a function whose parameters stand in a group, which take what was counted in them along. */
  beginFunction(group: Group | undefined, parameters: number, line?: number): void {
    const around = this.tally.current
    this.push(FRAME.FUNCTION)
    const own = this.tally.begin(line ?? group?.line ?? this.line)
    own.parameters = parameters
    if (!group) {
      const name = this.namer?.ofPending
      if (name) this.tally.name(name.start, name.end)
      return
    }
    own.nameStart = group.nameStart
    own.nameEnd = group.nameEnd
    own.cyclomatic += around.cyclomatic - group.cyclomatic
    own.cognitive += around.cognitive - group.cognitive
    own.shortcuts += around.shortcuts - group.shortcuts + group.defaults
    own.alternatives += around.alternatives - group.alternatives
    around.cyclomatic = group.cyclomatic
    around.cognitive = group.cognitive
    around.shortcuts = group.shortcuts
    around.alternatives = group.alternatives
  }

  /** Whether brackets are around the control structures at the top, which are an expression then. */
  isInExpression(): boolean {
    const { kind } = this.frames[this.#brackets.at(-1) ?? 0]!
    return kind === FRAME.PAREN || kind === FRAME.SQUARE || kind === FRAME.OBJECT
  }

  /** A block is a lambda, in which decisions cost more. */
  nestLambda(block: Frame): void {
    block.isLambda = true
    this.tally.current.nesting++
  }
}
