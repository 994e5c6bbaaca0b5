import type { Span } from '../taint/ir.ts'
import { ALLOCATES, FOLLOWS, NUMBERS, READS_NUMBER } from './library.ts'
import type { Defect } from './reports.ts'

/**
 * Which functions are worth carrying out, by their text: those that cannot do anything of what is looked for are neither parsed nor
 * walked through, which is what most of a large program is.
 */
export function isSuspect(text: string, { start, end }: Span, wanted: ReadonlySet<Defect>): boolean {
  const body = text.slice(text.indexOf('{', start), end)
  const asks = (...defects: Defect[]): boolean => defects.some(defect => wanted.has(defect))
  return (
    (asks('unchecked-null', 'null-followed', 'leak', 'open-file', 'overflow') && isAllocating(body)) ||
    (asks('use-after-free', 'double-free', 'free-of-stack') && isReleasing(body)) ||
    (asks('unchecked-index', 'unchecked-length', 'allocation-overflow', 'division') && isCounting(body)) ||
    (asks('out-of-bounds', 'overflow', 'free-of-stack') && isBeyond(body)) ||
    (asks('unset') && isUnset(body))
  )
}

const names = (of: object): string => Object.keys(of).join('|')
const ALLOCATION = new RegExp(`\\b(${names(ALLOCATES)})\\s*\\(`, 'g')
const RELEASE =
  /\b(?:k?v?free|kvfree|kfree_sensitive|g_free|[fp]close)\s*\(\s*(\w+)\s*\)|\bdelete(?:\s*\[\s*\])?\s+(\w+)\s*;/g
const NUMBER = new RegExp(`\\b(${names(NUMBERS)}|${names(READS_NUMBER)})\\s*\\(`, 'g')
const FOLLOWING = new RegExp(`\\b(?:${names(FOLLOWS)})\\s*\\([^;]*$`)
/** Brackets behind which a declaration goes on or ends, and what stands before them; found from the bracket, since words are everywhere. */
const SIZE = /\[\s*(\w*)\s*\]\s*[;=,]/g
const DECLARED = /\b(?!return\b|case\b|else\b)\w+[ \t*]+(\w+)\s*$/
const LONGEST_NAME = 120
const FILL =
  /\b(?:mem(?:cpy|move|set)|strncpy|strlcpy|v?snprintf|fgets|fread|recv|read)\s*\(\s*(\w+)\s*(,\s*(\w+)[^;]*);/g
const ELEMENT = /(\w+)\s*\[\s*(\d{1,9}|[A-Z_]\w*|sizeof[^\]]*)\s*\]/g
const COPY = /\bst[rp](?:cpy|cat)\s*\(\s*(\w+)\s*,\s*(?:(\w+)|"([^"\n]*)")/g
const PLAIN =
  /(?:^|[;{}])\s*(?:(?:const|unsigned|signed|long|short|int|char|float|double|size_t|u?int\d+_t|[us]\d+|struct\s+\w+|\w+_t)\s+)+\**\s*(\w+)\s*[;,]/gm

/** A block that a variable takes: one that is used before anything is asked of it, or that a function of a program may lose. */
function isAllocating(body: string): boolean {
  for (const { 0: call, 1: name, index } of body.matchAll(ALLOCATION)) {
    const taken = /(\w+)\s*=\s*(?:\([^();{}]*\*\s*\)\s*)?$/.exec(body.slice(Math.max(0, index - 60), index))
    if (!taken) continue
    // In the kernel what is allocated is nearly always kept somewhere.
    if (!/^[kv]/.test(name!)) return true
    const end = body.indexOf(';', index + call.length)
    const next = end === -1 ? -1 : placeOf(body, taken[1]!, end)
    if (next === -1) continue
    const after = body.slice(next + taken[1]!.length, next + taken[1]!.length + 3)
    if (/^\s*(?:->|\[)/.test(after) || FOLLOWING.test(body.slice(Math.max(0, next - 80), next))) return true
  }
  return body.includes('new') && /=\s*new\s+\w/.test(body)
}

/** Something that is freed and used again, or freed in a loop that goes on with it. */
function isReleasing(body: string): boolean {
  for (const { 0: all, 1: one, 2: other, index } of body.matchAll(RELEASE)) {
    const name = (one ?? other)!
    const end = index + all.length
    const next = placeOf(body, name, end)
    const isReached = next !== -1 && !isReturnedBetween(body, end, next)
    if (isReached && !/^\s*=(?!=)/.test(body.slice(next + name.length, next + name.length + 4))) return true
    if (new RegExp(`\\b(?:for|while)\\s*\\([^{}]*\\b${name}->`).test(body.slice(Math.max(0, index - 400), index)))
      return true
  }
  return false
}

/** What opens or ends a block, leaves it another way than by `return`, or returns whatever a condition says. */
const WAYS = /[{}]|\b(?:goto|break|continue|case|default|return\b(?<=[;{}]\s*return))\b/g

/** Whether every way from one place to a later one meets a `return` first; false where that is not plain. */
function isReturnedBetween(body: string, from: number, to: number): boolean {
  let depth = 0
  let least = 0
  for (const [way] of body.slice(from, to).matchAll(WAYS)) {
    if (way === '{') depth++
    else if (way === '}') least = Math.min(least, --depth)
    else if (way !== 'return') return false
    else if (depth === least) return true
  }
  return false
}

/** A number from outside that is an index, a length, a factor or a divisor. */
function isCounting(body: string): boolean {
  for (const { 0: call, 1: name, index } of body.matchAll(NUMBER)) {
    const from = index + call.length
    const given = Object.hasOwn(NUMBERS, name!)
      ? [/(\w+)\s*=\s*(?:\([^();{}]*\)\s*)?$/.exec(body.slice(Math.max(0, index - 60), index))?.[1]]
      : [
          ...body
            .slice(from, from + 120)
            .split(';')[0]!
            .matchAll(/&\s*(\w+)/g),
        ].map(([, variable]) => variable)
    for (const variable of given)
      if (
        variable !== undefined &&
        new RegExp(
          `\\[\\s*${variable}\\s*\\]|[*/%]=?\\s*${variable}\\b|\\b${variable}\\s*\\*|,\\s*${variable}\\s*[,)]`,
        ).test(body.slice(from))
      )
        return true
  }
  return false
}

/** A local array of which an element behind its end is named, or which is filled with more than it holds. */
function isBeyond(body: string): boolean {
  const sizes = new Map<string, string>()
  const brackets = new Set<number>()
  for (const { 1: size, index } of body.matchAll(SIZE)) {
    const name = DECLARED.exec(body.slice(Math.max(0, index - LONGEST_NAME), index))?.[1]
    if (name === undefined) continue
    brackets.add(index)
    // Of two arrays of one name the smaller counts: the walk tells them apart.
    if (!(Number(sizes.get(name)) <= Number(size))) sizes.set(name, size!)
  }
  if (sizes.size === 0) return false
  for (const { 0: all, 1: name, 2: at, index } of body.matchAll(ELEMENT)) {
    const size = sizes.get(name!)
    if (size !== undefined && !brackets.has(index + all.indexOf('[')) && isBehind(at!, size)) return true
  }
  for (const [, first, rest, second] of body.matchAll(FILL)) {
    const size = sizes.get(first!) ?? sizes.get(second!)
    if (size === undefined) continue
    for (const [, number] of rest!.matchAll(/,\s*(\d+)\s*[,)]/g)) if (!(Number(number) <= Number(size))) return true
  }
  for (const [, to, from, text] of body.matchAll(COPY)) {
    if (from !== undefined ? sizes.has(from) : isTooLong(text!, sizes.get(to!))) return true
  }
  // An array that is freed, by its own name or that of a pointer to it.
  if (!/\bfree\s*\(/.test(body)) return false
  return [...sizes.keys()].some(name => body.includes(`= ${name};`) || body.includes(`free(${name})`))
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

/** A variable without a value whose first use counts on one, or which one condition alone gives a value. */
function isUnset(body: string): boolean {
  for (const { 0: all, 1: name, index } of body.matchAll(PLAIN)) {
    const at = placeOf(body, name!, index + all.length)
    if (at === -1) continue
    const next = /^\s*(?:=(?!=)|[-+*/|&^]=|\+\+|--|->)?/
      .exec(body.slice(at + name!.length, at + name!.length + 8))![0]
      .trim()
    if (next !== '' && next !== '=') return true
    if (next !== '=') continue
    const semicolon = body.indexOf(';', at)
    const rest = body.slice(semicolon + 1)
    const [, closing] = /^\s*(\}?)\s*/.exec(rest)!
    const before = body.slice(Math.max(0, at - 160), at)
    if (!/\bif\s*\([^;{}]*\)\s*\{?\s*$/.test(before) || (closing === '' && /\{\s*$/.test(before))) continue
    if (/^\s*\}?\s*else\b/.test(rest)) continue
    // It is used behind that, and given no value anywhere else.
    if (placeOf(body, name!, semicolon) !== -1 && !isSetAgain(body, name!, semicolon)) return true
  }
  return false
}

/** Whether the variable is given a value, or may be by way of its address, behind a place. */
function isSetAgain(body: string, name: string, from: number): boolean {
  for (let at = placeOf(body, name, from); at !== -1; at = placeOf(body, name, at + 1))
    if (body[at - 1] === '&' || /^\s*=(?!=)/.test(body.slice(at + name.length, at + name.length + 4))) return true
  return false
}

/** Where a name stands next as a word of its own; -1 where it does not. */
function placeOf(text: string, name: string, from: number): number {
  for (let at = text.indexOf(name, from); at !== -1; at = text.indexOf(name, at + 1))
    if (!/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + name.length] ?? '')) return at
  return -1
}
