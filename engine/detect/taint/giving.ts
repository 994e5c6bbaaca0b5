import type { Analysis } from './analysis.ts'
import type { FunctionForm } from './ir.ts'
import { type Returned, readReturned } from './outside.ts'
import type { State } from './state.ts'
import type { Value } from './value.ts'

/** A function that gives input whatever it is given, by the names that lead to it. */
export interface Giving {
  names: string[]
  returned: Returned
}

/** Parameters by which a framework hands an answer to a function to write to: such a function returns no input. */
const ANSWER = /^_?(?:res|resp|response|w|rw|reply)$/

/** Whether a function may give input whatever it is given: other files can name it, and it writes no answer. */
export function mayGive({ name, isInner, property, parameters }: FunctionForm): boolean {
  if (name === '' && property === undefined) return false
  if (isInner && property === undefined) return false
  return name !== 'constructor' && !parameters.some(parameter => ANSWER.test(parameter.name))
}

/** Kinds of source that are no input of somebody else's: what functions return of the program's own surroundings is a guess two files on. */
const NEAR: ReadonlySet<string> = new Set([
  'argument',
  'environment',
  'file',
  'network',
  'parameter',
  'random',
  'stdin',
])

/** Finds the functions of a file that give input whatever they are given, as it is analyzed. */
export class GivingFunctions {
  readonly #kinds: ReadonlySet<string>
  readonly #found = new Map<FunctionForm, Giving>()
  readonly #all: readonly FunctionForm[]

  /** `kinds` are the kinds of source that rules follow. */
  constructor(all: readonly FunctionForm[], kinds: ReadonlySet<string>) {
    this.#all = all
    this.#kinds = new Set([...kinds].filter(kind => !NEAR.has(kind)))
  }

  readonly onReturn = (_: Analysis, form: FunctionForm, value: Value, state: State): void => {
    this.#found.delete(form)
    if (!mayGive(form)) return
    // What it is handed by a framework, or by its caller, is no gift.
    const isHanded = ({ start }: { start: number }) =>
      form.parameters.some(parameter => parameter.start <= start && start < parameter.end)
    const returned = readReturned(form, value, state, false, ({ kind, origin }) => {
      return this.#kinds.has(kind) && !isHanded(origin)
    })
    if (!returned || returned.ways.length === 0) return
    if (
      returned.ways.some(({ kind, isCarrier }) => !this.#kinds.has(kind) || (isCarrier && form.parameters.length > 0))
    )
      return
    const name = form.property ?? form.name
    this.#found.set(form, { names: form.owner === undefined ? [name] : [form.owner, name], returned })
  }

  /** Those found, in their order in the file; of several with one name none. */
  list(): Giving[] {
    const isOnly = ({ name, property = name, owner }: FunctionForm) =>
      this.#all.filter(form => (form.property ?? form.name) === property && form.owner === owner).length === 1
    return this.#all.flatMap(form => (isOnly(form) ? (this.#found.get(form) ?? []) : []))
  }
}
