import type { CelFunc, CelType, celEnv, parse } from '@bufbuild/cel'
import { findNearest } from '../../../base/text/nearest.ts'
import {
  BOOL,
  type CelField,
  type CelKind,
  DYN,
  type FactKind,
  formatKind,
  INT,
  isAssignable,
  joinKinds,
  listOf,
  STRING,
} from './types.ts'

type Env = ReturnType<typeof celEnv>
type Parsed = ReturnType<typeof parse>
type Expr = NonNullable<Parsed['expr']>
type Node<K extends Expr['exprKind']['case']> = Extract<Expr['exprKind'], { case: K }>['value']

/** A fault of an expression, with the offset in its text. */
export class CelTypeError extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** What an expression gives, and what it reads. */
export interface Checked {
  type: CelKind
  /** Variables that it names. */
  variables: ReadonlySet<string>
  needs: ReadonlySet<FactKind>
}

type Scope = Readonly<Record<string, CelField>>

/**
 * Determines the type of an expression whose variables are known, as the language definition has it: fields that an object has not, functions
 * that are not there, operands that no overload takes. Throws CelTypeError for the first fault, with what was probably meant. The library
 * evaluates expressions and finds this only when it comes to the value.
 */
export function checkTypes(parsed: Parsed, source: string, env: Env, variables: Scope): Checked {
  const checker = new Checker(env, source, parsed.sourceInfo?.positions ?? {})
  const type = checker.typeOf(parsed.expr, variables)
  return { type, variables: checker.named, needs: checker.needs }
}

class Checker {
  readonly named = new Set<string>()
  readonly needs = new Set<FactKind>()
  readonly #env: Env
  readonly #source: string
  readonly #positions: Readonly<Record<string, number>>

  constructor(env: Env, source: string, positions: Readonly<Record<string, number>>) {
    this.#env = env
    this.#source = source
    this.#positions = positions
  }

  typeOf(expr: Expr, scope: Scope): CelKind {
    const { exprKind } = expr
    switch (exprKind.case) {
      case 'constExpr':
        return constantKind(exprKind.value)
      case 'identExpr':
        return this.#typeOfName(expr, exprKind.value.name, scope)
      case 'selectExpr':
        return this.#typeOfField(expr, exprKind.value, scope)
      case 'callExpr':
        return this.#typeOfCall(expr, exprKind.value, scope)
      case 'listExpr':
        return listOf(
          exprKind.value.elements
            .map(element => this.typeOf(element, scope))
            .reduce<CelKind | undefined>((all, one) => (all ? mixKinds(all, one) : one), undefined) ?? DYN,
        )
      case 'comprehensionExpr':
        return this.#typeOfComprehension(expr, exprKind.value, scope)
      case 'structExpr':
        return this.#typeOfMap(exprKind.value, scope)
      default:
        return DYN
    }
  }

  #typeOfName(expr: Expr, name: string, scope: Scope): CelKind {
    const field = Object.hasOwn(scope, name) ? scope[name] : undefined
    if (field) return this.#read(field, name)
    if (TYPE_NAMES.has(name)) return { kind: 'type' }
    const known = Object.keys(scope).filter(each => !each.startsWith('@'))
    throw this.#fault(expr, `${name} is not a known variable${suggest(name, known)}`)
  }

  #typeOfField(expr: Expr, { operand, field, testOnly }: Node<'selectExpr'>, scope: Scope): CelKind {
    const of = this.typeOf(operand!, scope)
    if (of.kind === 'object') {
      const found = Object.hasOwn(of.fields, field) ? of.fields[field] : undefined
      if (!found)
        throw this.#fault(expr, `${field} is not a known field of ${of.name}${suggest(field, Object.keys(of.fields))}`)
      const type = this.#read(found)
      return testOnly ? BOOL : type
    }
    if (of.kind !== 'map' && of.kind !== 'dyn')
      throw this.#fault(expr, `${formatKind(of)} has no field ${field}: it is neither an object nor a map`)
    return testOnly ? BOOL : of.kind === 'map' ? of.value : DYN
  }

  #typeOfCall(expr: Expr, { function: name, target, args }: Node<'callExpr'>, scope: Scope): CelKind {
    const on = target && this.typeOf(target, scope)
    const given = args.map(each => this.typeOf(each, scope))
    const [first = DYN, second = DYN, third = DYN] = given
    if (name === '_&&_' || name === '_||_') {
      const wrong = given.findIndex(each => !isAssignable(each, BOOL))
      if (wrong >= 0)
        throw this.#fault(
          args[wrong]!,
          `${sign(name)} needs bool on both sides, but this is ${formatKind(given[wrong]!)}`,
        )
      return BOOL
    }
    if (name === '_?_:_') {
      if (!isAssignable(first, BOOL))
        throw this.#fault(args[0]!, `the condition before \`?\` must be bool, but is ${formatKind(first)}`)
      return mixKinds(second, third)
    }
    if (name === '_[_]') return this.#typeOfIndex(expr, first, second)
    if (name === '@not_strictly_false') return BOOL
    if ((name === '_==_' || name === '_!=_') && !isComparable(first, second))
      throw this.#fault(expr, `${formatKind(first)} and ${formatKind(second)} are never equal`)
    if (name === '@in' && second.kind === 'list' && !isComparable(first, second.of))
      throw this.#fault(expr, `${formatKind(first)} is never in a ${formatKind(second)}`)
    const overload = this.#overload(expr, name, on, given)
    if (name === '_+_' && first.kind === 'list') return joinKinds(first, second)
    if (name === 'dyn') return DYN
    return overload
  }

  #overload(expr: Expr, name: string, on: CelKind | undefined, given: readonly CelKind[]): CelKind {
    const group = [...(this.#env.funcs.find(name) ?? [])] as CelFunc[]
    const ofKind = group.filter(({ target }) => (target === undefined) === (on === undefined))
    if (ofKind.length === 0) throw this.#unknownFunction(expr, name, on)
    const fits = ofKind.filter(
      each =>
        each.arguments.length === given.length &&
        (!on || isAssignable(on, toKind(each.target!))) &&
        each.arguments.every((argument, index) => isAssignable(given[index]!, toKind(argument))),
    )
    if (fits.length > 0)
      return fits.map(({ result }) => toKind(result)).reduce((all, one) => (all.kind === one.kind ? all : DYN))
    const shown = given.map(formatKind).join(', ')
    throw this.#fault(
      expr,
      isOperator(name)
        ? `${sign(name)} does not work on ${given.map(formatKind).join(' and ')}`
        : `${on ? `${formatKind(on)}.` : ''}${name}(${shown}) does not exist: ${name} takes ${ofKind.map(signature).join(' or ')}`,
    )
  }

  #unknownFunction(expr: Expr, name: string, on: CelKind | undefined): CelTypeError {
    const all = [...this.#env.funcs].filter(({ name: each }) => !isOperator(each))
    const ofKind = all.filter(({ target }) => (target === undefined) === (on === undefined)).map(each => each.name)
    const macros = on ? ['all', 'exists', 'exists_one', 'filter', 'map'] : ['has']
    const other = all.some(each => each.name === name)
    const hint = other
      ? on
        ? `: write ${name}(…)`
        : `: write value.${name}(…)`
      : suggest(name, [...new Set([...ofKind, ...macros])], false)
    return this.#fault(expr, `${name} is not a known ${on ? 'method' : 'function'}${hint}`)
  }

  #typeOfIndex(expr: Expr, of: CelKind, index: CelKind): CelKind {
    if (of.kind === 'list') {
      if (!isAssignable(index, INT))
        throw this.#fault(expr, `a list is indexed by int, but this is ${formatKind(index)}`)
      return of.of
    }
    if (of.kind === 'map') return of.value
    if (of.kind === 'dyn' || of.kind === 'object') return DYN
    throw this.#fault(expr, `${formatKind(of)} has no elements to index`)
  }

  #typeOfComprehension(expr: Expr, node: Node<'comprehensionExpr'>, scope: Scope): CelKind {
    const range = this.typeOf(node.iterRange!, scope)
    if (!['list', 'map', 'dyn'].includes(range.kind))
      throw this.#fault(node.iterRange ?? expr, `a macro needs a list or a map, but this is ${formatKind(range)}`)
    const element = range.kind === 'list' ? range.of : range.kind === 'map' ? range.key : DYN
    let accumulated = this.typeOf(node.accuInit!, scope)
    const inner = (): Scope => ({
      ...scope,
      [node.iterVar]: { type: element },
      ...(node.iterVar2 !== '' && { [node.iterVar2]: { type: range.kind === 'map' ? range.value : element } }),
      [node.accuVar]: { type: accumulated },
    })
    accumulated = joinKinds(accumulated, this.typeOf(node.loopStep!, inner()))
    return this.typeOf(node.result!, { ...scope, [node.accuVar]: { type: accumulated } })
  }

  #typeOfMap({ entries }: Node<'structExpr'>, scope: Scope): CelKind {
    const kinds = entries.map(({ keyKind, value }) => ({
      key: keyKind.case === 'mapKey' ? this.typeOf(keyKind.value, scope) : STRING,
      value: this.typeOf(value!, scope),
    }))
    if (kinds.length === 0) return { kind: 'map', key: DYN, value: DYN }
    const mix = (part: 'key' | 'value') => kinds.map(each => each[part]).reduce(mixKinds)
    return { kind: 'map', key: mix('key'), value: mix('value') }
  }

  #read({ type, needs }: CelField, variable?: string): CelKind {
    if (variable !== undefined) this.named.add(variable)
    if (needs) this.needs.add(needs)
    return type
  }

  #fault(expr: Expr, message: string): CelTypeError {
    let at = this.#positions[String(expr.id)] ?? 0
    // The parser counts the space before an operator to it.
    while (/\s/.test(this.#source[at] ?? '')) at++
    return new CelTypeError(message, at)
  }
}

const TYPE_NAMES = new Set(['int', 'uint', 'double', 'bool', 'string', 'bytes', 'list', 'map', 'null_type', 'type'])

function constantKind({ constantKind }: Node<'constExpr'>): CelKind {
  const kinds: Record<string, CelKind> = {
    int64Value: INT,
    uint64Value: { kind: 'uint' },
    doubleValue: { kind: 'double' },
    stringValue: STRING,
    boolValue: BOOL,
    bytesValue: { kind: 'bytes' },
    nullValue: { kind: 'null' },
  }
  return kinds[constantKind.case ?? ''] ?? DYN
}

/** What the library's type is here. */
function toKind(type: CelType): CelKind {
  if (type.kind === 'list') return listOf(toKind(type.element))
  if (type.kind === 'map') return { kind: 'map', key: toKind(type.key), value: toKind(type.value) }
  if (type.kind === 'object')
    return {
      kind:
        type.name === 'google.protobuf.Duration'
          ? 'duration'
          : type.name === 'google.protobuf.Timestamp'
            ? 'timestamp'
            : 'dyn',
    }
  return type.scalar === 'null_type' ? { kind: 'null' } : { kind: type.scalar }
}

/** What is one or the other, where nothing says that they must be the same. */
function mixKinds(a: CelKind, b: CelKind): CelKind {
  return isAssignable(a, b) ? joinKinds(a, b) : DYN
}

const NUMBERS = new Set(['int', 'uint', 'double'])

function isComparable(a: CelKind, b: CelKind): boolean {
  return isAssignable(a, b) || (NUMBERS.has(a.kind) && NUMBERS.has(b.kind)) || a.kind === 'null' || b.kind === 'null'
}

function isOperator(name: string): boolean {
  return /[^\w]/.test(name) || name.startsWith('_')
}

/** `_&&_` as it is written. */
function sign(name: string): string {
  return `\`${name.replaceAll('_', '').replace('@in', 'in')}\``
}

function signature({ arguments: args }: CelFunc): string {
  return args.length === 0 ? 'nothing' : args.map(each => formatKind(toKind(each))).join(', ')
}

function suggest(word: string, known: readonly string[], listsAll = true): string {
  const meant = findNearest(word, known)
  if (meant !== undefined) return `; did you mean ${meant}?`
  return listsAll ? `. Known: ${known.join(', ')}` : ''
}
