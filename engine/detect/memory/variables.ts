import type { Syntax } from '../taint/languages/syntax.ts'
import { compute, readInteger } from './arithmetic.ts'
import { SIZES } from './library.ts'

/** A variable of a function. */
export interface Variable {
  kind: 'pointer' | 'scalar' | 'array'
  isParameter: boolean
  /** It keeps its value when the function ends (`static`), or something is called then. */
  isKept?: boolean
  /** Of a number: whether it can be less than nothing. */
  signed: boolean
  /** A number with a fraction: it counts nothing, and may be divided by 0. */
  isReal?: true
  /** Of a whole number: its bytes, where they are known. */
  width?: number
  /** Of an array: how many elements, and how large each is, where that is known; of a pointer, how large what it points to is. */
  count?: number
  element?: number
}

/** A declared name: what declares it, and what it is. */
export interface Declared {
  name: string
  variable: Variable
}

/** What a declarator with the type written before it declares; undefined for functions, references and objects. */
export function readDeclared(
  declarator: Syntax,
  type: string,
  isParameter: boolean,
  constant: (node: Syntax) => number | undefined,
): Declared | undefined {
  let at: Syntax | undefined = declarator
  let pointers = 0
  let array: Syntax | undefined
  let arrays = 0
  while (at && at.kind !== 'identifier') {
    if (/function|reference|structured|parenthesized/.test(at.kind)) return undefined
    if (at.kind === 'pointer_declarator') pointers++
    if (at.kind === 'array_declarator') {
      array = at
      arrays++
    }
    at = at.field('declarator')
  }
  if (!at) return undefined
  const name = at.text
  if (array && !isParameter) {
    const size = arrays === 1 ? array.field('size') : undefined
    const count = size && constant(size)
    const element = pointers > 0 ? 8 : computeTypeSize(type)
    return {
      name,
      variable: {
        kind: 'array',
        isParameter,
        signed: false,
        ...(count !== undefined && { count }),
        ...(element !== undefined && { element }),
      },
    }
  }
  if (pointers > 0 || array) {
    const element = pointers === 1 && !array ? computeTypeSize(type) : undefined
    return {
      name,
      variable: { kind: 'pointer', isParameter, signed: false, ...(element !== undefined && { element }) },
    }
  }
  if (!SCALAR.test(type)) return undefined
  const isReal = /\b(?:float|double)\b/.test(type)
  const width = computeTypeSize(type)
  const signed = !UNSIGNED.test(type)
  return {
    name,
    variable: { kind: 'scalar', isParameter, signed, ...(isReal && { isReal }), ...(width !== undefined && { width }) },
  }
}

const SCALAR =
  /^(?:(?:const|volatile|register|unsigned|signed|long|short|int|char|float|double|bool|_Bool|s?size_t|u?int\d+_t|__?[us]\d+|[us]\d+|off_t|time_t)\s*)+$/
const UNSIGNED = /\bunsigned\b|\bsize_t\b|\buint|\b_*u\d+\b/

/** Bytes that one value of the type takes; undefined where that is not known. */
export function computeTypeSize(written: string): number | undefined {
  if (written.includes('*')) return 8
  const words = written
    .replace(/\b(?:const|volatile|static|register|signed|unsigned)\b/g, ' ')
    .trim()
    .split(/\s+/)
  if (words.length === 1 && words[0] === '') return 4
  const last = words.every(word => Object.hasOwn(SIZES, word)) ? words : []
  if (last.length === 0) return undefined
  if (last.includes('long') && last.includes('int')) return 8
  if (last.includes('short')) return 2
  return SIZES[last[0]!]
}

/** Whole numbers that are known as they are written: literals, sizes, macros of the file that are numbers, and variables that are set to one. */
export function evaluateConstant(
  node: Syntax,
  variables: ReadonlyMap<string, Variable>,
  macro: (name: string) => number | undefined,
  set?: ReadonlyMap<string, number>,
): number | undefined {
  const of = (part: Syntax | undefined): number | undefined => part && evaluateConstant(part, variables, macro, set)
  switch (node.kind) {
    case 'number_literal':
      return readInteger(node.text)
    case 'parenthesized_expression':
      return of(node.parts[0])
    case 'cast_expression':
      return of(node.field('value'))
    case 'identifier':
      return variables.has(node.text) ? set?.get(node.text) : macro(node.text)
    case 'unary_expression': {
      const value = of(node.field('argument'))
      return node.field('operator')?.text === '-' && value !== undefined ? -value : undefined
    }
    case 'sizeof_expression': {
      const type = node.field('type') ?? node.parts.find(({ kind }) => kind === 'type_descriptor')
      if (type) return computeTypeSize(type.text)
      let value = node.field('value') ?? node.parts[0]
      while (value?.kind === 'parenthesized_expression') value = value.parts[0]
      const element =
        value?.kind === 'subscript_expression' ? variables.get(value.at('argument').text)?.element : undefined
      if (element !== undefined) return element
      const known = value && variables.get(value.text)
      if (known?.kind === 'array' && known.count !== undefined && known.element !== undefined)
        return known.count * known.element
      // `sizeof(char)` is read as the size of something called so.
      return value?.kind === 'identifier' && !known ? SIZES[value.text] : undefined
    }
    case 'binary_expression': {
      const [left, right] = [of(node.field('left')), of(node.field('right'))]
      return left === undefined || right === undefined ? undefined : compute(node.field('operator')?.text, left, right)
    }
    default:
      return undefined
  }
}
