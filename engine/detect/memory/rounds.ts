import type { Syntax } from '../taint/languages/syntax.ts'
import { Expressions } from './expressions.ts'
import { flagsIn, setIn, words } from './nodes.ts'
import { type Fact, fact, meet, OTHER, type State, UNSET } from './state.ts'

/** What leaves a loop or a switch early, and what goes round again. */
interface Target {
  isLoop: boolean
  /** Of a switch: what decides which of its ways is taken. */
  on?: () => ReadonlySet<string>
  broken: State | undefined
  continued: State | undefined
}

/** Loops and switches, and what leaves them early. */
export abstract class Rounds extends Expressions {
  readonly #targets: Target[] = []
  readonly #found = new Map<string, ReadonlySet<string>>()

  protected abstract statement(node: Syntax, s: State): void

  /** A loop whose head is a macro. */
  protected macroLoop(head: Syntax, body: Syntax, s: State): void {
    const outer = s.copy()
    for (const name of words(head.text)) outer.forget(name)
    const target: Target = { isLoop: true, broken: undefined, continued: undefined }
    this.#targets.push(target)
    this.statement(body, outer.copy())
    this.#targets.pop()
    for (const name of words(body.text)) outer.forget(name)
    s.become(outer)
  }

  /** Names that are found in a part of the function, which loops around it ask for again and again. */
  #named(node: Syntax, find: (text: string) => readonly string[]): ReadonlySet<string> {
    const key = `${node.start}:${node.end}`
    const known = this.#found.get(key) ?? new Set(find(node.text))
    this.#found.set(key, known)
    return known
  }

  protected loop(
    node: Syntax,
    s: State,
    init: Syntax | undefined,
    condition: Syntax | undefined,
    update: Syntax | undefined,
    atLeastOnce: boolean,
  ): void {
    if (init) {
      if (/statement$|^declaration$/.test(init.kind)) this.statement(init, s)
      else this.value(init, s)
    }
    // What one round sets the next may read.
    let set: ReadonlySet<string> | undefined
    for (const [name, known] of s.facts) {
      if (!(known.mask & UNSET)) continue
      set ??= new Set([...node.text.matchAll(/\b([A-Za-z_]\w*)\s*=(?!=)/g)].map(([, given]) => given!))
      if (set.has(name)) s.facts.set(name, fact(OTHER, known.at))
    }
    const target: Target = { isLoop: true, broken: undefined, continued: undefined }
    this.#targets.push(target)
    const body = node.at('body')
    let exit: State | undefined
    let at = s.copy()
    for (let round = 0; round < 2 && !at.isDead; round++) {
      if (condition && !(atLeastOnce && round === 0)) {
        const [yes, no] = this.test(condition, at)
        // That it is carried out at least once is taken for granted.
        if (round > 0) exit = exit ? meet(exit, no) : no
        at = yes
      }
      // What the loop sets is not in every round what it was before.
      if (round === 0)
        depend(
          at,
          (name, _, names) => names.has(name),
          () => this.#named(node, setIn),
        )
      this.statement(body, at)
      at = target.continued ? meet(at, target.continued) : at
      target.continued = undefined
      if (update && !at.isDead) this.value(update, at)
      // A flag that is set together with something has the loop end before that is done again.
      if (!at.isDead)
        depend(
          at,
          (name, known) => known !== s.facts.get(name),
          () => this.#named(body, flagsIn),
        )
    }
    this.#targets.pop()
    if (condition && !at.isDead) exit = exit ? meet(exit, this.test(condition, at)[1]) : this.test(condition, at)[1]
    if (target.broken) exit = exit ? meet(exit, target.broken, () => words(node.text)) : target.broken
    if (!exit) {
      s.isDead = true
      return
    }
    // Whether something was set depends on how the rounds went.
    for (const [name, known] of exit.facts)
      if (known.mask & UNSET && known.mask !== UNSET) exit.facts.set(name, fact(OTHER, known.at))
    s.become(exit)
  }

  protected switch(node: Syntax, s: State): void {
    const condition = node.at('condition')
    this.decided(condition, s)
    const before = s.copy()
    const on = () => new Set([...words(condition.text), ...setIn(node.text)])
    const target: Target = { isLoop: false, on, broken: undefined, continued: undefined }
    this.#targets.push(target)
    let at = before.copy()
    at.isDead = true
    const cases = node.at('body').parts.filter(({ kind }) => kind === 'case_statement')
    for (const part of cases) {
      at = meet(at, before.copy())
      for (const inner of part.parts.slice(part.field('value') ? 1 : 0)) this.statement(inner, at)
    }
    this.#targets.pop()
    const past = cases.some(part => !part.field('value')) ? at : meet(at, before, on)
    s.become(target.broken ? meet(past, target.broken, on) : past)
    for (const [name, known] of s.facts)
      if (known.mask & UNSET && known.mask !== UNSET) s.facts.set(name, fact(OTHER, known.at))
  }

  protected leave(isBreak: boolean, s: State): void {
    const target = isBreak ? this.#targets.at(-1) : this.#targets.findLast(({ isLoop }) => isLoop)
    if (target) {
      const key = isBreak ? 'broken' : 'continued'
      const before = target[key]
      target[key] = before ? meet(before, s.copy(), target.on) : s.copy()
    }
    s.isDead = true
  }
}

/** What is known of variables that a condition chooses, but for the ones of which nothing is, depends on the names as well. */
function depend(
  s: State,
  chosen: (name: string, known: Fact, names: ReadonlySet<string>) => boolean,
  names: () => ReadonlySet<string>,
): void {
  for (const [name, known] of s.facts)
    if (known.mask !== OTHER && chosen(name, known, names()))
      s.facts.set(name, { ...known, on: new Set([...known.on, ...names()]) })
}
