import type { CallName } from '../../base/records/taint-model.ts'
import { compileExpression } from './expression.ts'

/** A call as the interpreter meets it. */
export interface CallSite {
  /** Last part of the name; empty where the callee has none. */
  method: string
  /** Full name, by the imports, where what stands before the method is no variable. */
  path?: string
  /** Type of the object it is called on, where it is known. */
  receiverType?: string
  /** Text before the method; undefined for a plain call. */
  receiver?: string
  isNew: boolean
}

interface Entry<T> {
  /** What stands before the method: a type or module; undefined for a plain call, `*` for any object. */
  owner?: string
  full: string
  loose: boolean
  isNew: boolean
  data: T
}

/** Finds what is known of a call by its name, in one look-up of the method. */
export class CallIndex<T> {
  readonly #byMethod = new Map<string, Entry<T>[]>()
  readonly #expressions: { expression: RegExp; data: T }[] = []
  readonly #simpleTypes: boolean
  readonly #foldsNames: boolean

  /** With `foldsNames` a name is found however its letters are written; to an expression it is shown as it is and in small letters. */
  constructor(simpleTypes: boolean, foldsNames = false) {
    this.#simpleTypes = simpleTypes
    this.#foldsNames = foldsNames
  }

  add(name: CallName, data: T): void {
    if (name.startsWith('/')) {
      this.#expressions.push({ expression: compileExpression(name.slice(1, -1)), data })
      return
    }
    const isNew = name.startsWith('new ')
    const loose = name.startsWith('~')
    const written = isNew ? name.slice(4) : loose ? name.slice(1) : name
    const full = this.#foldsNames ? written.toLowerCase() : written
    const dot = full.lastIndexOf('.')
    const method = full.slice(dot + 1)
    const entry: Entry<T> = { full, loose, isNew, data }
    if (dot !== -1 && !isNew) entry.owner = full.slice(0, dot)
    const known = this.#byMethod.get(method)
    if (known) known.push(entry)
    else this.#byMethod.set(method, [entry])
  }

  find(site: CallSite): T[] {
    const out: T[] = []
    const named = this.#foldsNames ? folded(site) : site
    for (const entry of this.#byMethod.get(named.method) ?? []) if (this.#fits(entry, named)) out.push(entry.data)
    if (this.#expressions.length > 0) {
      const names = this.#foldsNames ? [getName(site), getName(named)] : [getName(site)]
      for (const { expression, data } of this.#expressions) {
        if (names.some(name => expression.test(name))) out.push(data)
      }
    }
    return out
  }

  #fits({ owner, full, loose, isNew }: Entry<T>, { path, receiverType, receiver, isNew: made }: CallSite): boolean {
    if (isNew || made) return isNew && made && path !== undefined && this.#sameType(full, path)
    if (owner === undefined) return receiver === undefined && path === full
    if (owner === '*') return receiver !== undefined
    if (receiverType !== undefined) {
      if (this.#sameType(owner, receiverType)) return true
    } else if (path?.includes('.')) {
      if (this.#simpleTypes ? isSuffix(path, full) : path === full) return true
    } else if (path === full) return true
    return loose && receiverType === undefined && receiver !== undefined
  }

  #sameType(wanted: string, given: string): boolean {
    return wanted === given || (this.#simpleTypes && isSuffix(given, wanted))
  }
}

/** The same call with the letters of its names small. */
function folded(site: CallSite): CallSite {
  const { method, path, receiverType } = site
  return {
    ...site,
    method: method.toLowerCase(),
    ...(path !== undefined && { path: path.toLowerCase() }),
    ...(receiverType !== undefined && { receiverType: receiverType.toLowerCase() }),
  }
}

/** The name of a call as far as it is known, for expressions. */
export function getName({ method, path, receiverType, receiver, isNew }: CallSite): string {
  const name = path ?? (receiverType ? `${receiverType}.${method}` : receiver === undefined ? method : `?.${method}`)
  return isNew ? `new ${name}` : name
}

/** Whether the shorter of two dotted names is how the longer one ends. */
export function isSuffix(a: string, b: string): boolean {
  if (a === b) return true
  return a.length > b.length ? a.endsWith(`.${b}`) : b.endsWith(`.${a}`)
}
