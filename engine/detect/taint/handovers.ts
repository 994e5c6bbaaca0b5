import type { Analysis } from './analysis.ts'
import type { CallSite } from './call-index.ts'
import type { Given } from './functions.ts'
import type { Span } from './ir.ts'
import type { State } from './state.ts'
import { type Label, type MadeOf, tracePath, type Value } from './value.ts'

/** What a value carries from one file to another. */
export interface Input {
  /** Kind of source: `request`, `argument`, … */
  kind: string
  /** It is not input itself, but input is asked of it (a request). */
  isCarrier: boolean
  /** Classes of sink for which it is clean, as a label has them. */
  cleaned: string
  /** The property that holds it, where an object is passed of which only that is input. */
  property?: string
}

/** Input that is passed to a function that the file does not have. Offsets in the text; plain data. */
export interface Handover extends Span {
  /** Full name of the function by the imports, or `type.method` where the type of the object is known. */
  callee: string
  /** Place of the argument; its name where it has one. */
  position: number
  name?: string
  /** It was passed to the constructor of the object whose method is called. */
  isMade?: true
  input: Input
  /** From the source to the call. */
  flow: { start: number; end: number; label: string }[]
}

/** What is called, with the type of its object where that is known in any way. */
export type Callee = Omit<CallSite, 'receiverType'> & { receiverType: string | undefined }

/** Handovers that are noted of one file; a program that has more is made to have them. */
const MOST_HANDOVERS = 400

/**
 * Notes what of the arguments is input, where the function called is one of another file. Kinds of source that no rule
 * follows are passed over, and input that went through code that cannot be seen: what is left of it two files on is a guess.
 */
export function noteHandovers(
  { handovers, module }: Analysis,
  site: Callee,
  { start, end }: Span,
  given: readonly Given[],
  state: State,
): void {
  if (!handovers) return
  const callee = nameCallee(site, module.imports)
  if (callee === undefined) return
  given.forEach(({ argument: { name, spread }, value }, position) => {
    if (spread) return
    for (const { input, label } of listInputs(value, state)) {
      if (label?.unsure || !handovers.kinds.has(input.kind)) continue
      const flow = label ? tracePath(label) : []
      const key = `${start}:${end}:${position}:${input.property}:${input.kind}:${input.cleaned}:${flow[0]?.start}`
      if (handovers.found.has(key)) continue
      if (handovers.found.size >= MOST_HANDOVERS) handovers.isCut = true
      else handovers.found.set(key, { start, end, callee, position, ...(name !== undefined && { name }), input, flow })
    }
  })
}

/** Notes the call of a method of an object of another file that was made of input. */
export function noteMade(
  { handovers, module }: Analysis,
  site: Callee,
  { start, end }: Span,
  receiver: Value | undefined,
): void {
  if (!handovers || !receiver?.madeOf) return
  const callee = nameCallee(site, module.imports)
  if (callee === undefined) return
  for (const made of receiver.madeOf) {
    const { position, input, flow } = made
    const key = `${start}:${end}:made ${position}:${input.property}:${input.kind}:${input.cleaned}:${flow[0]?.start}`
    if (handovers.found.has(key)) continue
    if (handovers.found.size >= MOST_HANDOVERS) handovers.isCut = true
    else handovers.found.set(key, { start, end, callee, ...made, isMade: true })
  }
}

/** An object of a class that the file does not have, with the input that it was made of. */
export function keepMadeOf({ handovers }: Analysis, value: Value, given: readonly Given[], state: State): Value {
  if (!handovers) return value
  const madeOf: MadeOf[] = []
  given.forEach(({ argument: { name, spread }, value: held }, position) => {
    if (spread) return
    for (const { input, label } of listInputs(held, state))
      if (!label?.unsure && handovers.kinds.has(input.kind))
        madeOf.push({ position, ...(name !== undefined && { name }), input, flow: label ? tracePath(label) : [] })
  })
  return madeOf.length === 0 ? value : { ...value, madeOf }
}

/** The input that a value holds, and what input is asked of. */
export function* listInputs(value: Value, state: State): Iterable<{ input: Input; label?: Label }> {
  for (const { property, held } of listHeld(value, state)) {
    const named = property === undefined ? {} : { property }
    const { carrier } = held
    if (carrier !== undefined) yield { input: { kind: carrier, isCarrier: true, cleaned: ' ', ...named } }
    for (const label of held.labels)
      yield { input: { kind: label.kind, isCarrier: false, cleaned: label.cleaned, ...named }, label }
  }
}

/** A value as it is passed: of an object that is known each property by itself, since others of it are not input for the sake of one. */
function* listHeld(value: Value, state: State): Iterable<{ property?: string; held: Value }> {
  const thing = state.thing(value)
  if (thing?.kind !== 'object' && thing?.kind !== 'map') {
    yield { held: state.whole(value) }
    return
  }
  yield { held: value }
  if (thing.rest) yield { held: thing.rest }
  for (const [property, held] of thing.kind === 'object' ? thing.fields : thing.entries) {
    const inner = state.thing(held)
    yield { property, held: inner?.kind === 'object' || inner?.kind === 'map' ? held : state.whole(held) }
  }
}

/** The full name of what is called; undefined for a method of an object of which nothing is known. */
export function nameCallee(
  { path, method, receiver, receiverType }: Callee,
  imports: ReadonlyMap<string, string>,
): string | undefined {
  if (method === '') return undefined
  if (receiver !== undefined && receiverType !== undefined) return `${receiverType}.${method}`
  if (path !== undefined) return path
  return receiver === undefined && !imports.has(method) ? method : undefined
}
