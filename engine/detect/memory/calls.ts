import { simple } from '../taint/languages/c-expressions.ts'
import type { Syntax } from '../taint/languages/syntax.ts'
import {
  ALLOCATES,
  ANSWERS_FIRST,
  ASSERTS,
  ENDS,
  FILLS,
  FOLLOWS,
  FREES,
  NUMBERS,
  READS,
  READS_NUMBER,
  UNEVALUATED,
} from './library.ts'
import { bare, operandsOf, span, words } from './nodes.ts'
import { Pointers, type Worth } from './pointers.ts'
import { fact, OTHER, OWNED, type State, UNCHECKED } from './state.ts'

/** A macro that is given a statement that leaves (`SKIP(return, …)`). */
const LEAVES = /^(?:return|goto|break|continue)\b/

/** A method that throws what it is called on. */
const RAISES = /(?:\.|->)(?:raise|rethrow|throw[A-Z]?\w*)$/

/** Calls: what functions of libraries do with pointers, sizes and numbers, and what others may. */
export abstract class Calls extends Pointers {
  call(node: Syntax, s: State): Worth {
    const callee = node.at('function')
    const args = node.at('arguments').parts
    // What a macro makes of a type or a sign is not seen.
    const isLeaving = args[0] !== undefined && LEAVES.test(args[0].text)
    if (isLeaving) s.isDead = true
    if (isLeaving || args.some(({ kind }) => kind === 'ERROR')) return this.hideAll(node, s)
    const name = /identifier$/.test(callee.kind) ? simple(callee.text) : ''
    if (UNEVALUATED.test(name)) return undefined
    if (name === '') this.value(callee, s)
    if (FREES.has(name) && args.length === 1) {
      this.free(args[0]!, node, s)
      return undefined
    }
    if (ASSERTS.test(name) && args[0]) {
      const [yes, no] = this.test(args[0], s)
      s.become(name === 'BUG_ON' ? no : yes)
      return undefined
    }
    if (name === 'close' && args[0]) this.#closeStream(args[0], s)
    this.#sizes(name, args, node, s)
    const follows = Object.hasOwn(FOLLOWS, name) ? FOLLOWS[name]! : undefined
    const isAllocation = Object.hasOwn(ALLOCATES, name)
    // A macro may give values to what it is given, or ask for its type alone; one in capitals to anything.
    if (!follows && !isAllocation) this.hide(this.isMacro(name) ? undefined : node, s)
    args.forEach((arg, at) => {
      if (follows?.includes(at) && !this.#isArray(arg)) this.follow(arg, s)
      else if (follows || isAllocation || Object.hasOwn(NUMBERS, name)) this.value(arg, s)
      else this.give(arg, s)
      // A macro may do anything with what it is given, and turn a condition about it round.
      if (!follows && this.isMacro(name)) for (const given of operandsOf(arg)) s.forget(given)
    })
    if (
      RAISES.test(callee.text) ||
      ENDS.test(name) ||
      this.isEnd(name) ||
      (name === 'error' && args[0] && this.constant(args[0]) !== 0)
    )
      s.isDead = true
    const reads = READS_NUMBER[name]
    if (reads && !this.#asksForLength(name, args[reads.from - 1]))
      this.#readNumbers(args.slice(reads.from, reads.rest ? undefined : reads.from + 1), node, s)
    if (Object.hasOwn(NUMBERS, name)) return { kind: 'number', at: node, ...NUMBERS[name]! }
    if (ANSWERS_FIRST.test(name) && args[0] && bare(args[0]).kind === 'identifier')
      return this.named(bare(args[0]), s, false)
    return isAllocation ? this.#allocated(name, args, node) : undefined
  }

  /** A stream that was made of a descriptor holds none any more where that is closed. */
  #closeStream(descriptor: Syntax, s: State): void {
    for (const [name, { at }] of s.facts) {
      const made = this.text.slice(at.start, at.end)
      if (/^fdopen\b/.test(made) && words(made).has(descriptor.text)) s.forget(name)
    }
  }

  /** Where a format asks how much was read (`%n`) the number is that; a format that is written elsewhere may. */
  #asksForLength(name: string, format: Syntax | undefined): boolean {
    if (!name.endsWith('scanf') || !format) return false
    return !/^(?:string_literal|concatenated_string)$/.test(format.kind) || /%n|\b[A-Z_]{2,}\b/.test(format.text)
  }

  #isArray(node: Syntax): boolean {
    const inner = bare(node)
    return inner.kind === 'identifier' && this.variables.get(inner.text)?.kind === 'array'
  }

  #allocated(name: string, args: readonly Syntax[], node: Syntax): Worth {
    if (args.some(({ text }) => text.includes('NOFAIL'))) return { kind: 'block', mask: OWNED, at: node }
    const { size } = ALLOCATES[name]!
    const bytes = size === undefined || !args[size] ? undefined : this.constant(args[size])
    const sized = words(args.map(({ text }) => text).join(' '))
    return { kind: 'block', mask: UNCHECKED, at: node, sized, ...(bytes !== undefined && { bytes }) }
  }

  #readNumbers(args: readonly Syntax[], at: Syntax, s: State): void {
    for (const arg of args) {
      const inner = arg.kind === 'pointer_expression' && arg.text.startsWith('&') ? arg.at('argument') : undefined
      const variable = inner && this.variables.get(inner.text)
      if (inner && variable?.kind === 'scalar' && !variable.isReal) {
        s.facts.set(inner.text, fact(OTHER, at))
        s.numbers.set(inner.text, { at: span(at), signed: variable.signed, low: false, high: false, asked: false })
      }
    }
  }

  /** Sizes that do not fit the place that is written to, or that nobody checked. */
  #sizes(name: string, args: readonly Syntax[], node: Syntax, s: State): void {
    const { size } = ALLOCATES[name] ?? {}
    if (size !== undefined && args[size]) this.#product(args[size], node, s)
    if (/^(?:strcpy|strcat|stpcpy)$/.test(name)) this.#copied(args, node, s)
    const fills = Object.hasOwn(FILLS, name) ? FILLS[name]! : undefined
    const count = fills && args[fills.size]
    const to = fills && args[fills.to]
    if (!fills || !count || !to) return
    const factor = fills.times === undefined ? 1 : args[fills.times] && this.constant(args[fills.times]!)
    const bytes = this.constant(count)
    const room = this.room(to, s)
    if (bytes !== undefined && factor !== undefined && room !== undefined && bytes * factor > room)
      this.report('overflow', node, [])
    const given = bare(count).kind === 'identifier' ? s.numbers.get(bare(count).text) : undefined
    // What is read into a block that was asked for with the same number has room.
    const isSized = READS.test(name) && s.facts.get(bare(to).text)?.sized?.has(bare(count).text)
    if (given && !isSized && !/snprintf|memset/.test(name) && (!given.high || (given.signed && !given.low)))
      this.report('unchecked-length', node, [{ ...span(given.at), label: 'comes from outside' }])
  }

  /** A size that is a product of what came from outside. */
  #product(size: Syntax, node: Syntax, s: State): void {
    if (!size.text.includes('*')) return
    for (const name of words(size.text.replace(/sizeof\s*(?:\([^()]*\)|\*?\s*\w+)/g, ''))) {
      const given = s.numbers.get(name)
      if (given && !given.high) {
        this.report('allocation-overflow', node, [{ ...span(given.at), label: 'comes from outside' }])
        return
      }
    }
  }

  /** A text that is copied whole: one that is written out, or one that a larger array holds and nobody measured. */
  #copied([to, from]: readonly Syntax[], node: Syntax, s: State): void {
    const room = to && this.room(to, s)
    if (room === undefined || !to || !from) return
    const text = bare(from)
    if (text.kind === 'string_literal' && !text.text.includes('\\') && text.text.length - 1 > room)
      this.report('overflow', node, [])
    const larger = text.kind === 'identifier' ? this.room(text, s) : undefined
    if (larger !== undefined && larger > room && !this.isMeasured(text.text, bare(to).text, room))
      this.report('overflow', node, [])
  }

  /** The function as it is written. */
  protected abstract readonly text: string

  protected abstract isMeasured(name: string, to: string, room: number): boolean
  /** Whether what is called so is no function: it may do anything with the names around it. */
  protected abstract isMacro(name: string): boolean

  /** Whether a macro of the file leaves the function, or a function of it never comes back. */
  protected abstract isEnd(name: string): boolean
}
