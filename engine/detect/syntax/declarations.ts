import type { Declared } from '../../base/records/rule.ts'

/** So far it is looked behind a bracket for the one that closes it, and before a name for what makes it no declaration. */
const LONGEST_SIZE = 100
const LONGEST_HEAD = 120

/** What makes what looks like a declaration of a local array none. */
const NO_DECLARATION = /\b(?:return|else|case|static[^;{}]{0,80})\s+$/

const POINTER = /\*\s*(?:\w+\s+){0,3}(\w+)\s*[,;)={:]/g

/** Where names stand that may be declarations, in order. */
type Index = ReadonlyMap<string, readonly number[]>

/** What a text of C or C++ without its comments may declare, by name: read once, when something is first asked. */
export class Declarations {
  readonly #text: string
  readonly #known = new Map<Declared, Index>()

  constructor(text: string) {
    this.#text = text
  }

  /** The last place before an offset where the name may be declared as that; undefined where there is none. */
  lastBefore(kind: Declared, name: string, offset: number): number | undefined {
    const places = this.#indexOf(kind).get(name)
    if (!places) return undefined
    let low = 0
    for (let high = places.length; low < high; ) {
      const middle = (low + high) >> 1
      if (places[middle]! < offset) low = middle + 1
      else high = middle
    }
    return places[low - 1]
  }

  #indexOf(kind: Declared): Index {
    let index = this.#known.get(kind)
    if (!index) {
      index = read(this.#text, kind)
      this.#known.set(kind, index)
    }
    return index
  }
}

function read(text: string, kind: Declared): Index {
  const out = new Map<string, number[]>()
  const add = (name: string, at: number): void => {
    const known = out.get(name)
    if (known) known.push(at)
    else out.set(name, [at])
  }
  for (let open = text.indexOf('['); open !== -1; open = text.indexOf('[', open + 1)) {
    const end = skipBack(text, open)
    if (kind === 'length') {
      const size = /[\w\])]/.test(text[end - 1] ?? '') ? sizeIn(text, open) : undefined
      if (size !== undefined) add(size, open)
      continue
    }
    let start = end
    while (isWord(text.charCodeAt(start - 1))) start--
    if (start === end) continue
    if (kind === 'array' || (kind === 'local_array' ? isLocal(text, start, open) : isParameter(text, open)))
      add(text.slice(start, end), start)
  }
  if (kind !== 'pointer') return out
  POINTER.lastIndex = 0
  for (let found = POINTER.exec(text); found; found = POINTER.exec(text)) {
    add(found[1]!, found.index)
    POINTER.lastIndex = found.index + 1
  }
  for (const places of out.values()) places.sort((a, b) => a - b)
  return out
}

/** What stands in the bracket that opens there, where that is the size of an array that is declared. */
function sizeIn(text: string, open: number): string | undefined {
  let depth = 0
  const most = Math.min(text.length, open + LONGEST_SIZE)
  for (let at = open; at < most; at++) {
    const sign = text[at]
    if (sign === '[') depth++
    else if (sign === ']' && --depth === 0)
      return /[;=,[\w]/.test(text[skip(text, at + 1)] ?? '') ? text.slice(open + 1, at).trim() : undefined
  }
  return undefined
}

/** Whether the name before the bracket is declared there as an array of the function's own. */
function isLocal(text: string, start: number, open: number): boolean {
  if (!isEndedBy(text, open, ';=,')) return false
  const type = skipBack(text, start)
  const before = text[type - 1] ?? ''
  const isType =
    before === '>' ||
    before === ',' ||
    (before === ')' ? /[ \t]/.test(text[type]!) : type < start && isWord(before.charCodeAt(0)))
  return isType && !NO_DECLARATION.test(text.slice(Math.max(0, start - LONGEST_HEAD), start))
}

function isParameter(text: string, open: number): boolean {
  return isEndedBy(text, open, ',)')
}

/** Whether one of the signs follows the bracket that closes. */
function isEndedBy(text: string, open: number, signs: string): boolean {
  const close = text.indexOf(']', open)
  if (close === -1 || close - open > LONGEST_SIZE) return false
  const next = text[skip(text, close + 1)]
  return next !== undefined && signs.includes(next)
}

function skip(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

function skipBack(text: string, from: number): number {
  let at = from
  while (at > 0 && isSpace(text.charCodeAt(at - 1))) at--
  return at
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

function isWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
}
