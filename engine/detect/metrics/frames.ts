/** What a frame of the structure is. */
export const FRAME = {
  /** The whole text. */
  FILE: 0,
  /** Braces around statements. */
  BLOCK: 1,
  /** Braces around members. */
  MEMBERS: 2,
  /** Braces around values. */
  OBJECT: 3,
  PAREN: 4,
  SQUARE: 5,
  /** Code inside a string. */
  INSIDE: 6,
  /** A decision with its body. */
  CONTROL: 7,
  TERNARY: 8,
  FUNCTION: 9,
} as const

/** How far a control structure or a function is. */
export const STATE = {
  HEAD: 0,
  /** The head is read. */
  READY: 1,
  /** Inside a body without braces. */
  BARE: 2,
  BRACED: 3,
  /** The body is read; something may follow. */
  AFTER: 4,
  /** Of a `do`: its condition is being read. */
  TAIL: 5,
  /** Of a ternary: between the question mark and the colon, and behind it. */
  FIRST: 6,
  SECOND: 7,
} as const

/** What parentheses that have been closed had in them. */
export interface Group {
  parameters: number
  defaults: number
  /** What the function around had been counted when they began. */
  cyclomatic: number
  cognitive: number
  shortcuts: number
  alternatives: number
  line: number
  nameStart: number
  nameEnd: number
  isNew: boolean
  /** They stand where a type does. */
  isType: boolean
}

/** A frame; it is used again and again, so that reading makes no objects. */
export class Frame implements Group {
  kind: number = FRAME.FILE
  state: number = STATE.HEAD
  role: string | undefined
  /** The last logical operator of the sequence that is being read; 0 for none. */
  last = 0
  /** Type of the token before. */
  before = 0
  /** Code in it is types. */
  typed = false
  // Of the statement, member or value that is being read:
  hasGroup = false
  assigned = false
  members = false
  isCase = false
  initializes = false
  /** Of the last group. */
  readonly group: Group | undefined
  /** Of the head of a function: how many angle brackets are open. */
  angles = 0
  // Of parentheses:
  parameters = 0
  defaults = 0
  filled = false
  cyclomatic = 0
  cognitive = 0
  shortcuts = 0
  alternatives = 0
  line = 0
  nameStart = 0
  nameEnd = 0
  isNew = false
  isType = false
  /** What it adds to nesting: of control structures, of costs. */
  enters = false
  nests = false
  /** Of a block: a lambda that nests. */
  isLambda = false
  /** Of members: they belong to no function. */
  ownsTally = false

  reset(kind: number, before: number, typed: boolean): void {
    this.kind = kind
    this.state = STATE.HEAD
    this.role = undefined
    this.last = 0
    this.before = before
    this.typed = typed
    this.hasGroup = this.assigned = this.members = this.isCase = this.initializes = false
    this.parameters = this.defaults = this.angles = 0
    this.filled = this.isNew = this.isType = false
    this.enters = this.nests = this.isLambda = this.ownsTally = false
  }

  /** A new statement, member or value begins. */
  restart(): void {
    this.hasGroup = this.assigned = this.members = this.isCase = this.initializes = false
    this.last = 0
  }
}
