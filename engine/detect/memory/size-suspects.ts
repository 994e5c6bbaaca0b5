import { isSpace, isWord } from './call-index.ts'
import { isCompared } from './comparisons.ts'
import { computeTypeSize } from './variables.ts'

/** Brackets behind which a declaration goes on or ends. */
const SIZE = /\[\s*(\w*)\s*\]\s*[;=,]/g
const FILL =
  /\b(?:mem(?:cpy|move|set)|strncpy|strlcpy|v?snprintf|fgets|fread|recv|read)\s*\(\s*&?(\w+)\s*((?:[+[][^,;]{0,60})?,\s*(\w+)[^;]{0,400})/g
const ELEMENT = /\[\s*(\d{1,9}|[A-Za-z_]\w*|sizeof[^\]]{0,200})\s*\]/y
const FREED = /free\s*\(\s*(?:\([^();]{1,80}\)\s*)?&?(\w+)\s*\)/g
const TAKEN = /(\w+)\s*=\s*(?:\([^();]{1,80}\)\s*)?&?(\w+)\s*[;)]/g
const COPY = /\bst[rp](?:cpy|cat)\s*\(\s*&?(\w+)\s*(?:[+[][^,;]{0,60})?,\s*(?:(\w+)|"([^"\n]*)")/g
const ALIAS = /=\s*(?:\([^();]{1,40}\)\s*)?&?(\w+)\s*[;,[+]/y
const SET = /(\w+)\s*=\s*(?:[^;=,(){}]{1,60}\?\s*)?(\d{1,9})\s*(?::\s*(\d{1,9})\s*)?[;,)]/g

/** A local array of which an element behind its end is named, or which is filled with more than it holds. */
export function isBeyond(
  text: string,
  { isExpanded, number }: { isExpanded: boolean; number(name: string): number | undefined },
): boolean {
  const arrays = readArrays(text)
  if (!arrays) return false
  const { sizes, elements, brackets } = arrays
  /** Pointers to arrays, and whether they point behind the first element. */
  const pointed = new Map<string, boolean>()
  for (const { name, all, part: from } of matchBehindNames(text, '=', ALIAS)) {
    const size = sizes.get(from)
    if (size === undefined || (sizes.has(name) && !pointed.has(name))) continue
    sizes.set(name, size)
    elements.set(name, elements.get(from))
    pointed.set(name, !/[;,]$/.test(all) || pointed.get(from) === true)
  }
  let values: Map<string, number> | undefined
  /** Elements of the array, where that is known by the file. */
  const countOf = (name: string | undefined): number | undefined => {
    const size = sizes.get(name ?? '')
    return size === undefined ? undefined : /^\d/.test(size) ? Number(size) : number(size)
  }
  /** Bytes of the array, where that is known. */
  const bytesOf = (name: string | undefined): number | undefined => {
    const element = elements.get(name ?? '')
    const count = element === undefined ? undefined : countOf(name)
    return count === undefined ? undefined : count * element!
  }
  /** Whether a variable is set to such a number or a larger one. */
  const isSetTo = (name: string, least: number): boolean => {
    values ??= findLargest(text)
    return (values.get(name) ?? -1) >= least
  }
  for (const { name, place, part: at } of matchBehindNames(text, '[', ELEMENT)) {
    const size = sizes.get(name)
    if (size === undefined || brackets.has(place)) continue
    if (isBehind(at, size)) return true
    const count = countOf(name)
    if (count !== undefined && /^[A-Za-z_]/.test(at) && isSetTo(at, count)) return true
  }
  for (const [, first, rest, second] of text.matchAll(FILL)) {
    const room = bytesOf(first) ?? bytesOf(second)
    if (room === undefined) continue
    const isWithin = !/^\s*,/.test(rest!) || pointed.get(first!) === true
    for (const [all, digits, word] of rest!.matchAll(/,\s*(?:(\d+)|(\w+)(?:\s*[-+*]\s*\w+)?)\s*(?=[,)])/g)) {
      const bytes = digits === undefined ? number(word!) : Number(digits)
      if (bytes === undefined) {
        if (isSetTo(word!, room + 1)) return true
      } else if (isWithin || /[-+*]/.test(all) || bytes > room) return true
    }
  }
  for (const [, to, from, written] of text.matchAll(COPY)) {
    if (from === undefined ? isTooLong(written!, sizes.get(to!)) : sizes.has(from)) return true
    if (from !== undefined && (pointed.has(to!) || (isExpanded && sizes.has(to!)))) return true
  }
  return isFreeing(text, sizes)
}

/** What arrays a text declares, by their names. */
interface Arrays {
  /** What is written between their brackets. */
  sizes: Map<string, string>
  /** How many bytes an element has; of a name that two have, one at the least. Undefined where that is not known. */
  elements: Map<string, number | undefined>
  /** Where the brackets stand. */
  brackets: Set<number>
}

/** The arrays that a text declares; undefined where it has none. */
function readArrays(text: string): Arrays | undefined {
  let out: Arrays | undefined
  SIZE.lastIndex = 0
  for (let found = SIZE.exec(text); found; found = SIZE.exec(text)) {
    const { 1: size = '', index } = found
    const declared = readDeclared(text, index)
    if (!declared) continue
    out ??= { sizes: new Map(), elements: new Map(), brackets: new Set() }
    const { name, element } = declared
    out.brackets.add(index)
    out.elements.set(name, out.sizes.has(name) ? 1 : element)
    // Of two arrays of one name the smaller counts: the walk tells them apart.
    if (!(Number(out.sizes.get(name)) <= Number(size))) out.sizes.set(name, size)
  }
  return out
}

/** Before a name, what says that it is not declared there. */
const STATEMENT = /^(?:return|case|else)$/

/** The name that stands before a bracket with a type before it, and how many bytes that has; undefined where none does. */
function readDeclared(text: string, place: number): { name: string; element: number | undefined } | undefined {
  const name = readNameBefore(text, place)
  if (name === '') return undefined
  const end = text.lastIndexOf(name, place - 1)
  let at = end
  while (isBetween(text.charCodeAt(at - 1))) at--
  if (at === end || !isWord(text.charCodeAt(at - 1))) return undefined
  const type = readNameBefore(text, at)
  if (STATEMENT.test(type)) return undefined
  return { name, element: text.slice(at, end).includes('*') ? POINTER : computeTypeSize(type) }
}

/** Bytes of a pointer. */
const POINTER = 8

/** Whether a character may stand between a type and a name in a line. */
function isBetween(code: number): boolean {
  return code === 32 || code === 9 || code === 42
}

/** Whether an array is freed, by its own name or that of a pointer to it. */
function isFreeing(text: string, sizes: ReadonlyMap<string, string>): boolean {
  const freed = [...text.matchAll(FREED)].map(([, name]) => name!)
  if (freed.length === 0) return false
  const arrays = new Set(sizes.keys())
  for (const [, name, from] of text.matchAll(TAKEN)) if (arrays.has(from!)) arrays.add(name!)
  return freed.some(name => arrays.has(name))
}

/** What an expression matches at a sign, and its first part, behind a name. */
interface Behind {
  name: string
  place: number
  all: string
  part: string
}

/** What a sticky expression matches at a sign that stands behind a name: it is found from the sign, since names are everywhere. */
function* matchBehindNames(text: string, sign: string, expression: RegExp): Iterable<Behind> {
  let behind = 0
  for (let place = text.indexOf(sign); place !== -1; place = text.indexOf(sign, Math.max(behind, place + 1))) {
    const name = readNameBefore(text, place)
    if (name === '') continue
    expression.lastIndex = place
    const found = expression.exec(text)
    if (!found) continue
    behind = expression.lastIndex
    yield { name, place, all: found[0], part: found[1]! }
  }
}

/** The word that stands before a place; empty where none does. */
function readNameBefore(text: string, place: number): string {
  let end = place
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--
  let start = end
  while (start > 0 && isWord(text.charCodeAt(start - 1))) start--
  return text.slice(start, end)
}

/** The largest number that each variable is set to, as far as it is written out. */
function findLargest(text: string): Map<string, number> {
  const out = new Map<string, number>()
  for (const [, name, one, other] of text.matchAll(SET))
    out.set(name!, Math.max(out.get(name!) ?? 0, Number(one), Number(other ?? 0)))
  return out
}

const SIZED = /alloc\s*\(\s*((?:[^;()]|\((?:[^;()]|\([^;()]*\))*\))*)\)/g
const NARROWED = /\b(?:short|char|u?int(?:8|16)_t|__?[us](?:8|16)|[us](?:8|16))\s+(\w+)\s*=\s*[^;]*\w/g

/** A size that is a product of what the caller gives, or a length that was cut. */
export function isSizing(own: string): boolean {
  if (!own.includes('alloc')) return false
  const brace = own.indexOf('{')
  const head = own.slice(0, brace)
  let narrow: Set<string> | undefined
  for (const [, size] of own.slice(brace).matchAll(SIZED)) {
    const rest = size!.replace(/sizeof\s*(?:\([^()]*\)|\*?\s*\w+)/g, '')
    const words = rest.match(/\b[A-Za-z_]\w*/g) ?? []
    if (words.length === 0) continue
    narrow ??= new Set([...own.matchAll(NARROWED)].map(([, name]) => name!))
    if (words.some(word => narrow!.has(word))) return true
    if (!/\*|<</.test(rest)) continue
    if (/\b(?:read|fread|recv)\s*\(/.test(own) && /\w\.\w/.test(size!)) return true
    if (/\bstatic\b/.test(head)) continue
    if (words.some(word => new RegExp(`\\b${word}\\s*[,)]`).test(head) && !isCompared(own, word))) return true
  }
  return false
}

/** Whether the element is none of an array of this size, both as they are written. */
function isBehind(at: string, size: string): boolean {
  if (/^\d+$/.test(at) && /^\d+$/.test(size)) return Number(at) >= Number(size)
  return at === size || /^sizeof[^-]*$/.test(at)
}

/** Whether a text between quotes may be longer than an array of this size; a text that is added to another counts as one. */
function isTooLong(text: string, size: string | undefined): boolean {
  return size !== undefined && !(text.length < Number(size))
}
