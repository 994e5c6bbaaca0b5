import type { Analysis, Frame } from './analysis.ts'
import { findTruth } from './fold.ts'
import { refine } from './guards.ts'
import type { Expression, FunctionForm, Parameter } from './ir.ts'
import type { Answer, Checks } from './outside-checks.ts'
import type { State } from './state.ts'
import type { Value } from './value.ts'

/** Types of parameters that may be text: of a number nothing was found out by a check. */
const TEXT = /str|char|any|object|mixed|dynamic|unknown/i

/** Watches what a function that is analyzed has found out about its parameter where it answers. */
export class Answers {
  readonly form: FunctionForm
  readonly #parameter: Parameter
  readonly #known = new Map<Answer, string[]>()

  constructor(form: FunctionForm, parameter: Parameter) {
    this.form = form
    this.#parameter = parameter
  }

  /** Notes what holds where the function returns a value. */
  note(a: Analysis, f: Frame, expression: Expression | undefined, value: Value, state: State): void {
    this.#add('back', state)
    const truth = findTruth(value)
    for (const held of [true, false]) {
      if (truth === !held) continue
      const answered = state.copy()
      if (expression) refine(a, f, expression, held, answered)
      this.#add(held ? 'yes' : 'no', answered)
    }
  }

  /** Notes what holds at the end of the body, where it is reached. */
  noteEnd(state: State): void {
    this.#add('back', state)
    this.#add('no', state)
  }

  /** What the answers say; undefined where that is nothing, or the parameter is another value by then. */
  read(text: string): Checks | undefined {
    const { name: written, type } = this.#parameter
    const name = written.replace(/^\$/, '')
    const body = text.slice(this.form.start, this.form.end)
    if (!/^\w+$/.test(name) || (type !== undefined && !TEXT.test(type))) return undefined
    if (new RegExp(`(?<![.\\w])${name}\\s*(?:[-+*/%.|&?:]{1,2})?=(?![=>~])`).test(body)) return undefined
    const told = [...this.#known].filter(([, classes]) => classes.length > 0)
    return told.length === 0 ? undefined : Object.fromEntries(told)
  }

  #add(answer: Answer, state: State): void {
    const labels = (state.variables.get(this.#parameter.name)?.labels ?? []).filter(
      ({ origin }) => origin.start === this.#parameter.start,
    )
    const classes = labels.map(({ cleaned }) => cleaned.split(' ').filter(name => /^[a-z]/.test(name)))
    const known = this.#known.get(answer)
    // What is left of no input is clean for all.
    const all = [...(known ? [known] : []), ...(classes.length === 0 ? [['*']] : classes)].filter(
      ([one]) => one !== '*',
    )
    const [first = ['*'], ...others] = all
    this.#known.set(
      answer,
      first.filter(name => others.every(other => other.includes(name))),
    )
  }
}
