import { isSpace, isWord } from './call-index.ts'
import { isCompared } from './comparisons.ts'
import { FOLLOWS } from './library.ts'

/** How a pointer to nothing is written. */
const NULLS = ['NULL', 'nullptr'] as const
const WORDS = { NULL: /\bNULL\b/, nullptr: /\bnullptr\b/ }

/** Those that a file has: an expression finds what is not there sooner than a search for the word. */
export function listNulls(text: string): string[] {
  return NULLS.filter(each => WORDS[each].test(text))
}

/** No name is longer, with the spaces behind it. */
const LONGEST_NAME = 80

/** Where a pointer is set to NULL more often than this, the function is carried out without being asked further. */
const MOST_ASKED = 40

/** So far from where a pointer is NULL it is looked for what follows it. */
const LONGEST_NULL = 4000

/**
 * Whether a function may follow a pointer that is NULL on some way, is set on others, and is followed without a loop before that and without that
 * anybody asks for it. `nulls` are those that the file has.
 */
export function isNullSuspect(own: string, nulls: readonly string[]): boolean {
  let asked = 0
  for (const written of nulls)
    for (let at = own.indexOf(written); at !== -1; at = own.indexOf(written, at + written.length)) {
      const index = findAssignment(own, at, at + written.length)
      const name = index === undefined ? undefined : readNameBefore(own, index)
      if (name === undefined || !isFollowed(own, name, index!)) continue
      if (++asked > MOST_ASKED) return true
      if (isReached(own, name, at + written.length) && isSetOtherwise(own, name)) return true
    }
  return false
}

/** The sign by which something is set to what stands between two places; undefined where nothing is. */
function findAssignment(own: string, start: number, end: number): number | undefined {
  let behind = end
  while (behind < own.length && isSpace(own.charCodeAt(behind))) behind++
  if (own[behind] !== ';') return undefined
  let at = start
  while (at > 0 && isSpace(own.charCodeAt(at - 1))) at--
  return at > 0 && own[at - 1] === '=' ? at - 1 : undefined
}

/** The name of a variable that stands before a place. */
function readNameBefore(own: string, place: number): string | undefined {
  const least = Math.max(0, place - LONGEST_NAME)
  let end = place
  while (end > least && isSpace(own.charCodeAt(end - 1))) end--
  let start = end
  while (start > least && isWord(own.charCodeAt(start - 1))) start--
  const name = own.slice(start, end)
  // What it points to is set.
  if (/[;{})]\s*\*+$/.test(own.slice(Math.max(0, start - LONGEST_NAME), start))) return undefined
  return /^[A-Za-z_]/.test(name) && !(start > least && /[.>]/.test(own[start - 1]!)) ? name : undefined
}

/** Whether it is followed behind a place, without a loop before that. */
function isFollowed(own: string, name: string, place: number): boolean {
  const behind = own.slice(place, place + LONGEST_NULL)
  const found = [`${name}->`, `*${name}`, `${name}[`].map(each => behind.indexOf(each)).filter(at => at !== -1)
  return found.length > 0 && !/\b(?:for|while|goto)\b|for_each/.test(behind.slice(0, Math.min(...found)))
}

/**
 * Whether a pointer that is NULL at a place may still be so where it is followed: not where the block around that, or one around this, has set
 * it to something else before.
 */
function isReached(own: string, name: string, place: number): boolean {
  const end = Math.min(own.length, place + LONGEST_NULL)
  const first = name.charCodeAt(0)
  /** Whether it is set in the block that is read, and was in those around it when they were left for it. */
  let isSet = false
  const outer: boolean[] = []
  for (let at = place; at < end; at++) {
    const code = own.charCodeAt(at)
    if (code === OPENING) outer.push(isSet)
    else if (code === CLOSING) isSet = outer.pop() ?? false
    else if (!isSet && code === first && isWordAt(own, name, at)) {
      if (isFollowedAt(own, at, at + name.length)) return true
      isSet = isSetAt(own, name, at)
    }
  }
  return false
}

const OPENING = 123
const CLOSING = 125

/** Whether a variable stands at a place, and no field that is called so. */
function isWordAt(own: string, name: string, at: number): boolean {
  const before = own.charCodeAt(at - 1)
  if (isWord(before) || before === DOT || before === ANGLE) return false
  return own.startsWith(name, at) && !isWord(own.charCodeAt(at + name.length))
}

const DOT = 46
const ANGLE = 62

/** A call that follows what it is given, up to an argument. */
const FOLLOWING = new RegExp(`\\b(?:${Object.keys(FOLLOWS).join('|')})\\s*\\([^;]*$`)
const LONGEST_CALL = 160

/** Whether what stands between two places is a pointer that is followed there. */
function isFollowedAt(own: string, start: number, end: number): boolean {
  if (/^\s*(?:->|\[)/.test(own.slice(end, end + LONGEST_NAME)) || /\*\s*$/.test(own.slice(start - 2, start)))
    return true
  return FOLLOWING.test(own.slice(Math.max(0, start - LONGEST_CALL), start))
}

/** What is not NULL, from the sign by which it is given. */
const VALUE = /\s*=(?!=|\s*0\s*;)([^;]*);/y

/** Whether a statement that begins at a place sets the variable to something that has nothing to do with NULL or what it was. */
function isSetAt(own: string, name: string, at: number): boolean {
  let before = at
  while (before > 0 && isSpace(own.charCodeAt(before - 1))) before--
  if (!';{}'.includes(own[before - 1] ?? ' ')) return false
  VALUE.lastIndex = at + name.length
  const value = VALUE.exec(own)?.[1]
  return value !== undefined && !/\b(?:NULL|nullptr)\b/.test(value) && !new RegExp(`(?<![.>])\\b${name}\\b`).test(value)
}

/** Whether it is set to something else, nobody has its address and nobody asks for it. */
function isSetOtherwise(own: string, name: string): boolean {
  const set = new RegExp(`\\b${name}\\s*=(?!=|\\s*(?:NULL|nullptr)\\s*;)|&\\s*${name}\\b(?!\\s*[-.[])`, 'g')
  const body = own.slice(own.indexOf('{'))
  const others = [...body.matchAll(set)]
  return others.length > 0 && others.every(([all]) => !all.startsWith('&')) && !isCompared(body, name)
}
