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
  sized?: ReadonlySet<string> | undefined
}

/** What is known of a number that came from outside. */
export interface Given {
  at: Span
  signed: boolean
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
  /** The place is not reached. */
  isDead = false

  copy(): State {
    const out = new State()
    out.facts = new Map(this.facts)
    out.numbers = new Map(this.numbers)
    out.isDead = this.isDead
    return out
  }

  become(other: State): void {
    this.facts = other.facts
    this.numbers = other.numbers
    this.isDead = other.isDead
  }

  /** Nothing more is known of the variable. */
  forget(name: string): void {
    const known = this.facts.get(name)
    if (known) this.facts.set(name, makeFact(OTHER, known.at))
    this.numbers.delete(name)
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
  for (const [name, one] of a.facts) {
    const other = b.facts.get(name)
    if (!other) continue
    if (one !== other && one.mask !== other.mask) on ??= names()
    out.facts.set(name, one === other ? one : joined(one, other, on ?? NOTHING))
  }
  for (const [name, one] of a.numbers) {
    const other = b.numbers.get(name)
    if (!other) continue
    const { at, signed } = one
    const both = (key: 'low' | 'high' | 'asked'): boolean => one[key] && other[key]
    out.numbers.set(name, { at, signed, low: both('low'), high: both('high'), asked: both('asked') })
  }
  return out
}

function joined(one: Fact, other: Fact, on: ReadonlySet<string>): Fact {
  const mask = one.mask | other.mask
  // What is known of the more telling one: where it was allocated or freed.
  const { at } = other.mask & (FREED | OWNED | UNCHECKED) ? other : one
  const same = one.mask === other.mask
  return {
    mask,
    at,
    on: same ? new Set([...one.on, ...other.on]) : new Set([...one.on, ...other.on, ...on]),
    ...(one.bytes !== undefined && one.bytes === other.bytes && { bytes: one.bytes }),
  }
}
