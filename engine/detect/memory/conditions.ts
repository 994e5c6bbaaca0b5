import type { Syntax } from '../taint/languages/syntax.ts'
import { Calls } from './calls.ts'
import { TRANSPARENT } from './library.ts'
import { bare, isWithin, madeOf, words } from './nodes.ts'
import { FREED, fact, meet, NULL, OTHER, OWNED, STACK, type State, UNCHECKED } from './state.ts'

/** Conditions that are written to hold, and not to: what follows `while (1)` is reached by its breaks alone. */
const ALWAYS = /^(?:true|TRUE|[1-9]\d*)$/
const NEVER = /^(?:false|FALSE|0)$/

function unreached(s: State): State {
  const out = s.copy()
  out.isDead = true
  return out
}

/** Conditions: what is known where they hold and where they do not. */
export abstract class Conditions extends Calls {
  #madeOf: Map<string, Set<string>> | undefined

  /** Both sides of a condition: what is known where it holds, and where it does not. The state that is given is used up. */
  test(node: Syntax, s: State): [State, State] {
    this.step()
    if (s.isDead) return [s, s.copy()]
    if (node.kind === 'parenthesized_expression' || node.kind === 'condition_clause') {
      const inner = node.parts.at(-1)
      if (inner && inner.kind !== 'compound_statement' && node.parts.length === 1) return this.test(inner, s)
    }
    if (node.kind === 'comma_expression') {
      this.value(node.at('left'), s)
      return this.test(node.at('right'), s)
    }
    const fixed = this.#fixed(node)
    if (fixed !== undefined) return fixed ? [s, unreached(s)] : [unreached(s), s]
    const operator = node.field('operator')?.text
    if (node.kind === 'unary_expression' && operator === '!') {
      const [yes, no] = this.test(node.at('argument'), s)
      return [no, yes]
    }
    if (node.kind === 'binary_expression' && (operator === '&&' || operator === '||')) {
      const [yes, no] = this.test(node.at('left'), s)
      const on = () => words(node.text)
      if (operator === '&&') {
        const [then, otherwise] = this.test(node.at('right'), yes)
        return [then, meet(no, otherwise, on)]
      }
      const [then, otherwise] = this.test(node.at('right'), no)
      return [meet(yes, then, on), otherwise]
    }
    if (node.kind === 'call_expression' && TRANSPARENT.test(node.at('function').text)) {
      const first = node.at('arguments').parts[0]
      if (first) return this.test(first, s)
    }
    this.#depends(node, s)
    if (node.kind === 'binary_expression' && (operator === '==' || operator === '!=')) {
      const [left, right] = [this.value(node.at('left'), s), this.value(node.at('right'), s)]
      const name =
        left?.kind === 'name' && right?.kind === 'null'
          ? left.name
          : right?.kind === 'name' && left?.kind === 'null'
            ? right.name
            : undefined
      if (name !== undefined && this.variables.get(name)?.kind === 'pointer') {
        const [yes, no] = this.#nullness(name, node, s)
        return operator === '!=' ? [yes, no] : [no, yes]
      }
      // What a pointer is compared with decides what it is.
      for (const worth of [left, right]) {
        const known = worth?.kind === 'name' ? s.facts.get(worth.name) : undefined
        if (known?.mask === NULL || known?.mask === STACK) s.forget((worth as { name: string }).name)
      }
    } else if (node.kind !== 'binary_expression') {
      const worth = this.value(node, s)
      if (worth?.kind === 'name' && this.variables.get(worth.name)?.kind === 'pointer')
        return this.#nullness(worth.name, node, s)
    } else this.value(node, s)
    this.asked(node, s)
    const no = s.copy()
    this.#compared(node, s, no)
    return [s, no]
  }

  /** Whether the condition holds always or never; undefined where that depends. */
  #fixed(node: Syntax): boolean | undefined {
    if (ALWAYS.test(node.text)) return true
    if (NEVER.test(node.text)) return false
    if (node.kind !== 'binary_expression') return undefined
    const compares = COMPARISONS[node.at('operator').text]
    const left = compares && this.constant(node.at('left'))
    const right = left === undefined ? undefined : this.constant(node.at('right'))
    return right === undefined ? undefined : compares!(left!, right)
  }

  /** A condition that is a value. */
  protected decided(node: Syntax, s: State): undefined {
    const [yes, no] = this.test(node, s.copy())
    s.become(meet(yes, no, () => words(node.text)))
    return undefined
  }

  #nullness(name: string, node: Syntax, s: State): [State, State] {
    this.asked(node, s, name)
    const known = s.facts.get(name)
    const no = s.copy()
    if (!known || !this.isTracked(name)) return [s, no]
    if (known.mask === NULL) s.isDead = true
    else
      s.facts.set(name, {
        ...known,
        mask: known.mask & UNCHECKED ? (known.mask & ~(NULL | UNCHECKED)) | OWNED : known.mask & ~NULL,
      })
    if (known.mask === OWNED || known.mask === STACK) no.isDead = true
    else no.facts.set(name, fact(known.mask === FREED ? FREED : NULL, node))
    return [s, no]
  }

  /** What depends on names that a condition asks for, or on what these were made of, is no longer told apart. */
  #depends(node: Syntax, s: State): void {
    const own = words(node.text)
    let asked: Set<string> | undefined
    for (const [name, known] of s.facts) {
      if (known.on.size === 0) continue
      if (own.has(name)) continue
      asked ??= this.#withWhatMade(own)
      for (const on of known.on)
        if (on !== name && asked.has(on)) {
          s.facts.set(name, fact(OTHER, known.at))
          break
        }
    }
  }

  #withWhatMade(own: ReadonlySet<string>): Set<string> {
    this.#madeOf ??= madeOf(this.text)
    const out = new Set(own)
    for (const name of own) for (const part of this.#madeOf.get(name) ?? []) out.add(part)
    return out
  }

  /** A condition asks for all that it names. */
  protected asked(node: Syntax, s: State, except?: string): void {
    for (const name of words(node.text)) {
      const given = s.numbers.get(name)
      if (given && !isWithin(given.at, node)) s.numbers.set(name, { ...given, asked: true })
      const known = s.facts.get(name)
      if (name !== except && known && known.mask & UNCHECKED)
        s.facts.set(name, { ...known, mask: (known.mask & ~UNCHECKED) | OTHER })
    }
  }

  /** What a comparison says of a number where it holds and where it does not. */
  #compared(node: Syntax, yes: State, no: State): void {
    const sign = node.kind === 'binary_expression' ? node.at('operator').text : undefined
    const limit = (state: State, name: string, limits: { low?: true; high?: true }): void => {
      const given = state.numbers.get(name)
      if (given) state.numbers.set(name, { ...given, ...limits })
    }
    const left = sign === undefined ? undefined : bare(node.at('left'))
    const right = sign === undefined ? undefined : bare(node.at('right'))
    for (const name of words(node.text)) {
      const given = yes.numbers.get(name)
      // What the condition itself reads it does not ask for.
      if (!given || isWithin(given.at, node)) continue
      const isLeft = left?.text === name
      if (sign === undefined || !/^[<>]=?$/.test(sign) || !(isLeft || right?.text === name)) {
        // A number that is asked for in another way is taken to be checked.
        for (const state of [yes, no]) limit(state, name, { low: true, high: true })
        continue
      }
      const isBelow = sign.startsWith('<') === isLeft
      limit(yes, name, isBelow ? { high: true } : { low: true })
      limit(no, name, isBelow ? { low: true } : { high: true })
    }
  }
}

const COMPARISONS: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
}
