import type { Syntax } from '../taint/languages/syntax.ts'
import { Conditions } from './conditions.ts'
import { bare, heldIn, span, words } from './nodes.ts'
import type { Worth } from './pointers.ts'
import { meet, OTHER, OWNED, type State } from './state.ts'

/** Expressions of C and C++ carried out on what is known of pointers and numbers. */
export abstract class Expressions extends Conditions {
  /** Carries an expression out; its value is used. */
  value(node: Syntax, s: State): Worth {
    this.step()
    if (s.isDead) return undefined
    switch (node.kind) {
      case 'identifier':
        return this.named(node, s, true)
      case 'parenthesized_expression':
        return node.parts[0]?.kind === 'compound_statement' ? this.hideAll(node, s) : this.#first(node, s)
      case 'condition_clause':
        return this.#first(node, s)
      case 'cast_expression':
        // `(void)x` says that nothing is done with it.
        if (node.at('type').text === 'void' && node.at('value').kind === 'identifier') return undefined
        return this.value(node.at('value'), s)
      case 'null':
      case 'nullptr':
        return { kind: 'null' }
      case 'number_literal':
        return node.text === '0' ? { kind: 'null' } : undefined
      case 'string_literal':
      case 'concatenated_string':
      case 'char_literal':
      case 'sizeof_expression':
        return undefined
      case 'pointer_expression': {
        const inner = node.at('argument')
        if (!node.text.startsWith('&')) return this.follow(inner, s)
        if (inner.kind === 'identifier') s.numbers.delete(inner.text)
        return this.#addressOf(inner, s)
      }
      case 'field_expression': {
        const inner = node.at('argument')
        if (
          node.field('operator')?.text === '->' ||
          /^.*->/s.test(node.text.slice(inner.text.length, inner.text.length + 3))
        )
          return this.follow(inner, s)
        if (inner.kind !== 'identifier') this.value(inner, s)
        return undefined
      }
      case 'subscript_expression':
        return this.#element(node, s)
      case 'call_expression':
        return this.call(node, s)
      case 'new_expression': {
        for (const part of node.field('arguments')?.parts ?? []) this.give(part, s)
        // What a constructor does with the object is not seen: it may be held elsewhere.
        const isPlain =
          /^new\s+(?:unsigned |signed )?(?:char|short|int|long|float|double|bool|wchar_t|u?int\d+_t|size_t|std::string)\b/.test(
            node.text,
          )
        return { kind: 'block', mask: isPlain ? OWNED : OTHER, at: node }
      }
      case 'delete_expression': {
        this.free(node.parts.at(-1)!, node, s)
        return undefined
      }
      case 'assignment_expression':
        return this.#assignment(node, s)
      case 'update_expression': {
        const inner = node.at('argument')
        this.value(inner, s)
        if (inner.kind === 'identifier') this.#changed(inner.text, s)
        return undefined
      }
      case 'binary_expression':
        return this.#binary(node, s)
      case 'unary_expression':
        if (node.at('operator').text === '!') return this.decided(node, s)
        this.value(node.at('argument'), s)
        return undefined
      case 'conditional_expression': {
        const [yes, no] = this.test(node.at('condition'), s)
        const given = node.field('consequence')
        if (given) this.give(given, yes)
        this.give(node.at('alternative'), no)
        s.become(meet(yes, no, () => words(node.at('condition').text)))
        return undefined
      }
      case 'comma_expression':
        this.value(node.at('left'), s)
        return this.value(node.at('right'), s)
      case 'initializer_list':
      case 'initializer_pair':
      case 'argument_list':
        for (const part of node.parts) this.give(part, s)
        return undefined
      default:
        return this.hideAll(node, s)
    }
  }

  #first(node: Syntax, s: State): Worth {
    const [inner] = node.parts
    return inner && this.value(inner, s)
  }

  #addressOf(inner: Syntax, s: State): Worth {
    if (inner.kind === 'identifier') return this.variables.has(inner.text) ? { kind: 'array', at: inner } : undefined
    // A part of a block is held by whom it is given to, and with it the block.
    let base = inner
    for (;;) {
      const index = base.field('index') ?? base.field('indices')
      if (base.kind === 'subscript_expression' && index)
        for (const part of index.kind === 'subscript_argument_list' ? index.parts : [index]) this.value(part, s)
      const next = base.field('argument') ?? (base.kind === 'parenthesized_expression' ? base.parts[0] : undefined)
      if (!next) break
      base = next
    }
    if (base.kind === 'identifier') this.escape({ kind: 'name', name: base.text }, s)
    else if (base !== inner || base.kind === 'compound_literal_expression') this.value(base, s)
    return undefined
  }

  #element(node: Syntax, s: State): Worth {
    const array = node.at('argument')
    const index = node.field('index') ?? node.field('indices')?.parts[0]
    const variable = array.kind === 'identifier' ? this.variables.get(array.text) : undefined
    if (variable?.kind === 'array') {
      const at = index && this.constant(index)
      if (at !== undefined && variable.count !== undefined && (at >= variable.count || at < 0) && variable.count > 1)
        this.report('out-of-bounds', node, [])
    } else this.follow(array, s)
    if (!index) return undefined
    const worth = this.value(index, s)
    if (worth?.kind === 'name') {
      const given = s.numbers.get(worth.name)
      if (given && (!given.high || (given.signed && !given.low)))
        this.report('unchecked-index', node, [{ ...span(given.at), label: 'comes from outside' }])
    }
    return undefined
  }

  #assignment(node: Syntax, s: State): Worth {
    const left = bare(node.at('left'))
    const operator = node.field('operator')?.text ?? '='
    const right = node.at('right')
    if (operator !== '=') {
      this.value(left, s)
      this.value(right, s)
      if (operator === '/=' || operator === '%=') this.#divided(right, node, s)
      if (left.kind === 'identifier') this.#changed(left.text, s)
      return undefined
    }
    const worth = this.value(right, s)
    this.displaced(right, s)
    if (left.kind !== 'identifier') {
      this.value(left, s)
      this.escape(worth, s)
      return undefined
    }
    if (!this.isTracked(left.text)) this.escape(worth, s)
    this.set(left.text, worth, node, s)
    return { kind: 'name', name: left.text }
  }

  /** A place within or before a block that is kept is the block, for whoever knows how far it is off; so is its address with marks in it. */
  protected displaced(right: Syntax, s: State): void {
    const inner = bare(right)
    if (inner.kind !== 'binary_expression' || !/^[-+|&^]$/.test(inner.at('operator').text)) return
    for (const name of heldIn(inner)) this.escape({ kind: 'name', name }, s)
  }

  #changed(name: string, s: State): void {
    s.forget(name)
  }

  #binary(node: Syntax, s: State): Worth {
    const operator = node.at('operator').text
    if (operator === '&&' || operator === '||') return this.decided(node, s)
    this.value(node.at('left'), s)
    if (operator === '>>' && this.#isRead(node, s)) return undefined
    this.value(node.at('right'), s)
    if (operator === '/' || operator === '%') this.#divided(node.at('right'), node, s)
    if (operator === '==' || operator === '!=') this.asked(node, s)
    return undefined
  }

  /** Whether the sign reads a variable from a stream of C++, and does not shift a number; it has a value then. */
  #isRead(node: Syntax, s: State): boolean {
    let from = node.at('left')
    while (from.kind === 'binary_expression' && from.at('operator').text === '>>') from = from.at('left')
    const to = bare(node.at('right'))
    if (to.kind !== 'identifier' || !/identifier$/.test(from.kind) || this.variables.has(from.text)) return false
    if (this.variables.has(to.text)) s.forget(to.text)
    return true
  }

  #divided(divisor: Syntax, node: Syntax, s: State): void {
    const given = divisor.kind === 'identifier' ? s.numbers.get(divisor.text) : undefined
    if (given && !given.asked) this.report('division', node, [{ ...span(given.at), label: 'comes from outside' }])
  }
}
