import type { Span } from '../taint/ir.ts'

/** What a pointer may be at a place, as bits: several where ways through the function meet. */
export const UNSET = 1
export const NULL = 2
/** Fresh from a function that answers NULL where it fails, and not yet asked about. */
export const UNCHECKED = 4
export const OWNED = 8
export const FREED = 16
/** Nothing is known, or somebody else holds it as well. */
export const OTHER = 32
/** Points into a local array. */
export const STACK = 64

/** What is known of a variable. */
export interface Fact {
  mask: number
  /** Where it came to be so: its declaration, allocation or release. */
  at: Span
  /** Names on which it depends which of the bits holds: what the conditions between the ways asked for, and what was set on them. */
  on: ReadonlySet<string>
  /** Size of what it points to, and the names in the size that was asked for. */
  bytes?: number
  /** On another way there are more bytes than that. */
  isLeast?: boolean
  sized?: ReadonlySet<string> | undefined
}

/** Whole numbers that a variable is, one for each way on which it was set, and the names on which it depends which. */
export interface Values {
  values: readonly number[]
  on: ReadonlySet<string>
}

/** What is known of a number that came from outside. */
export interface Given {
  at: Span
  signed: boolean
  /** It is not from outside itself, but the length of a text. */
  isLength?: boolean
  /** It is a product, and may have wrapped around. */
  isProduct?: boolean
  /** It was wider before. */
  isCut?: boolean
  /** A field of a record that was read. */
  isField?: boolean
  /** Names that it was made of: what limits them limits it. */
  from?: ReadonlySet<string>
  /** It was reported, or read from a text that somebody else may have written: where one way of two alone has it, it is dropped. */
  isFaint?: boolean
  /** Names on which it depends whether it was read, or checked, at all. */
  on?: ReadonlySet<string>
  /** Whether it was compared with something below and above. */
  low: boolean
  high: boolean
  /** Whether any condition asked for it. */
  asked: boolean
}

const NOTHING: ReadonlySet<string> = new Set()

/** A new fact that depends on nothing. */
export function makeFact(mask: number, at: Span, bytes?: number): Fact {
  return { mask, at, on: NOTHING, ...(bytes !== undefined && { bytes }) }
}

/** What is known at one place of a function. */
export class State {
  facts = new Map<string, Fact>()
  numbers = new Map<string, Given>()
  values = new Map<string, Values>()
  /** The place is not reached. */
  isDead = false

  copy(): State {
    const out = new State()
    out.facts = new Map(this.facts)
    out.numbers = new Map(this.numbers)
    out.values = new Map(this.values)
    out.isDead = this.isDead
    return out
  }

  become(other: State): void {
    this.facts = other.facts
    this.numbers = other.numbers
    this.values = other.values
    this.isDead = other.isDead
  }

  /** Nothing more is known of the variable. */
  forget(name: string): void {
    const known = this.facts.get(name)
    if (known) this.facts.set(name, makeFact(OTHER, known.at))
    this.numbers.delete(name)
    this.values.delete(name)
  }

  /** Nothing is known any more of what may have been freed. */
  forgetFreed(): void {
    for (const [name, { mask }] of this.facts) if (mask & FREED) this.forget(name)
  }
}

/** What holds where two ways meet; which of them was gone depends on these names. */
export function meet(a: State, b: State, names: () => ReadonlySet<string> = () => NOTHING): State {
  if (a.isDead) return b
  if (b.isDead) return a
  const out = new State()
  let on: ReadonlySet<string> | undefined
  const ask = (): ReadonlySet<string> => {
    on ??= names()
    return on
  }
  for (const [name, one] of a.facts) {
    const other = b.facts.get(name)
    if (!other) continue
    out.facts.set(
      name,
      one === other ? one : joined(one, other, one.mask === other.mask && one.bytes === other.bytes ? NOTHING : ask()),
    )
  }
  for (const [name, one] of a.numbers) {
    const other = b.numbers.get(name)
    if (!other && one.isFaint) continue
    const both = (key: 'low' | 'high' | 'asked'): boolean => one[key] && (other?.[key] ?? true)
    const known = { ...one, low: both('low'), high: both('high'), asked: both('asked') }
    // Of a number that one way alone reads or checks, the conditions between them tell which was gone.
    const isSame = other && one.low === other.low && one.high === other.high
    out.numbers.set(
      name,
      isSame ? known : { ...known, on: new Set([...(one.on ?? []), ...(other?.on ?? []), ...ask()]) },
    )
  }
  for (const [name, other] of b.numbers)
    if (!a.numbers.has(name) && !other.isFaint)
      out.numbers.set(name, { ...other, on: new Set([...(other.on ?? []), ...ask()]) })
  for (const [name, one] of a.values) {
    const other = b.values.get(name)
    if (!other) continue
    const both = one === other ? one : unite(one, other, isSame(one, other) ? NOTHING : ask())
    if (both) out.values.set(name, both)
  }
  return out
}

function isSame(one: Values, other: Values): boolean {
  return one.values.length === other.values.length && one.values.every(value => other.values.includes(value))
}

/** Of more values than these of one variable nothing is told. */
const MOST_VALUES = 4

/** What a variable is on either of two ways. */
export function unite(one: Values, other: Values, on: ReadonlySet<string>): Values | undefined {
  const values = [...new Set([...one.values, ...other.values])]
  return values.length > MOST_VALUES ? undefined : { values, on: new Set([...one.on, ...other.on, ...on]) }
}

function joined(one: Fact, other: Fact, on: ReadonlySet<string>): Fact {
  const mask = one.mask | other.mask
  // What is known of the more telling one: where it was allocated or freed.
  const { at } = other.mask & (FREED | OWNED | UNCHECKED) ? other : one
  const same = one.mask === other.mask && one.bytes === other.bytes
  return {
    mask,
    at,
    on: same ? new Set([...one.on, ...other.on]) : new Set([...one.on, ...other.on, ...on]),
    ...(one.bytes !== undefined && other.bytes !== undefined && { bytes: Math.min(one.bytes, other.bytes) }),
    ...((one.bytes !== other.bytes || one.isLeast || other.isLeast) && { isLeast: true }),
  }
}
