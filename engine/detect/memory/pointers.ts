import type { Span } from '../taint/ir.ts'
import type { Syntax } from '../taint/languages/syntax.ts'
import { bare, span, words } from './nodes.ts'
import { Reports } from './reports.ts'
import { FREED, fact, NULL, OTHER, OWNED, STACK, type State, UNCHECKED, UNSET } from './state.ts'
import { constantOf, type Variable } from './variables.ts'

/** What an expression is worth, as far as it matters here. */
export type Worth =
  | { kind: 'block'; mask: number; at: Span; bytes?: number; sized?: ReadonlySet<string> }
  | { kind: 'null' }
  | { kind: 'array'; bytes?: number; at: Span }
  | { kind: 'name'; name: string }
  | { kind: 'number'; signed: boolean; at: Span }
  | undefined

/** Steps that one function may take; a step is a node of its tree. */
export const MOST_STEPS = 20_000

/** Steps that the functions of a file may take together: they are counted, so that the same text comes to the same under any load. */
export const MOST_STEPS_OF_FILE = 100_000

/** What is left of them. */
export interface Left {
  steps: number
}

/** Thrown where a function takes more. */
export class TooLong extends Error {}

/** What is known of the variables of a function, and what following, freeing and handing them on makes of it. */
export abstract class Pointers extends Reports {
  /** Carries an expression out; its value is used. */
  abstract value(node: Syntax, s: State): Worth

  /** Both sides of a condition: what is known where it holds, and where it does not. The state that is given is used up. */
  abstract test(node: Syntax, s: State): [State, State]

  readonly variables = new Map<string, Variable>()
  /** Names whose address somebody has: nothing is known of them. */
  protected addressed: ReadonlySet<string> = new Set()
  protected abstract macro(name: string): number | undefined
  #steps = 0

  protected abstract readonly left: Left

  protected step(): void {
    if (++this.#steps > MOST_STEPS || --this.left.steps < 0) throw new TooLong()
  }

  protected constant(node: Syntax): number | undefined {
    return constantOf(node, this.variables, name => this.macro(name))
  }

  /** Whether something can be known of the name. */
  protected isTracked(name: string): boolean {
    const variable = this.variables.get(name)
    return variable !== undefined && variable.kind !== 'array' && !this.addressed.has(name)
  }

  /** Frees what the node names. */
  free(node: Syntax, at: Syntax, s: State): void {
    const pointer = bare(node)
    if (pointer.kind !== 'identifier') {
      this.value(pointer, s)
      return
    }
    const name = pointer.text
    const array = this.variables.get(name)
    if (array?.kind === 'array' && !array.isParameter && !this.addressed.has(name)) this.report('free-of-stack', at, [])
    const known = s.facts.get(name)
    if (!known || !this.isTracked(name)) return
    if (this.isSurely(known.mask, FREED, known.on))
      this.report('double-free', at, [{ ...span(known.at), label: 'freed here' }])
    if (known.mask === STACK)
      this.report('free-of-stack', at, [{ ...span(known.at), label: 'points to a local array' }])
    if (known.mask === UNSET) this.report('unset', at, [])
    // To free NULL does nothing.
    if (known.mask !== NULL) s.facts.set(name, fact(FREED, at))
  }

  /** Follows a pointer. */
  follow(node: Syntax, s: State): Worth {
    if (s.isDead) return undefined
    const pointer = bare(node)
    if (pointer.kind !== 'identifier') {
      this.value(pointer, s)
      return undefined
    }
    const name = pointer.text
    const known = s.facts.get(name)
    if (!this.isTracked(name) || !known) return undefined
    if (this.variables.get(name)?.kind !== 'pointer') return undefined
    const way = (label: string) => [{ ...span(known.at), label }]
    if (known.mask & UNCHECKED && !(known.mask & OTHER)) {
      this.report('unchecked-null', pointer, way('may answer NULL'))
      s.facts.set(name, { ...known, mask: (known.mask & ~UNCHECKED) | OWNED })
    } else if (known.mask === NULL) {
      this.report('null-followed', pointer, way('is NULL'))
      s.forget(name)
    } else if (this.isSurely(known.mask, FREED, known.on)) {
      this.report('use-after-free', pointer, way('freed here'))
      s.forget(name)
    } else if (this.isSurely(known.mask, UNSET, known.on)) {
      this.report('unset', pointer, way('declared without a value'))
      s.forget(name)
    }
    return undefined
  }

  /** A value is handed to somebody who may keep it. */
  give(node: Syntax, s: State): void {
    const worth = bare(node).kind === 'identifier' ? this.named(bare(node), s, false) : this.value(node, s)
    this.escape(worth, s)
  }

  protected escape(worth: Worth, s: State): void {
    if (worth?.kind !== 'name') return
    const known = s.facts.get(worth.name)
    if (known && known.mask !== OTHER) s.facts.set(worth.name, fact(OTHER, known.at))
    s.numbers.delete(worth.name)
  }

  /** Gives a variable its value. */
  set(name: string, worth: Worth, at: Span, s: State): void {
    s.numbers.delete(name)
    if (!this.isTracked(name)) return
    const variable = this.variables.get(name)!
    const { kind } = variable
    let made = fact(OTHER, at)
    if (worth?.kind === 'block' && kind === 'pointer')
      made = { ...fact(worth.mask, worth.at, worth.bytes), sized: worth.sized }
    else if (worth?.kind === 'null' && kind === 'pointer') made = fact(NULL, at)
    else if (worth?.kind === 'array' && kind === 'pointer') made = fact(STACK, worth.at, worth.bytes)
    else if (worth?.kind === 'number' && kind === 'scalar' && !variable.isReal)
      s.numbers.set(name, { at: worth.at, signed: variable.signed, low: false, high: false, asked: false })
    else if (worth?.kind === 'name') {
      const given = s.numbers.get(worth.name)
      const other = s.facts.get(worth.name)
      if (given && kind === 'scalar') s.numbers.set(name, { ...given, signed: variable.signed })
      if (other?.mask === NULL || other?.mask === STACK) made = other
      else this.escape(worth, s)
    }
    s.facts.set(name, made)
  }

  /** Everything in the node is handed to code that is not seen. */
  protected hideAll(node: Syntax, s: State): undefined {
    for (const name of words(node.text)) if (s.facts.has(name) || s.numbers.has(name)) s.forget(name)
    return undefined
  }

  protected named(node: Syntax, s: State, isRead: boolean): Worth {
    const name = node.text
    const variable = this.variables.get(name)
    if (variable?.kind === 'array') {
      const { count, element } = variable
      return {
        kind: 'array',
        at: node,
        ...(count !== undefined && element !== undefined && { bytes: count * element }),
      }
    }
    const known = s.facts.get(name)
    if (known && isRead && this.isTracked(name) && this.isSurely(known.mask, UNSET, known.on)) {
      this.report('unset', node, [{ ...span(known.at), label: 'declared without a value' }])
      s.forget(name)
    }
    return variable ? { kind: 'name', name } : undefined
  }

  /** Whether a bit holds on a way of its own: not where it is unknown which ways there are. */
  protected isSurely(mask: number, bit: number, on: ReadonlySet<string>): boolean {
    if (!(mask & bit)) return false
    return mask === bit || on.size > 0
  }

  /** Variables without a value that the node names, or all of them, may have one now. */
  protected hide(node: Syntax | undefined, s: State): void {
    let names: ReadonlySet<string> | undefined
    for (const [name, known] of s.facts) {
      if (!(known.mask & UNSET)) continue
      names ??= node && words(node.text)
      if (names?.has(name) ?? true) s.facts.set(name, fact(OTHER, known.at))
    }
  }

  /** How many bytes there are where a buffer begins. */
  protected room(node: Syntax, s: State): number | undefined {
    const inner = bare(node)
    if (inner.kind !== 'identifier') return undefined
    const variable = this.variables.get(inner.text)
    if (variable?.kind === 'array')
      return variable.count !== undefined && variable.element !== undefined
        ? variable.count * variable.element
        : undefined
    return s.facts.get(inner.text)?.bytes
  }
}
