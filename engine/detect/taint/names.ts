import { type Analysis, evaluate, type Frame } from './analysis.ts'
import type { CallSite } from './call-index.ts'
import type { ClassForm, Expression, FunctionForm } from './ir.ts'
import { getLastPart, stripType } from './sources.ts'
import type { State } from './state.ts'
import { toNumber, type Value } from './value.ts'
import { unwrapType } from './wrappers.ts'
import { readWritten } from './written.ts'

/** The name by the imports, where the expression is one that stands on no variable. */
export function findPath(a: Analysis, f: Frame, expression: Expression, state: State): string | undefined {
  if (expression.kind === 'name') {
    const { name } = expression
    if (state.variables.has(name)) return undefined
    const imported = a.module.imports.get(name)
    if (imported !== undefined) return imported
    return a.globals.has(name) || findField(a, f, name) ? undefined : name
  }
  if (expression.kind !== 'member') return undefined
  const owner = findPath(a, f, expression.object, state)
  return owner === undefined ? undefined : `${owner}.${expression.name}`
}

/** The call as libraries' models know it, without its arguments evaluated. */
export function makeSite(
  a: Analysis,
  f: Frame,
  { callee }: Expression & { kind: 'call' },
  state: State,
  receiver?: Value,
): CallSite {
  if (callee.kind === 'member') {
    const path = findPath(a, f, callee, state)
    const site: CallSite = {
      method: callee.name,
      receiver: readWritten(a.text, callee.object),
      isNew: false,
    }
    if (path !== undefined) site.path = path
    const type = (receiver ?? (path === undefined ? evaluate(a, f, callee.object, state) : undefined))?.type
    if (type !== undefined) site.receiverType = type
    return site
  }
  if (callee.kind !== 'name') return { method: '', isNew: false }
  const path = findPath(a, f, callee, state)
  return {
    method: path === undefined ? callee.name : getLastPart(path),
    ...(path !== undefined && { path }),
    isNew: false,
  }
}

/** The field of that name in the class that is being looked at, or in a base that is in the file. */
export function findField(a: Analysis, f: Frame, name: string): { owner: string } | undefined {
  let owner = f.owner
  for (let depth = 0; owner !== undefined && depth < 4; depth++) {
    const form = a.classes.get(owner)
    if (!form) return undefined
    if (form.fields.some(field => field.name === name)) return { owner }
    owner = form.bases.map(base => getLastPart(stripType(base))).find(base => a.classes.has(base) && base !== owner)
  }
  return undefined
}

/** The method of a class or of its bases in the file, by name and number of arguments. */
export function findMethod(a: Analysis, owner: string, name: string, count: number): FunctionForm | undefined {
  let at: string | undefined = owner
  for (let depth = 0; at !== undefined && depth < 5; depth++) {
    const form: ClassForm | undefined = a.classes.get(at)
    if (!form) return undefined
    const named = form.methods.filter(method => method.name === name)
    const fitting = named.find(method => method.parameters.length === count) ?? named[0]
    if (fitting) return fitting
    const current: string = at
    at = form.bases.map(base => getLastPart(stripType(base))).find(base => a.classes.has(base) && base !== current)
  }
  return undefined
}

/** The value as something of a declared type: a number or truth value carries no input. */
export function setType(a: Analysis, value: Value, declared: string): Value {
  const written = unwrapType(a.knowledge.wrappers, declared)
  const name = stripType(written)
  if (a.knowledge.plainTypes.has(name) && !/\[\]/.test(written)) {
    const { labels } = toNumber([value])
    return value.constant === undefined ? { labels, type: name } : { labels, constant: value.constant, type: name }
  }
  if (value.labels.length > 0 && a.declared.isSimple(written)) return { ...value, labels: toNumber([value]).labels }
  // What is known of where the value comes from says more than how the variable is declared.
  return value.type === undefined && name !== '' && !UNTYPED.has(name)
    ? { ...value, type: resolveType(a, name) }
    : value
}

/** Declarations that say nothing of the type. */
const UNTYPED = new Set(['var', 'let', 'const', 'auto', 'Object', 'object', 'any', 'dynamic', 'def'])

/** The type that a cast names, where it says anything. */
export function findWrittenType(a: Analysis, written: string): string | undefined {
  const name = stripType(unwrapType(a.knowledge.wrappers, written))
  return name === '' || UNTYPED.has(name) || a.knowledge.plainTypes.has(name) ? undefined : resolveType(a, name)
}

/** A type's full name, where an import says it. */
export function resolveType(a: Analysis, type: string): string {
  const name = stripType(unwrapType(a.knowledge.wrappers, type))
  return a.module.imports.get(name) ?? name
}
